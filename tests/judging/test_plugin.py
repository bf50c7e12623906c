"""The plugin runs collected graders again and again, and says what each found."""

import os
from pathlib import Path
from typing import Any

import pytest

from autograder.judging.plugin import NOT_BOUND, Found, Graders
from autograder.student import MissingName, StudentDied, StudentError

GRADERS = '''
import pytest
from autograder.judging import Wrong, exercise

@exercise("f")
@pytest.mark.points(3, "masking")
@pytest.mark.devices("cpu", "cuda")
def test_value(student, device, draw):
    """The value."""
    if student.f(draw.integer(0, 1000)) != 1:
        raise Wrong("It is not one.", misconception="not-one")

@exercise("f")
def test_again(student):
    """Again."""
    student.f(0)

@exercise("f")
def test_third(student):
    """A third time."""
    student.f(0)

@exercise("g")
def test_other(student):
    """Another exercise."""
    raise KeyError("the grader's own fault")
'''


class Student:
    """Does what it is told, and counts."""

    def __init__(self, does: Any) -> None:
        self.does, self.calls = does, []

    def f(self, value: int) -> Any:
        self.calls.append(value)
        if isinstance(self.does, Exception):
            raise self.does
        return self.does


def graded(
    folder: Path, *students: Student, exercise: str = "f", device: str = "cpu"
) -> list[list[Found]]:
    (folder / "graders.py").write_text(GRADERS)
    found: list[list[Found]] = []

    def serve(graders: Graders) -> None:
        assert graders.exercises == ["f", "g"]
        for student in students:
            found.append(graders.run(exercise, lambda student=student: student))

    Graders(b"secret", device, serve).start([folder / "graders.py"])
    return found


def test_claims_weights_and_devices_come_from_the_grader(tmp_path: Path) -> None:
    ((value, waiting, again, _),) = graded(tmp_path, Student(1))
    assert (value.name, value.claim, value.device, value.weight) == (
        "value",
        "The value.",
        "cpu",
        3,
    )
    assert (waiting.name, waiting.device, waiting.outcome) == ("value", "cuda", "pending")
    assert (again.weight, again.outcome) == (1, "passed")
    assert (value.aspect, waiting.aspect, again.aspect) == ("masking", "masking", "values")


def test_a_device_runs_its_own_tests_with_the_same_inputs(tmp_path: Path) -> None:
    here, there = Student(1), Student(2)
    graded(tmp_path, here)
    (found,) = graded(tmp_path, there, device="cuda")
    assert [(one.device, one.outcome) for one in found] == [
        ("cpu", "pending"),
        ("cuda", "failed"),
        ("cpu", "pending"),
        ("cpu", "pending"),
    ]
    assert there.calls == here.calls[:1]


def test_one_student_leaves_nothing_for_the_next(tmp_path: Path) -> None:
    right, wrong, right_again = graded(tmp_path, Student(1), Student(2), Student(1))
    assert right == right_again
    assert wrong[0].outcome == "failed"
    assert (wrong[0].symptom, wrong[0].misconception) == ("It is not one.", "not-one")


def test_everyone_gets_the_same_hidden_input(tmp_path: Path) -> None:
    one, two = Student(1), Student(1)
    graded(tmp_path, one, two)
    assert one.calls == two.calls


@pytest.mark.parametrize(
    ("raised", "symptom"),
    [
        (StudentError("ValueError", "secret", 3), "your code raised ValueError"),
        (StudentError("Leak_0x1234", "x", 3, "KeyError"), "your code raised KeyError"),
        (MissingName("f"), NOT_BOUND),
    ],
)
def test_an_error_is_told_without_what_it_says(
    tmp_path: Path, raised: Exception, symptom: str
) -> None:
    ((first, *_),) = graded(tmp_path, Student(raised))
    assert (first.outcome, first.symptom) == ("failed", symptom)


@pytest.mark.parametrize(("line", "told"), [(3, 3), (99, 99), (100, None), (-1, None)])
def test_no_line_is_told_that_could_stand_for_more_than_a_line(
    tmp_path: Path, line: int, told: int | None
) -> None:
    """What the student's process says of lines may be chosen with hidden inputs in mind."""
    ((first, *_),) = graded(tmp_path, Student(StudentError("ValueError", "x", line)))
    assert first.line == told


