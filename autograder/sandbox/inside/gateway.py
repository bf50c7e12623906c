"""The gateway: what a container runs. It stands between two pipes and the container's fork server.

It plays the grading process's part toward the fork server, and passes bytes between the pipes and
the socket of the submission's process, of which there is one at a time. It believes the trusted
side, and reads nothing of what the process says.
"""

import fcntl
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any, NoReturn

from . import landlock, linux, watch
from .boot import fork_server
from .layers import ALL, LANDLOCK, NAMESPACES
from .packets import (
    COUNT,
    DATA,
    EFFORT,
    ENDED,
    FAILED,
    HELLO,
    KILL,
    MAGIC,
    MOST_PAYLOAD,
    OPEN,
    PEAK,
    READY,
    SET_UP,
    SPENT,
    STATUS,
    TAKEN,
    UNAVAILABLE,
    WINDOW,
    Nonsense,
    Packet,
    Unpacker,
    pack,
)
from .places import LIBRARY, WORK
from .versions import fingerprint, installed

# An image holds nothing secret: all of its libraries may be read.
LIBRARIES = ("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache")
FOLDERS = tuple(f"{WORK}/{name}" for name in ("scratch", "home"))
HIGH = 10  # a child's socket takes a low descriptor, which none of the fork server's may have


@dataclass
class Guest:
    """The submission's process.

    Attributes:
        number: what the trusted side calls it.
        line: our end of its socket; None when that has hung up.
        pidfd: descriptor that stands for it; -1 while there is none.
        waiting: bytes on their way to it.
        window: bytes that the trusted side is ready for.
        status: its exit status, when it has ended.
        killed: whether the trusted side wants no more of it.
    """

    number: int
    line: socket.socket | None
    pidfd: int = -1
    pid: int = 0
    waiting: bytearray = field(default_factory=bytearray)
    window: int = WINDOW
    status: int | None = None
    killed: bool = False

    def hang_up(self) -> None:
        """Let go of its socket, which also makes the fork server end it."""
        if self.line is not None:
            self.line.close()
            self.line = None
        self.waiting.clear()


