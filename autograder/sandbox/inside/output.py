"""What student code prints, kept up to a bound; the rest is counted and dropped."""

import io


class BoundedOutput(io.TextIOBase):
    """Stands for sys.stdout and sys.stderr.

    Args:
        most_bytes: bytes kept until the next `take`.
    """

    encoding = "utf-8"

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._kept: list[bytes] = []
        self._room = most_bytes
        self._dropped = 0

    def writable(self) -> bool:
        """Always: nothing is ever full here."""
        return True

    def write(self, text: str) -> int:
        """Keep what there is room for."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        data = text[: self._room].encode(errors="replace")[: self._room]
        if data:
            self._kept.append(data)
            self._room -= len(data)
        if len(data) < len(text):
            self._dropped += len(text) - len(data)
        return len(text)

    def take(self) -> str:
        """What was printed since the last time, and start anew."""
        text = b"".join(self._kept).decode(errors="ignore")
        if self._dropped:
            text += f"\n... {self._dropped} more characters were printed\n"
        self._kept, self._room, self._dropped = [], self._most_bytes, 0
        return text
