"""The bar of `autograder grade`: on a terminal, and nowhere else."""

import os
import pty
import sys
import threading
from pathlib import Path

import pytest

from autograder.commands.progress import with_bar
from autograder.notebooks.submitted import Submitted
from autograder.verdicts import SubmissionVerdict

VERDICTS = (
    SubmissionVerdict("ada", "01-sample"),
    SubmissionVerdict("ben[red]\x1b[2J", "01-sample", (), "bad_notebook", "line 3 is not JSON"),
    SubmissionVerdict("chloe", "01-sample"),
)
SUBMITTED = [Submitted(one.student, one.assignment, Path()) for one in VERDICTS]
SUBMITTED += [Submitted(f"{number}", "02-sample", Path()) for number in range(4)]


def on_a_terminal(monkeypatch: pytest.MonkeyPatch, submitted: list[Submitted]) -> str:
    """What the bar writes to a terminal of 100 columns."""
    ours, theirs = pty.openpty()
    shown: list[bytes] = []

    def listen() -> None:
        try:
            while data := os.read(ours, 1 << 16):
                shown.append(data)
        except OSError:  # the other side is closed
            return

    listener = threading.Thread(target=listen)
    listener.start()
    with monkeypatch.context() as patch, os.fdopen(theirs, "w") as terminal:
        for name, value in {"TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}.items():
            patch.setenv(name, value)
        patch.setattr(sys, "stderr", terminal)
        assert tuple(with_bar(VERDICTS, submitted)) == VERDICTS
    listener.join()
    os.close(ours)
    return b"".join(shown).decode()


def test_a_terminal_sees_how_many_are_done_and_the_last_problem(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = on_a_terminal(monkeypatch, SUBMITTED)
    assert "3/7" in written
    assert "waiting" not in written
    assert "ben[red]\ufffd[2J: bad_notebook" in written  # neither markup nor escapes act


def test_at_the_end_a_terminal_sees_who_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    written = on_a_terminal(monkeypatch, SUBMITTED[:4])
    assert "3/4" in written
    assert "waiting for 0 02-sample" in written.split("waiting for chloe")[-1]


def test_elsewhere_nothing_is_written(capfd: pytest.CaptureFixture[str]) -> None:
    assert tuple(with_bar(VERDICTS, SUBMITTED)) == VERDICTS
    assert capfd.readouterr() == ("", "")
