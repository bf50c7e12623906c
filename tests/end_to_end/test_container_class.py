"""A class graded in Podman's containers, by a trusted side without what only Linux has."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from line_fitting import cell_of, hand_in, submitted
from marks import in_gradebook

pytestmark = pytest.mark.slow

# Loaded by every Python of the trusted side: what a Mac has not is taken away.
AS_ON_A_MAC = """
import os, select, signal, socket, sys
for module, names in {
    os: ("pidfd_open", "sched_getaffinity", "sched_setaffinity", "memfd_create", "eventfd"),
    signal: ("pidfd_send_signal",),
    select: ("epoll",),
    socket: ("SOCK_SEQPACKET", "SOCK_CLOEXEC", "SOCK_NONBLOCK"),
}.items():
    for name in names:
        if hasattr(module, name): delattr(module, name)
def no_proc_for_us(event, args):
    if event == "open" and isinstance(args[0], str) and args[0].startswith("/proc"):
        frame = sys._getframe(1)
        while frame and "/lib/python3" in frame.f_code.co_filename:
            if "/psutil/" in frame.f_code.co_filename: return  # which asks a Mac otherwise
            frame = frame.f_back
        if frame and "/autograder/" in frame.f_code.co_filename:
            raise FileNotFoundError(2, "No such file or directory", args[0])
sys.addaudithook(no_proc_for_us)
os.environ["AS_ON_A_MAC"] = "loaded"
"""
NEVER_ENDS = "def normal_equation(x, y):\n    while True:\n        pass"


@pytest.fixture
def course(small_class: Path, tmp_path: Path) -> Path:
    """The class again, with nothing graded and with one whose code never ends."""
    folder = Path(shutil.copytree(small_class, tmp_path / "course", symlinks=True))
    (folder / "gradebook.db").unlink()
    for derived in ("autograded", ".autograder/verdicts"):
        shutil.rmtree(folder / derived)
    notebook = submitted(folder, "ada")
    cell_of(notebook, "normal_equation").source = NEVER_ENDS
    hand_in(folder, "dmitri", notebook)
    return folder


def test_marks_are_the_same_in_containers(
    small_class: Path,
    course: Path,
    scripts: Path,
    podman: Callable[[pytest.MonkeyPatch], str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    with (course / "course_config.py").open("a") as config:
        config.write(f"c.SandboxPolicy.image = {podman(monkeypatch)!r}\n")
    (tmp_path / "mac").mkdir()
    (tmp_path / "mac" / "sitecustomize.py").write_text(AS_ON_A_MAC)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "mac"))
    monkeypatch.setenv("PATH", f"{scripts}{os.pathsep}{os.environ['PATH']}")
    options = ("--sandbox", "container", "--workers", "2")
    done = subprocess.run(
        [scripts / "autograder", "grade", *options, "--json", "containers.json"],
        cwd=course,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (course / "containers.json").is_file(), done.stderr
    marks: dict[str, Any] = json.loads((course / "containers.json").read_text())
    assert marks["sandbox"] == "container+landlock+seccomp"
    got = in_gradebook(course)
    expected = in_gradebook(small_class)
    assert len(expected) == 4 * 12
    assert {name: mark for name, mark in got.items() if name[0] != "dmitri"} == expected
    exercises = {one["student"]: one["exercises"] for one in marks["submissions"]}
    assert exercises["dmitri"]["normal_equation"]["reason"] == "timeout"
    assert "signal 6" in exercises["chloe"]["mean_squared_error"]["detail"]
    python = [sys.executable, "-c", "import os; print(os.environ.get('AS_ON_A_MAC'))"]
    assert subprocess.check_output(python, text=True) == "loaded\n"
    record_property("counted", f"marks equal in Podman and natively: {len(expected)}")


@pytest.mark.in_full
def test_the_sample_class_has_the_same_marks_in_containers(
    make_course: Callable[[Path], Path],
    course_root: Path,
    podman: Callable[[pytest.MonkeyPatch], str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    root = make_course(tmp_path / "course")
    shutil.copytree(course_root / "examples" / "submitted", root / "submitted", symlinks=True)
    with (root / "course_config.py").open("a") as config:
        # The image that tests use holds nothing that is optional.
        config.write(f"c.Packages.optional = []\nc.SandboxPolicy.image = {podman(monkeypatch)!r}\n")
    command = [sys.executable, "-m", "autograder"]
    subprocess.run([*command, "release"], cwd=root, check=True, capture_output=True)
    found = []
    for policy in ("container", "required"):
        shutil.rmtree(root / ".autograder" / "verdicts", ignore_errors=True)
        options = ("--sandbox", policy, "--workers", "2", "--json", "marks.json")
        graded = subprocess.run(
            [*command, "grade", *options], cwd=root, capture_output=True, text=True
        )
        assert graded.returncode == 1, graded.stderr  # one notebook cannot be read
        marks = json.loads((root / "marks.json").read_text())
        assert marks["sandbox"].startswith("container") == (policy == "container")
        found.append([one | {"seconds": 0} for one in marks["submissions"]])
    contained, natively = found
    assert contained == natively
    count = sum(len(one["exercises"]) for one in natively)
    record_property(
        "counted",
        f"the sample class in Podman: {len(natively)} submissions, {count} exercises, marks equal",
    )