class Gateway:
    """The gateway's loop.

    Args:
        incoming: the pipe from the trusted side.
        outgoing: the pipe to it.
    """

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        for pipe in (incoming, outgoing):
            os.set_blocking(pipe, False)
        self._unpacker = Unpacker()
        self._leaving = bytearray(MAGIC)
        self._layers = ALL - {NAMESPACES}
        self._control: socket.socket | None = None
        self._guest: Guest | None = None
        hello = {"fingerprint": fingerprint(), "versions": installed()}
        self._say(HELLO, 0, json.dumps(hello).encode())

    def serve(self) -> NoReturn:
        """Serve until the trusted side hangs up; the container then ends, and all that is in it."""
        while True:
            poll = select.poll()
            poll.register(self._incoming, select.POLLIN)
            if self._leaving:
                poll.register(self._outgoing, select.POLLOUT)
            if self._control is not None:
                poll.register(self._control, select.POLLIN)
            line, events = self._line_events()
            if line is not None and events:
                poll.register(line, events)
            for descriptor, _ in poll.poll():
                if descriptor == self._incoming:
                    self._hear_trusted_side()
                elif descriptor == self._outgoing:
                    self._send()
                elif self._control is not None and descriptor == self._control.fileno():
                    self._hear_fork_server(self._control)
            self._serve_line()

    def _say(self, kind: bytes, number: int = 0, payload: bytes = b"") -> None:
        self._leaving += pack(kind, number, payload)

    def _send(self) -> None:
        del self._leaving[: os.write(self._outgoing, self._leaving)]

    def _hear_trusted_side(self) -> None:
        data = os.read(self._incoming, 2 * MOST_PAYLOAD)
        if not data:
            sys.exit()  # the trusted side has hung up
        for packet in self._unpacker.feed(data):
            self._obey(packet)

    def _obey(self, packet: Packet) -> None:
        guest = self._guest
        if packet.kind == SET_UP and self._control is None:
            self._start_fork_server(**json.loads(packet.payload))
        elif packet.kind == OPEN and self._control is not None and guest is None:
            self._open(packet)
        elif guest is None or packet.number != guest.number:
            if packet.kind not in (DATA, TAKEN, KILL, PEAK, EFFORT):  # late, for one that has ended
                raise Nonsense(f"a packet {packet.kind!r} out of turn")
        elif packet.kind == DATA:
            if guest.line is not None:
                guest.waiting += packet.payload
            if len(guest.waiting) > WINDOW:
                raise Nonsense("more data than was asked for")
        elif packet.kind == TAKEN:
            guest.window += packet.count()
        elif packet.kind == KILL:
            guest.killed = True
            guest.hang_up()
            self._end(guest)
        elif packet.kind == PEAK:
            self._say(PEAK, guest.number, COUNT.pack(_peak(guest)))
        elif packet.kind == EFFORT:
            self._say(EFFORT, guest.number, _effort(guest))

    def _start_fork_server(self, allowance: dict[str, Any], environment: dict[str, str]) -> None:
        for folder in FOLDERS:
            os.mkdir(folder)
        if not _landlock_works():
            self._layers -= {LANDLOCK}
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            control = fcntl.fcntl(theirs, fcntl.F_DUPFD, HIGH)
        setup = {
            "layers": sorted(self._layers),
            "controls": [control],
            "readable": [LIBRARY, f"{sys.base_prefix}/lib", *LIBRARIES],
            "folder": WORK,
            "first_uid": None,
            "reads_all": False,
            "allowance": allowance,
        }
        subprocess.Popen(
            fork_server(sys.executable, LIBRARY, json.dumps(setup)),
            env=environment | {"HOME": FOLDERS[1], "TMPDIR": FOLDERS[1]},
            cwd="/",
            pass_fds=[control],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        os.close(control)

    def _hear_fork_server(self, control: socket.socket) -> None:
        data, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 1)
        if not data:
            sys.exit("the fork server has ended")
        match json.loads(data):
            case {"ready": True}:
                os.close(descriptors[0])
                _sweep()
                self._say(READY, 0, json.dumps({"layers": sorted(self._layers)}).encode())
            case {"unavailable": why}:
                self._say(UNAVAILABLE, 0, why.encode()[:MOST_PAYLOAD])
            case {"started": _}:
                self._started(descriptors[0])
            case {"failed": number, "why": why}:
                assert self._guest is not None
                self._guest.hang_up()
                self._guest = None
                self._say(FAILED, number, why.encode()[:MOST_PAYLOAD])
            case {"exited": _, "status": status}:
                assert self._guest is not None
                self._guest.status = status
                self._end(self._guest)

    def _open(self, packet: Packet) -> None:
        assert self._control is not None
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        self._guest = Guest(packet.number, ours)
        request = {"number": packet.number, "allowance": json.loads(packet.payload)}
        with theirs:
            socket.send_fds(self._control, [json.dumps(request).encode()], [theirs.fileno()])

    def _started(self, pidfd: int) -> None:
        guest = self._guest
        assert guest is not None
        guest.pidfd = pidfd
        try:
            guest.pid = watch.pid_of(pidfd)
        except ProcessLookupError:
            guest.pid = 0  # it has ended already, which the fork server is about to say
        self._say(OPEN, guest.number)
        if guest.killed:
            self._end(guest)

    def _line_events(self) -> tuple[socket.socket | None, int]:
        guest = self._guest
        if guest is None or guest.line is None:
            return None, 0
        reads = guest.window > 0 and len(self._leaving) < WINDOW
        return guest.line, reads * select.POLLIN | bool(guest.waiting) * select.POLLOUT

    def _serve_line(self) -> None:
        """Pass on what can be passed on, in both directions."""
        guest = self._guest
        line, events = self._line_events()
        if guest is None or line is None:
            return
        try:
            if events & select.POLLOUT:
                count = line.send(guest.waiting)
                del guest.waiting[:count]
                self._say(TAKEN, guest.number, COUNT.pack(count))
        except BlockingIOError:
            pass
        except OSError:  # it reads no more; what it has said is still there
            self._say(TAKEN, guest.number, COUNT.pack(len(guest.waiting)))
            guest.waiting.clear()
        try:
            if events & select.POLLIN:
                data = line.recv(min(guest.window, MOST_PAYLOAD))
                guest.window -= len(data)
                if data:
                    self._say(DATA, guest.number, data)
                else:
                    guest.hang_up()
                    self._end(guest)
        except BlockingIOError:
            pass
        except OSError:
            guest.hang_up()
            self._end(guest)

    def _end(self, guest: Guest) -> None:
        """Make it end where that is wanted, and tell it when all that it has said is told."""
        if guest.status is None:
            if guest.killed and guest.pidfd >= 0:
                _kill(guest.pidfd)
        elif guest.line is None:
            if guest.pidfd >= 0:
                os.close(guest.pidfd)
            self._guest = None
            _sweep()
            self._say(ENDED, guest.number, STATUS.pack(guest.status))


def _landlock_works() -> bool:
    """Whether the kernel has Landlock, and nothing that filters our calls refuses it."""
    pid = os.fork()
    if pid == 0:
        try:
            linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
            landlock.restrict([])
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(pid, 0)[1] == 0


def _peak(guest: Guest) -> int:
    try:
        return watch.peak_bytes(guest.pidfd, guest.pid) if guest.pidfd >= 0 else 0
    except ProcessLookupError:
        return 0


def _effort(guest: Guest) -> bytes:
    try:
        return SPENT.pack(*watch.effort(guest.pidfd, guest.pid)) if guest.pidfd >= 0 else b""
    except (ProcessLookupError, PermissionError):
        return b""


def _kill(pidfd: int) -> None:
    try:
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    except ProcessLookupError:
        return  # it has ended already, which the fork server is about to say


def _sweep() -> None:
    """Leave nothing of a submission: without Landlock, its code can make files where we can.

    Raises:
        OSError: something cannot be removed; the container must then not be used again.
    """
    for folder in (WORK, *FOLDERS):
        for entry in os.scandir(folder):
            if entry.path in FOLDERS:
                continue
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            else:
                os.unlink(entry.path)


def main() -> None:
    """Be the gateway."""
    linux.prctl(linux.PR_SET_DUMPABLE, 0)  # nobody of the same user reads our memory
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("told to end"))  # the first process must ask
    outgoing = os.dup(1)
    os.dup2(2, 1)  # nothing but packets goes through the pipe
    try:
        Gateway(0, outgoing).serve()
    except (OSError, Nonsense) as error:
        sys.exit(f"the gateway ends: {error}")
