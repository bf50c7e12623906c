"""The hidden graders over answers whose marks are known, with every comparison they make kept."""

import ctypes
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, as_completed
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest
import torch
from rich.console import Console
from rich.progress import track

from autograder.bank import all_mistakes, all_variants
from autograder.course import load_course
from autograder.course.layout import grader_files
from autograder.course.own_code import serve
from autograder.judging.answers import reference_source, source_of, student_with
from autograder.judging.attempts import raised_by
from autograder.judging.plugin import Graders
from autograder.judging.tolerance import Comparison, comparisons
from autograder.sandbox.launch import ENVIRONMENT

T = TypeVar("T")

M_MMAP_THRESHOLD = -3  # as malloc.h has it

ROOT = Path(__file__).resolve().parents[1]
serve(ROOT)
FILES = [file for name in load_course(ROOT).sources for file in grader_files(ROOT, name)]


@dataclass(frozen=True)
class Answer:
    """One answer whose marks are known.

    Attributes:
        exercise: the exercise's name.
        name: what to call it.
        source: its cell.
        right: whether it deserves full marks.
    """

    exercise: str
    name: str
    source: str
    right: bool

    def __str__(self) -> str:
        return f"{self.exercise}/{self.name}"


@dataclass(frozen=True)
class Judged:
    """What one answer showed under one secret.

    Attributes:
        made: the comparisons of floating values, each with the name of its test.
        failed: the tests that failed.
        otherwise: those of them that failed by something else than a comparison.
    """

    made: list[tuple[str, Comparison]] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    otherwise: list[str] = field(default_factory=list)


class Watched(Graders):
    """Hidden graders whose comparisons are kept.

    Args:
        comparing: the ids of the tests that run; all when None.
        serve: called once with this object when everything is collected.
    """

    def __init__(
        self, comparing: frozenset[str] | None, serve: Callable[["Watched"], None]
    ) -> None:
        super().__init__(b"", "cpu", lambda _: serve(self))
        self._comparing = comparing
        self._tests: defaultdict[str, list[pytest.Function]] = defaultdict(list)

    def judge(self, answer: Answer, secret: bytes) -> Judged:
        """Run an answer's tests on the CPU."""
        judged = Judged()
        for test in self._tests[answer.exercise]:
            with comparisons() as made:
                raised = raised_by(
                    test, partial(student_with, answer.exercise, answer.source), secret
                )
            if raised is not None:
                judged.failed.append(test.originalname)
                if not made or made[-1].ratio <= 1:
                    judged.otherwise.append(test.originalname)
            judged.made.extend((test.originalname, one) for one in made)
        return judged

    def comparing(self, exercises: Iterable[str]) -> frozenset[str]:
        """The ids of the tests of these exercises that compare floating values of references."""
        found: set[str] = set()
        for name in exercises:
            reference = Answer(name, "reference", reference_source(name), True)
            made = {test for test, _ in self.judge(reference, b"calibration").made}
            found |= {test.nodeid for test in self._tests[name] if test.originalname in made}
        return frozenset(found)

    def pytest_collection_modifyitems(self, items: list[pytest.Function]) -> None:
        """Keep the tests to run."""
        for item in items:
            on = item.callspec.params["device"] if hasattr(item, "callspec") else "cpu"
            if on == "cpu" and (self._comparing is None or item.nodeid in self._comparing):
                self._tests[item.get_closest_marker("exercise").args[0]].append(item)


def answers_of(names: Iterable[str] = ()) -> list[Answer]:
    """The references, right variants and known mistakes of these exercises, of all when none."""
    mistakes = all_mistakes()
    chosen = list(names) or list(dict.fromkeys(mistake.exercise for mistake in mistakes))
    return [
        *(Answer(name, "reference", reference_source(name), True) for name in chosen),
        *(
            Answer(one.exercise, one.name, source_of(one), True)
            for one in all_variants()
            if one.exercise in chosen
        ),
        *(
            Answer(one.exercise, one.slug, source_of(one), False)
            for one in mistakes
            if one.exercise in chosen
        ),
    ]


def _no_reset() -> None:
    """Elsewhere than on Linux the peak cannot be reset; memory tests are left out there."""


def _reset_on_linux() -> None:
    """Give free memory back and start a new peak: this process has run other answers before.

    From here on it gives large tensors back at once, as a student's process does.
    """
    libc = ctypes.CDLL(None)
    libc.mallopt(M_MMAP_THRESHOLD, int(ENVIRONMENT["MALLOC_MMAP_THRESHOLD_"]))
    libc.malloc_trim(0)
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def prepare() -> None:
    """One thread, as a grading process has; Ctrl-C is for the process that collects."""
    torch.set_num_threads(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def finished(running: Sequence[Future[T]], doing: str, console: Console) -> Iterator[T]:
    """What tasks gave, with a bar for the person who waits; Ctrl-C ends it early."""
    try:
        for task in track(
            as_completed(running),
            doing,
            len(running),
            console=console,
            transient=True,
            refresh_per_second=1,  # ten times a second takes a tenth of a processor
        ):
            yield task.result()
    except KeyboardInterrupt:
        console.print("Ended early.")


forget_peak_memory: Callable[[], None] = _reset_on_linux if sys.platform == "linux" else _no_reset
