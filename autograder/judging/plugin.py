"""The pytest plugin: hidden graders, collected once and run many times.

Starting pytest costs far more than running an exercise's tests, so a grading process collects the
graders once and hands control to `serve`, which runs the items of one exercise after another on
whichever student is given. To set up a test and take it down again costs pytest as much as the test
itself, so each is called with what it asks for: `student`, `draw`, and what it is parametrized by.
"""

import os
import warnings
from collections.abc import Callable, Collection, Mapping
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass, field, replace
from functools import partial
from io import StringIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import pytest

from autograder.checks.kit.clean_pytest import clean_pytest
from autograder.checks.kit.errors import Stop
from autograder.course.own_code import served
from autograder.judging.answers import student_with
from autograder.judging.assertions import Wrong
from autograder.judging.attempts import Stopped, exercise_of, parameters_of, raised_by
from autograder.sandbox.inside.versions import is_installed
from autograder.student import MissingName, StudentDied

# Each of these costs milliseconds an item or a run, and serves a person at a terminal.
WITHOUT = """
    cacheprovider capture debugging doctest faulthandler junitxml logging pastebin recwarn setuponly
    setupplan stepwise subtests terminal threadexception unraisableexception warnings
""".split()  # noqa: SIM905 - a list literal would be 18 lines

ASKED_FOR = ("student", "draw", "device", "lead")
"""What a hidden test may ask for."""

DEVICES = ("cpu", "cuda")

Outcome = Literal["passed", "failed", "error", "pending"]

NOT_BOUND = "the name is not bound when its cell has run"
# A process that died costs its time limit; an exercise may cost that this often.
DEATHS_ALLOWED = 2


@dataclass(frozen=True)
class Found:
    """What one hidden test found.

    Attributes:
        name: the test's name without `test_`.
        claim: the first line of its docstring.
        device: where it ran.
        weight: its share of the exercise, relative to the other tests.
        outcome: `passed`, `failed`, `error` (the grader itself failed), or `pending` (no such
            device here, or a package is missing).
        symptom: what was seen to be wrong, in words that reveal no hidden input; or which package
            is missing.
        misconception: a slug that the test itself is sure of.
        died: how the student's process ended, when it did.
        fault: what the grader itself raised, when it did; for the instructor.
        stopped: the error with which the student's code stopped; None where it did not.
        aspect: which of the course's aspects it asks for.
        remark: whether what it finds is told and costs nothing.
    """

    name: str
    claim: str
    device: str
    weight: float
    outcome: Outcome
    symptom: str | None = None
    misconception: str | None = None
    died: StudentDied | None = None
    fault: str | None = None
    stopped: Stopped | None = field(default=None, compare=False)  # an exception is itself alone
    aspect: str = "values"
    remark: bool = False

    @property
    def line(self) -> int | None:
        """Of the student's cell, in which it stopped; None where it did not, or nobody knows."""
        return self.stopped.line if self.stopped else None

    @property
    def stop(self) -> Stop | None:
        """What stopped the notebook above, where that is why the answer fails."""
        return self.stopped.stop if self.stopped else None


