"""A machine's bound on memory, as the kernel tells it in both versions of control groups."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.sandbox import machine_memory
from autograder.sandbox.machine_memory import bound_bytes, times_run_out, why_too_little

MIB = 1 << 20
ALL = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
GIVEN = Callable[[str, dict[str, str]], tuple[Path, Path]]


@pytest.fixture
def given(tmp_path: Path) -> GIVEN:
    def given(groups: str, files: dict[str, str]) -> tuple[Path, Path]:
        """What /proc/self/cgroup says, and what is under /sys/fs/cgroup."""
        (tmp_path / "groups").write_text(groups)
        for name, text in files.items():
            path = tmp_path / "mounted" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path / "groups", tmp_path / "mounted"

    return given


def test_the_smallest_bound_of_the_groups_above_counts(given: GIVEN) -> None:
    files = {"a/b/memory.max": "max\n", "a/memory.max": f"{300 * MIB}\n", "memory.max": "max\n"}
    files["a/b/memory.events"] = "low 0\nhigh 0\nmax 7\noom 3\noom_kill 2\noom_group_kill 0\n"
    where = given("0::/a/b\n", files)
    assert bound_bytes(*where) == 300 * MIB
    assert times_run_out(*where) == 2


def test_groups_of_old_say_it_in_files_of_their_own(given: GIVEN) -> None:
    files = {
        "memory/memory.limit_in_bytes": f"{512 * MIB}\n",  # of a container: its own group
        "memory/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 4\n",
    }
    groups = "5:cpu,cpuacct:/x\n4:memory:/libpod_parent/libpod-1ad\n0::/\n"
    where = given(groups, files)
    assert bound_bytes(*where) == 512 * MIB
    assert times_run_out(*where) == 4


def test_without_any_bound_it_is_the_machines_memory(given: GIVEN, tmp_path: Path) -> None:
    assert bound_bytes(*given("0::/\n", {})) == ALL
    assert times_run_out(*given("0::/\n", {})) == 0
    assert bound_bytes(tmp_path / "no Linux", tmp_path) == ALL


def test_too_little_is_refused_with_what_to_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_memory, "bound_bytes", lambda: 600 * MIB)
    assert why_too_little(False, 1024 * MIB) is None
    told = why_too_little(True, 2048 * MIB)
    assert told is not None
    assert "600 MB for all processes together" in told
    assert "Give this machine or container 3072 MB, of which 2048 MB are what" in told