def test_a_process_that_dies_twice_is_not_tried_again(tmp_path: Path) -> None:
    student = Student(StudentDied("timeout", "5 s"))
    (found,) = graded(tmp_path, student)
    assert [one.died.reason for one in found if one.died] == ["timeout"] * 3
    assert len(student.calls) == 2


def test_a_fault_of_the_grader_is_no_fault_of_the_student(tmp_path: Path) -> None:
    ((only,),) = graded(tmp_path, Student(1), exercise="g")
    assert only.outcome == "error"
    assert only.fault == 'KeyError: "the grader\'s own fault"'


@pytest.mark.parametrize("broken", ["import nothing_there", "def test_x(student): pass", "("])
def test_graders_that_cannot_be_collected_are_refused(tmp_path: Path, broken: str) -> None:
    (tmp_path / "graders.py").write_text(broken)
    with pytest.raises(RuntimeError, match="cannot be collected"):
        Graders(b"secret", "cpu", lambda _: None).start([tmp_path / "graders.py"])


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PYTEST_ADDOPTS", "-o python_functions=test_value"),
        ("PYTEST_ADDOPTS", "--no-such-option"),
        ("PYTEST_PLUGINS", "no_such_plugin"),
    ],
)
def test_what_the_environment_tells_pytest_changes_no_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    (found,) = graded(tmp_path, Student(1))
    assert {one.name for one in found} == {"value", "again", "third"}
    assert os.environ[variable] == value


def test_a_plugin_that_happens_to_be_installed_changes_no_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leaving_out.py").write_text(
        "def pytest_collection_modifyitems(items):\n    del items[1:]\n"
    )
    metadata = tmp_path / "leaving_out-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: leaving-out\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[pytest11]\nleaving_out = leaving_out\n")
    monkeypatch.syspath_prepend(tmp_path)
    (found,) = graded(tmp_path, Student(1))
    assert {one.name for one in found} == {"value", "again", "third"}


@pytest.mark.parametrize("error", [OSError("no room"), SystemExit(3), KeyboardInterrupt()])
def test_what_whoever_serves_raises_reaches_whoever_started(
    tmp_path: Path, error: BaseException
) -> None:
    (tmp_path / "graders.py").write_text(GRADERS)

    def serve(graders: Graders) -> None:
        raise error

    with pytest.raises(type(error)) as raised:
        Graders(b"secret", "cpu", serve).start([tmp_path / "graders.py"])
    assert raised.value is error


def test_a_test_that_asks_for_what_graders_lack_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asking = GRADERS.replace("def test_again(student)", "def test_again(student, tmp_path)")
    (tmp_path / "graders.py").write_text(asking)
    with pytest.raises(RuntimeError, match="cannot be collected"):
        Graders(b"secret", "cpu", lambda _: None).start([tmp_path / "graders.py"])
    told = capsys.readouterr().err
    assert "test_again asks for" in told
    assert "tmp_path" in told


def test_an_aspect_that_nobody_knows_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "graders.py").write_text(GRADERS.replace('"masking"', '"maksing"'))
    aspects = ("values", "form", "masking")
    with pytest.raises(RuntimeError, match="cannot be collected"):
        Graders(b"secret", "cpu", lambda _: None, aspects).start([tmp_path / "graders.py"])
    assert "is of 'maksing'; known are values, form, masking" in capsys.readouterr().err


def test_a_test_runs_with_what_it_is_parametrized_by(tmp_path: Path) -> None:
    counting = "@pytest.mark.parametrize('count', [4, 5])\ndef test_again(student, count)"
    several = GRADERS.replace("def test_again(student)", counting).replace("f(0)", "f(count)", 1)
    (tmp_path / "graders.py").write_text(several)
    student = Student(1)
    Graders(b"secret", "cpu", lambda graders: graders.run("f", lambda: student)).start(
        [tmp_path / "graders.py"]
    )
    assert student.calls[1:] == [4, 5, 0]


WAITING = '''
import pytest
from autograder.judging import exercise

@exercise("f")
@pytest.mark.needs("no-such-package", "1.0")
@pytest.mark.devices("cpu", "cuda")
def test_value(student, device):
    """The value."""
    student.f(0)

@exercise("f")
@pytest.mark.needs("pytest", "8.0")
def test_again(student):
    """Again."""
    student.f(1)

@exercise("f")
@pytest.mark.needs("pytest", "999.0")
def test_newer(student):
    """Newer."""
    student.f(2)
'''


