"""A class graded in containers, by a stand-in for the engine and without what only Linux has."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from marks import DESERVED, by_name

pytestmark = pytest.mark.slow

# Loaded by every Python of the run but the stand-in's: what a Mac has not is taken away.
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
            raise RuntimeError(f"the trusted side opens {args[0]}")
sys.addaudithook(no_proc_for_us)
os.environ["AS_ON_A_MAC"] = "loaded"
"""
ASSIGNMENTS = ("03-causal-masking", "04-multi-head-attention")


def test_marks_are_the_same_in_containers(
    course_root: Path,
    scripts: Path,
    make_course: Callable[[Path], Path],
    engine_stand_in: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    folder = make_course(tmp_path / "course")
    shutil.copytree(course_root / "examples" / "submitted", folder / "submitted", symlinks=True)
    with (folder / "course_config.py").open("a") as config:
        config.write('c.SandboxPolicy.image = "department/box:2026"\n')
    log = tmp_path / "log"
    engine_stand_in(monkeypatch, STAND_IN_LOG=str(log), STAND_IN_IMAGE="department/box:2026")
    (tmp_path / "mac").mkdir()
    (tmp_path / "mac" / "sitecustomize.py").write_text(AS_ON_A_MAC)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "mac"))
    monkeypatch.setenv("PATH", f"{scripts}{os.pathsep}{os.environ['PATH']}")
    command = [scripts / "autograder", "grade", *ASSIGNMENTS, "--sandbox", "container"]
    done = subprocess.run(
        [*command, "--workers", "2", "--json", "marks.json"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (folder / "marks.json").is_file(), done.stderr
    marks: dict[str, Any] = json.loads((folder / "marks.json").read_text())
    assert marks["sandbox"] == "container+landlock+seccomp"
    expected = {who: mark for who, mark in DESERVED.items() if who[1] in ASSIGNMENTS}
    got = by_name(marks)
    assert got.keys() == expected.keys()
    for who, mark in expected.items():
        if isinstance(mark, str):
            assert got[who]["reason"] == mark
        else:
            assert got[who]["score"] == pytest.approx(mark, abs=1e-4)
    assert got["dmitri", ASSIGNMENTS[0]]["exercises"]["causal_mask"]["reason"] == "timeout"
    assert "signal 11" in got["emeka", ASSIGNMENTS[1]]["exercises"]["merge_heads"]["detail"]
    python = [sys.executable, "-c", "import os; print(os.environ.get('AS_ON_A_MAC'))"]
    assert subprocess.check_output(python, text=True) == "loaded\n"
    runs = [line for line in log.read_text().splitlines() if line.startswith("run ")]
    assert len(runs) == 2  # a container a worker, and none started again
    assert all(line.endswith(" department/box:2026") for line in runs)
