"""The grader that nbgrader's preprocessors ask in this process, whoever started nbgrader."""

import atexit
from pathlib import Path

from autograder.course import load_course
from autograder.verdicts import Grader

_graders: dict[Path, Grader] = {}


def use(grader: Grader) -> None:
    """Let nbgrader's preprocessors ask this grader for its course's verdicts."""
    _graders[grader.course.root] = grader


def grader_of(root: Path) -> Grader:
    """The course's grader; made with the course's own settings when none was set.

    Stock commands (`nbgrader autograde`, formgrader) come here without one.
    """
    root = root.resolve()
    if root not in _graders:
        grader = Grader(load_course(root))
        atexit.register(grader.close)
        use(grader)
    return _graders[root]
