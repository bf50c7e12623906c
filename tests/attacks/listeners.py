"""Servers of the grading machine that nobody should ever hear from."""

import contextlib
import selectors
import socket
import threading
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Listeners:
    """Listens on TCP, UDP, Unix and vsock sockets, and keeps what comes in.

    Attributes:
        folder: where the Unix sockets stand; every user may write to them.
        abstract: name of the abstract Unix sockets, without the leading zero.
        tcp, udp, vsock: the ports; vsock is 0 where the machine has none.
        contacts: (kind of socket, what was sent), in the order of arrival.
    """

    folder: Path
    abstract: str
    tcp: int = 0
    udp: int = 0
    vsock: int = 0
    contacts: list[tuple[str, bytes]] = field(default_factory=list)

    def __enter__(self) -> "Listeners":
        self._selector = selectors.DefaultSelector()
        self._stop, stopped = socket.socketpair()
        self._selector.register(stopped, selectors.EVENT_READ, "stop")
        self._open()
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.close()
        self._thread.join()
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()
        self._selector.close()

    def _open(self) -> None:
        inet, unix = socket.AF_INET, socket.AF_UNIX
        self.tcp = self._bind(inet, socket.SOCK_STREAM, ("127.0.0.1", 0), "TCP").getsockname()[1]
        self.udp = self._bind(inet, socket.SOCK_DGRAM, ("127.0.0.1", 0), "UDP").getsockname()[1]
        for kind, name in ((socket.SOCK_STREAM, "stream"), (socket.SOCK_DGRAM, "datagram")):
            path = self.folder / f"{name}.socket"
            self._bind(unix, kind, str(path), f"Unix {name}")
            path.chmod(0o777)
            self._bind(unix, kind, f"\0{self.abstract}-{name}", f"abstract Unix {name}")
        with contextlib.suppress(OSError, AttributeError):
            everyone = (socket.VMADDR_CID_ANY, socket.VMADDR_PORT_ANY)
            server = self._bind(socket.AF_VSOCK, socket.SOCK_STREAM, everyone, "vsock")
            self.vsock = server.getsockname()[1]

    def _bind(self, family: int, kind: int, address: object, name: str) -> socket.socket:
        server = socket.socket(family, kind)
        server.bind(address)
        if kind == socket.SOCK_STREAM:
            server.listen(64)
        self._selector.register(server, selectors.EVENT_READ, name)
        return server

    def _listen(self) -> None:
        while True:
            for key, _ in self._selector.select():
                if key.data == "stop":
                    return
                self.contacts.append((key.data, _hear(key.fileobj)))


def _hear(server: socket.socket) -> bytes:
    if server.type == socket.SOCK_DGRAM:
        return server.recv(4096)
    visitor, _ = server.accept()
    with visitor:
        visitor.settimeout(2)
        with contextlib.suppress(OSError):
            return visitor.recv(4096)
    return b""
