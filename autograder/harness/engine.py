"""The engine as a wheel, from the files that run here, and the versions that it runs with."""

import base64
import csv
import hashlib
import importlib.metadata
import io
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

from packaging.specifiers import SpecifierSet

from autograder.course.packages import TORCH
from autograder.sandbox.inside.versions import normalised
from autograder.sandbox.visible import closure

ENGINE = "attention-autograder"
TORCH_OF_CPUS = "https://download.pytorch.org/whl/cpu"
"""Where pip finds torch without gigabytes of CUDA."""
FROM_TORCH = ("nvidia-", "cuda-")
"""How packages begin that torch brings along, and its build for CPUs does not."""
PACKAGE = Path(__file__).parents[1]
METADATA = ("METADATA", "entry_points.txt", "top_level.txt")
KIND = f"Wheel-Version: 1.0\nGenerator: {ENGINE}\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def write_wheel(folder: Path) -> Path:
    """Write the engine that runs here as a wheel: the same files give the same bytes.

    Args:
        folder: where to.
    Returns:
        the wheel, under the name that PEP 427 asks for.
    """
    distribution = importlib.metadata.distribution(ENGINE)
    stem = f"{ENGINE.replace('-', '_')}-{distribution.version}"
    told = f"{stem}.dist-info"
    files = {
        f"{PACKAGE.name}/{path.relative_to(PACKAGE).as_posix()}": path.read_bytes()
        for path in sorted(PACKAGE.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    for name in METADATA:
        files[f"{told}/{name}"] = (distribution.read_text(name) or "").encode()
    files[f"{told}/WHEEL"] = KIND.encode()
    files[f"{told}/RECORD"] = _record(files, f"{told}/RECORD")
    wheel = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return wheel


def _record(files: dict[str, bytes], itself: str) -> bytes:
    """What a wheel says of its files: their hashes and sizes, as PEP 427 wants it."""
    lines = io.StringIO()
    rows = csv.writer(lines, lineterminator="\n")
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.writerow([name, f"sha256={digest}", len(content)])
    rows.writerow([itself, "", ""])
    return lines.getvalue().encode()


def pins(packages: Sequence[str]) -> list[str]:
    """The versions here of all that the engine and these packages require, as pip takes them.

    A version that refuses earlier releases of this Python, such as Debian's 3.11.2, is not pinned
    for these: pip takes the newest that they can have.

    Args:
        packages: distributions that a course's students may import.
    Returns:
        "numpy==2.4.1" and so on, without the engine, and without what only CUDA needs.
    """
    return sorted(
        line
        for one in closure((ENGINE, *packages))
        if (name := normalised(one.metadata["Name"])) != ENGINE and not name.startswith(FROM_TORCH)
        for line in _pinned(name, one)
    )


def _pinned(name: str, distribution: importlib.metadata.Distribution) -> list[str]:
    version = f"{name}=={distribution.version.partition('+')[0]}"
    needs = SpecifierSet(distribution.metadata["Requires-Python"] or "")
    major, minor, micro = sys.version_info[:3]
    releases = [f"{major}.{minor}.{release}" for release in range(micro + 1)]
    oldest = next((one for one in releases if needs.contains(one)), releases[0])
    if oldest == releases[0]:
        return [version]
    older = f"python_full_version < '{oldest}'"
    return [f"{version} ; python_full_version >= '{oldest}'", f"{name} ; {older}"]


def torch_among(lines: Sequence[str]) -> str | None:
    """The line that pins torch, which is installed first and from its own index; None without."""
    return next((line for line in lines if line.startswith(f"{TORCH}==")), None)
