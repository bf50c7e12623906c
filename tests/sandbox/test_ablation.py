"""The ablation's attacks succeed where nothing holds them, and fail in the full sandbox."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.commands import COMMANDS, cli
from autograder.course.settings import SandboxPolicy
from autograder.sandbox import Sandbox
from autograder.sandbox.inside.layers import ALL, SECCOMP

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
ATTACKS = ("file that every user may read", "TCP", "flock", "endless loop", "signal to another")


@pytest.fixture(scope="module")
def results():
    command = [
        sys.executable,
        "-m",
        "benchmarks.ablation",
        "--json",
        "--columns",
        "nothing",
        "full",
    ]
    done = subprocess.run(
        [*command, "--attacks", *ATTACKS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    if isinstance(found["full"], str):
        pytest.skip(found["full"])
    return found


def test_without_any_layer_every_attack_but_an_endless_loop_gets_through(results):
    loop = next(name for name in results["nothing"] if "endless" in name)
    assert len(results["nothing"]) == len(ATTACKS)
    assert results["nothing"].pop(loop) == "contained"  # the deadline holds without a sandbox
    assert set(results["nothing"].values()) == {"through"}


def test_in_the_full_sandbox_none_gets_through(results):
    assert len(results["full"]) >= len(ATTACKS) - 1
    assert "through" not in results["full"].values()


def test_a_layer_that_is_left_out_is_truly_out():
    with Sandbox(layers=ALL - {SECCOMP}) as sandbox:
        assert sandbox.isolation == "measured"  # never taken for what a grade was held by
        worker = sandbox.connect().start_worker()
        status = Path(f"/proc/{worker._process._pid}/status").read_text()
        worker.close()
    assert "Seccomp:\t0" in status
    assert "NoNewPrivs:\t1" in status


def test_no_course_and_no_option_takes_a_layer_out():
    names = SandboxPolicy.class_trait_names(config=True)
    for command in COMMANDS:
        names += [one.name for one in cli.get_command(None, command).params]
    assert [name for name in names if "layer" in name] == []
