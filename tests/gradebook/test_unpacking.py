"""Archives in a class's archive: each is unpacked whole within its bounds, or fails alone."""

import io
import random
import struct
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from autograder.gradebook.unpacking import Unpacker

ADA, EVE = (f"{name}_assignsubmission_file_" for name in ("Ada L_771", "Eve X_774"))
MANY = {f"{n:090}.txt": b"" for n in range(400)}
MEGABYTE = random.Random(0).randbytes(500_000).hex().encode()


def zipped(files: Mapping[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def tarred(member: tarfile.TarInfo, content: bytes = b"") -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    return made.getvalue()


def listing(count: int) -> bytes:
    """A tar of folders alone."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for n in range(count):
            archive.addfile(named(str(n), type=tarfile.DIRTYPE))
    return made.getvalue()


def named(name: str, **fields: object) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    for field, value in fields.items():
        setattr(member, field, value)
    return member


def nested(depth: int) -> bytes:
    packed = zipped({"x.ipynb": b"{}"})
    for _ in range(depth):
        packed = zipped({"in.zip": packed})
    return packed


def broken() -> bytes:
    packed = bytearray(zipped({"x.ipynb": MEGABYTE}))
    packed[60] ^= 0xFF
    return bytes(packed)


def of_another_method() -> bytes:
    """A zip of LZMA, whose settings are none."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("x.ipynb", b"{}")
    packed = bytearray(made.getvalue())
    packed[30 + len("x.ipynb") + 4] = 0xFF
    return bytes(packed)


def listed_twice() -> bytes:
    """A zip whose end says that its list is short, and whose larger end (ZIP64) says how long."""
    packed = zipped({f"{n:090}.txt": b"" for n in range(400)})
    end = struct.unpack("<4s4H2LH", packed[-22:])
    count, size, start = end[4:7]
    larger = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, start)
    where = struct.pack("<4sLQL", b"PK\6\7", 0, len(packed) - 22, 1)
    return packed[:-22] + larger + where + struct.pack("<4s4H2LH", *end[:5], 0, *end[6:])


def unpacked(folder: Path, theirs: Mapping[str, bytes]) -> tuple[dict[str, int], str]:
    """What lies in the folder after Ada's notebook and Eve's files came; and what was wrong."""
    archive, extracted = folder / "archive", folder / "extracted"
    archive.mkdir()
    extracted.mkdir()
    files = {f"{ADA}/x.ipynb": b"{}"} | {f"{EVE}/{name}": one for name, one in theirs.items()}
    (archive / "all.zip").write_bytes(zipped(files))
    plugin = Unpacker(hand_in_mb=12, hand_in_files=50)
    plugin.extract(str(archive), str(extracted))
    there = {path.relative_to(extracted / "all"): path for path in extracted.rglob("*")}
    sizes = {str(name): path.stat().st_size for name, path in there.items() if path.is_file()}
    assert sizes.pop(f"{ADA}/x.ipynb") == 2, "it costs another nothing"
    return {name.removeprefix(f"{EVE}/"): size for name, size in sizes.items()}, "\n".join(
        plugin.wrong
    )


@pytest.mark.parametrize(
    ("packed", "why"),
    [
        (broken(), "is broken"),
        (b"", "is broken"),
        (zipped({"x.ipynb": b"0" * 11_000_000}), "more than 100 times as large"),
        (zipped({f"{n}.bin": MEGABYTE for n in range(8)}), "more than 12 MB"),
        (zipped({f"{n}.txt": b"" for n in range(60)}), "more than 12 MB or 50 files"),
        (zipped({f"{n:090}.txt": b"" for n in range(400)}), "lists more than 50 files"),
        (listing(300), "lists more than 50 files"),
        (listed_twice(), "lists more than 50 files"),
        (of_another_method(), "is broken"),
        (zipped({"a/" * n + "x.ipynb": b"{}" for n in range(300, 1900, 300)}), "folders deep"),
        (tarred(named("x", pax_headers={"a": "0" * 12_000_000})), "100 times"),
    ],
    ids=[
        "broken",
        "empty",
        "dense",
        "large",
        "many",
        "listed",
        "folders",
        "twice",
        "lzma",
        "deep",
        "headers",
    ],
)
def test_an_archive_past_a_bound_leaves_nothing_and_says_why(
    tmp_path: Path, packed: bytes, why: str
) -> None:
    there, wrong = unpacked(tmp_path, {"work.zip": packed, "kept.txt": b"1"})
    assert there == {"work.zip": len(packed), "kept.txt": 1}
    assert wrong.startswith(f"all/{EVE}/work.zip is not unpacked: ")
    assert why in wrong


def test_what_lies_too_deep_is_left_packed(tmp_path: Path) -> None:
    there, wrong = unpacked(tmp_path, {"w.zip": nested(1), "deep.zip": nested(2)})
    assert "w/in/x.ipynb" in there
    assert "deep/in/in.zip" in there
    assert "deep/in/in/x.ipynb" not in there
    assert "deep/in/in.zip is not unpacked: it lies 4 archives deep, and 3 are opened" in wrong


def test_several_archives_of_one_student_share_their_bounds(tmp_path: Path) -> None:
    packed = zipped({f"{n}.bin": MEGABYTE for n in range(4)})
    there, wrong = unpacked(tmp_path, {f"{n}.zip": packed for n in range(4)})
    assert sum(there.values()) < 13_000_000
    assert "3.zip is not unpacked: with it, this hand-in is more than 12 MB" in wrong


def test_a_file_of_the_classs_archive_past_a_bound_costs_no_other_file(tmp_path: Path) -> None:
    there, wrong = unpacked(tmp_path, {"big.csv": b"0" * 20_000_000, "x.ipynb": b"{}"})
    assert there == {"x.ipynb": 2}
    assert "big.csv is not unpacked: it becomes more than 100 times" in wrong


def test_a_name_that_no_file_can_have_costs_no_other_file(tmp_path: Path) -> None:
    there, wrong = unpacked(tmp_path, {"n" * 300 + ".ipynb": b"{}", "x.ipynb": b"{}"})
    assert there == {"x.ipynb": 2}
    assert "File name too long" in wrong


def test_links_and_paths_that_lead_out_are_left_out_and_names_obey_no_terminal(
    tmp_path: Path,
) -> None:
    link = named("link.ipynb", type=tarfile.SYMTYPE, linkname="/etc/passwd")
    files = {"../../out.ipynb": b"1", "/out.ipynb": b"1", "a\\b.ipynb": b"1", "\x1b[2J.ipynb": b"1"}
    there, wrong = unpacked(tmp_path, {"t.tar.gz": tarred(link), "z.zip": zipped(files)})
    assert {name for name in there if name.endswith(".ipynb")} == {
        "z/a/b.ipynb",
        "z/\ufffd[2J.ipynb",
    }
    assert not list(tmp_path.rglob("out.ipynb"))
    assert wrong == ""


def test_a_tar_is_unpacked_like_a_zip(tmp_path: Path) -> None:
    there, wrong = unpacked(tmp_path, {"w.tar.gz": tarred(named("a/x.ipynb"), b"{}")})
    assert there["w/a/x.ipynb"] == 2
    assert wrong == ""
