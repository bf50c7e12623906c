"""Grading a class: every submission into the gradebook, none lost, none silent."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace

from autograder.course import Course
from autograder.course.errors import MachineError
from autograder.course.turns import turn
from autograder.gradebook.grading import use
from autograder.gradebook.outdated import take_back_outdated
from autograder.gradebook.scores import Writer, open_gradebook, take_back
from autograder.gradebook.submission import read_submission
from autograder.notebooks import BadNotebook, Submitted, why_refused
from autograder.verdicts import Grader, SubmissionVerdict
from autograder.verdicts.verdict import GRADER_ERROR


def grade_class(grader: Grader, submitted: list[Submitted]) -> Iterator[SubmissionVerdict]:
    """Grade submissions side by side and write each into the gradebook as it comes.

    Scores of earlier versions are taken back first, so that none stands among new ones.

    Args:
        grader: gives the verdicts.
        submitted: what to grade.
    Yields:
        one verdict a submission, in the order in which they are done.
    Raises:
        GradingUnavailable: nothing can be graded on this machine.
    """
    use(grader)
    writer = Writer(grader.course)
    take_back_outdated(grader, submitted)
    with ThreadPoolExecutor(grader.workers) as pool:
        waiting = {pool.submit(verdict_on, grader, one): one for one in submitted}
        try:
            for done in as_completed(waiting):
                yield _written(grader.course, writer, waiting[done], done.result())
        finally:
            for future in waiting:
                future.cancel()


def verdict_on(grader: Grader, one: Submitted) -> SubmissionVerdict:
    """The verdict on one submitted folder; a folder that cannot be graded gets its reason."""
    refused = why_refused(one.folder)
    if refused is not None:
        return _ungraded(one, *refused)
    if not one.notebook.is_symlink() and not one.notebook.exists():
        others = sorted(path.name for path in one.folder.glob("*.ipynb"))
        found = f"; it holds {', '.join(others[:3])}" if others else ""
        return _ungraded(one, "missing_notebook", f"the folder has no {one.notebook.name}{found}")
    try:
        submission, notes = read_submission(grader.course, one)
        return replace(grader.verdict(submission), notes=tuple(notes))
    except BadNotebook as error:
        return _ungraded(one, "bad_notebook", str(error))
    except MachineError:
        raise
    except Exception as error:  # a fault of ours with this one must not cost the others their marks
        return _ungraded(one, GRADER_ERROR, f"{type(error).__name__}: {error}")


def _ungraded(one: Submitted, reason: str, detail: str) -> SubmissionVerdict:
    return SubmissionVerdict(one.student, one.assignment, (), reason, detail)


def _written(
    course: Course, writer: Writer, one: Submitted, verdict: SubmissionVerdict
) -> SubmissionVerdict:
    """The verdict, once the gradebook holds it; or why the gradebook does not."""
    if verdict.reason is None:
        failure = writer.write(one.assignment, one.student)
        if failure is None:
            return verdict
        verdict = replace(verdict, reason="not_written", detail=failure)
    with turn(course.root, one.student), open_gradebook(course) as gradebook:
        take_back(course, gradebook, one.assignment, one.student)
    return verdict
