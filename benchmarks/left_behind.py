"""What one submission can still tell the next by time alone: pages of a library, and names.

The filter of system calls leaves no call that says which pages of a file are in memory, and none
that puts one out. Reading a page brings it in, and a read of what is there is quicker; likewise the
kernel remembers for a while which names a folder does not have.

python -m benchmarks.left_behind [--mode required fallback] [--bits 20000]
"""

import argparse
import math
import os
import random
from pathlib import Path

import torch

from autograder.course.limits import Limits
from autograder.sandbox import Sandbox

APART = 8 * 4096  # further than the kernel reads ahead of a byte here and there
WRITES = {
    "pages": "os.pread(file, 1, {apart} * place)",
    "names": "os.path.exists(f'{folder}/{word}{{place}}')",
}
WRITING = """
import os, time
file = os.open({path!r}, os.O_RDONLY)
start = time.perf_counter()
for place in {places}:
    {step}
print(time.perf_counter() - start)
"""
READING = """
import os, time
file = os.open({path!r}, os.O_RDONLY)
taken = []
for place in range({bits}):
    start = time.perf_counter_ns()
    {step}
    taken.append(time.perf_counter_ns() - start)
"""


def main() -> None:
    """Print how many bits came through, for each mode and each way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mode", nargs="+", default=["required", "fallback"])
    parser.add_argument("--bits", type=int, default=20000)
    options = parser.parse_args()
    for mode in options.mode:
        with Sandbox(mode, Limits(), ("torch", "numpy", "ipython")) as sandbox:
            for way in WRITES:
                print(f"{sandbox.isolation:24} {way}: {_one(sandbox, way, options.bits)}")


def _one(sandbox: Sandbox, way: str, bits: int) -> str:
    """Write bits in one submission's process, read them in the next one's."""
    path = _unused_library()
    if way == "pages":
        bits = min(bits, path.stat().st_size // APART)
    sent = [random.getrandbits(1) for _ in range(bits)]
    word = f"not-there-{random.getrandbits(64)}-"
    step = WRITES[way].format(apart=APART, folder=path.parent, word=word)
    _put_out(path)
    places = [place for place, bit in enumerate(sent) if bit]
    written = _run(sandbox, WRITING.format(path=str(path), places=places, step=step))
    read = sandbox.connect().start_worker()
    read.run_cell(READING.format(path=str(path), bits=bits, step=step))
    taken = read.value("taken")
    read.close()
    wrong = _fewest_wrong(sent, taken)
    share = wrong / bits
    carried = bits * (1 - _entropy(share))
    return (
        f"{bits} bits written in {written:.2f} s, read in {sum(taken) / 1e9:.2f} s, "
        f"{100 * share:.1f}% wrong: some {carried:.0f} bits"
    )


def _run(sandbox: Sandbox, source: str) -> float:
    worker = sandbox.connect().start_worker()
    printed = worker.run_cell(source).printed
    worker.close()
    return float(printed)


def _unused_library() -> Path:
    """The largest file that students may read and nothing loads."""
    files = Path(torch.__file__).parent.rglob("*")
    unused = [file for file in files if file.is_file() and file.suffix != ".so"]
    return max(unused, key=lambda file: file.stat().st_size)


def _put_out(path: Path) -> None:
    """As on a machine that has just been started."""
    file = os.open(path, os.O_RDONLY)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(file)


def _fewest_wrong(sent: list[int], taken: list[int]) -> int:
    """Bits read wrongly when what is quicker than the best threshold counts as 1."""
    wrong = fewest = sum(sent)  # all read as 0
    for _, bit in sorted(zip(taken, sent, strict=True)):
        wrong += -1 if bit else 1
        fewest = min(fewest, wrong)
    return fewest


def _entropy(share: float) -> float:
    if share in (0, 1):
        return 0.0
    return -share * math.log2(share) - (1 - share) * math.log2(1 - share)


if __name__ == "__main__":
    main()