class Graders:
    """Hidden graders, collected; runs them with what they ask for.

    Args:
        secret: the course secret.
        device: whose tests run; those for others are pending.
        serve: called once with this object when everything is collected; runs until it returns.
        aspects: what tests may ask for; anything when not given.

    Attributes:
        unusable: packages that do not work on the device, and why not; tests that need them there
            are pending.
        on: told what is judged next: the exercise, and which of its tests or what else of it.
    """

    unusable: Mapping[str, str] = MappingProxyType({})
    on: Callable[[str, str], None]

    def __init__(
        self,
        secret: bytes,
        device: str,
        serve: Callable[["Graders"], None],
        aspects: Collection[str] | None = None,
    ) -> None:
        if device not in DEVICES:
            raise ValueError(f"{device!r} is no device; known are {', '.join(DEVICES)}")
        self._secret = secret
        self._device = device
        self._serve = serve
        self._aspects = aspects
        self._items: dict[str, list[pytest.Function]] = {}
        self._failed: dict[tuple[str, str], bool] = {}
        self._served = False
        self._raised: BaseException | None = None
        self.on = lambda exercise, what: None

    def start(self, files: list[Path]) -> None:
        """Collect the graders in `files` and call `serve`.

        Raises:
            RuntimeError: a grader file cannot be collected.
            BaseException: whatever `serve` raised.
        """
        if not files:  # of a course that only asks questions; pytest would look for tests itself
            self._serve(self)
            return
        options = [part for name in WITHOUT for part in ("-p", f"no:{name}")]
        # In a path, pytest reads `[`, `::` and `$HOME` otherwise than as part of a folder's name.
        named = [os.path.relpath(file, served()) for file in files]
        self._began_in = Path.cwd()
        with clean_pytest(), chdir(served()):
            code = pytest.main(
                [
                    *options,
                    "--assert=plain",
                    "--noconftest",
                    "--import-mode=importlib",
                    "--strict-markers",
                    "--rootdir=.",
                    "-c/dev/null",
                    "-opython_files=*.py",
                    *named,
                ],
                plugins=[self],
            )
        if self._raised is not None:
            raise self._raised
        if not self._served:
            raise RuntimeError(f"the hidden graders cannot be collected (pytest says {code!r})")

    @property
    def exercises(self) -> list[str]:
        """Exercises that have graders."""
        return list(self._items)

    def item(self, exercise: str, name: str, device: str) -> pytest.Function:
        """One hidden test, by the name and the device of what it found.

        Raises:
            LookupError: the exercise has no such test.
        """
        for item in self._items.get(exercise, []):
            if item.originalname.removeprefix("test_") == name and _device_of(item) == device:
                return item
        raise LookupError(f"{exercise} has no hidden test {name} for {device}")

    def fails(self, exercise: str, source: str, name: str) -> bool:
        """Whether a trusted answer fails a hidden test on the CPU; kept while the process lives.

        Args:
            exercise: the exercise's name.
            source: the answer's cell.
            name: the test's.
        """
        if (source, name) not in self._failed:
            item = self.item(exercise, name, "cpu")
            with warnings.catch_warnings(), redirect_stdout(StringIO()):  # some print their answer
                warnings.simplefilter("ignore")  # mistakes overflow and deprecate, as they should
                raised = raised_by(item, partial(student_with, exercise, source), self._secret)
            self._failed[source, name] = raised is not None
        return self._failed[source, name]

    def run(self, exercise: str, student_of: Callable[[], Any]) -> list[Found]:
        """Run an exercise's tests on the student that `student_of` gives.

        Args:
            exercise: the exercise's name.
            student_of: called once a test; may raise StudentDied.

        Raises:
            SandboxLost: the sandbox is gone, which says nothing about the exercise.
        """
        items = self._items.get(exercise, [])
        found: list[Found] = []
        for item in items:
            deaths = [one.died for one in found if one.died is not None]
            last = deaths[-1] if len(deaths) >= DEATHS_ALLOWED else None
            self.on(exercise, item.originalname)
            found.append(self._run_one(item, student_of, last))
        return found

    def _run_one(
        self, item: pytest.Function, student_of: Callable[[], Any], died: StudentDied | None
    ) -> Found:
        name = item.originalname.removeprefix("test_")
        claim = (item.obj.__doc__ or name.replace("_", " ")).strip().splitlines()[0]
        device = _device_of(item)
        found = Found(
            name,
            claim,
            device,
            _weight_of(item),
            "pending",
            aspect=_aspect_of(item),
            remark=_is_remark(item),
        )
        missing = _missing(item)
        if missing is not None:
            return replace(found, symptom=f"{missing} is not installed where this was graded.")
        if device != self._device:
            return found
        if _needed(item) in self.unusable:
            package = _needed(item).capitalize()
            return replace(found, symptom=f"{package} does not work on the GPU of this machine.")
        raised = died or raised_by(item, student_of, self._secret)
        outcome, symptom, misconception, died, fault = _explain(raised)
        return replace(
            found,
            outcome=outcome,
            symptom=symptom,
            misconception=misconception,
            died=died,
            fault=fault,
            stopped=raised.with_traceback(None) if isinstance(raised, Stopped) else None,
        )

    def pytest_configure(self, config: pytest.Config) -> None:
        """Register the graders' markers."""
        config.addinivalue_line("markers", "exercise(name): the exercise that a test belongs to")
        config.addinivalue_line(
            "markers", "points(weight, aspect): the test's share of the exercise, and what it is of"
        )
        config.addinivalue_line("markers", "remark: what the test finds is told and costs nothing")
        config.addinivalue_line(
            "markers", "every_lead: the test holds for all leading dimensions that the code takes"
        )
        config.addinivalue_line("markers", "devices(*names): where the test runs")
        config.addinivalue_line(
            "markers", "needs(package, oldest): what it waits for where it is missing"
        )

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Give a test one item for each device that its marker names."""
        if "device" in metafunc.fixturenames:
            marker = metafunc.definition.get_closest_marker("devices")
            metafunc.parametrize("device", marker.args if marker else ("cpu",))

    def pytest_collection_modifyitems(self, items: list[pytest.Function]) -> None:
        """Sort the items by exercise, in the order of the file."""
        for item in items:
            unknown = set(item.fixturenames) - {*ASKED_FOR, *parameters_of(item)}
            if unknown:
                raise pytest.UsageError(
                    f"{item.nodeid} asks for {', '.join(sorted(unknown))}; "
                    f"hidden tests may ask for {', '.join(ASKED_FOR)}"
                )
            if item.get_closest_marker("exercise") is None:
                raise pytest.UsageError(f"{item.nodeid} names no exercise: add @exercise(...)")
            if self._aspects is not None and _aspect_of(item) not in self._aspects:
                known = ", ".join(self._aspects)
                raise pytest.UsageError(
                    f"{item.nodeid} is of {_aspect_of(item)!r}; known are {known}"
                )
            self._items.setdefault(exercise_of(item), []).append(item)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Hand over to `serve` in place of running every item once."""
        if session.testsfailed:
            raise session.Failed(f"{session.testsfailed} grader files cannot be imported")
        self._served = True
        try:
            with chdir(self._began_in):
                self._serve(self)
        except BaseException as raised:  # pytest would print it as an error of its own, and go on
            self._raised = raised
        return True


