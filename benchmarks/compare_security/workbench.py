"""Throw-away folders in which the graders run, and what the attacks are after there."""

import os
import secrets
import signal
import socketserver
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

SECONDS = 180


@dataclass(frozen=True)
class Ended:
    """How a program ended; its status is None when it had to be killed."""

    status: int | None
    said: str

    @property
    def last_words(self) -> str:
        """The last line that tells of an error, or else the last line."""
        lines = [line.strip() for line in self.said.splitlines() if line.strip()]
        errors = [line for line in lines if "error" in line.lower()]
        return (errors or lines or ["nothing was printed"])[-1]


@dataclass(frozen=True)
class Listener:
    """A socket on this machine's loopback: its port, and the first line of every connection."""

    port: int
    heard: set[str]


class Workbench:
    """One grader's folder: a home, a temporary folder, a secret, and a listener on the network.

    Attributes:
        tool: the grader's short name.
        folder: all that its programs should write to.
        secret: the value of COURSE_TOKEN in the environment of its programs.
    """

    def __init__(self, tool: str, folder: Path, scripts: Path, listener: Listener) -> None:
        self.tool, self.folder, self.secret = tool, folder, secrets.token_hex(16)
        self._scripts, self._listener = scripts, listener
        for name in ("home", "temporary"):
            (folder / name).mkdir(parents=True)
        self._environment = {
            "PATH": f"{scripts}{os.pathsep}{os.defpath}",
            "HOME": str(folder / "home"),
            "TMPDIR": str(folder / "temporary"),
            "LANG": "C.UTF-8",
            "COURSE_TOKEN": self.secret,
        }

    @property
    def places(self) -> dict[str, str]:
        """What `@word@` stands for in an attack's source."""
        port = str(self._listener.port)
        return {"home": str(self.folder / "home"), "port": port, "tool": self.tool}

    def reached(self, goal: str, shown: Path) -> bool:
        """Whether an attack got what it was after, when that was not marks.

        Args:
            goal: as in `Attack`.
            shown: the folder of what the student is shown.
        """
        if goal == "secret":
            files = [path for path in shown.rglob("*") if path.is_file()]
            return any(self.secret.encode() in path.read_bytes() for path in files)
        if goal == "connection":
            return self.tool in self._listener.heard
        return goal == "home" and (self.folder / "home" / ".profile").exists()

    def run(self, program: str, *arguments: object, cwd: Path) -> Ended:
        """Run a program of the grader's environment; nothing that it started outlives it."""
        process = subprocess.Popen(
            [str(self._scripts / program), *map(str, arguments)],
            cwd=cwd,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            said, _ = process.communicate(timeout=SECONDS)
            return Ended(process.returncode, said)
        except subprocess.TimeoutExpired:
            return Ended(None, f"it still ran after {SECONDS} seconds")
        finally:
            kill_group(process.pid)
            process.wait()


def kill_group(leader: int) -> None:
    """Kill what is left of a process group."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


@contextmanager
def listening() -> Iterator[Listener]:
    """Listen until the block ends."""
    heard: set[str] = set()

    class Hear(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            heard.add(self.rfile.readline(100).decode(errors="replace").strip())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Hear) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Listener(server.server_address[1], heard)
        server.shutdown()