def test_a_test_that_needs_what_does_not_work_on_the_gpu_waits_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "waiting.py").write_text(WAITING.replace("no-such-package", "pytest"))
    student = Student(1)
    found: list[Found] = []

    def serve(graders: Graders) -> None:
        graders.unusable = {"pytest": "it has no wings"}
        found.extend(graders.run("f", lambda: student))

    Graders(b"secret", "cuda", serve).start([tmp_path / "waiting.py"])
    told = {one.device: one.symptom for one in found if one.name == "value"}
    assert told == {"cpu": None, "cuda": "Pytest does not work on the GPU of this machine."}
    assert {one.outcome for one in found} == {"pending"}
    assert student.calls == []


def test_without_hidden_tests_nothing_else_is_collected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other.py").write_text("raise SystemExit(1)")
    monkeypatch.chdir(tmp_path)
    served: list[list[str]] = []
    Graders(b"secret", "cpu", lambda graders: served.append(graders.exercises)).start([])
    assert served == [[]]


def test_a_test_that_needs_what_is_missing_waits_and_says_for_what(tmp_path: Path) -> None:
    (tmp_path / "waiting.py").write_text(WAITING)
    student = Student(1)
    found: list[Found] = []
    Graders(
        b"secret", "cpu", lambda graders: found.extend(graders.run("f", lambda: student))
    ).start([tmp_path / "waiting.py"])
    assert [one.outcome for one in found] == ["pending", "pending", "passed", "pending"]
    for one in found[:2]:
        assert one.symptom == "No-such-package 1.0 or newer is not installed where this was graded."
    assert student.calls == [1]


LED = '''
import pytest
from autograder.judging import Wrong, exercise

@exercise("f")
def test_led(student, lead):
    """Any number of leading dimensions will do."""
    if student.f(lead) != 1:
        raise Wrong(f"Wrong for {len(lead)}.")

@exercise("f")
@pytest.mark.remark
@pytest.mark.points(5, "errors")
def test_remark(student):
    """A remark."""
    raise Wrong("It is worth a remark.", "no-heads")
'''


class OnlyFor(Student):
    """Answers right for one number of leading dimensions, and stops or is wrong for others."""

    def __init__(self, *takes: int, wrong: tuple[int, ...] = ()) -> None:
        super().__init__(1)
        self.takes, self.wrong = takes, wrong

    def f(self, lead: Any) -> Any:
        if len(lead) in self.wrong:
            return 2
        if len(lead) not in self.takes:
            raise StudentError("RuntimeError", "too many dimensions")
        return 1


def led(folder: Path, student: Student) -> list[Found]:
    (folder / "graders.py").write_text(LED)
    found: list[Found] = []
    serve = lambda graders: found.extend(graders.run("f", lambda: student))  # noqa: E731
    Graders(b"secret", "cpu", serve).start([folder / "graders.py"])
    return found


@pytest.mark.parametrize("takes", [0, 1, 2])
def test_a_test_that_asks_for_lead_is_passed_by_any_number_of_dimensions(
    tmp_path: Path, takes: int
) -> None:
    assert led(tmp_path, OnlyFor(takes))[0].outcome == "passed"
    assert led(tmp_path, OnlyFor())[0].outcome == "failed"
    assert led(tmp_path, OnlyFor(wrong=(0, 1, 2)))[0].outcome == "failed"


def test_what_is_wrong_with_a_result_is_told_before_dimensions_that_stop_the_code(
    tmp_path: Path,
) -> None:
    assert led(tmp_path, OnlyFor(wrong=(0,)))[0].symptom == "Wrong for 0."
    assert led(tmp_path, OnlyFor())[0].symptom == "your code raised RuntimeError"


def test_a_process_that_ended_is_not_asked_for_other_dimensions(tmp_path: Path) -> None:
    died = Student(StudentDied("timeout", "5 s"))
    assert led(tmp_path, died)[0].died is not None
    assert died.calls == [(2,)]


def test_a_remark_has_no_weight_and_says_so(tmp_path: Path) -> None:
    (_, remark) = led(tmp_path, OnlyFor(1))
    assert (remark.remark, remark.weight, remark.outcome) == (True, 0.0, "failed")
    assert remark.misconception == "no-heads"
