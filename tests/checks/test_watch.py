"""`python -m checks --watch` in a real terminal, while a notebook is saved as editors save it."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from small_release import (
    CHECK,
    CHECK_COUNT,
    COUNT,
    IMPORTS,
    NAME,
    RIGHT,
    WRONG,
    make_package,
    save,
)

from benchmarks.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux here"),
]

GREEN = "All green: every check passes, in one fresh run"
ENDLESS = RIGHT.replace("    return", "    while True:\n        pass\n    return")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package `checks` as a release has it."""
    folder = tmp_path_factory.mktemp("package") / "checks"
    return make_package(tmp_path_factory.mktemp("course"), folder)


@pytest.fixture
def folder(package: Path, tmp_path: Path) -> Path:
    """A student's folder; all is done."""
    folder = tmp_path / NAME
    shutil.copytree(package, folder / "checks")
    write(folder, RIGHT)
    return folder


def write(folder: Path, *masks: str, count: str = COUNT) -> None:
    """Save a notebook: cells on the mask, its check, a cell that counts, and that one's check."""
    save(folder, IMPORTS, *masks, CHECK, count, CHECK_COUNT)


def watching(folder: Path, options: str = "", lines: int = 24) -> Tmux:
    command = f"{shlex.quote(sys.executable)} -m checks --watch {options}"
    return Tmux(command, folder, lines=lines)


def test_a_save_shows_the_changed_exercise_then_what_rests_on_it_and_green_after_a_whole_run(
    folder,
):
    with watching(folder) as terminal:
        assert "2 of 2 done" in terminal.wait_for(GREEN)
        write(folder, WRONG)
        failing = terminal.wait_for("next: allowed (cell 5)")
        assert "✗ causal_mask: 0 of 2 checks pass" in failing
        assert "➜ 9 of 9 numbers differ" in failing
        assert "0 of 2 done" in failing
        terminal.press("l")
        assert "✗ causal_mask: 0 of 2 checks pass\n✗ allowed: 0 of 2" in terminal.wait_for(
            "any other key back"
        )
        terminal.press("h")
        assert "Which keys may query 0 see?" in terminal.wait_for("Hint 1 of 3")
        terminal.press("h")
        assert "A comparison of positions." in terminal.wait_for("Hint 2 of 3")
        write(folder, RIGHT)
        assert "✓ causal_mask: 2 of 2 checks pass" in terminal.wait_for(GREEN)


def test_an_endless_loop_is_told_while_it_runs_and_the_next_save_ends_it(folder):
    with watching(folder, lines=60) as terminal:
        terminal.wait_for(GREEN)
        write(folder, ENDLESS)
        assert "~ causal_mask: being checked" in terminal.wait_for("s in cell 3, line ")
        write(folder, RIGHT)
        terminal.wait_for(GREEN)


def test_an_endless_loop_that_nobody_mends_is_stopped_and_the_rest_goes_on(folder):
    with watching(folder, "--patience 1") as terminal:
        terminal.wait_for(GREEN)
        write(folder, ENDLESS, count="def allowed(seq_len):\n    return 6")
        told = terminal.wait_for("causal_mask: does not end")
        assert "Cell 3, line " in told
        assert "1 of 2 done" in terminal.wait_for("1 of 2 done")


def test_however_an_editor_writes_the_notebook_it_is_read_once_it_is_whole(folder):
    notebook, aside = folder / f"{NAME}.ipynb", folder / "aside"
    write(folder, WRONG)
    wrong = notebook.read_text(encoding="utf-8")
    write(folder, RIGHT)
    with watching(folder) as terminal:
        terminal.wait_for(GREEN)
        backups = folder / ".ipynb_checkpoints"
        backups.mkdir()
        (backups / f"{NAME}-checkpoint.ipynb").write_text(wrong, encoding="utf-8")
        notebook.write_text(wrong[: len(wrong) // 2], encoding="utf-8")
        assert GREEN not in terminal.wait_for("is no notebook that can be read")
        aside.write_text(wrong, encoding="utf-8")
        os.replace(aside, notebook)
        terminal.wait_for("✗ causal_mask: 0 of 2 checks pass")
        notebook.unlink()
        terminal.wait_for("cannot be read")
        write(folder, RIGHT)
        terminal.wait_for(GREEN)


def test_a_deleted_cell_is_missed_though_an_older_text_had_it(folder):
    uses = "def causal_mask(seq_len):\n    return lower(seq_len) > 0"
    helper = "def lower(seq_len):\n    return np.tri(seq_len)"
    write(folder, helper, uses)
    with watching(folder) as terminal:
        terminal.wait_for(GREEN)
        write(folder, uses)
        told = terminal.wait_for("✗ causal_mask: 0 of 2 checks pass")
        assert "name 'lower' is not defined" in told


def test_green_is_not_said_where_only_the_whole_notebook_shows_what_is_wrong(folder):
    with watching(folder) as terminal:
        terminal.wait_for(GREEN)
        # What this cell changes belongs to no name of the notebook.
        write(folder, "import numpy\nnumpy.tri = lambda size: numpy.zeros((size, size))", RIGHT)
        told = terminal.wait_for("fails where the whole notebook runs")
        assert "✗ causal_mask" in told
        assert GREEN not in told


def test_a_module_beside_the_notebook_is_looked_at_anew(folder):
    mine = folder / "mine.py"
    mine.write_text("LIMIT = 0\n")
    uses = "import mine\n" + RIGHT.replace("> 0", "> mine.LIMIT")
    write(folder, uses)
    with watching(folder) as terminal:
        terminal.wait_for(GREEN)
        mine.write_text("LIMIT = 9\n")
        terminal.wait_for("✗ causal_mask: 0 of 2 checks pass")
        mine.write_text("LIMIT = 0\n")
        terminal.wait_for(GREEN)


@pytest.mark.parametrize("key", ["q", "C-c"])
def test_leaving_ends_every_process_and_gives_the_terminal_back(folder, key):
    write(folder, ENDLESS)
    with watching(folder) as terminal:
        terminal.wait_for("s in cell 3, line ")
        assert started_here(folder)
        terminal.press(key)
        terminal.wait_for("EXIT STATUS 0")
        terminal.press("abc")
        terminal.wait_for("abc")  # keys are echoed again
        assert not psutil.wait_procs(started_here(folder), timeout=30)[1]


def test_without_a_terminal_it_writes_one_view_below_the_other_until_it_is_ended(folder):
    command = [sys.executable, "-m", "checks", "--watch"]
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8"
    ) as watch:
        assert watch.stdout is not None
        until(watch.stdout.readline, lambda line: GREEN in line)
        write(folder, WRONG)
        until(watch.stdout.readline, lambda line: line.startswith("next: allowed"))
        watch.send_signal(signal.SIGTERM)
        rest = watch.stdout.read()
    assert watch.returncode == 0
    assert "\x1b" not in rest
    assert not psutil.wait_procs(started_here(folder), timeout=30)[1]


def until(read: Callable[[], str], found: Callable[[str], bool]) -> None:
    while line := read():
        if found(line):
            return
    raise AssertionError("the output ended")


def started_here(folder: Path) -> list[psutil.Process]:
    """The processes of ours that run notebooks of this folder."""
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if {str(folder), "checks.kit.terminal.runner"} <= {*(process.info["cmdline"] or [])}
    ]
