"""Podman for tests: an image to build on, and the sandbox's image on it, each made once a machine.

Nothing is fetched but Debian's packages: the sandbox's packages are those that are installed here,
packed as wheels again. `.ci/podman` installs what this needs.
"""

import csv
import functools
import hashlib
import importlib.metadata
import io
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import psutil
from course_packages import NAMES
from filelock import FileLock

from autograder.sandbox.containers.image import FOLDER, pins
from autograder.sandbox.inside.versions import fingerprint, importable, versions
from autograder.sandbox.visible import closure

CONTAINERFILE = FOLDER / "sandbox" / "containers" / "Containerfile"
# What is optional, Triton, would double the image and the time that it takes.
IMAGE_PACKAGES = importable(NAMES["required"], ())
NAME = "localhost/autograder-tests"
PYTHON = versions(())["python"]
SUITES = {"3.11": "bookworm", "3.13": "trixie"}  # of Debian, by their Python
PROGRAMS = ("podman", "mmdebstrap")
# Where control groups are those of old, or mixed: there crun does not start, and nobody delegates.
MIXED = '[engine]\ncgroup_manager = "cgroupfs"\nruntime = "runc"\n'
LONGEST_SECONDS = 500


class NotHere(Exception):
    """Podman cannot be used on this machine; the text says why, and what would help."""


def podman_variables() -> dict[str, str]:
    """The variables under which Podman works here.

    Raises:
        NotHere: it does not.
    """
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        raise NotHere(
            f"{' and '.join(missing)} not installed; `.ci/podman` installs what is needed"
        )
    variables = {}
    if (
        not Path("/sys/fs/cgroup/cgroup.controllers").exists()
        and "CONTAINERS_CONF" not in os.environ
    ):
        conf = Path(tempfile.gettempdir(), f"autograder-tests-containers-{os.getuid()}.conf")
        conf.write_text(MIXED)
        variables["CONTAINERS_CONF"] = str(conf)
    _said(["podman", "info"], variables)
    return variables


def sandbox_image(variables: dict[str, str]) -> str:
    """The name of the sandbox's image with `IMAGE_PACKAGES`, made where it is not there yet.

    Args:
        variables: what `podman_variables` gave.

    Raises:
        NotHere: it cannot be made.
    """
    content = [
        PYTHON,
        fingerprint(),
        CONTAINERFILE.read_text(),
        *IMAGE_PACKAGES,
        *pins(IMAGE_PACKAGES),
    ]
    name = f"{NAME}:{hashlib.sha256(chr(10).join(content).encode()).hexdigest()[:16]}"
    with FileLock(Path(tempfile.gettempdir(), f"autograder-tests-image-{os.getuid()}.lock")):
        if not _exists(name, variables):
            base = _base_image(variables)
            with tempfile.TemporaryDirectory() as folder:
                for one in [*closure(IMAGE_PACKAGES), importlib.metadata.distribution("pip")]:
                    pack_again(one, Path(folder))
                _build(name, base, folder, variables)
            _remove_older(name, variables)
    return name


def processes_in(client: psutil.Process) -> list[psutil.Process]:
    """The container's processes that a `podman run` talks to: gateway, fork server, its children.

    Podman starts them as nobody's children. Empty where it has not started them, or has ended.
    """
    try:
        words = client.cmdline()
        if "--name" not in words:
            return []
        gateway = psutil.Process(_first_process(words[words.index("--name") + 1]))
        return [gateway, *gateway.children(recursive=True)]
    except (psutil.Error, LookupError):
        return []


@functools.cache  # an answer takes Podman a while
def _first_process(container: str) -> int:
    asked = ["podman", "inspect", "--format", "{{.State.Pid}}", container]
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    if said in ("", "0"):
        raise LookupError(f"{container} does not run")
    return int(said)


def pack_again(distribution: importlib.metadata.Distribution, folder: Path) -> None:
    """Make the wheel again that a package was installed from; what it put elsewhere is left out."""
    tags = [
        line.removeprefix("Tag: ")
        for line in (distribution.read_text("WHEEL") or "").splitlines()
        if line.startswith("Tag: ")
    ]
    name = distribution.metadata["Name"].replace("-", "_")
    record = io.StringIO()
    wheel = folder / f"{name}-{distribution.version}-{tags[-1]}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_STORED) as archive:
        for file in distribution.files or ():
            if ".." in file.parts or file.suffix == ".pyc" or file.name in ("RECORD", "INSTALLER"):
                continue
            archive.write(file.locate(), str(file))
            csv.writer(record).writerow([str(file), "", ""])
            if file.name == "WHEEL" and len(file.parts) == 2:
                own_record = str(file.with_name("RECORD"))
        csv.writer(record).writerow([own_record, "", ""])
        archive.writestr(own_record, record.getvalue())


def _base_image(variables: dict[str, str]) -> str:
    """Debian's smallest with Python; no image can be fetched on every machine."""
    name = f"{NAME}-base:{PYTHON}"
    if _exists(name, variables):
        return name
    if PYTHON not in SUITES:
        raise NotHere(f"no release of Debian has Python {PYTHON}")
    with tempfile.TemporaryDirectory() as folder:
        archive = f"{folder}/base.tar"
        make = ["mmdebstrap", "--quiet", "--variant=minbase", "--include=python3"]
        _said([*make, SUITES[PYTHON], archive], variables)
        _said(["podman", "import", "--quiet", archive, name], variables)
    return name


def _build(name: str, base: str, wheels: str, variables: dict[str, str]) -> None:
    """Build it by the command; in a course that names no packages but these."""
    where = ["--engine", "podman", "--name", name, "--base", base, "--wheels", wheels]
    with tempfile.TemporaryDirectory() as course:
        config = f"c = get_config()\nc.Packages.required = {list(IMAGE_PACKAGES)!r}\n"
        Path(course, "course_config.py").write_text(config)
        _said([sys.executable, "-m", "autograder", "image", "--course", course, *where], variables)


def _exists(name: str, variables: dict[str, str]) -> bool:
    command = ["podman", "image", "exists", name]
    return subprocess.run(command, env=os.environ | variables, check=False).returncode == 0


def _remove_older(name: str, variables: dict[str, str]) -> None:
    listed = ["podman", "image", "ls", "--format", "{{.Repository}}:{{.Tag}}", NAME]
    for one in _said(listed, variables).split():
        if one != name:
            _said(["podman", "image", "rm", one], variables)


def _said(command: Sequence[str], variables: dict[str, str]) -> str:
    """What a program prints.

    Raises:
        NotHere: it fails.
    """
    try:
        done = subprocess.run(
            command,
            cwd=FOLDER.parent,
            env=os.environ | variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LONGEST_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotHere(f"`{command[0]}`: {error}") from error
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-3:]
        raise NotHere(f"`{' '.join(command[:2])}` fails: {' '.join(last)}")
    return done.stdout
