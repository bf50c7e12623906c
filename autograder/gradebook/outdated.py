"""Scores of versions that are no longer the one in submitted/ go before a run gives new ones.

Else a grader that is killed half-way would leave them among the new ones, and nobody could tell
which is which. An autograded notebook's record has the keys of the verdicts whose scores nbgrader
saved; a key names all that a verdict rests on, so a score is today's exactly where the keys are.
"""

from collections.abc import Iterable

from nbgrader.api import Assignment, Grade, Gradebook, SubmittedAssignment, SubmittedNotebook

from autograder.course.locks import locked
from autograder.gradebook.logged import OUTDATED
from autograder.gradebook.records import read_record
from autograder.gradebook.submission import read_submission
from autograder.gradebook.taking_back import take_back
from autograder.notebooks.submitted import Submitted
from autograder.verdicts import Grader
from autograder.verdicts.verdict_store import key_in


def take_back_outdated(
    grader: Grader, gradebook: Gradebook, submitted: Iterable[Submitted]
) -> None:
    """Take back the scores of submissions that no verdict of today stands behind.

    Args:
        grader: names today's verdicts.
        gradebook: the course's.
        submitted: the submissions that are about to be graded.
    """
    course = grader.course
    scored = _scored(gradebook)
    for one in submitted:
        if (one.student, one.assignment) not in scored:
            continue
        with locked(course.root, one.student):  # another grader may be half-way through it
            if not _is_todays(grader, one):
                take_back(course, gradebook, one.assignment, one.student, OUTDATED)


def _scored(gradebook: Gradebook) -> set[tuple[str, str]]:
    query = gradebook.db.query(SubmittedAssignment.student_id, Assignment.name)
    joined = query.join(Assignment).join(SubmittedNotebook).join(Grade)
    found = {tuple(row) for row in joined.filter(Grade.auto_score.isnot(None)).distinct()}
    gradebook.db.remove()  # no transaction stays open while submissions are graded
    return found


def _is_todays(grader: Grader, one: Submitted) -> bool:
    record = read_record(grader.course, one)
    if record is None:
        return False
    try:
        submission, _, _ = read_submission(grader.course, one)
        keys = {name: key_in(one) for name, one in record.verdicts.items()}
        return keys == grader.keys(submission)
    except Exception:  # whatever is wrong with it, grading will say
        return False
