"""A real terminal: a command in tmux, its keys pressed and its screen read."""

import subprocess
import time
import uuid
from pathlib import Path
from types import TracebackType

LOOK_SECONDS = 0.05


class Tmux:
    """A terminal of its own, on a server of its own, that ends with the `with` block.

    Args:
        command: what a shell runs in it.
        folder: where.
        columns: how wide it is.
        lines: how high it is.
    """

    def __init__(self, command: str, folder: Path, columns: int = 80, lines: int = 24) -> None:
        self._server = f"checks-{uuid.uuid4().hex[:12]}"
        self._start = ["new-session", "-d", "-x", str(columns), "-y", str(lines), "-c", str(folder)]
        self._start.append(f"{command}; echo EXIT STATUS $?; exec sleep 1000")

    def __enter__(self) -> "Tmux":
        self._tmux("-f", "/dev/null", *self._start)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._tmux("kill-server")

    def press(self, *keys: str) -> None:
        """Press keys, as tmux calls them: "h", "C-c"."""
        self._tmux("send-keys", *keys)

    def screen(self) -> str:
        """What is on the screen, without colours."""
        lines = self._tmux("capture-pane", "-p").splitlines()
        return "\n".join(line.rstrip() for line in lines).rstrip("\n")

    def wait_for(self, text: str, seconds: float = 120) -> str:
        """The screen as soon as a text stands on it, however its lines are broken there.

        Raises:
            TimeoutError: it never did; the message is what stood there.
        """
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            screen = self.screen()
            if text in " ".join(screen.split()):
                return screen
            time.sleep(LOOK_SECONDS)
        raise TimeoutError(f"{text!r} did not come onto the screen:\n{self.screen()}")

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-L", self._server, *arguments]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
        return done.stdout
