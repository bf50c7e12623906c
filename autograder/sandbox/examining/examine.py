"""What of the sandbox works on this machine, layer by layer, and how to get what does not.

Nothing here is guessed from versions: `examine_linux` tries each layer in a process of its own.
This file imports nothing that only Linux has.
"""

import contextlib
import getpass
import importlib.metadata
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from autograder.course.packages import TORCH
from autograder.sandbox.examining import remedies

ENGINE_SECONDS = 20


class State(Enum):
    """How a layer stands."""

    WORKS = "works"
    WEAK = "weak"  # it works, but less than it could
    MISSING = "missing"
    UNUSED = "unused"  # not needed here, or not used by this version


@dataclass(frozen=True)
class Finding:
    """One layer, tried.

    Attributes:
        layer: its name for a person.
        state: whether it works.
        saw: what was seen; in the kernel's own words where it refuses.
        remedy: how to get it, in a sentence; empty when it works.
        commands: what to run or set for that.
    """

    layer: str
    state: State
    saw: str
    remedy: str = ""
    commands: tuple[str, ...] = ()


@dataclass(frozen=True)
class Machine:
    """Where we run.

    Attributes:
        platform: as `sys.platform` names it.
        system: its name for a person.
        kernel: its version.
        architecture: as `platform.machine()` names it.
        container: `Docker`, `Podman` or another engine's name, when in a container; else empty.
        wsl: 1 or 2 in Windows' Subsystem for Linux, else 0.
        user: who runs this; root is said as `root`.
        settings: the kernel's settings that decide about namespaces, those that exist.
    """

    platform: str
    system: str
    kernel: str
    architecture: str
    container: str = ""
    wsl: int = 0
    user: str = ""
    settings: tuple[tuple[str, int], ...] = ()

    @property
    def is_root(self) -> bool:
        """Whether root runs this."""
        return self.user == "root"

    def setting(self, name: str) -> int | None:
        """A kernel setting, or None where there is none of that name."""
        return dict(self.settings).get(name)


@dataclass(frozen=True)
class Started:
    """What a policy gives on this machine.

    Attributes:
        policy: as `SandboxPolicy.mode` names it.
        isolation: what held the code of a cell that was run; empty when nothing started.
        notes: why a stronger form, or any, does not start.
    """

    policy: str
    isolation: str
    notes: tuple[str, ...]


SETTINGS = (
    "kernel.apparmor_restrict_unprivileged_userns",
    "kernel.unprivileged_userns_clone",
    "user.max_user_namespaces",
)
ABSENT_ELSEWHERE = "a part of Linux, and this is no Linux"
WSL_INSTALL = ("wsl --install",)


def this_machine() -> Machine:
    """The machine that we run on."""
    release = platform.release()
    return Machine(
        platform=sys.platform,
        system=_system(),
        kernel=release,
        architecture=platform.machine(),
        container=_container() if sys.platform == "linux" else "",
        wsl=_wsl(release),
        user=_user(),
        settings=tuple(_settings()) if sys.platform == "linux" else (),
    )


def torch_build() -> str:
    """The installed torch, such as `2.9.0+cpu`; found without loading it."""
    try:
        return importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def examine(
    machine: Machine, image: str, engine: str, asked: str, packages: Sequence[str]
) -> list[Finding]:
    """Every layer, tried on this machine.

    Args:
        machine: this one; another one's platform gives what would be said there.
        image, engine: as the course's SandboxPolicy names them.
        asked: the course's policy.
        packages: what students' code may import, as `importable` gives them.
    """
    if machine.platform == "linux":
        from autograder.sandbox.examining.linux import layers

        findings = layers(machine)
    else:
        findings = _elsewhere(machine)
    container = _containers(machine, image, engine, asked)
    return [*findings, container, _cuda(packages)]


def start(policy: str, image: str, engine: str, packages: Sequence[str]) -> Started:
    """Start the sandbox that a policy gives here, and run a cell in it."""
    from autograder.checks.kit.errors import StudentDied
    from autograder.sandbox import Sandbox, SandboxLost, SandboxUnavailable

    try:
        with Sandbox(policy, packages=packages, image=image, engine=engine) as sandbox:
            worker = sandbox.connect().start_worker()
            library = TORCH if TORCH in packages else "numpy"
            printed = worker.run_cell(f"import {library}\n{library}.arange(4).sum().item()").printed
            worker.close()
            if printed.strip() != "6":
                return Started(policy, "", (f"a cell printed {printed!r} in place of 6",))
            return Started(policy, sandbox.isolation, sandbox.notes)
    except (SandboxUnavailable, SandboxLost, StudentDied, OSError) as error:
        return Started(policy, "", (str(error),))


