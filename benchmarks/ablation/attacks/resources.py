"""Attacks that use up memory, disk and time."""

import contextlib
import ctypes
import os
import time
from dataclasses import replace
from pathlib import Path

from autograder.checks.kit.errors import StudentDied
from benchmarks.ablation.outcome import Outcome, bounded, through
from benchmarks.ablation.stage import CANARY, LIMITS, Act, named

from .catalogue import attack

KIND = "Using up"
A_LOT = 700  # MB, of which 256 are allowed
SLACK = 64 << 20
LEFT_SEGMENT = (3 << 20) + 4096 * 17  # a size that nobody else asks for


def _memory(act: Act, source: str) -> Outcome:
    before = act.attacker.peak_bytes()
    act.attack(source, A_LOT=A_LOT)
    if act.death is not None:
        return Outcome.CONTAINED
    return bounded(act.attacker.peak_bytes() - before, LIMITS.memory_bytes + SLACK)


@attack(KIND)
def huge_tensor(act: Act) -> Outcome:
    """memory: one huge tensor."""
    return _memory(act, "import torch; kept = torch.ones(A_LOT << 18)")


@attack(KIND)
def small_pieces(act: Act) -> Outcome:
    """memory: many small pieces."""
    return _memory(act, "kept = [bytearray(1 << 20) for _ in range(A_LOT)]")


@attack(KIND)
def memfd(act: Act) -> Outcome:
    """memory: files without a name (memfd)."""
    source = """
answer, held = 0, []
try:
    for _ in range(45):
        held.append(os.memfd_create('x'))
        for _ in range(8):
            answer += os.write(held[-1], bytes(1 << 20))
except OSError:
    pass
"""
    return bounded(act.attack(source) or 0, LIMITS.memory_bytes)


@attack(KIND)
def segments(act: Act) -> Outcome:
    """memory: System V segments, which outlive it."""
    act.attack("checked(libc.shmget(0, SIZE, 0o1600))", SIZE=LEFT_SEGMENT)
    act.attacker.close()
    lines = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
    left = [fields[1] for fields in map(str.split, lines) if int(fields[3]) == LEFT_SEGMENT]
    for number in left:
        ctypes.CDLL(None).shmctl(int(number), 0, None)
    return through(left)


@attack(KIND)
def shared_memory(act: Act) -> Outcome:
    """memory: files in /dev/shm, which outlive it."""
    source = "open(f'/dev/shm/{NAME}', 'wb').write(bytes(6 << 20))"
    act.attack(source, NAME=f"{CANARY}-fill")
    act.attacker.close()
    return through(list(Path("/dev/shm").glob(f"{CANARY}*")))


@attack(KIND)
def fill_disk(act: Act) -> Outcome:
    """disk: 36 MB where 8 are allowed."""
    source = """
answer = 0
try:
    for number in range(6):
        answer += open(f'fill{number}', 'wb', 0).write(bytes(6 << 20))
except OSError:
    pass
"""
    return bounded(act.attack(source) or 0, LIMITS.scratch_bytes)


@attack(KIND)
def many_files(act: Act) -> Outcome:
    """disk: 6,000 empty files."""
    source = """
answer = 0
try:
    for answer in range(6000):
        open(f'n{answer}', 'w').close()
except OSError:
    pass
"""
    return bounded(act.attack(source) or 0, 5000)


@attack(KIND)
def endless(act: Act) -> Outcome:
    """time: an endless loop that ignores signals."""
    source = """
libc.prctl(15, NAME)
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
while True:
    pass
"""
    act.attacker = act.submission(0, limits=replace(LIMITS, cell_seconds=0.5))
    name = f"abl{os.getpid()}"
    with contextlib.suppress(StudentDied):
        act.attack(source, NAME=name.encode())
    time.sleep(0.1)
    return Outcome.THROUGH if named(name) else Outcome.CONTAINED
