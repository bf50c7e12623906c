"""The grading process of a dispute: that of grading, whose worker also keeps what was called."""

import sys

from autograder.verdicts.server import main

if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]], "autograder.disputes.worker")
