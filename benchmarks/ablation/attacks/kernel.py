"""Attacks that ask the kernel for more than was given."""

import os

from benchmarks.ablation.outcome import Outcome, through
from benchmarks.ablation.stage import Act, status_of

from .catalogue import attack

KIND = "The kernel's doors"


@attack(KIND)
def become_root(act: Act) -> Outcome:
    """becoming root."""
    act.attack("os.setresuid(0, 0, 0)")
    return through(status_of(act.attacker, "Uid")[0] == "0")


@attack(KIND)
def mount(act: Act) -> Outcome:
    """a mount over a folder of the machine."""
    source = """
answer = any(
    libc.mount(b'none', place, b'tmpfs', 0, None) == 0 for place in (PATH, os.getcwdb())
)
"""
    inside = act.attack(source, PATH=bytes(act.stage.open))
    if os.path.ismount(act.stage.open):
        return Outcome.THROUGH
    return Outcome.CONTAINED if inside else Outcome.STOPPED


@attack(KIND)
def user_namespace(act: Act) -> Outcome:
    """a user namespace of its own."""
    return through(act.attack("answer = checked(libc.unshare(0x10000000)) == 0"))


@attack(KIND)
def io_uring(act: Act) -> Outcome:
    """io_uring, which no filter sees into."""
    source = "answer = checked(libc.syscall(425, 4, ctypes.create_string_buffer(120)))"
    return through(act.attack(source))
