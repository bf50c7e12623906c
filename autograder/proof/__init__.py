"""Proves a course before students see it: graders on known answers, notebooks, releases."""

from autograder.proof.given_away import oracles
from autograder.proof.known_answers import KnownAnswer, known_answers, mutant_answers, outdated
from autograder.proof.notebooks import NotebookRun, run_notebooks
from autograder.proof.prices import incomplete, off_price
from autograder.proof.proving import Proof, idle_tests, prove, telling_symptoms
from autograder.proof.secrets import leaks
from autograder.proof.todos import Todo, todos
from autograder.proof.visible import unwarned, with_checks

__all__ = [
    "KnownAnswer",
    "NotebookRun",
    "Proof",
    "Todo",
    "idle_tests",
    "incomplete",
    "known_answers",
    "leaks",
    "mutant_answers",
    "off_price",
    "oracles",
    "outdated",
    "prove",
    "run_notebooks",
    "telling_symptoms",
    "todos",
    "unwarned",
    "with_checks",
]
