"""Submissions for the grading process: handed to its workers, again where one ends over them."""

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from autograder.verdicts.grading_process import (
    EndedEarly,
    GradingProcess,
    GradingUnavailable,
    Place,
    ProcessEnded,
)
from autograder.verdicts.messages import Ended
from autograder.verdicts.submission import Submission
from autograder.verdicts.verdict import ExerciseVerdict

# How often an exercise may be there when a worker ends, and a submission when all of them do.
TRIES = 3


class GraderCrashed(Exception):
    """The grading process failed on this submission, or ended over it too often."""


class Pool:
    """A grading process with a number of workers; safe to use from several threads.

    Args:
        setup: gives what it grades with, as `describe_setup` tells it; called, and gone through,
            each time that the process starts, and while it does.
        workers: submissions graded at once.

    Raises:
        CourseError: what `setup` raises.
        GradingUnavailable: the course's sandbox policy cannot be met, or the graders do not load.
    """

    def __init__(self, setup: Callable[[], Iterable[dict[str, Any]]], workers: int) -> None:
        if sys.platform == "win32":
            raise GradingUnavailable(
                "Windows has not what grading is made of. Install and run the autograder in WSL2, "
                "which is a Linux on the same machine."
            )
        self._setup = setup
        self._workers = workers
        self._mending = threading.Lock()
        # None when it has ended and did not start again.
        self._process: GradingProcess | None = GradingProcess(setup(), workers)
        self.notes = self._process.notes

    def grade(
        self, submission: Submission, exercises: list[str]
    ) -> tuple[list[ExerciseVerdict], float]:
        """Grade some exercises of a submission; one over which workers end waits for a person.

        Returns:
            the verdicts, and the seconds that grading took.

        Raises:
            GraderCrashed: the grading process failed on it, or ended over it too often.
            GradingUnavailable: it ended and did not start again.
        """
        case = _Case(submission, exercises)
        while True:
            process, place = self._take()
            try:
                answer = case.ask(place)
            except ProcessEnded:
                # Only the first to see it is to blame: the mending took the others' workers.
                if self._mend(process):
                    case.count_lost_process()
                continue
            except GraderCrashed:
                process.free.put(place)
                raise
            process.free.put(place)
            if "failed" in answer:
                raise GraderCrashed(answer["failed"].strip().splitlines()[-1])
            verdicts = [ExerciseVerdict.from_json(one) for one in answer["verdicts"]]
            return verdicts, answer["seconds"]

    def close(self) -> None:
        """End the grading process."""
        if self._process is not None:
            self._process.close()

    def _take(self) -> tuple[GradingProcess, Place]:
        """A free place, and whose it is."""
        while (process := self._process) is not None:
            place = process.free.get()
            if place is not None:
                return process, place
            process.free.put(None)  # it has been replaced, which others wait to hear too
        raise GradingUnavailable("The grading process ended and did not start again.")

    def _mend(self, process: GradingProcess) -> bool:
        """Put another in place of a grading process that has ended, once for all threads.

        Returns:
            whether this thread was the first to see it.
        """
        with self._mending:
            if process is not self._process:
                return False
            process.kill()
            started = None
            try:
                started = self._start_again()
            finally:
                self._process = started
                process.free.put(None)
            return True

    def _start_again(self) -> GradingProcess:
        """Start, and start again when something ends the new process too while it starts."""
        for _ in range(TRIES - 1):
            with suppress(EndedEarly):
                return GradingProcess(self._setup(), self._workers)
        return GradingProcess(self._setup(), self._workers)


class _Case:
    """A submission on its way: what is asked of workers, and how often they have ended over it."""

    def __init__(self, submission: Submission, exercises: list[str]) -> None:
        self._student = submission.student
        self._set_aside: dict[str, str] = {}  # exercises for a person, with the reason
        self._task = {
            "submission": submission.to_json(),
            "exercises": exercises,
            "set_aside": self._set_aside,
        }
        self._endings: Counter[str] = Counter()
        self._lost = 0

    def ask(self, place: Place) -> dict[str, Any]:
        """The answer of the worker at a place, or of one that comes after it.

        Raises:
            GraderCrashed: they end before they are on any exercise.
            ProcessEnded: all of them have ended.
        """
        while isinstance(answer := place.ask(self._task), Ended):
            self._count(answer)
        return answer

    def count_lost_process(self) -> None:
        """Count that all workers have ended over it.

        Raises:
            GraderCrashed: they have too often.
        """
        self._lost += 1
        if self._lost == TRIES:
            raise GraderCrashed(f"the grading process ended over it {TRIES} times")

    def _count(self, ended: Ended) -> None:
        """Set the exercise aside if a worker would end over it again, or has too often."""
        self._endings[ended.exercise] += 1
        often = self._endings[ended.exercise]
        if not ended.is_certain and often < TRIES:
            return
        times = "" if ended.is_certain else f" {often} times"
        why = f"{ended.what} {ended.why}{times} on what {self._student} handed in"
        if not ended.exercise:
            raise GraderCrashed(why)
        self._set_aside[ended.exercise] = why
