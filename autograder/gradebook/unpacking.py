"""Opens the archives that `nbgrader zip_collect` is given, within bounds.

What an instructor puts down is a learning system's archive; what lies in it, and the archives in
that, are students'. Each of these is unpacked whole or not at all and costs no other: one that is
broken, or goes past a bound, is named with its reason.
"""

import gzip
import lzma
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, cast

from nbgrader.plugins import ExtractorPlugin
from traitlets import Int

from autograder.gradebook.collecting import folder_of, reading

MB = 1_000_000
CHUNK = 1 << 16
SMALL = 10 * MB  # up to here any ratio will do: a page of zeros is no bomb
LISTED = 1024  # bytes of a zip's own list, at most, for each file that may be in it
DEEPEST = 40  # folders in folders; what walks through them calls itself for each
OTHERS = 3  # folders, links and the like that a tar may list for each file that may be in it
UNREADABLE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    MemoryError,  # what says that it needs more than there is
    RuntimeError,  # a password is asked for, or (NotImplementedError) a method is not known
    ValueError,
)

Opened = Callable[[], IO[bytes]]


class Refused(Exception):
    """An archive, or a file of one, that is not unpacked; the text says why."""


@dataclass
class Budget:
    """What one hand-in may still become.

    Attributes:
        size: bytes.
        files: how many.
        allowed: both in words, as they were.
    """

    size: int
    files: int
    allowed: str

    def take(self, size: int = 0, files: int = 0) -> None:
        """Count what is written; raises Refused past the bound."""
        self.size -= size
        self.files -= files
        if self.size < 0 or self.files < 0:
            raise Refused(f"with it, this hand-in is more than {self.allowed}")


class Unpacker(ExtractorPlugin):
    """Unpacks archives, and archives within them, and bounds what each hand-in becomes.

    Attributes:
        wrong: what is not unpacked, and why, for whoever asks at the end.
    """

    hand_in_mb = Int(100, min=1, help="What one hand-in may become, unpacked.").tag(config=True)
    hand_in_files = Int(1000, min=1, help="How many files it may have.").tag(config=True)
    depth = Int(3, min=1, help="How deep archives may lie in archives.").tag(config=True)
    ratio = Int(
        100, min=1, help="How many times as large as packed anything may become, beyond 10 MB."
    ).tag(config=True)

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """nbgrader's order: everything from the one folder into the other, archives unpacked."""
        self.wrong: list[str] = []
        self._root = Path(extracted_path)
        allowed = f"{self.hand_in_mb} MB or {self.hand_in_files} files (c.Unpacker)"
        self._budgets: defaultdict[object, Budget] = defaultdict(
            lambda: Budget(self.hand_in_mb * MB, self.hand_in_files, allowed)
        )
        given = sorted(path for path in Path(archive_path).rglob("*") if path.is_file())
        if not given:
            self.log.warning("No files found in directory: %s", archive_path)
        for path in given:
            place = self._root / path.relative_to(archive_path)
            place.parent.mkdir(parents=True, exist_ok=True)
            if not self._is_archive(path):
                shutil.copy(path, place)
                continue
            self.log.info("Unpacking %s", path)
            folder = folder_of(place)
            unpacked = (
                self._unpack(path, folder) if reading(folder.name) else self._share(path, folder)
            )
            if unpacked:
                self._open_archives_in(folder)

    def _is_archive(self, path: Path) -> bool:
        return path.suffix.lower() in self.zip_ext

    def _open_archives_in(self, folder: Path) -> None:
        """Unpack what students packed, level by level, each beside itself."""
        level, depth = [folder], 1
        while level:
            depth += 1
            found = sorted(path for one in level for path in one.rglob("*") if path.is_file())
            level = []
            for path in filter(self._is_archive, found):
                if depth > self.depth:
                    deep = f"it lies {depth} archives deep, and {self.depth} are opened"
                    self._refuse(path, f"{deep} (c.Unpacker)")
                elif self._unpack(path, folder_of(path)):
                    level.append(folder_of(path))

    def _budget_of(self, place: Path) -> Budget:
        """That of whoever handed it in: all their files and archives share it."""
        parts = place.relative_to(self._root).parts
        readings = (reading(Path(part).stem if part == parts[-1] else part) for part in parts)
        owner = next((one.owner for one in readings if one is not None), parts[:2])
        return self._budgets[owner]

    def _share(self, path: Path, folder: Path) -> bool:
        """Unpack a whole class's archive: a file that cannot be had costs no other."""
        try:
            with self._files_of(path, None) as files:
                for name, opened, packed in files:
                    place = folder / name
                    try:
                        self._write(opened, place, max(SMALL, self.ratio * packed))
                    except (Refused, *UNREADABLE) as error:
                        with suppress(OSError):  # such as a name that is too long
                            place.unlink()
                        self._refuse(place, _words(error))
        except (Refused, *UNREADABLE) as error:
            self._refuse(path, _words(error))
        return folder.is_dir()

    def _unpack(self, path: Path, folder: Path) -> bool:
        """Unpack a student's archive into a folder of its own, or leave nothing of it."""
        if folder.exists():
            self._refuse(path, f"there is a {folder.name} beside it already")
            return False
        left = max(SMALL, self.ratio * path.stat().st_size)
        try:
            folder.mkdir()
            with self._files_of(path, self.hand_in_files) as files:
                for name, opened, _ in files:
                    left -= self._write(opened, folder / name, left)
        except (Refused, *UNREADABLE) as error:
            shutil.rmtree(folder, ignore_errors=True)
            is_broken = isinstance(error, UNREADABLE)
            if (
                is_broken
                and path.suffix.lower() == ".gz"
                and not path.stem.lower().endswith(".tar")
            ):
                self.log.warning("%s is no archive, and stays as it is", self._told(path))
            else:
                self._refuse(path, _words(error))
            return False
        return True

    def _write(self, opened: Opened, place: Path, most: int) -> int:
        """Write one file of an archive; gives its size."""
        budget, size = self._budget_of(place), 0
        budget.take(files=1)
        if len(place.relative_to(self._root).parts) > DEEPEST:
            raise Refused(f"a file in it lies more than {DEEPEST} folders deep")
        place.parent.mkdir(parents=True, exist_ok=True)
        with opened() as content, place.open("wb") as file:
            while chunk := content.read(CHUNK):
                size += len(chunk)
                if size > most:
                    raise Refused(_too_dense(self.ratio))
                budget.take(size=len(chunk))
                file.write(chunk)
        return size

    @contextmanager
    def _files_of(
        self, path: Path, most: int | None
    ) -> Iterator[Iterator[tuple[PurePosixPath, Opened, int]]]:
        """The plain files of an archive that stay in its folder: name, content, packed size.

        Args:
            path: the archive.
            most: how many files it may list; None for any number.
        """
        with ExitStack() as stack:
            if zipfile.is_zipfile(path):
                plain = _Zip(stack.enter_context(path.open("rb")), most)
                archive = stack.enter_context(zipfile.ZipFile(cast(IO[bytes], plain)))
                plain.most = None
                yield _zipped(archive)
                return
            packed: IO[bytes] = stack.enter_context(path.open("rb"))
            is_gzip = packed.read(2) == b"\x1f\x8b"
            packed.seek(0)
            if is_gzip:
                packed = cast(IO[bytes], stack.enter_context(gzip.GzipFile(fileobj=packed)))
            dense = max(SMALL, self.ratio * path.stat().st_size), _too_dense(self.ratio)
            large = (
                SMALL + self.hand_in_mb * MB,
                f"it is more than {self.hand_in_mb} MB (c.Unpacker)",
            )
            bounded = _Bounded(packed, *(dense if most is None else min(dense, large)))
            tar = stack.enter_context(tarfile.open(fileobj=cast(IO[bytes], bounded), mode="r|"))
            yield _tarred(tar, most)

    def _refuse(self, path: Path, why: str) -> None:
        told = f"{self._told(path)} is not unpacked: {why}"
        self.log.error("%s", told)
        self.wrong.append(told)

    def _told(self, path: Path) -> str:
        return str(path.relative_to(self._root)) if path.is_relative_to(self._root) else path.name


