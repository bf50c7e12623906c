"""formgrader's Autograde button, pressed on a real server, gives `autograder grade`'s marks."""

import json
import shutil
import socket
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from marks import in_gradebook

NAME = "04-multi-head-attention"
STUDENTS = ("ada", "emeka")
TOKEN = "a-token-for-the-test"


@pytest.fixture
def course(graded: tuple, tmp_path: Path) -> Path:
    """The graded course again, with no score in the gradebook and no verdict stored."""
    course = tmp_path / "course"
    shutil.copytree(graded[0], course, symlinks=True)
    with sqlite3.connect(course / "gradebook.db") as database:
        database.execute("update grade set auto_score = null, needs_manual_grade = 1")
    for derived in ("autograded", "feedback", ".autograder/verdicts"):
        shutil.rmtree(course / derived, ignore_errors=True)
    return course


@pytest.fixture
def server(course: Path, scripts: Path, environment: dict[str, str]) -> Iterator[str]:
    """A Jupyter server with nbgrader's formgrader; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [
            str(scripts / "jupyter-server"),
            "--allow-root",
            "--no-browser",
            "--ServerApp.ip=127.0.0.1",
            f"--ServerApp.port={port}",
            f"--IdentityProvider.token={TOKEN}",
            "--ServerApp.jpserver_extensions={'nbgrader.server_extensions.formgrader': True}",
        ],
        cwd=course,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(f"{address}/api")
        yield address
    finally:
        process.terminate()
        process.wait(20)


def wait_for(url: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(url, timeout=5)
            return
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def press_autograde(server: str, student: str) -> dict[str, Any]:
    request = urllib.request.Request(
        f"{server}/formgrader/api/submission/{NAME}/{student}/autograde",
        data=b"",
        headers={"Authorization": f"token {TOKEN}"},
    )
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)


def test_the_button_gives_the_same_marks(graded: tuple, course: Path, server: str) -> None:
    wanted = in_gradebook(graded[0])
    for student in STUDENTS:
        answer = press_autograde(server, student)
        assert answer["success"], answer
    for (student, assignment, cell), mark in in_gradebook(course).items():
        if assignment == NAME and student in STUDENTS:
            assert mark == wanted[student, assignment, cell]
        else:
            assert mark == (None, True)
    assert (course / "autograded" / "emeka" / NAME / f"{NAME}.ipynb").is_file()