def _elsewhere(machine: Machine) -> list[Finding]:
    """What macOS and Windows lack: every layer of this machine's kernel, and how to do without."""
    name = {"darwin": "macOS", "win32": "Windows"}.get(machine.platform, machine.platform)
    remedy = "Student code runs in containers instead: see below."
    commands: tuple[str, ...] = ()
    if machine.platform == "win32":
        remedy = "Install WSL2, which is a Linux, then install and run the autograder inside it."
        commands = WSL_INSTALL
    layers = "namespaces, bubblewrap, Landlock, seccomp"
    return [
        Finding(layers, State.MISSING, f"{ABSENT_ELSEWHERE} but {name}", remedy, commands),
    ]


def _containers(machine: Machine, image: str, engine: str, asked: str) -> Finding:
    """The engines here and the image; whether that fits is seen when a container is started."""
    from autograder.sandbox.backend import Refused
    from autograder.sandbox.containers.engine import engine_with, engines_here

    layer = "containers"
    needed = machine.platform != "linux" or asked == "container"
    try:
        here = [one.about() for one in engines_here(engine)]
    except Refused as why:
        if needed:
            return Finding(layer, State.MISSING, str(why), *remedies.engine(machine))
        return Finding(layer, State.UNUSED, "not needed here; no engine is installed")
    try:
        found = engine_with(image, engine)
    except Refused as why:
        if needed:
            return Finding(layer, State.MISSING, f"{'; '.join(here)}. {why}")
        saw = f"not needed here; {'; '.join(here)}; the image {image} is not built"
        return Finding(layer, State.UNUSED, saw)
    return Finding(layer, State.WORKS, f"{found.about()}, which has the image {image}")


def _cuda(packages: Sequence[str]) -> Finding:
    from autograder.checks.kit.errors import StudentDied
    from autograder.sandbox import Sandbox, SandboxLost, SandboxUnavailable
    from autograder.sandbox.gpu import find_gpu

    layer, waiting = "CUDA", "CUDA checks stay pending"
    if TORCH not in packages:
        return Finding(layer, State.UNUSED, "students' code has no torch, and reaches no GPU")
    try:
        gpu = find_gpu()
    except LookupError as why:
        return Finding(layer, State.UNUSED, f"{str(why).removesuffix('.')}; {waiting}")
    try:
        with Sandbox(packages=packages, gpu=gpu) as sandbox:
            worker = sandbox.connect().start_worker()
            cell = worker.run_cell("import torch\nprint(torch.cuda.get_device_name())")
            worker.close()
    except (SandboxUnavailable, SandboxLost, StudentDied, OSError) as error:
        return Finding(layer, State.MISSING, f"{waiting}. {error}")
    if cell.error is not None:
        return Finding(layer, State.MISSING, f"{waiting}. {cell.error}")
    return Finding(layer, State.WORKS, f"reached from inside the sandbox: {cell.printed.strip()}")


def said_by(command: Iterable[str], seconds: float = ENGINE_SECONDS) -> tuple[bool, str]:
    """Whether a program ends well, and the last line it prints (of its complaints, if not)."""
    try:
        done = subprocess.run(
            [*command],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False, f"no answer within {seconds:g} seconds"
    except OSError as error:
        return False, error.strerror or str(error)
    well = done.returncode == 0
    lines = (done.stdout if well else done.stderr or done.stdout).strip().splitlines()
    return well, lines[-1] if lines else f"exit status {done.returncode}"


def _system() -> str:
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            return platform.freedesktop_os_release()["PRETTY_NAME"]
    if sys.platform == "darwin":
        return f"macOS {platform.mac_ver()[0]}"
    return f"{platform.system()} {platform.version()}"


def _container() -> str:
    """The engine of the container that we are in, as far as its marks tell; else empty."""
    if Path("/run/.containerenv").exists():
        return "Podman"
    if Path("/.dockerenv").exists():
        return "Docker"
    if os.environ.get("KUBERNETES_SERVICE_HOST"):
        return "Kubernetes"
    return os.environ.get("container", "")  # noqa: SIM112  # LXC, systemd-nspawn and others set it


def _wsl(release: str) -> int:
    if "microsoft" not in release.lower():
        return 0
    return 2 if "microsoft-standard" in release.lower() or "wsl2" in release.lower() else 1


def _user() -> str:
    if hasattr(os, "geteuid"):
        uid = os.geteuid()
        if uid == 0:
            return "root"
        with contextlib.suppress(KeyError, ImportError):
            import pwd

            return pwd.getpwuid(uid).pw_name
        return f"user {uid}"
    return getpass.getuser()


def _settings() -> Iterable[tuple[str, int]]:
    for name in SETTINGS:
        with contextlib.suppress(OSError, ValueError):
            yield name, int(Path("/proc/sys", *name.split(".")).read_text())