class _Bounded:
    """A file to be read once, up to a bound: a tar's own headers may be of any length.

    Args:
        file: what is read.
        most: how many bytes.
        why: what is said of one that has more.
    """

    def __init__(self, file: IO[bytes], most: int, why: str) -> None:
        self._file, self._left, self._why = file, most, why

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise Refused(self._why)
        return data


class _Zip:
    """A zip whose own list is bounded: it is read in one go, and takes more memory than it is long.

    A zip may say in more than one place how long that list is, so what counts is what is read.

    Args:
        file: the zip.
        most: how many files it may list, while that is read; None for any number.
    """

    def __init__(self, file: IO[bytes], most: int | None) -> None:
        self._file, self.most = file, most
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        if self.most is not None and size > LISTED * self.most:
            raise Refused(f"it lists more than {self.most} files (c.Unpacker)")
        return self._file.read(size)


def _zipped(archive: zipfile.ZipFile) -> Iterator[tuple[PurePosixPath, Opened, int]]:
    for entry in archive.infolist():
        name = _inside(entry.filename)
        is_link = stat.S_ISLNK(entry.external_attr >> 16)
        if name is not None and not entry.is_dir() and not is_link:
            yield name, partial(archive.open, entry), entry.compress_size


def _tarred(
    archive: tarfile.TarFile, most: int | None
) -> Iterator[tuple[PurePosixPath, Opened, int]]:
    for seen, member in enumerate(archive):
        if most is not None and seen > (1 + OTHERS) * most:
            raise Refused(f"it lists more than {most} files (c.Unpacker)")
        name = _inside(member.name)
        if name is not None and member.isreg():
            opened = cast(Callable[..., IO[bytes]], archive.extractfile)
            yield name, partial(opened, member), member.size


def _inside(name: str) -> PurePosixPath | None:
    """A file's place under its archive's folder, without what a terminal obeys; None for none."""
    shown = "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in name
    )
    place = PurePosixPath(shown.replace("\\", "/"))
    return None if place.is_absolute() or ".." in place.parts or not place.parts else place


def _too_dense(ratio: int) -> str:
    return f"it becomes more than {ratio} times as large as it is packed (c.Unpacker)"


def _words(error: Exception) -> str:
    if isinstance(error, Refused):
        return str(error)
    said = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return f"it is broken, or of a kind that cannot be opened here ({said})"
