"""Commands that see mounts of their own: a small disk, a read-only folder."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

# As root a mount namespace is enough; else a user namespace gives the right to mount.
UNSHARE = ["unshare", "--mount", "--propagation", "private"]
ENTER = ["--mount"]
if os.geteuid() != 0:
    UNSHARE += ["--user", "--map-root-user"]
    ENTER += ["--user", "--preserve-credentials"]


@dataclass(frozen=True)
class Mounts:
    """A mount namespace that lasts as long as its first process.

    Attributes:
        holder: that process's id.
    """

    holder: int

    def run(
        self, *command: object, cwd: Path, environment: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a command that sees these mounts."""
        return subprocess.run(
            ["nsenter", f"--target={self.holder}", *ENTER, f"--wd={cwd}", *map(str, command)],
            capture_output=True,
            text=True,
            timeout=300,
            env=environment,
        )

    def must(self, *command: object) -> None:
        """Run a command that has to go well."""
        done = self.run(*command, cwd=Path("/"))
        assert done.returncode == 0, done.stderr

    def small_disk(self, folder: Path, size: str) -> None:
        """Put an empty disk of that size, such as `500k`, in a folder's place."""
        folder.mkdir(parents=True, exist_ok=True)
        self.must("mount", "-t", "tmpfs", "-o", f"size={size},mode=0777", "tmpfs", folder)

    def read_only(self, folder: Path) -> None:
        """Let nothing be written under a folder, not even by root."""
        self.must("mount", "--bind", folder, folder)
        self.must("mount", "-o", "remount,ro,bind", folder)

    def fill(self, folder: Path, left: int) -> Path:
        """Use up a disk but for so many kilobytes; gives the file to remove to free it."""
        disk = os.statvfs(self.inside(folder))
        free = disk.f_bavail * disk.f_frsize // 1024 - left
        filler = folder / "filler"
        self.must("dd", "if=/dev/zero", f"of={filler}", "bs=1k", f"count={free}")
        return filler

    def inside(self, path: Path) -> Path:
        """The same path as seen from outside."""
        return Path(f"/proc/{self.holder}/root{path}")


@contextmanager
def private_mounts() -> Iterator[Mounts]:
    """Mounts that nobody else sees and that are gone afterwards.

    Raises:
        OSError: this machine does not allow it; the text says why.
    """
    if shutil.which("unshare") is None or shutil.which("nsenter") is None:
        raise OSError("unshare and nsenter (util-linux) are not installed")
    try_it = 'mount -t tmpfs tmpfs "$0" && umount "$0" && echo ready && exec sleep infinity'
    place = tempfile.mkdtemp()
    command = [*UNSHARE, "sh", "-c", try_it, place]
    holder = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    )
    try:
        if holder.stdout.readline() != "ready\n":
            raise OSError(holder.stderr.read().strip())
        yield Mounts(holder.pid)
    finally:
        holder.kill()
        holder.communicate()
        os.rmdir(place)
