"""Attacks that send something out, to listeners that tell whether it came."""

import os

from benchmarks.ablation.outcome import Outcome, through
from benchmarks.ablation.stage import CANARY, Act

from .catalogue import attack

KIND = "Sending out"


@attack(KIND)
def tcp(act: Act) -> Outcome:
    """TCP to this machine."""
    act.attack("socket.create_connection(TO, 1)", TO=act.stage.tcp.getsockname())
    return through(act.stage.was_reached(act.stage.tcp))


@attack(KIND)
def udp(act: Act) -> Outcome:
    """UDP to this machine."""
    source = "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', TO)"
    act.attack(source, TO=act.stage.udp.getsockname())
    return through(act.stage.was_reached(act.stage.udp))


@attack(KIND)
def unix(act: Act) -> Outcome:
    """a Unix socket by its path."""
    act.attack("socket.socket(socket.AF_UNIX).connect(TO)", TO=str(act.stage.unix_path))
    return through(act.stage.was_reached(act.stage.unix))


@attack(KIND)
def abstract(act: Act) -> Outcome:
    """a Unix socket by its abstract name."""
    name = f"\0{CANARY}-{os.getpid()}"
    act.attack("socket.socket(socket.AF_UNIX).connect(TO)", TO=name)
    return through(act.stage.was_reached(act.stage.abstract))


@attack(KIND)
def netlink(act: Act) -> Outcome:
    """a netlink socket (the kernel's own tables)."""
    return through(act.attack("answer = socket.socket(socket.AF_NETLINK, 3, 0).fileno()"))


@attack(KIND)
def vsock(act: Act) -> Outcome:
    """a vsock socket (a virtual machine's host)."""
    return through(act.attack("answer = socket.socket(socket.AF_VSOCK).fileno()"))
