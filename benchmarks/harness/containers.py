"""Systems in Podman, the wheels that they install, and what a run in one takes."""

import dataclasses
import subprocess
import sys
import time
from pathlib import Path

from gradescope_container import Podman, System, make_base
from podman_images import pack_again

from autograder.sandbox.visible import closure

PROCESSORS = "0.5"
SHARES = "--cpu-shares=16384"  # so that it has this half where much else runs
PREFIX = "localhost/attention-autograder-bench"
# What a container has used, as control groups of either version tell it: bytes at most, and
# processor time in nanoseconds.
USED = """
group=/sys/fs/cgroup
if [ -f $group/memory.peak ]; then
  cat $group/memory.peak; awk '/^usage_usec/ { print $2 * 1000 }' $group/cpu.stat
else
  cat $group/memory/memory.max_usage_in_bytes $group/cpuacct/cpuacct.usage
fi > /used/both
"""


@dataclasses.dataclass(frozen=True)
class Took:
    """One run.

    Attributes:
        status: its exit status.
        said: what it printed.
        seconds: by the clock, the container's start included.
        processor_seconds: what all of its processes had of a processor.
        megabytes: the most that all of its processes held, files that they read included.
    """

    status: int
    said: str
    seconds: float
    processor_seconds: float
    megabytes: float


class Machine:
    """Podman with its base images.

    Args:
        folder: an empty one, for what is built.
    """

    def __init__(self, folder: Path) -> None:
        self.podman = Podman(folder)
        self._folder = folder

    def image(self, name: str, base: System, context: Path, *options: str) -> str:
        """Build an image of a folder with a Containerfile.

        Args:
            name: what to call it.
            base: what it begins with: the Containerfile's `BASE`.
            context: the folder.
            options: more of Podman's own.
        """
        make_base(self.podman, base, self._folder)
        tag = f"{PREFIX}-{name}"
        built = self.podman(
            *["build", SHARES, "--build-arg", f"BASE={base.image}", "--tag", tag, *options, context]
        )
        if built.returncode:
            raise RuntimeError(f"{tag}: {built.stdout[-2000:]}{built.stderr[-2000:]}")
        return tag

    def run(self, image: str, command: str, memory: str, *options: str) -> Took:
        """Run a shell's command in a container without a network.

        Args:
            image: what it is made of.
            command: the command.
            memory: what all of its processes may hold, as Podman takes it.
            options: more of Podman's own.
        """
        out = self._folder / "used"
        out.mkdir(exist_ok=True)
        out.chmod(0o777)
        (out / "both").unlink(missing_ok=True)
        held = ["--cpus", PROCESSORS, SHARES, "--memory", memory, "--memory-swap", memory]
        begun = time.monotonic()
        done = self.podman(
            *["run", "--rm", "--network=none", *held, f"--volume={out}:/used", *options],
            *["--entrypoint", "sh", image, "-c", f"{command}\nstatus=$?\n{USED}\nexit $status"],
        )
        seconds = time.monotonic() - begun
        told = (out / "both").read_text().split() if (out / "both").exists() else ["nan", "nan"]
        most, processor = float(told[0]) / 2**20, float(told[1]) / 1e9
        return Took(done.returncode, done.stdout + done.stderr, seconds, processor, most)


def wheels_for(base: System, requirements: Path, folder: Path) -> None:
    """Fill a folder with wheels of what is pinned.

    For a Python of this version they are made of the packages that are installed here; what is
    left free for older releases of it, and all that another Python takes, is downloaded.

    Args:
        base: the system.
        requirements: the pins.
        folder: gets the wheels.
    """
    folder.mkdir(parents=True)
    lines = requirements.read_text(encoding="utf-8").splitlines()
    if base.python == f"{sys.version_info.major}.{sys.version_info.minor}":
        names = [line.partition("==")[0] for line in lines if "==" in line]
        for one in closure(names):
            pack_again(one, folder)
        lines = [line.partition(" ;")[0] for line in lines if "==" not in line]
    if lines:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--python-version", base.release, "--only-binary=:all:", "--dest", folder]
        subprocess.run([*command, *lines], check=True)
