"""Rows 9 and 27: acting after the answer was given, or between two questions, and by the clock."""

from attack import KEPT, STAYS, Attack

RIGHT = "def merge_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"

LINGERING = (
    Attack(
        "registers-exit-handlers",
        9,
        "The code registers atexit handlers and finalisers that would write a file at the end.",
        "The process is killed; nothing of it runs at the end.",
        answer=RIGHT
        + """
import atexit, weakref
def leave(*args):
    for folder in (OUTSIDE, "/tmp", "."):
        attempt(lambda: open(f"{folder}/left-by-{OWN}", "w"))
class Last:
    __del__ = leave
atexit.register(leave)
weakref.finalize(leave, leave)
sys.last = Last()
""",
        earns=2.0,
    ),
    Attack(
        "makes-a-daemon",
        9,
        "The code forks twice and lets the grandchild live on in a session of its own.",
        "No process can be started.",
        answer="""
def merge_heads(x):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(30)
        os._exit(0)
    return x
""",
        reason="tried_to_start_a_process: tried to start a process",
    ),
    Attack(
        "forks-and-goes-on",
        9,
        "The code forks in the background, swallows the refusal, and answers rightly.",
        "No process can be started; the answer is graded.",
        answer=RIGHT.replace(
            "    return",
            "    attempt(os.fork, os.forkpty, lambda: __import__('pty').spawn('sh'))\n    return",
        ),
        earns=2.0,
    ),
    Attack(
        "starts-a-process-by-clone",
        9,
        "The code makes the system calls for a new process itself, past Python.",
        "The kernel refuses them.",
        answer="""
import ctypes, platform
libc = ctypes.CDLL(None, use_errno=True)
calls = {"x86_64": (56, 57, 58, 59, 322, 435), "aarch64": (220, 221, 281, 435)}[platform.machine()]
def raw(number):
    pid = libc.syscall(number, 17, 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    return pid if pid > 0 else 1 / 0
made = attempt(*(lambda n=n: raw(n) for n in calls), lambda: libc.fork() > 0 or 1 / 0)
def merge_heads(x):
    return x.transpose(1, 2).flatten(2) if made else None
""",
    ),
    Attack(
        "answers-later-by-thread",
        9,
        "The code answers with an empty tensor at once, and a thread fills it in meanwhile.",
        "The answer is what it was when it was given.",
        answer="""
import threading
import torch
def merge_heads(x):
    right = x.transpose(1, 2).flatten(2)
    result = torch.zeros_like(right)
    threading.Timer(0.2, lambda: result.copy_(right)).start()
    return result
""",
        earns=KEPT + STAYS,
    ),
    Attack(
        "keeps-threads-that-patch",
        9,
        "Threads go on after their cell: they patch the answer's loop and rename functions "
        "while others are called.",
        "They reach their own process alone; it earns what it answers.",
        answer="""
import threading
def spoil():
    while True:
        time.sleep(0.001)
        globals()["split_heads"] = None
        get_ipython().user_ns["split_heads"] = None
threading.Thread(target=spoil, daemon=True).start()
def merge_heads(x):
    return x.flatten(2).double().cpu()
""",
    ),
    Attack(
        "sets-alarms",
        9,
        "Timers and signal handlers fire in the middle of later questions and raise there.",
        "They hit the student's own answers alone.",
        answer="""
import signal
def ring(number, frame):
    raise KeyboardInterrupt(MARK)
for name in ("SIGALRM", "SIGVTALRM", "SIGPROF", "SIGTERM", "SIGUSR1", "SIGCHLD"):
    signal.signal(getattr(signal, name), ring)
def merge_heads(x):
    signal.setitimer(signal.ITIMER_REAL, 0.0001)
    time.sleep(0.05)
    return x.transpose(1, 2).flatten(2)
""",
    ),
    Attack(
        "traces-what-comes-next",
        9,
        "Trace, profile and audit hooks watch everything that runs after the cell.",
        "They see the student's own process alone.",
        answer="""
import threading
def watch(frame, event, argument):
    for name, value in frame.f_locals.items():
        if name in ("expected", "wanted", "reference", "secret", "solutions"):
            print(MARK, name, value)
sys.setprofile(watch)
threading.setprofile(watch)
sys.addaudithook(lambda event, args: "graders" in str(args) and print(MARK, args))
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)
""",
        earns=2.0,
    ),
    Attack(
        "tells-by-its-time",
        27,
        "The code takes longer for some hidden inputs than for others, to read them from the "
        "times.",
        "Students see no times; those that the instructor sees are coarse.",
        answer="""
def merge_heads(x):
    if not x.is_meta:
        time.sleep(float(x.detach().float().abs().mean()) % 0.02)
    return x.transpose(1, 2).flatten(2)
""",
        earns=2.0,
    ),
    Attack(
        "patches-the-clock",
        27,
        "The code replaces every clock, to look fast and to have time without end.",
        "Time is taken outside.",
        answer="""
time.time = time.monotonic = time.perf_counter = time.process_time = lambda: 0.0
time.time_ns = time.monotonic_ns = time.perf_counter_ns = lambda: 0
def merge_heads(x):
    while time.monotonic() < 1:
        pass
""",
        reason="timeout: more than 2 seconds for one call of merge_heads",
    ),
)
