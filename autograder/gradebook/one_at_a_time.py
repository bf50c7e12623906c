"""One autograde at a time on what belongs to a student, whichever command started it.

nbgrader removes `autograded/<student>/<assignment>`, fills it again and makes rows that must be
unique, as if it were alone: of two on one student, one would fail or take the other's files. It has
a hook before a submission and none after one that failed, so its converter is narrowed here, once,
for every command.
"""

from contextlib import ExitStack
from pathlib import Path

from nbgrader.converters import Autograde

from autograder.course.turns import turn
from autograder.gradebook.grading import grader_of
from autograder.gradebook.reopening import reopen_changed
from autograder.gradebook.scores import open_gradebook

_prepare = Autograde.init_destination
_convert_all = Autograde.convert_notebooks


def take_turn(self: Autograde, assignment_id: str, student_id: str) -> bool:
    """nbgrader's first step with a submission, once no one else is at work on its student."""
    self.turn.close()  # the submission before is done
    self.turn.enter_context(turn(Path(self.coursedir.root), student_id))
    course = grader_of(Path(self.coursedir.root)).course
    with open_gradebook(course) as gradebook:  # autograded/ goes next, and with it what was read
        reopen_changed(course, gradebook, assignment_id, student_id)
    return _prepare(self, assignment_id, student_id)


def convert_in_turns(self: Autograde) -> None:
    """nbgrader's walk over the submissions, each in its turn."""
    with ExitStack() as self.turn:
        _convert_all(self)


def install() -> None:
    """Let nbgrader's autograde take turns; may be repeated."""
    Autograde.init_destination = take_turn
    Autograde.convert_notebooks = convert_in_turns
