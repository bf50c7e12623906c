"""A Jupyter server with nbgrader's formgrader on a course, as an instructor would start it."""

import json
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TOKEN = "a-token-for-the-test"


@contextmanager
def running(course: Path, scripts: Path, environment: dict[str, str]) -> Iterator[str]:
    """The server; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [
            str(scripts / "jupyter"),
            "lab",
            "--allow-root",
            "--no-browser",
            "--ServerApp.ip=127.0.0.1",
            f"--ServerApp.port={port}",
            f"--IdentityProvider.token={TOKEN}",
        ],
        cwd=course,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{address}/api")
        yield address
    finally:
        process.terminate()
        process.wait(20)


def ask(url: str, body: bytes | None = None, method: str = "GET") -> Any:
    """What the server answers: a page's text, or JSON's values."""
    request = urllib.request.Request(
        url, data=body, method=method, headers={"Authorization": f"token {TOKEN}"}
    )
    with urllib.request.urlopen(request, timeout=120) as answer:
        read = answer.read().decode()
    return json.loads(read) if read[:1] in ("{", "[") else read


def _wait_for(url: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(url, timeout=5)
            return
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
