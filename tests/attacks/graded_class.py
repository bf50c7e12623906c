"""A class after the real command has graded it, and all that can be seen of it from outside."""

import contextlib
import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from attack import Attack
from canaries import Canaries
from classroom import Classroom, Honest
from gradebook_rows import grades, url_of
from listeners import Listeners
from prelude import Places

import autograder
from autograder.course import Assignment, load_course

PROJECT = Path(autograder.__file__).parents[1]
REAPER = Path(__file__).parent / "reaper.py"
FULL = "bwrap+landlock+seccomp"  # what `required` starts wherever the machine allows it
LONGEST_SECONDS = 540  # a run that takes longer hangs

# Endless loops should cost little; nothing honest comes near these limits.
QUICK = """
c.SubmissionLimits.call_seconds = 2
c.SubmissionLimits.cell_seconds = 2
c.SubmissionLimits.submission_seconds = 10
c.SubmissionLimits.memory_mb = 512
c.SubmissionLimits.scratch_mb = 8
c.SubmissionLimits.notebook_mb = 4
c.FeedbackPolicy.printed = True
"""
# What grading itself writes to.
WRITTEN = {
    "home",
    "program.json",
    "gradebook.db",
    "autograded",
    "feedback",
    "marks.json",
    "left.json",
    "verdicts",
    "findings",
    "log",
    "locks",
}
LARGE = 50 << 20  # hostile files that are only said to be large are not read
# Where else files by the name of an attack are looked for.
WATCHED_FOLDERS = (
    *("/tmp", "/var/tmp", "/dev/shm", "/run/lock"),
    str(PROJECT / "autograder"),
    os.path.dirname(os.__file__),
    sysconfig.get_path("purelib"),
)

Marks = dict[tuple[str, str], dict[str, Any]]


@dataclass(frozen=True)
class User:
    """Who runs the grading command.

    Attributes:
        name: for people.
        number: the user to become; None to stay who we are.
        python: the interpreter and its options.
        environment: variables that this user needs for it.
    """

    name: str
    number: int | None = None
    python: tuple[str, ...] = (sys.executable,)
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class GradedClass:
    """What a run left behind.

    Attributes:
        course: the course's folder.
        said: what the command printed.
        status: its exit status.
        isolation: what held the students' code.
        marks: the submissions of `--json`, by student and assignment.
        gradebook: automatic scores by student, assignment and cell.
        worth: what the gradebook says that each of these cells is worth.
        assignments: the assignments by name, as the course describes them.
        shown: what is written about a student, by name: notebook, marks, what was printed.
        pages: feedback pages, by the student's name.
        contacts: what the machine's servers heard.
        changed: files that are not what they were, by path, with what they hold now.
        processes: command lines of processes that outlived the command.
        largest_bytes: the most memory that one of its processes held.
        canaries: the words to look for.
        honest: the honest students.
    """

    course: Path
    said: str
    status: int
    isolation: str
    marks: Marks
    gradebook: dict[tuple[str, str, str], float | None]
    worth: dict[tuple[str, str, str], float]
    assignments: dict[str, Assignment]
    shown: dict[str, str]
    pages: dict[str, str]
    contacts: list[tuple[str, bytes]]
    changed: dict[str, bytes]
    processes: list[str]
    largest_bytes: int
    canaries: Canaries
    honest: list[Honest]

    @property
    def why_not_full(self) -> str:
        """The command's note on why the strongest isolation does not work here; "" if it does."""
        said = f"{FULL} does not work here"
        return (
            ""
            if self.isolation == FULL
            else "\n".join(line for line in self.said.splitlines() if said in line)
        )


