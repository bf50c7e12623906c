"""Gradescope's container, made by hand: built and run by a real Podman, without a network."""

import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

IMAGE = "localhost/attention-autograder-gradescope"
KEYRING = Path("/usr/share/keyrings/ubuntu-archive-keyring.gpg")
# A Debian without Ubuntu's keys cannot ask who signed it.
TRUST = f"signed-by={KEYRING}" if KEYRING.exists() else "trusted=yes"


@dataclass(frozen=True)
class System:
    """The smallest image of a system: what setup.sh needs beside it, it installs itself.

    Attributes:
        name: its name and version.
        suite: as its archive calls it.
        python: the version of its Python, without the release.
        release: with it.
        archive: where its packages are; empty for where this machine takes its own from.
        packages: what it holds beside the system's least.
    """

    name: str
    suite: str
    python: str
    release: str
    archive: str = ""
    packages: str = "apt,ca-certificates"

    @property
    def image(self) -> str:
        """The image of it."""
        return f"localhost/attention-autograder-{self.suite}"


UBUNTU = System(
    "Ubuntu 24.04",
    "noble",
    "3.12",
    "3.12.3",
    f"deb [{TRUST}] http://archive.ubuntu.com/ubuntu noble main universe",
)
DEBIAN = System("Debian 12", "bookworm", "3.11", "3.11.2")
# Debian's own packages of Podman and runc, where cgroups are of both versions.
SETTINGS = """
[engine]
cgroup_manager="cgroupfs"
runtime="runc"
[containers]
default_ulimits=["nofile=1024:1024","nproc=1000:1000"]
"""
# What Gradescope says that it does with the zip.
BUILD = """
ARG BASE
FROM ${BASE}
COPY wheels /wheels
COPY source /autograder/source
ENV PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels
RUN bash /autograder/source/setup.sh
RUN cp /autograder/source/run_autograder /autograder/run_autograder && mkdir /autograder/results
WORKDIR /autograder
"""


def why_not() -> str | None:
    """Why no such container can be made here; None where it can."""
    missing = [name for name in ("podman", "mmdebstrap") if shutil.which(name) is None]
    if missing:
        return f"{' and '.join(missing)} not installed"
    return None if os.geteuid() == 0 else "mmdebstrap and podman are run as root here"


def unpacked(archive: Path, folder: Path) -> Path:
    """The zip's files with the modes that it says, as `unzip` leaves them."""
    with zipfile.ZipFile(archive) as opened:
        for entry in opened.infolist():
            path = Path(opened.extract(entry, folder))
            path.chmod(stat.S_IMODE(entry.external_attr >> 16))
    return folder


class Podman:
    """The engine with its settings.

    Args:
        folder: a place for them.
    """

    def __init__(self, folder: Path) -> None:
        self.environment = dict(os.environ)
        if "CONTAINERS_CONF" not in os.environ and shutil.which("runc"):
            (folder / "containers.conf").write_text(SETTINGS)
            self.environment["CONTAINERS_CONF"] = str(folder / "containers.conf")

    def __call__(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        command = ["podman", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, env=self.environment)

    def has(self, image: str) -> bool:
        return self("image", "exists", image).returncode == 0


def make_base(podman: Podman, system: System, folder: Path) -> None:
    """The image of a system; one that is there is taken."""
    if podman.has(system.image):
        return
    archive = folder / f"{system.suite}.tar"
    options = ["--quiet", "--variant=minbase", f"--include={system.packages}"]
    sources = [system.archive] if system.archive else []
    subprocess.run(["mmdebstrap", *options, system.suite, archive, *sources], check=True)
    imported = podman("import", archive, system.image)
    assert imported.returncode == 0, imported.stderr
    archive.unlink()


def build(
    podman: Podman, system: System, archive: Path, folder: Path
) -> subprocess.CompletedProcess[str]:
    """What Gradescope does with an uploaded zip, where pip finds all it needs in a folder.

    The network is this machine's, for the system's packages.
    """
    source = unpacked(archive, folder / "source")
    if not (folder / "wheels").exists():
        wheels = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", folder / "wheels"]
        wheels += ["--python-version", system.python, "--only-binary=:all:"]
        subprocess.run([*wheels, "--requirement", source / "requirements.txt"], check=True)
    (folder / "Containerfile").write_text(BUILD)
    base = f"BASE={system.image}"
    return podman("build", "--network", "host", "--build-arg", base, "--tag", IMAGE, folder)


def graded(
    podman: Podman, folder: Path, submission: Path, *options: str
) -> subprocess.CompletedProcess[str]:
    """What Gradescope does with a submission: root, with what a container may do by default.

    Args:
        podman: the engine.
        folder: an empty one; `results/` is in it afterwards.
        submission: what was handed in.
        options: more of Podman's own.
    """
    (folder / "results").mkdir(parents=True)
    metadata = folder / "submission_metadata.json"
    metadata.write_text(
        json.dumps({"users": [{"id": 7, "email": "ada@uni.example", "name": "Ada"}]})
    )
    mounts = {
        submission: "/autograder/submission",
        metadata: "/autograder/submission_metadata.json",
        folder / "results": "/autograder/results",
    }
    bound = [f"--volume={here.resolve()}:{there}" for here, there in mounts.items()]
    return podman(
        "run", "--rm", "--network=none", *bound, *options, IMAGE, "/autograder/run_autograder"
    )
