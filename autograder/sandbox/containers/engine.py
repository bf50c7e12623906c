"""Podman or Docker: which of them is here and has the image, and the command lines for it."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from autograder.course.limits import MIB, Limits
from autograder.course.settings import ENGINES, IMAGE, IMAGE_NAME
from autograder.sandbox.backend import Refused
from autograder.sandbox.inside.places import WORK

LOOK_SECONDS = 60  # a virtual machine that has just been started takes its time to answer
SERVER_BYTES = 1024 * MIB  # for the fork server, beside what a submission may use
SERVER_TASKS = 2  # the gateway and the fork server
# An engine would ask for a million of each, which a machine that allows less refuses. Tasks are
# counted for the user, whose all containers are.
FILES, TASKS = 1024, 4096
UID = 53_000  # an unprivileged user that nothing else uses; rootless engines have it too
BUILD = "autograder image"

# What one of them has and the other has not.
ONLY = {
    # Podman would put writable folders into a read-only container, and hand our proxy's name on.
    "podman": ["--read-only-tmpfs=false", "--http-proxy=false"],
    "docker": [],
}
# What they say of themselves: version, version of the control groups, what starts containers.
ABOUT = {
    "podman": "{{.Version.Version}}|{{.Host.CgroupsVersion}}|{{.Host.OCIRuntime.Version}}",
    "docker": "{{.ServerVersion}}|v{{.CgroupVersion}}|{{.DefaultRuntime}}",
}
TMPFS_ONLY = {"podman": "notmpcopyup", "docker": "nr_inodes=4096"}
START_IT = {
    "podman": "Start it: on macOS `podman machine start`, after `podman machine init` once.",
    "docker": "Start it: on macOS open Docker Desktop, on Linux `sudo systemctl start docker`.",
}
USAGE = (
    "run '",
    "see '",
)  # how an engine's last line begins, after the one that says what is wrong


@dataclass(frozen=True)
class Engine:
    """A container engine that is here.

    Attributes:
        name: `podman` or `docker`.
        path: its program.
    """

    name: str
    path: str

    def run_command(self, image: str, container: str, limits: Limits) -> list[str]:
        """The command that runs a container, as shut as an engine can make it.

        Args:
            image: what it is made of; never fetched from anywhere.
            container: a name for it.
            limits: bounds on a submission, which bound the container too.
        """
        memory = str(SERVER_BYTES + limits.memory_bytes + limits.scratch_bytes)
        room = f"size={limits.scratch_bytes + MIB},mode=1777,{TMPFS_ONLY[self.name]}"
        return [
            *[self.path, "run", "--rm", "--interactive", "--name", container],
            *["--pull", "never", "--log-driver", "none", "--stop-timeout", "1"],
            *["--network", "none", "--ipc", "none", "--hostname", "sandbox"],
            *["--user", f"{UID}:{UID}", "--cap-drop", "ALL"],
            *["--security-opt", "no-new-privileges"],
            *["--read-only", "--tmpfs", f"{WORK}:rw,noexec,nosuid,nodev,{room}"],
            *["--memory", memory, "--memory-swap", memory],
            *["--pids-limit", str(SERVER_TASKS + limits.threads)],
            *["--ulimit", f"nofile={FILES}:{FILES}", "--ulimit", f"nproc={TASKS}:{TASKS}"],
            *ONLY[self.name],
            image,
        ]

    def about(self) -> str:
        """Its version and what starts its containers, or that it does not answer."""
        asked = _asked([self.path, "info", "--format", ABOUT[self.name]])
        match [] if asked.complaint else asked.said.split("\n")[0].split("|"):
            case [version, groups, runtime]:
                return f"{self.name} {version} with {runtime} and control groups {groups}"
        return f"{self.name}, which does not answer"

    def remove_command(self, container: str) -> list[str]:
        """The command that ends a container at once."""
        return [self.path, "rm", "--force", container]

    def build_command(
        self, image: str, folder: Path, arguments: dict[str, str], wheels: Path | None = None
    ) -> list[str]:
        """The command that builds the image.

        Args:
            image: what to call it.
            folder: this package's, with the Containerfile and what is copied into the image.
            arguments: the Containerfile's arguments.
            wheels: the folder to take packages from, and nothing from the network.
        """
        given = [
            part for name in arguments for part in ("--build-arg", f"{name}={arguments[name]}")
        ]
        if wheels is not None:
            given += ["--network", "none", "--build-context", f"wheels={wheels}"]
        where = ["--file", str(folder / "sandbox" / "containers" / "Containerfile"), str(folder)]
        return [self.path, "build", "--tag", image, *given, *where]


def engines_here(choice: str) -> list[Engine]:
    """The engines installed here, of those that the setting allows.

    Raises:
        Refused: none is.
    """
    names = ENGINES[1:] if choice == "auto" else (choice,)
    here = [Engine(name, path) for name in names if (path := shutil.which(name))]
    if not here:
        raise Refused(
            f"{' and '.join(names)} {'are' if len(names) > 1 else 'is'} not installed; Podman "
            "(https://podman.io) and Docker (https://docker.com) both serve"
        )
    return here


def engine_with(image: str, choice: str) -> Engine:
    """The first engine that has the image.

    Raises:
        Refused: none has; the text says what to do.
    """
    if not IMAGE_NAME.fullmatch(image):
        raise Refused(f"{image!r} is not the name of an image")
    reasons = []
    for engine in engines_here(choice):
        why_not = _why_without(engine, image)
        if not why_not:
            return engine
        reasons.append(why_not)
    raise Refused(" ".join(reasons))


def last_line(said: str) -> str:
    """The line of an engine's complaint that says what is wrong."""
    lines = [line.strip() for line in said.splitlines()]
    wanted = [line for line in lines if line and not line.lower().startswith(USAGE)]
    return wanted[-1] if wanted else ""


def _why_without(engine: Engine, image: str) -> str:
    """Why the engine cannot run the image, or nothing where it can."""
    look = [engine.path, "image", "inspect", "--format", "{{.Id}}", image]
    complaint = _asked(look).complaint
    if not complaint:
        return ""
    # Asked without the image: engines word "no such image" in many ways.
    unwell = _asked([engine.path, "image", "ls", "--quiet"]).complaint
    if unwell:
        return f"{engine.name} is installed but does not work: {unwell} {START_IT[engine.name]}"
    build = BUILD if image == IMAGE else f"{BUILD} --name {image}"
    return f"{engine.name} has no image {image}; build it, once: `{build} --engine {engine.name}`"


@dataclass(frozen=True)
class Asked:
    """What a command has printed, and its complaint, which is empty when it succeeds."""

    said: str
    complaint: str


def _asked(command: list[str]) -> Asked:
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LOOK_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return Asked("", f"no answer within {LOOK_SECONDS} seconds.")
    except OSError as error:
        return Asked("", f"{error.strerror}.")
    if not done.returncode:
        return Asked(done.stdout, "")
    why = last_line(done.stderr) or f"it ends with status {done.returncode}."
    return Asked(done.stdout, why)
