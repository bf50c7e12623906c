"""`autograder doctor`, as it is run: here, and where a layer is truly missing."""

import errno
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograder.commands.doctor import examine_course
from autograder.course import load_course
from autograder.sandbox import Sandbox, SandboxUnavailable
from autograder.sandbox.examining.examine import State

pytestmark = pytest.mark.slow

COLUMN = {"x86_64": 0, "aarch64": 1}.get(platform.machine(), 0)
UNSHARE, CLONE, CLONE3 = (272, 97)[COLUMN], (56, 220)[COLUMN], 435
LANDLOCK, PRCTL = (444, 445, 446), (157, 167)[COLUMN]
PR_SET_SECCOMP = 22

# Puts a filter of system calls before the doctor, as a container's engine does: a call is refused
# with an error, always (None) or only where an argument has one of some bits, or is some number.
CRIPPLED = """
import json, os, sys
from autograder.sandbox.inside import linux, seccomp
program = [(seccomp.LOAD, 0, 0, 0)]
for number, error, bits, value in json.loads(sys.argv[1]):
    refuse = [(seccomp.RETURN, 0, 0, 0x00050000 | error)]
    if bits is not None:
        test = (seccomp.ANY_BIT, 0, 1, bits)
        refuse = [(seccomp.LOAD, 0, 0, 16), test, *refuse, (seccomp.LOAD, 0, 0, 0)]
    if value is not None:
        test = (seccomp.EQUALS, 0, 1, value)
        refuse = [(seccomp.LOAD, 0, 0, 16), test, *refuse, (seccomp.LOAD, 0, 0, 0)]
    program += [(seccomp.EQUALS, 0, len(refuse), number), *refuse]
linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
linux.install_seccomp(seccomp.assemble([*program, (seccomp.RETURN, 0, 0, seccomp.ALLOW)]))
os.execv(sys.executable, [sys.executable, "-m", "autograder", "doctor"])
"""
NO_NAMESPACES = [
    (UNSHARE, errno.EPERM, None, None),
    (CLONE, errno.EPERM, 0x7E020000, None),
    (CLONE3, errno.ENOSYS, None, None),
]
NO_LANDLOCK = [(number, errno.ENOSYS, None, None) for number in LANDLOCK]
NO_SECCOMP = [(PRCTL, errno.EINVAL, None, PR_SET_SECCOMP)]


