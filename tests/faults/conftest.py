"""A class, ready to be graded, and what an undisturbed run makes of it."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from gradebook_rows import url_of
from large_class import hand_in, handed_in
from private_mounts import Mounts, private_mounts
from records import Records, read


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Two processes of `pytest -n` at most: all but the kills share one prepared class."""
    for item in items:
        if "prepare" in getattr(item, "fixturenames", ()):
            whole = "twenty" in item.fixturenames
            item.add_marker(pytest.mark.xdist_group("kills" if whole else "faults"))


# No answer of this class is slow, and what disturbs a run must not make it look so.
UNHURRIED = """
c.SubmissionLimits.call_seconds = 30
c.SubmissionLimits.cell_seconds = 30
c.SubmissionLimits.submission_seconds = 300
"""


@dataclass(frozen=True)
class Class:
    """A class as it stands before a test disturbs it.

    Attributes:
        folder: earlier versions graded, today's handed in.
        students: who is in it.
        before: its gradebook.
        graded: the gradebook after one undisturbed run of `autograder grade` on a copy.
    """

    folder: Path
    students: tuple[str, ...]
    before: Records
    graded: Records


@pytest.fixture(scope="session")
def prepare(
    run: Any,
    make_line_fitting: Callable[[Path], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[int], Class]:
    """Make a class of so many students."""

    def grade(folder: Path) -> Records:
        done = run("autograder", "grade", cwd=folder)
        assert done.returncode == 0, done.stdout + done.stderr
        return read(url_of(folder))

    def prepare(count: int) -> Class:
        place = tmp_path_factory.mktemp("faults")
        folder = make_line_fitting(place / "course")
        students = tuple(f"student{n:02}" for n in range(count))
        with (folder / "course_config.py").open("a") as config:
            config.write(UNHURRIED)
        handed = list(handed_in(students))
        for one in handed:
            if one.earlier is not None:
                hand_in(folder, one.student, one.earlier)
        before = grade(folder)
        for one in handed:
            hand_in(folder, one.student, one.answers)
        undisturbed = place / "undisturbed"
        shutil.copytree(folder, undisturbed)
        return Class(folder, students, before, grade(undisturbed))

    return prepare


@pytest.fixture(scope="session")
def prepared(prepare: Callable[[int], Class]) -> Class:
    """A class of twelve submissions; tests grade copies of it."""
    return prepare(12)


@pytest.fixture
def course(prepared: Class, tmp_path: Path) -> Path:
    """The class in a folder of its own."""
    folder = tmp_path / "course"
    shutil.copytree(prepared.folder, folder)
    return folder


@pytest.fixture
def mounts() -> Iterator[Mounts]:
    """Mounts that only the commands see that are run in them."""
    with ExitStack() as stack:
        try:
            found = stack.enter_context(private_mounts())
        except OSError as why:
            pytest.skip(f"no mounts of our own here: {why}")
        yield found


@pytest.fixture
def grade(
    scripts: Path, environment: dict[str, str], tmp_path: Path
) -> Iterator[Callable[..., tuple[subprocess.Popen[bytes], Path]]]:
    """Start `autograder grade` and go on; gives its process, and the file of what it says."""
    started = []

    def grade(
        *arguments: object, cwd: Path, **variables: str
    ) -> tuple[subprocess.Popen[bytes], Path]:
        output = tmp_path / f"grade{len(started)}.txt"
        with output.open("w") as file:
            process = subprocess.Popen(
                [str(scripts / "autograder"), "grade", *map(str, arguments)],
                cwd=cwd,
                env=environment | variables,
                stdout=file,
                stderr=subprocess.STDOUT,
            )
        started.append(process)
        return process, output

    yield grade
    for process in started:
        process.kill()
        process.wait()
