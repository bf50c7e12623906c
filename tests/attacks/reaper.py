"""Runs a command and tells what it leaves behind: `reaper.py REPORT COMMAND ...`.

The report holds the command lines of processes that are left, and the size of the largest of all.
Orphans of the command become children of this process, whatever session they have moved to.
"""

import ctypes
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import psutil

PR_SET_CHILD_SUBREAPER = 36
GRACE_SECONDS = 5


def main(report: str, *command: str) -> int:
    """Run the command, write the command lines of what is left to the report, and end it."""
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError("this kernel has no subreapers")
    status = subprocess.run(command, check=False).returncode
    end = time.monotonic() + GRACE_SECONDS
    while (left := _alive()) and time.monotonic() < end:
        time.sleep(0.05)
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    told = {"left": [" ".join(one.cmdline()) for one in left], "largest_bytes": largest}
    Path(report).write_text(json.dumps(told))
    for one in left:
        one.kill()
    return status


def _alive() -> list[psutil.Process]:
    children = psutil.Process().children(recursive=True)
    return [one for one in children if one.status() != psutil.STATUS_ZOMBIE]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