@pytest.fixture
def crippled(
    tmp_path: Path, environment: dict[str, str]
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The doctor where the kernel refuses some calls, outside any course."""

    def run(refused: list[tuple]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", CRIPPLED, json.dumps(refused)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            env=environment,
        )

    return run


@pytest.fixture(scope="module")
def isolation() -> str:
    """What the strongest policy gives here, found without the doctor."""
    try:
        with Sandbox() as sandbox:
            return sandbox.isolation
    except SandboxUnavailable:
        pytest.skip("no sandbox works on this machine")


def row(printed: str, layer: str) -> str:
    """A row of what the doctor prints, in one line."""
    lines = printed.splitlines()
    first = next(at for at, line in enumerate(lines) if line[9:].startswith(f"{layer} "))
    rest = []
    for line in lines[first + 1 :]:
        if line[:26].strip() or not line.strip():
            break
        rest.append(line.strip())
    return " ".join([" ".join(lines[first].split()), *rest])


def test_outside_a_course_it_judges_the_strictest_policy(
    run: Any, tmp_path: Path, isolation: str
) -> None:
    done = run("autograder", "doctor", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No course here; judged by SandboxPolicy.mode = 'required'." in done.stdout
    assert done.stdout.splitlines()[-1] == f"Grading here runs in {isolation}."
    assert row(done.stdout, "required").endswith(isolation)
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert [path.name for path in tmp_path.iterdir()] == []


def test_in_a_course_it_judges_the_courses_policy_and_what_grading_writes(
    run: Any, make_line_fitting: Callable[[Path], Path], tmp_path: Path, isolation: str
) -> None:
    course = make_line_fitting(tmp_path / "course")
    with (course / "course_config.py").open("a") as config:
        config.write("c.SandboxPolicy.mode = 'none'\n")
    done = run("autograder", "doctor", "--course", course, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "course_config.py asks for SandboxPolicy.mode = 'none'." in done.stdout
    assert "Grading here runs student code WITHOUT isolation." in done.stdout
    assert row(done.stdout, "gradebook") == "works gradebook can be written"


def test_the_engine_its_version_and_whether_the_image_fits_are_told(
    make_line_fitting: Callable[[Path], Path],
    podman: Callable[[pytest.MonkeyPatch], str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    course, image = make_line_fitting(tmp_path / "course"), podman(monkeypatch)

    def doctor(setting: str) -> subprocess.CompletedProcess[str]:
        with (course / "course_config.py").open("a") as config:
            config.write(f"c.SandboxPolicy.mode = 'container'\n{setting}\n")
        command = [sys.executable, "-m", "autograder", "doctor", "--course", str(course)]
        return subprocess.run(command, capture_output=True, text=True, timeout=120)

    fits = doctor(f"c.SandboxPolicy.image = {image!r}")
    assert fits.returncode == 0, fits.stdout + fits.stderr
    seen = r"works containers podman \d+\.\d.* with .*(runc|crun).* and control groups v[12], "
    assert re.match(seen, row(fits.stdout, "containers"))
    assert fits.stdout.splitlines()[-1].startswith("Grading here runs in container+")

    lacks = doctor("c.Packages.required.append('click')\nc.SandboxPolicy.engine = 'podman'")
    assert lacks.returncode == 1
    told = row(lacks.stdout, "container")
    assert "has click none, and here is " in told
    assert "Build it again: `autograder image`" in told

    unbuilt = doctor("c.SandboxPolicy.image = 'no-such-image'")
    assert unbuilt.returncode == 1
    told = row(unbuilt.stdout, "containers")
    assert told.startswith("missing containers podman ")
    assert "`autograder image --name no-such-image --engine podman`" in told


def test_a_folder_that_is_no_course_is_wrong_usage(run: Any, tmp_path: Path) -> None:
    done = run("autograder", "doctor", "--course", tmp_path, cwd=tmp_path.parent)
    assert done.returncode == 2
    assert "holds no course_config.py" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="takes Linux's layers away")
def test_without_namespaces_it_names_them_and_grading_falls_back(
    crippled: Callable[..., Any], isolation: str
) -> None:
    done = crippled(NO_NAMESPACES)
    assert done.returncode == 0, done.stdout + done.stderr
    for layer in ("user namespaces", "other namespaces", "bubblewrap"):
        assert row(done.stdout, layer).startswith(f"missing {layer}")
    assert "Operation not permitted" in row(done.stdout, "user namespaces")
    assert row(done.stdout, "Landlock").startswith("works")
    required = row(done.stdout, "required")
    assert required.startswith("weak required landlock+seccomp.")
    assert "bwrap+landlock+seccomp does not work here: " in required
    assert done.stdout.splitlines()[-1] == "Grading here runs in landlock+seccomp."


@pytest.mark.skipif(sys.platform != "linux", reason="takes Linux's layers away")
@pytest.mark.parametrize(
    ("refused", "layer", "said"),
    [
        (NO_LANDLOCK, "Landlock", "Function not implemented"),
        (NO_SECCOMP, "seccomp", "Invalid argument"),
    ],
)
def test_without_a_layer_that_every_policy_needs_grading_is_refused(
    crippled: Callable[..., Any], isolation: str, refused: list, layer: str, said: str
) -> None:
    done = crippled(refused)
    assert done.returncode == 1, done.stdout + done.stderr
    found = row(done.stdout, layer)
    assert found.startswith(f"missing {layer}")
    assert said in found
    assert "kernel" in found  # what to do about it
    assert row(done.stdout, "user namespaces").startswith("works" * isolation.startswith("bwrap"))
    assert row(done.stdout, "required").startswith("missing")
    assert done.stdout.splitlines()[-1] == ("Grading is refused here: that policy cannot be met.")


def findings(course: Path) -> dict[str, Any]:
    return {one.layer: one for one in examine_course(load_course(course))}


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_a_secret_that_others_can_read_is_told(
    make_line_fitting: Callable[[Path], Path], tmp_path: Path
) -> None:
    course = make_line_fitting(tmp_path / "course")
    assert findings(course)["secret"].saw == "not there yet; made on first use"
    assert load_course(course).secret
    assert findings(course)["secret"].state is State.WORKS
    (course / ".autograder" / "secret").chmod(0o644)
    told = findings(course)["secret"]
    assert told.state is State.WEAK
    assert told.commands == ("chmod 600 .autograder/secret",)


def test_a_gradebook_that_cannot_be_written_is_told(
    make_line_fitting: Callable[[Path], Path], tmp_path: Path
) -> None:
    course = make_line_fitting(tmp_path / "course")
    assert findings(course)["gradebook"].state is State.WORKS
    with (course / "course_config.py").open("a") as config:
        config.write("c.CourseDirectory.db_url = 'sqlite:////nowhere/gradebook.db'\n")
    told = findings(course)["gradebook"]
    assert told.state is State.MISSING
    assert "/nowhere cannot be written" in told.saw


def test_a_gradebook_that_is_no_database_is_told(
    make_line_fitting: Callable[[Path], Path], tmp_path: Path
) -> None:
    course = make_line_fitting(tmp_path / "course")
    assert findings(course)["gradebook"].state is State.WORKS
    (course / "gradebook.db").write_text("marks")
    told = findings(course)["gradebook"]
    assert told.state is State.MISSING
    assert "no SQLite database" in told.saw
