"""Runs the visible checks of one exercise with pytest, in this process, and collects findings."""

import tempfile
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from .clean_pytest import clean_pytest
from .comparing import Comparison
from .describing import result_text
from .errors import MissingName, StudentError
from .expectation import Mismatch
from .recording import RecordingStudent

# Each of these costs milliseconds, writes files, or talks to a terminal that is not there.
_WITHOUT = (
    *("cacheprovider", "capture", "debugging", "doctest", "faulthandler", "junitxml", "logging"),
    *("pastebin", "setuponly", "setupplan", "stepwise", "subtests", "terminal"),
    *("threadexception", "unraisableexception", "warnings"),
)


@dataclass(frozen=True)
class Finding:
    """What one check found.

    Attributes:
        claim: what was checked: the first line of the check's docstring.
        passed: whether it holds.
        called: the call in words.
        came_back: what the call returned or raised, in words.
        expected: what was expected, in words; empty when the check passed, unless `only_form`.
        says: a sentence to the student; empty when the check passed, unless a prediction is right.
        error: what the student's code raised, or None.
        only_form: whether it is an answer's form alone that was checked, so that passing says
            nothing of its being right.
        compared: what came back beside what was expected, where both are numbers in one form.
        asked: the notebook's functions and classes that the check asked for.
    """

    claim: str
    passed: bool
    called: str
    came_back: str
    expected: str = ""
    says: str = ""
    error: StudentError | None = None
    only_form: bool = False
    compared: Comparison | None = None
    asked: frozenset[str] = frozenset()


def run_checks(exercise: str, module: ModuleType, namespace: dict[str, Any]) -> list[Finding]:
    """Run the module's checks of an exercise on the student's namespace.

    Raises:
        KeyboardInterrupt: the student interrupted the run.
        RuntimeError: pytest itself failed.
    """
    run = _Run(exercise, module, namespace)
    here = Path(module.__file__ or "").resolve().parent
    options = [part for name in _WITHOUT for part in ("-p", f"no:{name}")]
    options += [f"--rootdir={here}", "--noconftest", "--assert=plain", "-opython_files=*.py"]
    with clean_pytest(), tempfile.TemporaryDirectory() as elsewhere:
        # A pytest.ini above the student's folder must have no say: an empty one takes its place.
        empty = Path(elsewhere, "pytest.ini")
        empty.touch()
        # A module's name holds no bracket, which pytest would read as a parameter, as a path may.
        code = pytest.main([*options, "-c", str(empty), "--pyargs", module.__name__], plugins=[run])
    if code == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise RuntimeError(f"the checks of {exercise} could not run (pytest says {code!r})")
    return run.findings


class _Run:
    """A pytest plugin: provides `student` and `asked`, and turns reports into findings."""

    def __init__(self, exercise: str, module: ModuleType, namespace: dict[str, Any]) -> None:
        self.findings: list[Finding] = []
        self._exercise = exercise
        self._module = module
        self._namespace = namespace
        self._student = RecordingStudent(namespace)

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "exercise(name): the exercise that a check belongs to")

    def pytest_pycollect_makemodule(
        self, module_path: Path, parent: pytest.Collector
    ) -> pytest.Module:
        """The module as it was imported: pytest would import it once more, by a name of its own."""
        node: pytest.Module = pytest.Module.from_parent(parent, path=module_path)
        node.obj = self._module
        return node

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self._covers(item)]

    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        raised = call.excinfo.value if call.excinfo is not None else None
        if call.when == "call" or raised is not None:
            found = _finding(item, self._student, raised, self._exercise)
            self.findings.append(replace(found, asked=frozenset(self._student.asked)))

    @pytest.fixture
    def student(self) -> RecordingStudent:
        """The code in the notebook, as if it were a module."""
        self._student = RecordingStudent(self._namespace)
        return self._student

    @pytest.fixture
    def asked(self) -> str:
        """The name of the exercise that is being checked."""
        return self._exercise

    def _covers(self, item: pytest.Item) -> bool:
        marker = item.get_closest_marker("exercise")
        return marker is not None and fnmatchcase(self._exercise, marker.args[0])


def _finding(
    item: pytest.Item, student: RecordingStudent, raised: BaseException | None, exercise: str
) -> Finding:
    function = getattr(item, "function", None)
    claim = (getattr(function, "__doc__", None) or item.name).strip().splitlines()[0]
    came_back = result_text(student.came_back)
    match raised:
        case None:
            return Finding(claim, True, student.called, came_back)
        case Mismatch():
            came_back = raised.came_back if raised.came_back is not None else came_back
            return Finding(
                claim,
                False,
                student.called,
                came_back,
                raised.expected,
                raised.says,
                compared=raised.compared,
            )
        case MissingName():
            return Finding(claim, False, student.called, "nothing", "", str(raised), raised)
        case StudentError():
            where = _place(raised, exercise)
            says = f"Your code stopped with {raised.type_name}{where} before it gave a result."
            return Finding(
                claim, False, student.called, result_text(raised), "a result", says, raised
            )
        case _:
            text = f"{type(raised).__name__}: {raised}"
            says = "The check itself could not go on with this result; look at its form first."
            return Finding(claim, False, student.called, text, "a result", says)


def _place(error: StudentError, exercise: str) -> str:
    """Where the student's code stopped: lines are counted in each cell anew, so name the cell."""
    if error.line is None:
        return ""
    if error.inside in (None, exercise):
        return f" in line {error.line} of your cell"
    return f" in line {error.line} of the cell that defines `{error.inside}`"