@contextlib.contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that every user of this machine may read and write."""
    folder = Path(tempfile.mkdtemp(prefix="attacks-", dir="/tmp"))
    folder.chmod(0o777)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def grade(
    folder: Path,
    released: Path,
    attacks: Sequence[Attack],
    honest: list[Honest],
    mode: str,
    user: User,
    feedback: bool = True,
    limits: str = QUICK,
) -> GradedClass:
    """Lay the class out, run `autograder grade` and `autograder feedback`, gather all.

    The pages are those that nbgrader writes: `tests/feedback/test_class_pages.py` compares them.

    Args:
        folder: an empty folder, open to all.
        released: a course after `autograder release`; it is copied.
        attacks: who attacks.
        honest: who does not.
        mode: the sandbox policy.
        user: who grades.
        feedback: whether the feedback pages are written too.
        limits: what is added to the course's configuration.
    """
    course, outside = folder / "course", folder / "outside"
    shutil.copytree(released, course)
    outside.mkdir()
    (folder / "home").mkdir()
    canaries = Canaries()
    canaries.plant(course, outside, folder / "home")
    with open(course / "course_config.py", "a", encoding="utf-8") as config:
        config.write(limits)
    classroom = Classroom(course)
    with Listeners(outside, f"attacks-{os.getpid()}-{folder.name}") as servers:
        places = Places(
            course=course,
            project=_project_within_reach(mode, folder),
            outside=outside,
            tcp=servers.tcp,
            udp=servers.udp,
            vsock=servers.vsock,
            abstract=servers.abstract,
            honest=honest[0].student,
        )
        for one in honest:
            classroom.hand_in_honest(one, canaries)
        for attack in attacks:
            classroom.hand_in(attack, canaries, places)
        # Nothing but the sandbox keeps anybody from anything here.
        _open_to_all(folder, user)
        before = _contents(folder)
        graded = _run(course, user, canaries, "autograder", "grade", "--workers", "2",
                      "--sandbox", mode, "--json", "marks.json")  # fmt: skip
        after = _contents(folder)
    reaped = json.loads((course / "left.json").read_text())
    marks = json.loads((course / "marks.json").read_text())
    if feedback:
        _run(course, user, canaries, "autograder", "feedback")
    submissions = {(one["student"], one["assignment"]): one for one in marks["submissions"]}
    pages = _texts(course / "feedback")
    shown = {name: json.dumps(one) for (name, _), one in submissions.items()}
    stored = [path.read_text() for path in (course / ".autograder").rglob("*.json")]
    for attack in attacks:  # what a verdict keeps of what was printed is more than a page shows
        loot = [text for text in stored if f"loot of {attack.slug} " in text]
        shown[attack.student] = shown.get(attack.student, "") + "".join(loot)
    for name, text in _texts(course / "autograded").items():
        shown[name] = shown.get(name, "") + text
    rows = grades(url_of(course))
    return GradedClass(
        course=course,
        said=graded.stdout + graded.stderr,
        status=graded.returncode,
        isolation=marks["sandbox"],
        marks=submissions,
        gradebook={row.name: row.score for row in rows},
        worth={row.name: row.worth for row in rows},
        assignments=load_course(released).assignments,
        shown=shown,
        pages=pages,
        contacts=servers.contacts,
        changed=dict(_differing(before, after)),
        processes=reaped["left"],
        largest_bytes=reaped["largest_bytes"],
        canaries=canaries,
        honest=honest,
    )


def _project_within_reach(mode: str, folder: Path) -> Path:
    """The project; where nothing holds the attackers, a copy that they may change."""
    if mode != "none":
        return PROJECT
    copied = folder / "project"
    for room in ("autograder", "solutions", "graders"):
        shutil.copytree(PROJECT / room, copied / room)
    return copied


def _run(
    course: Path, user: User, canaries: Canaries, program: str, *arguments: str
) -> subprocess.CompletedProcess[str]:
    """Run a program as the user would, and note the processes that it leaves."""
    scripts = Path(sys.executable).parent
    path = f"{scripts}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": path, "HOME": str(course.parent / "home"), "LANG": "C.UTF-8"}
    identity = (
        {}
        if user.number is None
        else {"user": user.number, "group": user.number, "extra_groups": []}
    )
    done = subprocess.run(
        [*user.python, str(REAPER), "left.json", *user.python, "-m", program, *arguments],
        cwd=course,
        env=environment | user.environment | canaries.variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=LONGEST_SECONDS,
        check=False,
        **identity,
    )
    written = course / ("feedback" if "feedback" in arguments else "marks.json")
    assert written.exists(), done.stdout[-3000:] + done.stderr[-3000:]
    return done


def _open_to_all(folder: Path, user: User) -> None:
    for path in (folder, *folder.rglob("*")):
        status = path.lstat()
        if user.number is not None:
            os.chown(path, user.number, user.number, follow_symlinks=False)
        if stat.S_ISDIR(status.st_mode):
            path.chmod(0o777)
        elif stat.S_ISREG(status.st_mode) or stat.S_ISSOCK(status.st_mode):
            path.chmod(0o666)


def _contents(folder: Path) -> dict[str, tuple[str, bytes]]:
    """Digest and start of every file that grading should leave as it is."""
    found = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in (*WRITTEN, "__pycache__")]
        for name in (*names, *folders):
            path = Path(place, name)
            if name not in WRITTEN and not name.endswith("-journal"):
                found[str(path)] = _content(path)
    for place in WATCHED_FOLDERS:
        with contextlib.suppress(OSError):
            for path in Path(place).iterdir():
                if "left-by-" in path.name:
                    found[str(path)] = _content(path)
    return found


def _content(path: Path) -> tuple[str, bytes]:
    status = path.lstat()
    form = f"{stat.filemode(status.st_mode)} {status.st_nlink if path.is_file() else ''}"
    if not stat.S_ISREG(status.st_mode):
        return form, b""
    if status.st_size > LARGE:
        return f"{form} {status.st_mtime_ns} {status.st_size}", b""
    data = path.read_bytes()
    return f"{form} {status.st_mtime_ns} {hashlib.sha256(data).hexdigest()}", data[:100_000]


def _differing(
    before: dict[str, tuple[str, bytes]], after: dict[str, tuple[str, bytes]]
) -> Iterator[tuple[str, bytes]]:
    for path in before.keys() | after.keys():
        if before.get(path, ("", b""))[0] != after.get(path, ("", b""))[0]:
            yield path, after.get(path, ("", b"gone"))[1]


def _texts(folder: Path) -> dict[str, str]:
    """All files below a folder as text, by the name of the student whose they are."""
    texts: dict[str, str] = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            student = path.relative_to(folder).parts[0]
            text = path.read_bytes().decode(errors="replace")
            texts[student] = texts.get(student, "") + text
    return texts
