"""Starts the fork server: `main` is what the launcher runs, in a bare interpreter."""

import gc
import json
import os
import shutil
import signal
import site
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from . import linux
from .allowance import Allowance
from .confine import (
    Confinement,
    become,
    confine,
    enter_scratch,
    new_user_namespace,
)
from .landlock import open_paths
from .layers import CLOSED, NAMESPACES
from .line import SOCKET
from .places import DRIVER_FILES, HARMLESS_DEVICES, SCRATCH
from .tensors import tensors
from .zygote import Zygote, tell

TASK_SLACK = 256  # tasks that this user may start elsewhere while we run


@dataclass(frozen=True)
class Setup:
    """How the trusted side wants this fork server.

    Attributes:
        layers: what holds the children, of `layers.ALL`.
        controls: descriptors of the control sockets.
        readable: paths that student code may read.
        folder: a folder of ours, with the private directories in it; removed at the end. None with
            namespaces, where each child mounts its own.
        first_uid: unprivileged user to become; None to stay what we are.
        reads_all: keep the capability to pass closed directories, where there are no namespaces.
        allowance: a submission's, to try the confinement with.
        gpu: the device files of a GPU; none where no GPU is reached.
        gpu_share: how much of its memory one submission may take, from 0 to 1.
        driver_module: Triton's module that talks to its driver; None where kernels are not
            compiled.
    """

    layers: list[str]
    controls: list[int]
    readable: list[str]
    folder: str | None
    first_uid: int | None
    reads_all: bool
    allowance: dict[str, Any]
    gpu: Sequence[str] = ()
    gpu_share: float = 0.0
    driver_module: str | None = None


def main(argument: str) -> None:
    """Set up, load everything, say so, and serve."""
    setup = Setup(**json.loads(argument))
    while (spare := os.open(os.devnull, os.O_RDWR)) <= SOCKET:
        pass  # a child's socket takes this place, which no descriptor of ours may then have
    os.close(spare)
    controls = {descriptor: socket.socket(fileno=descriptor) for descriptor in setup.controls}
    first = controls[setup.controls[0]]
    try:
        if NAMESPACES in setup.layers:
            _enter_own_namespaces(setup.first_uid, [*HARMLESS_DEVICES, *setup.gpu])
        zygote = Zygote(
            confinement=_confinement(setup),
            controls=controls,
            scratches=f"{setup.folder}/scratch",
            first_uid=None if NAMESPACES in setup.layers else setup.first_uid,
        )
        _rehearse(zygote, Allowance(**setup.allowance))
        why_no_kernels = _load(zygote, setup)
    except OSError as error:
        tell(first, {"unavailable": str(error)})
        return
    if CLOSED in setup.layers:
        linux.prctl(linux.PR_SET_DUMPABLE, 0)  # nobody of the same user reads our memory
    tell(first, {"ready": True, "why_no_kernels": why_no_kernels}, os.pidfd_open(os.getpid()))
    zygote.serve()
    if setup.folder is not None:
        shutil.rmtree(setup.folder, ignore_errors=True)


def _enter_own_namespaces(uid: int | None, devices: Sequence[str]) -> None:
    """Drop the user and make a user namespace that owns our pid and mount namespaces.

    Bubblewrap leaves us beneath the user namespace that owns its own, from where no process of ours
    could come back after it has made a child's. The devices are the machine's own nodes, whose
    dates everybody may change; bubblewrap cannot make them read-only and leave them devices.
    """
    if uid is not None:
        os.chown(os.environ["HOME"], uid, uid)  # ours alone: bubblewrap has just mounted it
        become(uid)
    new_user_namespace(linux.CLONE_NEWPID | linux.CLONE_NEWNS)
    for device in devices:
        linux.make_read_only(device)
    pid = os.fork()
    if pid:
        os.closerange(3, 1 << 20)
        os.waitpid(pid, 0)
        os._exit(0)
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)


def _confinement(setup: Setup) -> Confinement:
    address_space, own_data = _memory()
    return Confinement(
        layers=frozenset(setup.layers),
        readable=tuple(open_paths([*setup.readable, *(DRIVER_FILES if setup.gpu else ())])),
        devices=tuple(open_paths(HARMLESS_DEVICES)),
        gpu=tuple(open_paths(setup.gpu)),
        reads_all=setup.reads_all,
        address_space=address_space,
        own_data=own_data,
        # Each child has a user, or a user namespace, to itself; but for an ordinary user without.
        other_tasks=_own_tasks() + TASK_SLACK
        if NAMESPACES not in setup.layers and setup.first_uid is None
        else 0,
    )


