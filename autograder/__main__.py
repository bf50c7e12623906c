"""`python -m autograder` is the `autograder` command."""

from autograder.commands import main

main()
