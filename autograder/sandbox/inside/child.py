"""The life of one submission's process: take the files, give everything up, serve."""

import gc
import os
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from .allowance import Allowance
from .confine import Confinement, confine, enter_scratch
from .line import SOCKET, receive, send
from .notebook import Notebook
from .processes import refuse_processes
from .serve import Requests, serve
from .shell import GradingShell


@dataclass(frozen=True)
class Start:
    """Makes a freshly forked child the process of a submission.

    Attributes:
        shell: runs the notebook's cells.
        confinement: how the child is held.
        requests: what the trusted side may ask for.
        wake: gets a GPU ready, where there is one to reach.
    """

    shell: GradingShell
    confinement: Confinement
    requests: type[Requests]
    wake: Callable[[], None] | None = None

    def __call__(self, allowance: Allowance, scratch: str, uid: int | None, line: int) -> NoReturn:
        """Take the student's files from the first frame, give everything up, and serve.

        Args:
            allowance: what the submission may use.
            scratch: its private directory.
            uid: the user to become, or None to stay.
            line: descriptor of the socket to the grading process.
        """
        try:
            _settle_descriptors(line)
            try:
                enter_scratch(self.confinement, allowance, scratch)
                refused = _write_files(*receive())
                confine(self.confinement, allowance, scratch, uid)
                os.closerange(SOCKET + 1, 1 << 20)
                if self.wake is not None:
                    self.wake()
            except OSError as error:
                send({"failed": str(error)})
                os._exit(1)
            if refused is not None:
                send({"refused": refused})
                os._exit(1)
            gc.enable()
            random.seed(0)  # the fork has reseeded it; NumPy and torch are as the server left them
            sys.argv = ["notebook"]
            refuse_processes()
            sys.path.insert(0, "")  # modules beside the notebook, as in Jupyter
            notebook = Notebook(self.shell, allowance.output_bytes)
            send({"ready": True})
            serve(self.requests(notebook), allowance.reply_bytes)
        finally:
            os._exit(1)


def _settle_descriptors(line: int) -> None:
    """The socket becomes descriptor 3; there is no input, and output goes nowhere."""
    os.dup2(line, SOCKET)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)


def _write_files(request: dict[str, Any], blob: memoryview) -> str | None:
    """Put the student's files in the working directory; the sender has checked their names.

    Returns:
        why that cannot be done, or None.
    """
    start = 0
    try:
        for name, size in request["files"]:
            folder = os.path.dirname(name)
            if folder:
                os.makedirs(folder, exist_ok=True)
            with open(name, "wb") as file:
                file.write(blob[start : start + size])
            start += size
    except OSError as error:  # too many, a name too long, a file where a folder should be
        return str(error)
    return None