def _memory() -> tuple[int, int]:
    """Bytes of addresses that this process has mapped, and of those its own to write to."""
    pages = [int(field) for field in Path("/proc/self/statm").read_text().split()]
    size = os.sysconf("SC_PAGE_SIZE")
    return pages[0] * size, pages[5] * size


def _own_tasks() -> int:
    """Threads and processes that this user has."""
    count = 0
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and process.stat().st_uid == os.getuid():
                count += len(list((process / "task").iterdir()))
        except OSError:
            continue  # it has just ended
    return count


def _rehearse(
    zygote: Zygote, allowance: Allowance, then: Callable[[], None] = lambda: None
) -> None:
    """Confine a child that runs nothing of a student's, so that what is refused shows early.

    Args:
        zygote: makes the child.
        allowance: what it may use.
        then: what it does once confined.

    Raises:
        OSError: what the kernel refuses, or `then` raises.
    """
    place = zygote.make_scratch("rehearsal") or SCRATCH
    uid = zygote.first_uid
    reading, writing = os.pipe()
    pid = zygote.fork()
    if pid == 0:
        os.dup2(writing, SOCKET)
        try:
            enter_scratch(zygote.confinement, allowance, place)
            confine(zygote.confinement, allowance, place, uid)
            os.closerange(SOCKET + 1, 1 << 20)
            then()
            os.write(SOCKET, b"confined")
        except OSError as error:
            os.write(SOCKET, str(error).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as report:
        said = report.read()
    _, status = os.waitpid(pid, 0)
    if place != SCRATCH:
        shutil.rmtree(place)
    if said != "confined":
        raise OSError(said or f"a confined process ended with {os.waitstatus_to_exitcode(status)}")


def _load(zygote: Zygote, setup: Setup) -> str | None:
    """Load what submissions use; from here on, all of it is shared by every child.

    Returns:
        why Triton's kernels are not compiled though they were to be, or None.

    Raises:
        OSError: there is to be a GPU, and a confined child cannot reach it.
    """
    gc.disable()
    site.setquit()
    site.setcopyright()
    site.sethelper()
    from .child import Start
    from .pages import settle
    from .serve import Requests
    from .shell import make_shell
    from .warm import warm, warm_the_rest

    wake: Callable[[], None] | None = None
    if setup.gpu and (gpu := tensors("gpu")) is not None:
        wake = partial(gpu.wake_gpu, setup.gpu_share)
    more = tensors("requests")
    requests = Requests if more is None else more.TensorRequests
    shell = make_shell()

    def share() -> None:
        """What is loaded by now is every child's, and taken off none's memory."""
        address_space, own_data = _memory()
        zygote.confinement = replace(
            zygote.confinement, address_space=address_space, own_data=own_data
        )
        zygote.run_child = Start(shell, zygote.confinement, requests, wake)

    def load_the_rest() -> None:
        warm_the_rest(tensors("warm"), without_driver=bool(setup.gpu))
        share()
        settle()

    warm(shell, tensors("warm"), without_driver=bool(setup.gpu))
    why_no_kernels = _load_compiler() if setup.driver_module else None
    share()
    if wake is not None:
        _rehearse(zygote, Allowance(**setup.allowance), wake)
        if setup.driver_module and why_no_kernels is None:
            wake, why_no_kernels = _with_kernels(zygote, setup, wake, setup.driver_module)
            share()
    gc.freeze()  # what the first child would copy, at its first collection
    zygote.settle = load_the_rest
    return why_no_kernels


def _load_compiler() -> str | None:
    """Load Triton, to compile kernels in every child; why that cannot be, or None."""
    try:
        tensors("compiling").read_triton()
    except Exception as error:  # a Triton of another make than those that are known
        return f"Triton does not load: {type(error).__name__}: {error}"
    return None


def _with_kernels(
    zygote: Zygote, setup: Setup, wake: Callable[[], None], driver_module: str
) -> tuple[Callable[[], None], str | None]:
    """The same wake with kernels compiled, once a child has run one; else as it is, and why."""
    compiling = tensors("compiling")

    def with_kernels() -> None:
        wake()
        compiling.compile_here(driver_module)

    def tried() -> None:
        with_kernels()
        compiling.try_kernel()

    try:
        _rehearse(zygote, Allowance(**setup.allowance), tried)
    except OSError as error:
        return wake, str(error)
    return with_kernels, None
