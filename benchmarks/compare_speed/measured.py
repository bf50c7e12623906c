"""What one timed command gives, how it is run, and whether it did its work."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

# By student and exercise: whether the answer has full marks.
Marks = Mapping[tuple[str, str], bool]


@dataclass(frozen=True)
class Measured:
    """One row of the table, once.

    Attributes:
        row: what was measured.
        submissions: how many.
        seconds: wall-clock time for all of them.
        marks: what it said of each answer; empty where it gives no marks.
    """

    row: str
    submissions: int
    seconds: float
    marks: Marks = field(default_factory=dict)


@dataclass(frozen=True)
class Ended:
    """A program that has succeeded.

    Attributes:
        seconds: wall-clock time from its start to its end.
        said: what it printed.
    """

    seconds: float
    said: str


class Programs:
    """The programs of one environment, with a home folder of their own.

    Args:
        scripts: where they are.
        home: a new folder.
        modules: a folder whose modules they find before those of the environment.
    """

    def __init__(self, scripts: Path, home: Path, modules: Path | None = None) -> None:
        home.mkdir(parents=True)
        self._scripts = scripts
        self._environment = {
            "PATH": f"{scripts}{os.pathsep}{os.defpath}",
            "HOME": str(home),
            "LANG": "C.UTF-8",
        }
        if modules is not None:
            self._environment["PYTHONPATH"] = str(modules)

    def run(self, program: str, *arguments: object, cwd: Path) -> Ended:
        """Run a program that has to succeed.

        Raises:
            RuntimeError: it did not; the text has its last words.
        """
        started = time.perf_counter()
        process = subprocess.run(
            [str(self._scripts / program), *map(str, arguments)],
            cwd=cwd,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        seconds, said = time.perf_counter() - started, process.stdout
        if process.returncode != 0:
            raise RuntimeError(f"{program} ended with {process.returncode}:\n{said[-2000:]}")
        return Ended(seconds, said)


def need_pages(course: Path, count: int) -> None:
    """Make sure that a course's students have their feedback.

    Raises:
        RuntimeError: there is not one page for each submission.
    """
    pages = len(list(course.glob("feedback/*/*/*.html")))
    if pages != count:
        raise RuntimeError(f"{course} has {pages} pages of feedback for {count} submissions")


def fresh_copy(course: Path) -> Path:
    """A copy beside it to grade in, which stays until all is measured.

    A file system that has just let go of thousands of files is slow at making new ones for minutes.
    """
    copy = Path(tempfile.mkdtemp(prefix="graded-", dir=course.parent))
    shutil.copytree(course, copy, dirs_exist_ok=True)
    copy.chmod(0o755)  # a sandbox should keep code out, not the mode of a folder above it
    return copy
