"""Grading a class: every submission into the gradebook, none lost, none silent."""

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Semaphore

from nbgrader.api import Gradebook

from autograder.course.errors import MachineError
from autograder.course.locks import locked
from autograder.gradebook.book import Book, Graded, Ungraded
from autograder.gradebook.class_names import enter_class
from autograder.gradebook.grading import use
from autograder.gradebook.granted import enter_due_dates
from autograder.gradebook.outdated import take_back_outdated
from autograder.gradebook.scores import open_gradebook
from autograder.gradebook.stages import are_ours
from autograder.gradebook.stock import StockBook
from autograder.gradebook.submission import content_of, numbered, read_submission
from autograder.gradebook.taking_back import take_back_ungraded
from autograder.notebooks.plain_file import BadNotebook
from autograder.notebooks.submitted import Submitted
from autograder.verdicts import Grader, SubmissionVerdict
from autograder.verdicts.verdict import GRADER_ERROR

AHEAD = 32  # submissions that may be graded and not yet written, beside one a worker
TOGETHER = 16  # submissions that are written at once, at most
WAIT_SECONDS = 1  # at most, for others to be written with the first that is done


def grade_class(grader: Grader, submitted: Sequence[Submitted]) -> Iterator[SubmissionVerdict]:
    """Grade submissions side by side and write those into the gradebook that are done.

    What stands there already is left as it is. Scores of earlier versions are taken back first, so
    that none stands among new ones.

    Args:
        grader: gives the verdicts.
        submitted: what to grade; their assignments are registered.

    Yields:
        one verdict a submission, in the order in which they are done.

    Raises:
        GradingUnavailable: nothing can be graded on this machine.
    """
    use(grader)
    kind: type[Book | StockBook] = Book if are_ours(grader.course.config) else StockBook
    with open_gradebook(grader.course) as gradebook:
        names = dict.fromkeys(one.assignment for one in submitted)
        enter_due_dates(grader.course, gradebook, names)
        enter_class(grader.course, gradebook)
        books = {name: kind(grader, gradebook, name) for name in names}
        for name, book in books.items():
            asked = {one.student for one in submitted if one.assignment == name}
            book.logged.notice(gradebook, asked)
            book.logged.begin(grader.parts(name))
        found = ((one, books[one.assignment].standing(one)) for one in submitted)
        standing = {one: verdict and lean(verdict) for one, verdict in found}
        yield from filter(None, standing.values())
        new = [one for one, verdict in standing.items() if verdict is None]
        take_back_outdated(grader, gradebook, new)
        for batch in graded(grader, new):
            yield from _written(grader, gradebook, books, batch)
        for book in books.values():
            if book.logged.log.note is not None:
                grader.add_note(book.logged.log.note)


def grade_one(grader: Grader, one: Submitted) -> Graded | Ungraded:
    """Grade one submitted folder; one that cannot be graded gets its reason."""
    try:
        made_of = content_of(grader.course, one)
        submission, notebook, notes = read_submission(grader.course, one)
    except BadNotebook as error:
        return _ungraded(one, error.reason, str(error))
    except OSError as error:
        return _ungraded(one, "bad_notebook", f"it cannot be read: {error.strerror or error}")
    except Exception as error:
        return _fault(one, error)
    try:
        verdict = numbered(grader.verdict(submission), submission, notebook)
        notes += [note for one in verdict.exercises if (note := one.judged_elsewhere)]
        verdict = replace(verdict, notes=tuple(notes))
        if verdict.reason is not None:
            return Ungraded(one, verdict)
        return Graded(one, verdict, made_of, submission, notebook)
    except MachineError:
        raise
    except Exception as error:
        return _fault(one, error)


def lean(verdict: SubmissionVerdict) -> SubmissionVerdict:
    """A verdict without what only its page shows: a class of thousands is held at once."""
    exercises = tuple(replace(one, printed="", picture=None) for one in verdict.exercises)
    return replace(verdict, exercises=exercises)


def _ungraded(one: Submitted, reason: str, detail: str) -> Ungraded:
    return Ungraded(one, SubmissionVerdict(one.student, one.assignment, (), reason, detail))


def _fault(one: Submitted, error: Exception) -> Ungraded:
    """A fault of ours with one submission: it must not cost the others their marks."""
    return _ungraded(one, GRADER_ERROR, f"{type(error).__name__}: {error}")


def graded(grader: Grader, submitted: Sequence[Submitted]) -> Iterator[list[Graded | Ungraded]]:
    """Grade side by side, and write nothing.

    Yields:
        the first that is done, with what follows within a second.
    """
    done: SimpleQueue[Future[Graded | Ungraded]] = SimpleQueue()
    left = len(submitted)
    # What is graded waits in memory until it is written; so little of it may wait.
    room = Semaphore(AHEAD + grader.workers)

    def grade(one: Submitted) -> Graded | Ungraded:
        room.acquire()
        return grade_one(grader, one)

    with ThreadPoolExecutor(grader.workers) as pool:
        futures = [pool.submit(grade, one) for one in submitted]
        for future in futures:
            future.add_done_callback(done.put)
        futures.clear()  # what is written is not kept
        try:
            while left:
                ended = _together(done, min(left, TOGETHER))
                errors = [one.exception() for one in ended]
                left -= len(ended)
                batch = [
                    one.result() for one, error in zip(ended, errors, strict=True) if not error
                ]
                if batch:
                    yield batch
                for error in filter(None, errors):  # once what was graded beside it is written
                    raise error
                room.release(len(batch))
        finally:
            room.release(len(submitted) or 1)
            pool.shutdown(cancel_futures=True)


def _together(
    done: SimpleQueue[Future[Graded | Ungraded]], most: int
) -> list[Future[Graded | Ungraded]]:
    """The next that is done, and what follows soon: a transaction costs more than a submission."""
    found = [done.get()]
    last = time.monotonic() + WAIT_SECONDS
    try:
        while len(found) < most:
            found.append(done.get(timeout=max(0.0, last - time.monotonic())))
    except Empty:
        pass
    return found


def _written(
    grader: Grader,
    gradebook: Gradebook,
    books: Mapping[str, Book | StockBook],
    batch: list[Graded | Ungraded],
) -> Iterator[SubmissionVerdict]:
    """The verdicts, once the gradebook holds them; or why it does not."""
    for name, book in books.items():
        here = [one for one in batch if one.verdict.assignment == name]
        marked = [one for one in here if isinstance(one, Graded)]
        failures = book.write(marked) if marked else []
        refused = [one for one in here if isinstance(one, Ungraded)]
        for one, failure in zip(marked, failures, strict=True):
            if failure is None:
                yield lean(one.verdict)
            else:
                verdict = replace(one.verdict, reason="not_written", detail=failure)
                refused.append(Ungraded(one.one, verdict))
        for ungraded in refused:
            student = ungraded.one.student
            with locked(grader.course.root, student):
                reason = ungraded.verdict.reason or ""
                take_back_ungraded(grader.course, gradebook, name, student, reason)
            yield ungraded.verdict
