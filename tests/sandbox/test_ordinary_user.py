"""The sandbox without root: as an instructor on a laptop or a hub runs it."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import autograder
from autograder.sandbox.visible import is_open_to_all

pytestmark = pytest.mark.slow

USER = 12345
CODE = """
import sys
from autograder.sandbox import Sandbox
packages = ["torch", "numpy", "ipython"]
with Sandbox(policy=sys.argv[1], packages=packages) as sandbox:
    print(sandbox.isolation)
    worker = sandbox.connect().start_worker({"a.txt": b"file"})
    outcome = worker.run_cell(
        "import os, threading, torch\\n"
        "t = threading.Thread(target=print, args=('thread',)); t.start(); t.join()\\n"
        "print(open('a.txt').read(), os.getuid())\\n"
        "for way in (lambda: open('/etc/passwd'), lambda: os.fork(),\\n"
        "            lambda: os.chmod(%(own)r, 0), lambda: os.kill(-1, 0)):\\n"
        "    try: way(); print('DONE')\\n"
        "    except OSError: print('refused')\\n"
    )
    print(outcome.printed, outcome.error)
"""


@pytest.fixture(scope="module")
def python():
    """An interpreter of this version that an ordinary user can reach, or a skip."""
    if os.geteuid() != 0:
        return sys.executable  # all the other tests run as an ordinary user already
    named = f"python3.{sys.version_info.minor}"
    for found in (sys.executable, shutil.which(named, path="/usr/bin:/usr/local/bin")):
        if found and is_open_to_all(Path(found).resolve()) and is_open_to_all(Path(found).parent):
            return found
    pytest.skip("no interpreter of this version that another user can reach")


@pytest.mark.parametrize("policy", ["required", "fallback"])
def test_an_ordinary_user_gets_a_sandbox(python, policy):
    packages = Path(importlib.util.find_spec("torch").origin).parents[1]
    project = Path(autograder.__file__).parents[1]
    if not (is_open_to_all(packages) and is_open_to_all(project)):
        pytest.skip("the packages or the project are closed to other users")
    own = Path("/tmp") / f"own-{os.getpid()}-{policy}"
    own.write_text("x")
    as_user = {}
    if os.geteuid() == 0:
        os.chown(own, USER, USER)
        as_user = {"user": USER, "group": USER, "extra_groups": []}
    try:
        done = subprocess.run(
            [python, "-B", "-c", CODE % {"own": str(own)}, policy],
            env={"PATH": "/usr/bin:/bin", "HOME": "/tmp", "PYTHONPATH": f"{packages}:{project}"},
            cwd="/",
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            **as_user,
        )
        mode = own.stat().st_mode & 0o777
    finally:
        own.unlink()
    assert done.returncode == 0, done.stderr
    isolation, *lines = done.stdout.split("\n")
    if policy == "fallback":
        assert isolation == "landlock+seccomp"
    uid = USER if as_user else os.getuid()
    assert lines[:2] == ["thread", f"file {uid}"]
    assert lines[2:6] == ["refused"] * 4
    assert mode == 0o644
