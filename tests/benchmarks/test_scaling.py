"""How grading grows with the class: what is measured of a real run, and what the page says."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.scaling import MB, RUNS, Run, added, grade_twice, held, table

HOLD = "held = b'x' * (60 << 20); print('ready', flush=True); input()"


def test_memory_is_that_of_a_process_and_of_all_that_it_started() -> None:
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {HOLD!r}])"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", parent], **pipes) as process:
        assert process.stdout is not None
        process.stdout.readline()
        alone, together = held(process.pid)
        process.communicate(b"\n")
    assert 0 < alone < 60 * MB < together


def test_a_process_that_has_ended_holds_nothing() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        pass
    assert held(process.pid) == (0, 0)


def test_the_table_gives_each_run_and_what_one_more_at_once_adds() -> None:
    runs = [
        Run(50, workers, "first", 5.0, 100 * MB, (600 + 80 * workers) * MB) for workers in (1, 3)
    ]
    assert table(runs).splitlines()[-1] == "| 50 | 3 | first | 5.0 | 10 | 100.0 | 100 | 840 |"
    assert added(runs) == ["- 50 submissions: 80 MB for each one more graded at once."]
    assert added(runs[:1]) == []


@pytest.mark.slow
def test_a_class_is_graded_from_nothing_and_again(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    runs = grade_twice(tmp_path, "01-attention-by-hand", 1, [1])
    assert [one.run for one in runs] == list(RUNS)
    assert all(one.command > 10 * MB and one.everything > 10 * MB for one in runs)
    assert runs[0].everything > runs[0].command + 100 * MB  # the grading process has torch
