"""Notices that the notebook was saved, however an editor writes it.

It looks at the file's own entry ten times a second: that works on every system and every disk, also
where an editor writes a new file and puts it in the old one's place. A text that is only half there
is read again.
"""

import time
from pathlib import Path
from typing import Any

from ..notebook import NoNotebook, read_cells

_PATIENCE_SECONDS = 2
Stamp = tuple[int, int, int]


class Saves:
    """The notebook on the disk, and the modules beside it.

    Attributes:
        trouble: why the notebook cannot be read, once it has been so for a while; else empty.
        when: when it was last written, in seconds since 1970.
    """

    def __init__(self, path: Path) -> None:
        self.trouble = ""
        self.when = 0.0
        self._path = path
        self._seen: Stamp | None = None
        self._modules = self._stamps()
        self._unread_since: float | None = None

    def read(self) -> list[dict[str, Any]] | None:
        """The notebook's cells, where it has been written since the last call; else None."""
        stamp = _stamp(self._path)
        if stamp == self._seen and self._unread_since is None:
            return None
        try:
            cells = read_cells(self._path)
        except NoNotebook as error:
            now = time.monotonic()
            self._unread_since = self._unread_since or now
            if now - self._unread_since > _PATIENCE_SECONDS:
                self.trouble = str(error)
            return None
        self._seen, self._unread_since, self.trouble = stamp, None, ""
        self.when = stamp[0] / 1e9 if stamp else time.time()
        return cells

    def has_new_module(self) -> bool:
        """Whether a module beside the notebook has been written since the last call."""
        stamps = self._stamps()
        is_new, self._modules = stamps != self._modules, stamps
        return is_new

    def _stamps(self) -> dict[Path, Stamp | None]:
        return {path: _stamp(path) for path in self._path.parent.glob("*.py")}


def _stamp(path: Path) -> Stamp | None:
    """What changes whenever a file is written or replaced; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
