"""The fork server: loads everything once, then forks one confined child for each submission.

It is single-threaded, holds no student's data, and never touches CUDA. Each grading process has a
control socket to it, on which a message asks for a child and brings the child's own socket along.
"""

import json
import os
import select
import shutil
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from . import linux
from .allowance import Allowance
from .confine import Confinement
from .layers import NAMESPACES
from .places import SCRATCH

ALONE = 3  # children that one submission asks for, where graders bring files; most ask for one


@dataclass
class Child:
    """A submission's process, as the fork server knows it.

    Attributes:
        number: what the grading process calls it.
        exit: pidfd.
        line: a copy of the child's socket; it hangs up when the grading process is gone.
        scratch: the directory to remove when the child is gone, or None.
    """

    number: int
    pid: int
    exit: int
    line: socket.socket
    control: socket.socket
    scratch: str | None


@dataclass
class Zygote:
    """The fork server's loop.

    Attributes:
        confinement: how children are held.
        controls: control sockets by descriptor.
        scratches: folder for private directories; unused where each child mounts its own.
        first_uid: user of the first control socket's children; the next one has the next, so that
            limits and signals of one user's processes stay within one submission. None: no change.
        run_child: what a child does with (allowance, scratch, uid, socket); it never returns. Set
            once everything is loaded.
        settle: loads what few submissions use and makes forking quicker, which takes as long as a
            few hundred forks; so it is called when more children are asked for than one submission
            asks for, and whoever grades only that does not wait.
    """

    confinement: Confinement
    controls: dict[int, socket.socket]
    scratches: str
    first_uid: int | None
    run_child: Callable[[Allowance, str, int | None, int], None] | None = None
    settle: Callable[[], None] | None = None
    _children: dict[int, Child] = field(default_factory=dict)
    _lines: dict[int, Child] = field(default_factory=dict)
    _poll: Any = field(default_factory=select.poll)
    _asked: int = 0

    def __post_init__(self) -> None:
        self._order = {descriptor: place for place, descriptor in enumerate(self.controls)}
        self._before_settling = ALONE if len(self.controls) == 1 else 1
        self._pid_namespace = None
        if NAMESPACES in self.confinement.layers:
            self._pid_namespace = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)

    def serve(self) -> None:
        """Serve until every control socket is closed, then end every child."""
        for descriptor in self.controls:
            self._poll.register(descriptor, select.POLLIN)
        while self.controls:
            # Whose grading process has died goes first: its user's next process is asked for here.
            for descriptor, _ in sorted(self._poll.poll(), key=lambda one: one[0] in self.controls):
                if descriptor in self.controls:
                    self._attend(self.controls[descriptor])
                elif descriptor in self._children:
                    self._reap(self._children[descriptor])
                elif descriptor in self._lines:
                    self._abandon(self._lines[descriptor])
        for child in self._children.values():
            signal.pidfd_send_signal(child.exit, signal.SIGKILL)

    def fork(self) -> int:
        """Fork, into a pid namespace of the child's own where there are namespaces."""
        if self._pid_namespace is None:
            return os.fork()
        linux.unshare(linux.CLONE_NEWPID)
        try:
            pid = os.fork()
        except OSError:
            linux.set_namespace(self._pid_namespace, linux.CLONE_NEWPID)
            raise
        if pid:
            linux.set_namespace(self._pid_namespace, linux.CLONE_NEWPID)
        return pid

    def make_scratch(self, name: str) -> str | None:
        """A private directory for a child that cannot mount its own; None where it can."""
        if NAMESPACES in self.confinement.layers:
            return None
        path = f"{self.scratches}/{name}"
        os.mkdir(path)
        return path

    def _attend(self, control: socket.socket) -> None:
        try:
            message, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 1)
        except OSError:
            message, descriptors = b"", []
        if not message:
            self._poll.unregister(control)
            del self.controls[control.fileno()]
            control.close()
            return
        request = json.loads(message)
        line = socket.socket(fileno=descriptors[0])
        try:
            self._start(request, line, control)
        except OSError as error:
            line.close()
            tell(control, {"failed": request["number"], "why": str(error)})

    def _start(self, request: dict[str, Any], line: socket.socket, control: socket.socket) -> None:
        self._asked += 1
        if self._asked > self._before_settling and self.settle is not None:
            self.settle()
            self.settle = None
        number, allowance = request["number"], Allowance(**request["allowance"])
        place = self._order[control.fileno()]
        scratch = self.make_scratch(f"{place}-{number}")
        pid = self.fork()
        if pid == 0:
            assert self.run_child is not None
            uid = None if self.first_uid is None else self.first_uid + place
            self.run_child(allowance, scratch or SCRATCH, uid, line.fileno())
        child = Child(number, pid, os.pidfd_open(pid), line, control, scratch)
        self._children[child.exit] = self._lines[line.fileno()] = child
        self._poll.register(child.exit, select.POLLIN)
        self._poll.register(line, 0)  # only hanging up
        tell(control, {"started": number}, child.exit)

    def _abandon(self, child: Child) -> None:
        """The grading process is gone, or done: so is its child."""
        self._poll.unregister(child.line)
        del self._lines[child.line.fileno()]
        signal.pidfd_send_signal(child.exit, signal.SIGKILL)

    def _reap(self, child: Child) -> None:
        _, status = os.waitpid(child.pid, 0)
        self._poll.unregister(child.exit)
        if self._lines.pop(child.line.fileno(), None) is not None:
            self._poll.unregister(child.line)
        del self._children[child.exit]
        os.close(child.exit)
        child.line.close()
        if child.scratch is not None:
            shutil.rmtree(child.scratch, ignore_errors=True)
        code = os.waitstatus_to_exitcode(status)
        tell(child.control, {"exited": child.number, "status": code})


def tell(control: socket.socket, message: dict[str, Any], *descriptors: int) -> None:
    """Send a message; a grading process that is gone, or does not listen, misses it."""
    try:
        data = json.dumps(message).encode()
        socket.send_fds(control, [data], descriptors, socket.MSG_DONTWAIT)
    except OSError:
        return
