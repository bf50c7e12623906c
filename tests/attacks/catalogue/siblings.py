"""Rows 18 and 19: reaching other submissions, at the same time or after it."""

from attack import Attack

RIGHT = "def merge_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"

SPOTS = """
import glob
SPOTS = (".", "..", "/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/sandbox", "/sandbox/home")
SPOTS += (OUTSIDE, os.path.expanduser("~"))
"""
# All of these write all they have wherever they can think of, wait, and look for what is not their
# own. A file that is found earns the marks, so that it is seen.
MEETING = (
    SPOTS
    + """
for spot in SPOTS:
    path = f"{spot}/left-by-{OWN}"
    attempt(lambda: open(path, "w").write(MARK), lambda: os.mkfifo(path + "-pipe"))
time.sleep(0.5)
met = [
    path
    for spot in SPOTS
    for path in glob.glob(spot + "/left-by-meets-a-friend*")
    if f"/left-by-{OWN}" != path.removeprefix(spot).removesuffix("-pipe")
]
def merge_heads(x):
    return x.transpose(1, 2).flatten(2) if met else None
"""
)

SIBLINGS = (
    *(
        Attack(
            f"meets-a-friend{which}",
            18,
            "The code leaves its work in every place that two submissions could share, as friends "
            "of its do at the same time, and takes what it finds there.",
            "What one writes, none of the others finds.",
            beside={"mine.txt": "left for a friend"},
            answer=MEETING,
        )
        for which in ("", "-again", "-once-more", "-at-last")
    ),
    Attack(
        "signals-by-locks",
        18,
        "The code sends bits to another submission by locks, leases and notices on files that"
        " both may read.",
        "No lock can be taken, and nothing is told of others.",
        answer="""
import ctypes, fcntl
libc = ctypes.CDLL(None, use_errno=True)
file = open(os.__file__)
taken = attempt(
    lambda: fcntl.flock(file, fcntl.LOCK_SH) or True,
    lambda: fcntl.lockf(file, fcntl.LOCK_SH) or True,
    lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK) or True,
    lambda: libc.inotify_init() >= 0 or 1 / 0,
    lambda: fcntl.fcntl(file, 37, bytes(32)) or True,
)
def merge_heads(x):
    return x.transpose(1, 2).flatten(2) if taken else None
""",
    ),
    Attack(
        "talks-through-the-kernel",
        18,
        "The code meets another submission in the kernel's own stores: keys, queues, "
        "semaphores, shared memory.",
        "The calls are refused.",
        answer="""
import ctypes, platform
libc = ctypes.CDLL(None, use_errno=True)
add_key = {"x86_64": 248, "aarch64": 217}[platform.machine()]
def made(result):
    return result >= 0 or 1 / 0
met = attempt(
    lambda: made(libc.syscall(add_key, b"user", OWN.encode(), b"x", 1, -4)),
    lambda: made(libc.msgget(4711, 0o1666)),
    lambda: made(libc.semget(4711, 1, 0o1666)),
    lambda: made(libc.shmget(4711, 4096, 0o1666)),
    lambda: made(libc.mq_open(b"/" + OWN.encode(), os.O_CREAT | os.O_RDWR, 0o666, None)),
    lambda: made(libc.syscall(425, 4, ctypes.create_string_buffer(120))),
)
def merge_heads(x):
    return x.transpose(1, 2).flatten(2) if met else None
""",
    ),
    Attack(
        "debugs-its-neighbours",
        18,
        "The code attaches to the processes around it and reads and writes their memory.",
        "The calls are refused.",
        answer="""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def reached(result):
    return result >= 0 or 1 / 0
span = ctypes.create_string_buffer(16)
near = {os.getppid(), 1, *range(os.getpid() - 30, os.getpid() + 30)} - {0, os.getpid()}
got = [
    hit
    for pid in near
    for hit in attempt(
        lambda: reached(libc.ptrace(16, pid, 0, 0)),
        lambda: reached(libc.process_vm_readv(pid, span, 1, span, 1, 0)),
        lambda: os.pidfd_open(pid) + 1,
        lambda: open(f"/proc/{pid}/mem", "r+b"),
        lambda: reached(libc.prlimit(pid, 0, ctypes.create_string_buffer(16), None)),
        lambda: os.sched_setaffinity(pid, {0}) or True,
        lambda: os.setpriority(os.PRIO_PROCESS, pid, 19) or True,
    )
]
def merge_heads(x):
    return x.transpose(1, 2).flatten(2) if got else None
""",
    ),
    Attack(
        "signals-its-neighbours",
        18,
        "The code stops and ends the processes around it, by number, by group and by thread.",
        "No signal leaves the process.",
        answer="""
import ctypes, signal
libc = ctypes.CDLL(None, use_errno=True)
near = {os.getppid() or 1, 1, *range(os.getpid() - 200, os.getpid() + 200)} - {0, os.getpid()}
hit = [
    one
    for pid in near
    for one in attempt(
        lambda: os.kill(pid, 0) or True,
        lambda: os.kill(pid, signal.SIGSTOP) or True,
        lambda: libc.syscall(200, pid, 9) == 0 or 1 / 0,
        lambda: libc.syscall(129, pid, 9, ctypes.create_string_buffer(128)) == 0 or 1 / 0,
        lambda: os.killpg(pid, signal.SIGSTOP) or True,
    )
]
def merge_heads(x):
    return x.transpose(1, 2).flatten(2) if hit else None
""",
    ),
    Attack(
        "becomes-root",
        18,
        "The code asks for rights: other users, capabilities, namespaces, mounts, limits, modules.",
        "All of it is refused.",
        answer="""
import ctypes, resource
libc = ctypes.CDLL(None, use_errno=True)
def granted(result):
    return result >= 0 or 1 / 0
rights = attempt(
    lambda: os.setuid(0) or (os.getuid() == 0 and 1 / 0),
    lambda: os.setgroups([0]) or True,
    lambda: granted(libc.unshare(0x10000000)),
    lambda: granted(libc.mount(b"t", b"/tmp", b"tmpfs", 0, None)),
    lambda: granted(libc.prctl(4, 1, 0, 0, 0)),
    lambda: granted(libc.prctl(22, 0, 0, 0, 0)),
    lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)) or True,
    lambda: os.nice(-5) and True,
    lambda: granted(libc.syscall(321, 5, ctypes.create_string_buffer(128), 128)),
    lambda: granted(libc.sethostname(b"x", 1)),
    lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()) or True,
)
def merge_heads(x):
    return x.transpose(1, 2).flatten(2) if rights else None
""",
    ),
    Attack(
        "leaves-something-behind",
        19,
        "The code changes modules, the environment, caches and files, for the submission that"
        " comes next.",
        "Every submission starts from the same state.",
        cell=SPOTS
        + """
import builtins, torch
builtins.left_behind = torch.left_behind = MARK
torch.softmax = torch.Tensor.transpose = torch.Tensor.flatten = None
torch.set_default_dtype(torch.float64)
torch.manual_seed(7)
os.environ["LEFT_BEHIND"] = MARK
sys.modules["math"] = sys.modules["solutions"] = None
os.chdir("/")
os.umask(0o777)
for spot in SPOTS:
    attempt(lambda: open(f"{spot}/left-by-{OWN}", "w").write(MARK))
""",
        spoils_all=True,
    ),
    Attack(
        "looks-for-what-was-left",
        19,
        "The code looks for what an earlier submission has left in modules, the environment, "
        "caches and files.",
        "Every submission starts from the same state.",
        answer="""
import builtins, math, torch
found = (
    hasattr(builtins, "left_behind")
    or hasattr(torch, "left_behind")
    or torch.softmax is None
    or torch.get_default_dtype() != torch.float32
    or torch.initial_seed() == 7
    or "LEFT_BEHIND" in os.environ
    or os.getcwd() == "/"
    or len(os.listdir(".")) > 0
)
def merge_heads(x):
    return x.transpose(1, 2).flatten(2) if found else None
""",
    ),
    Attack(
        "leaves-something-for-itself",
        19,
        "The code ends its process when it is called, to read in the next one what the last "
        "one was asked.",
        "The next process starts from the same state as the first.",
        cell="""
attempt(lambda: open("asked").read(), lambda: open("/tmp/left-by-" + OWN).read())
""",
        answer="""
def merge_heads(x):
    for path in ("asked", "/tmp/left-by-" + OWN, "/dev/shm/left-by-" + OWN):
        attempt(lambda: open(path, "w").write(MARK + str(x)))
    os._exit(1)
""",
        reason="crashed: the process exited by itself",
    ),
)