def _device_of(item: pytest.Function) -> str:
    return parameters_of(item).get("device", "cpu")


def _missing(item: pytest.Function) -> str | None:
    """The package without which a test cannot judge the student's code, where it is not here."""
    marker = item.get_closest_marker("needs")
    if marker is None or is_installed(*marker.args):
        return None
    package, oldest = marker.args
    return f"{package.capitalize()} {oldest} or newer"


def _needed(item: pytest.Function) -> str:
    """The package without which a test cannot judge, or nothing."""
    marker = item.get_closest_marker("needs")
    return str(marker.args[0]) if marker else ""


def _is_remark(item: pytest.Function) -> bool:
    return item.get_closest_marker("remark") is not None


def _weight_of(item: pytest.Function) -> float:
    if _is_remark(item):
        return 0.0
    marker = item.get_closest_marker("points")
    return float(marker.args[0]) if marker else 1.0


def _aspect_of(item: pytest.Function) -> str:
    marker = item.get_closest_marker("points")
    return str(marker.args[1]) if marker and len(marker.args) > 1 else "values"


def _explain(
    raised: BaseException | None,
) -> tuple[Outcome, str | None, str | None, StudentDied | None, str | None]:
    """Outcome, symptom, misconception, death and fault of a grader, from what it raised."""
    match raised:
        case None:
            return "passed", None, None, None, None
        case Wrong():
            return "failed", raised.symptom, raised.misconception, None, None
        case StudentDied():
            return "failed", None, None, raised, None
        case MissingName():
            return "failed", NOT_BOUND, None, None, None
        case Stopped():
            return "failed", raised.symptom, None, None, None
        case _:
            return "error", None, None, None, f"{type(raised).__name__}: {raised}"
