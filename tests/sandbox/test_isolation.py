"""What student code can reach: nothing of the machine, of the grader, or of another submission."""

import os
import socket
import sys
import tempfile
from pathlib import Path

import pytest

import autograder

PROJECT = Path(autograder.__file__).parents[1]

pytestmark = pytest.mark.parametrize(
    "sandbox",
    [
        *("required", "fallback"),
        pytest.param("container", marks=pytest.mark.slow),
        pytest.param("container without Landlock", marks=pytest.mark.slow),
    ],
    indirect=True,
)


@pytest.fixture
def hides_the_image(sandbox):
    """Skip where a container without Landlock shows its image, which holds nothing to hide."""
    if sandbox.isolation == "container+seccomp":
        pytest.skip("the image may be read; test_container_without_landlock.py looks what is there")


@pytest.fixture
def secret(tmp_path_factory, monkeypatch):
    """A file that every user of this machine may read, and a secret in the environment."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    path = folder / "gradebook.db"
    path.write_text("HIDDEN-ANSWER")
    path.chmod(0o666)
    monkeypatch.setenv("COURSE_SECRET", "HIDDEN-ANSWER")
    yield path
    path.unlink(missing_ok=True)
    folder.rmdir()


WAYS_TO_READ = {
    "open": "open({path!r}).read()",
    "low-level open": "os.read(os.open({path!r}, os.O_RDONLY), 99)",
    "path only": "os.read(os.open({path!r}, os.O_PATH), 99)",
    "symbolic link": "(os.symlink({path!r}, 'l'), open('l').read())[1]",
    "hard link": "(os.link({path!r}, 'h'), open('h').read())[1]",
    "root of process 1": "open('/proc/1/root' + {path!r}).read()",
    "own root": "open('/proc/self/root' + {path!r}).read()",
    "the parent's root": "open(f'/proc/{{os.getppid()}}/root' + {path!r}).read()",
    "dots": "open('../../../../../../..' + {path!r}).read()",
    "memory map": "__import__('numpy').memmap({path!r}, mode='r')[:]",
    "a list of its folder": "os.listdir(os.path.dirname({path!r}))",
    "chroot": "os.chroot(os.path.dirname({path!r}))",
}


@pytest.mark.parametrize("way", WAYS_TO_READ)
def test_a_file_of_the_machine_cannot_be_read(tried, secret, way):
    answer = tried(WAYS_TO_READ[way].format(path=str(secret)))
    assert "HIDDEN" not in answer
    assert "gradebook" not in answer
    assert answer.endswith(("Error", "ErrorL")), answer


PRIVATE = ["autograder", "graders", "solutions", "assignments", "tests", "course_config.py"]


@pytest.mark.parametrize("name", PRIVATE)
def test_this_project_cannot_be_read(tried, name):
    path = str(PROJECT / name)
    assert tried(f"os.listdir({path!r})").endswith("Error")
    assert tried(f"open({path!r}).read()").endswith("Error")


@pytest.mark.parametrize("path", ["/etc/passwd", "/etc/shadow", "/root", "/home", "/proc", "/sys"])
@pytest.mark.usefixtures("hides_the_image")
def test_the_system_cannot_be_read(tried, path):
    answer = tried(f"os.listdir({path!r}) if os.path.isdir({path!r}) else open({path!r}).read()")
    assert answer.endswith("Error") or answer == "[]"


@pytest.mark.usefixtures("hides_the_image")
def test_every_file_that_can_be_found_is_a_library(tried):
    setup = (
        "found = []\n"
        f"for top in {sorted(map(str, Path('/').iterdir()))!r}:\n"
        "    if top in ('/usr', '/lib', '/lib64', '/proc', '/sys', '/dev'): continue\n"
        "    for folder, _, files in os.walk(top):\n"
        "        found += [os.path.join(folder, f) for f in files]\n"
    )
    cwd = tried("os.getcwd()").strip("'")
    found = [p for p in eval(tried("found", setup)) if not p.startswith(cwd)]
    assert [p for p in found if "site-packages" not in p and "/lib/python" not in p] == []
    assert not any("autograder" in p or "nbgrader" in p for p in found)


@pytest.mark.parametrize(
    "way",
    [
        "open({path!r}, 'w').write('x')",
        "open({path!r}, 'a').write('x')",
        "os.truncate({path!r}, 0)",
        "os.open({path!r}, os.O_RDONLY | os.O_TRUNC)",
        "os.unlink({path!r})",
        "os.rename({path!r}, {path!r} + '.old')",
        "os.chmod({path!r}, 0)",
        "os.chown({path!r}, 0, 0)",
        "os.utime({path!r})",
        "os.setxattr({path!r}, 'user.mark', b'x')",
        "os.mkdir(os.path.dirname({path!r}) + '/new')",
        "os.symlink('x', os.path.dirname({path!r}) + '/new')",
        "os.mkfifo(os.path.dirname({path!r}) + '/new')",
    ],
)
def test_a_file_of_the_machine_cannot_be_changed(tried, secret, way):
    before = secret.stat()
    assert tried(way.format(path=str(secret))).endswith("Error")
    after = secret.stat()
    assert secret.read_text() == "HIDDEN-ANSWER"
    assert (before.st_mode, before.st_mtime_ns) == (after.st_mode, after.st_mtime_ns)
    assert list(secret.parent.iterdir()) == [secret]


def test_the_libraries_cannot_be_changed(tried):
    import torch

    path = str(Path(torch.__file__).parent / "version.py")
    for way in ("open({0!r}, 'a')", "os.chmod({0!r}, os.stat({0!r}).st_mode)"):
        assert tried(way.format(path)).endswith("Error")
    assert tried("open(os.path.join(os.path.dirname(os.__file__), 'x.py'), 'w')").endswith("Error")


def test_the_environment_holds_no_secret(tried, secret):
    assert "HIDDEN" not in tried("dict(os.environ)")
    assert tried("open('/proc/self/environ').read()").endswith("Error")
    names = set(eval(tried("sorted(os.environ)")))
    assert not names & {"COURSE_SECRET", "VIRTUAL_ENV", "PYTHONPATH", "SSH_AUTH_SOCK"}


FAMILIES = ["AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK", "AF_PACKET", "AF_VSOCK", "AF_ALG"]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", ["SOCK_STREAM", "SOCK_DGRAM", "SOCK_RAW"])
def test_no_socket_of_any_family_can_be_made(tried, family, kind):
    if not hasattr(socket, family):
        pytest.skip(f"this Python does not know {family}")
    assert tried(f"socket.socket(socket.{family}, socket.{kind})", "import socket") == (
        "PermissionError"
    )


def test_no_name_is_looked_up_and_no_server_reached(tried):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        reach = f"socket.create_connection(('127.0.0.1', {port}), 1)"
        assert tried(reach, "import socket") == "PermissionError"
    assert tried("socket.getaddrinfo('example.org', 80)", "import socket").endswith("rror")
    assert tried("urllib.request.urlopen('http://example.org')", "import urllib.request") == (
        "URLError"
    )


NO_REACH = {
    "memfd": "os.memfd_create('x')",
    "POSIX shared memory": "SharedMemory(create=True, size=64)",
    "System V shared memory": "checked(libc.shmget(0, 4096, 0o1600))",
    "message queue": "checked(libc.msgget(0, 0o1600))",
    "keyring": "checked(libc.syscall(248, b'user', b'name', b'value', 5, -4))",
    "ptrace": "checked(libc.ptrace(0, 0, 0, 0))",
    "another's memory": "checked(libc.process_vm_readv(os.getppid() or 1, 0, 0, 0, 0, 0))",
    "file lock": "fcntl.flock(open(os.__file__), fcntl.LOCK_EX)",
    "record lock": "fcntl.lockf(open(os.__file__), fcntl.LOCK_SH)",
    "lease": "fcntl.fcntl(open(os.__file__), fcntl.F_SETLEASE, fcntl.F_RDLCK)",
    "inotify": "checked(libc.inotify_init())",
    "a user namespace": "checked(libc.unshare(0x10000000))",
    "a mount": "checked(libc.mount(b't', b'/tmp', b'tmpfs', 0, None))",
    "becoming root": "os.setuid(0)",
    "a higher limit": "resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "a higher priority": "os.nice(-5)",
    "a pidfd": "os.pidfd_open(os.getppid() or 1)",
    "the clock": "time.clock_settime(0, time.time())",
    "being dumpable": "checked(libc.prctl(4, 1, 0, 0, 0))",
    "which pages are in memory": "os.preadv(0, [bytearray(1)], 0, os.RWF_NOWAIT)",
    "putting pages out": "os.posix_fadvise(open(os.__file__).fileno(), 0, 0, 4)",
    "the dates of a device": "os.utime('/dev/null')",
    "the dates of its output": "os.utime(1)",
    "a timer of the user's": "checked(libc.timer_create(1, None, ctypes.create_string_buffer(8)))",
    "io_uring": "checked(libc.syscall(425, 4, ctypes.create_string_buffer(120)))",
}
_SETUP = """
import ctypes, fcntl, resource, time
from multiprocessing.shared_memory import SharedMemory
libc = ctypes.CDLL(None, use_errno=True)
def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
"""


@pytest.mark.parametrize("what", NO_REACH)
def test_the_kernels_side_doors_are_shut(tried, what):
    assert tried(NO_REACH[what], _SETUP) in (
        "PermissionError",
        "OSError",
        "FileNotFoundError",
        "ProcessLookupError",
        "ValueError",
    )


def test_its_own_threads_are_woken_and_joined(tried):
    setup = f"{_SETUP}\n" + (
        "import concurrent.futures, threading, torch\n"
        "started, go, made = threading.Semaphore(0), threading.Event(), ctypes.c_ulong()\n"
        "@ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)\n"
        "def body(_): started.release(); go.wait(); time.sleep(0.1); return 7\n"
        "assert libc.pthread_create(ctypes.byref(made), None, body, None) == 0\n"
        "started.acquire(); go.set(); ended = ctypes.c_void_p()\n"
        "assert libc.pthread_join(made, ctypes.byref(ended)) == 0\n"
        "with concurrent.futures.ThreadPoolExecutor(4) as pool:\n"
        "    total = sum(pool.map(int, range(100)))\n"
        "torch.set_num_threads(2); x = torch.ones(400, 400, requires_grad=True)\n"
        "(x @ x).sum().backward()\n"
    )
    assert tried("(ended.value, total, x.grad[0, 0].item())", setup) == "(7, 4950, 800.0)"


def test_no_process_but_itself_can_be_signalled(tried, connection, sandbox):
    other = sandbox.connect(1).start_worker()
    setup = (
        "hit = []\n"
        "for pid in [*range(-1, 400), *range(os.getppid() - 200, os.getppid() + 2000)]:\n"
        "    if pid in (os.getpid(),): continue\n"
        "    try: os.kill(pid, 0); hit.append(pid)\n"
        "    except OSError: pass\n"
    )
    assert tried("hit", setup) == "[]"
    assert other.run_cell("1").error is None
    other.close()
    connection.start_worker().close()


ABOUT_OTHERS = {
    "session": "os.getsid(other)",
    "process group": "os.getpgid(other)",
    "priority": "os.getpriority(os.PRIO_PROCESS, other)",
    "priority of a user": "os.getpriority(os.PRIO_USER, 0)",
    "limits": "resource.prlimit(other, resource.RLIMIT_AS)",
    "time computed": "time.clock_gettime(~other << 3 | 2)",
    "time of its first thread": "time.clock_gettime(~other << 3 | 6)",
}


@pytest.mark.parametrize("what", ABOUT_OTHERS)
def test_nothing_is_told_of_another_process(tried, what):
    assert tried(ABOUT_OTHERS[what], f"{_SETUP}\nother = os.getpid() + 1") == "PermissionError"


def test_a_process_is_told_of_itself(tried):
    itself = "(os.getsid(0) > 0, os.getpgid(os.getpid()) >= 0, os.getpriority(os.PRIO_PROCESS, 0))"
    assert tried(itself).startswith("(True, True, ")
    assert tried("resource.getrlimit(resource.RLIMIT_AS)[0] > 0", _SETUP) == "True"
    assert tried("resource.getrlimit(resource.RLIMIT_SIGPENDING)[0] <= 64", _SETUP) == "True"
    assert tried("time.process_time() > 0 and time.thread_time() > 0", _SETUP) == "True"


def test_other_submissions_files_are_out_of_reach(worker, sandbox, tried):
    other = sandbox.connect(1).start_worker({"answer.txt": b"HIDDEN-ANSWER"})
    where = other.run_cell("import os\nprint(os.getcwd())").printed.strip()
    if where == tried("os.getcwd()").strip("'"):  # each has mounted its own there
        assert "answer.txt" not in tried(f"os.listdir({where!r})")
    else:
        assert tried(f"os.listdir({where!r})") in ("PermissionError", "FileNotFoundError")
        assert tried(f"open({where + '/answer.txt'!r}).read()").endswith("Error")
        if sandbox.isolation != "container+seccomp":
            assert tried(f"os.listdir(os.path.dirname({where!r}))") == "PermissionError"
    other.close()


def test_nothing_is_left_for_the_next_submission(connection):
    first = connection.start_worker()
    first.run_cell(
        "import os, builtins, torch, sys\n"
        "builtins.mark = torch.mark = 'left'\n"
        "torch.softmax = None\n"
        "sys.modules['json'] = None\n"
        "os.environ['MARK'] = 'left'\n"
        "for folder in ('.', '/tmp', '/dev/shm', '/var/tmp', os.path.expanduser('~')):\n"
        "    try: open(folder + '/mark', 'w').write('left')\n"
        "    except OSError: pass\n"
    )
    first.close()
    second = connection.start_worker()
    outcome = second.run_cell(
        "import os, torch, json\n"
        "places = ('.', '/tmp', '/dev/shm', '/var/tmp', os.path.expanduser('~'))\n"
        "found = [p for p in places if os.path.exists(p + '/mark')]\n"
        "clean = not hasattr(torch, 'mark') and 'MARK' not in os.environ and 'mark' not in dir()\n"
        "clean = clean and torch.softmax(torch.zeros(2), 0)[0].item() == 0.5\n"
    )
    assert outcome.error is None
    assert second.value("found") == []
    assert second.value("clean") is True
    second.close()


def test_it_holds_no_descriptor_but_its_own_line(tried):
    setup = (
        "held = []\n"
        "for n in range(1024):\n"
        "    try: os.fstat(n); held.append(n)\n"
        "    except OSError: pass\n"
    )
    assert tried("held", setup) == "[0, 1, 2, 3]"


def test_it_is_no_privileged_user_and_has_no_capability_to_change_things(tried, sandbox):
    assert tried("os.getuid()") != "0" or os.getuid() != 0
    may_pass_closed_folders = 1 << 2
    setup = (
        "import ctypes, struct\n"
        "header = struct.pack('=Ii', 0x20080522, 0)\n"
        "words = ctypes.create_string_buffer(24)\n"
        "assert ctypes.CDLL(None).capget(header, words) == 0\n"
        "held = struct.unpack('=6I', words.raw)\n"
    )
    held = eval(tried("held", setup))
    assert not any(word & ~may_pass_closed_folders for word in held)
    if sandbox.isolation.startswith("bwrap"):
        assert not any(held)


def test_it_has_no_terminal_and_no_input(tried):
    assert tried("input()") == "EOFError"
    assert tried("open('/dev/tty')").endswith("Error")
    assert tried("os.isatty(0)") == "False"


def test_harmless_devices_work(tried):
    assert tried("open(os.devnull, 'w').write('x')") == "1"
    assert tried("len(open('/dev/urandom', 'rb').read(4))") == "4"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_students_process_is_seen_from_outside_as_confined(worker, sandbox):
    if sandbox.isolation.startswith("container"):
        pytest.skip("a container's processes have no number here")
    status = Path(f"/proc/{worker._process._pid}/status").read_text()
    assert "NoNewPrivs:\t1" in status
    assert "Seccomp:\t2" in status
