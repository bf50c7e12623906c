"""What a freshly forked process does to itself before it runs a student's code."""

import os
import platform
import resource
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import landlock, linux, seccomp
from .allowance import Allowance
from .layers import CLOSED, LANDLOCK, LIMITS, NAMESPACES, SECCOMP, USER
from .places import SCRATCH, SHARED_HOME

# What the driver of a GPU takes for itself.
DRIVER_BYTES, DRIVER_FILES_OPEN = 1 << 30, 448
THREADS_NAMED = 256
PENDING_SIGNALS = 64  # whoever may hold many takes them from others of the same user


@dataclass(frozen=True)
class Confinement:
    """How this fork server holds its children.

    Attributes:
        layers: what holds them, of `layers.ALL`.
        readable: path descriptors of what the code may read.
        devices: path descriptors of devices that hold nothing.
        gpu: path descriptors of a GPU's devices; none where no GPU is reached.
        reads_all: keep the capability to pass closed directories on the way to what Landlock lets
            be read, where the interpreter stands under a private home.
        address_space: bytes that the fork server has mapped.
        own_data: bytes of those that are private and can be written.
        other_tasks: tasks of this user that are not ours to limit, counted by RLIMIT_NPROC.
    """

    layers: frozenset[str]
    readable: tuple[int, ...]
    devices: tuple[int, ...]
    gpu: tuple[int, ...]
    reads_all: bool
    address_space: int
    own_data: int
    other_tasks: int


def enter_scratch(confinement: Confinement, allowance: Allowance, scratch: str) -> None:
    """Make the private directory this process's working directory, home and temporary directory."""
    if NAMESPACES in confinement.layers:
        # The driver of a GPU reads a few files of /proc; Landlock keeps all else there shut.
        covers_proc = CLOSED in confinement.layers and not confinement.gpu
        # It takes a name for itself, too, that no other process on the same network may have.
        _leave_namespaces(allowance, covers_proc, linux.CLONE_NEWNET if confinement.gpu else 0)
        if confinement.gpu:
            _let_threads_be_named()
    os.chdir(scratch)
    for name in ("HOME", "TMPDIR", "PWD", "TORCHINDUCTOR_CACHE_DIR"):
        os.environ[name] = scratch
    tempfile.tempdir = scratch  # else what the fork server found


def confine(confinement: Confinement, allowance: Allowance, scratch: str, uid: int | None) -> None:
    """Give up everything that the code must not have, for good.

    Args:
        confinement: how children are held.
        allowance: what this one may use.
        scratch: the private directory.
        uid: the user to become, or None to stay.
    """
    layers = confinement.layers
    if USER in layers:
        _become(uid, confinement.reads_all)
    if layers & {USER, LANDLOCK, SECCOMP}:  # the kernel asks for it before the latter two
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    if CLOSED in layers:
        linux.prctl(linux.PR_SET_DUMPABLE, 0)
        os.setsid()  # a process group of its own, which `kill(0)` does not leave
    linux.prctl(linux.PR_SET_PDEATHSIG, 9)  # changing the user has cleared it
    changes_files = NAMESPACES in layers  # all but the scratch directory is mounted read-only
    if LANDLOCK in layers:
        own = os.open(scratch, os.O_PATH)
        rights = landlock.READ_WRITE if changes_files else landlock.READ
        rules = [(path, landlock.READ) for path in confinement.readable]
        rules += [(path, landlock.READ | landlock.WRITE_FILE) for path in confinement.devices]
        if confinement.gpu:
            rules += [(path, landlock.USE_DEVICE) for path in confinement.gpu]
            rules.append((os.open("/proc/self", os.O_PATH), landlock.READ))
            # The driver names its threads; the kernel lets nothing else there be written.
            names = landlock.READ | landlock.WRITE_FILE | landlock.TRUNCATE
            rules.append((os.open("/proc/self/task", os.O_PATH), names))
        landlock.restrict([*rules, (own, rights)])
    if LIMITS in layers:
        _limit(confinement, allowance)  # late: rules take more descriptors than the code may hold
    if SECCOMP in layers:
        program = seccomp.build_filter(
            platform.machine(), os.getpid(), changes_files, bool(confinement.gpu)
        )
        linux.install_seccomp(seccomp.assemble(program))


def new_user_namespace(others: int) -> None:
    """Enter a user namespace in which this user is itself, and the other namespaces named."""
    uid, gid = os.geteuid(), os.getegid()
    linux.prctl(linux.PR_SET_DUMPABLE, 1)  # else the files below belong to root
    linux.unshare(linux.CLONE_NEWUSER | others)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def become(uid: int) -> None:
    """Change to an unprivileged user and group; their capabilities go with the old one."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def _leave_namespaces(allowance: Allowance, covers_proc: bool, others: int) -> None:
    """Own user, mount, IPC and other namespaces (the fork server has made the pid namespace)."""
    new_user_namespace(linux.CLONE_NEWNS | linux.CLONE_NEWIPC | others)
    linux.mount(None, "/", linux.MS_REC | linux.MS_PRIVATE)
    size = f"size={allowance.scratch_bytes},nr_inodes=4096,mode=0700"
    linux.mount("tmpfs", SCRATCH, linux.MS_NOSUID | linux.MS_NODEV, size)
    for shared in ("/proc", SHARED_HOME) if covers_proc else (SHARED_HOME,):
        linux.mount("tmpfs", shared, linux.MS_RDONLY, "size=4k,nr_inodes=2,mode=0555")


def _let_threads_be_named() -> None:
    """Files for the names of threads, which the driver of a GPU writes under /proc/self/task.

    What is mounted at /proc numbers threads as the outer pid namespace does, and the driver as this
    process's own; where it cannot name them it gives up, with CUDA error 304.
    """
    tasks = Path("/proc/self/task")
    size = f"size=1m,nr_inodes={2 * THREADS_NAMED + 2},mode=0755"
    linux.mount("tmpfs", str(tasks), linux.MS_NOSUID | linux.MS_NODEV, size)
    for number in range(1, THREADS_NAMED + 1):
        (tasks / str(number)).mkdir()
        (tasks / str(number) / "comm").touch()


def _limit(confinement: Confinement, allowance: Allowance) -> None:
    memory = {resource.RLIMIT_AS: confinement.address_space + allowance.memory_bytes}
    open_files = allowance.open_files
    if confinement.gpu:
        # A driver maps terabytes of addresses, and opens its devices again and again. Shared memory
        # is in no limit of the kernel's then: the grading process looks at what is held.
        most = confinement.own_data + allowance.memory_bytes + DRIVER_BYTES
        memory, open_files = {resource.RLIMIT_DATA: most}, open_files + DRIVER_FILES_OPEN
    limits = {
        **memory,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_CPU: allowance.cpu_seconds,
        resource.RLIMIT_FSIZE: allowance.scratch_bytes,
        resource.RLIMIT_NOFILE: open_files,
        resource.RLIMIT_MSGQUEUE: 0,  # engines mount message queues, where anybody can make one
        resource.RLIMIT_SIGPENDING: PENDING_SIGNALS,
        resource.RLIMIT_NPROC: allowance.threads + confinement.other_tasks,
    }
    for kind, most in limits.items():
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            most = min(most, hard)
        resource.setrlimit(kind, (most, most))


def _become(uid: int | None, reads_all: bool) -> None:
    kept = 1 << linux.CAP_DAC_READ_SEARCH if reads_all else 0
    linux.drop_bounding_set(kept)
    if uid is not None:
        linux.prctl(linux.PR_SET_KEEPCAPS, 1)
        become(uid)
    linux.set_capabilities(kept)
