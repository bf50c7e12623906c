"""The bar of `autograder grade`: on a terminal, and nowhere else."""

import os
import pty
import sys
import threading

import pytest

from autograder.commands.progress import with_bar
from autograder.verdicts import SubmissionVerdict

VERDICTS = (
    SubmissionVerdict("ada", "01-sample"),
    SubmissionVerdict("ben[red]\x1b[2J", "01-sample", (), "bad_notebook", "line 3 is not JSON"),
    SubmissionVerdict("chloe", "01-sample"),
)


def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> str:
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
        assert tuple(with_bar(VERDICTS, len(VERDICTS))) == VERDICTS
    listener.join()
    os.close(ours)
    return b"".join(shown).decode()


def test_a_terminal_sees_how_many_are_done_and_the_last_problem(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = on_a_terminal(monkeypatch)
    assert "3/3" in written
    assert "ben[red]\ufffd[2J: bad_notebook" in written  # neither markup nor escapes act


def test_elsewhere_nothing_is_written(capfd: pytest.CaptureFixture[str]) -> None:
    assert tuple(with_bar(VERDICTS, len(VERDICTS))) == VERDICTS
    assert capfd.readouterr() == ("", "")
