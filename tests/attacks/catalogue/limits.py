"""Rows 14 to 17: time, memory, processes and disk without end."""

from attack import Attack
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

LATE_CELL = r"timeout: more than 2 seconds for cell merge_heads"
LATE_CALL = r"timeout: more than 2 seconds for one call of merge_heads"
ENDED = "It is ended at the limit; the reason is `timeout`."
NO_MEMORY = "The reason is `out_of_memory`, and the machine is fine."
RIGHT = "def merge_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"


# Quick in its first run; beside right answers to earlier exercises, it takes its time.
SLOW_AGAIN = """
def EXERCISE(*args):
    if "ask" in dot_product_scores.__globals__:
        time.sleep(1.5)
"""


def add_slow_cells(notebook: NotebookNode) -> None:
    notebook.cells += [new_code_cell(f"time.sleep(1.5)  # {number}") for number in range(12)]


LIMITS = (
    Attack(
        "loops-in-its-cell",
        14,
        "The code loops for ever where the function is defined.",
        ENDED,
        answer="while True:\n    pass",
        reason=LATE_CELL,
    ),
    Attack(
        "loops-when-it-is-called",
        14,
        "The code loops for ever when it is called, and swallows every exception.",
        ENDED,
        answer="""
def merge_heads(x):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
""",
        reason=LATE_CALL,
    ),
    Attack(
        "sleeps-behind-masked-signals",
        14,
        "The code ignores and blocks every signal, then sleeps.",
        ENDED,
        answer="""
import signal
def merge_heads(x):
    for number in range(1, 65):
        attempt(lambda: signal.signal(number, signal.SIG_IGN))
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True:
        time.sleep(3600)
""",
        reason=LATE_CALL,
    ),
    Attack(
        "stops-itself",
        14,
        "The code stops its process with SIGSTOP, so that it uses no time.",
        ENDED + " The first process of a namespace cannot even do that.",
        answer="import signal\ndef merge_heads(x):\n    os.kill(os.getpid(), signal.SIGSTOP)",
        reason=f"^$|{LATE_CALL}",
    ),
    Attack(
        "hangs-in-compiled-code",
        14,
        "The code hangs in a regular expression, which no Python signal handler interrupts.",
        ENDED,
        answer="import re\ndef merge_heads(x):\n    re.match(r'(a+)+$', 'a' * 64 + 'b')",
        reason=LATE_CALL,
    ),
    Attack(
        "hangs-in-its-own-methods",
        14,
        "The answer's exception hangs when its text is asked for.",
        ENDED,
        answer="""
class Slow(Exception):
    def __str__(self):
        while True:
            pass
def merge_heads(x):
    raise Slow()
""",
        reason=LATE_CALL,
    ),
    Attack(
        "uses-the-budget-up",
        14,
        "Twelve cells sleep just short of their limit, to use up the time of the submission, "
        "and more.",
        "The time of first runs is one sum; what was not answered in it is a `timeout`.",
        edit=add_slow_cells,
        reason=r"timeout: the submission's 10 seconds are used up",
        spoils_all=True,
    ),
    Attack(
        "begins-a-budget-anew",
        40,
        "Each later answer sleeps where it is judged again, beside right earlier ones.",
        "Second runs share one further sum; what that is too short for keeps its first verdict.",
        assignment="01-attention-by-hand",
        exercise="attention_weights",
        parts={"scaled_scores": SLOW_AGAIN.replace("EXERCISE", "scaled_scores")},
        answer=SLOW_AGAIN.replace("EXERCISE", "attention_weights"),
        spoils_all=True,
    ),
    Attack(
        "takes-one-huge-tensor",
        15,
        "The code asks for a tensor of a terabyte.",
        NO_MEMORY,
        answer="import torch\ndef merge_heads(x):\n    return torch.ones(1 << 38)",
        reason="out_of_memory: more than 512 MiB",
    ),
    Attack(
        "takes-many-small-tensors",
        15,
        "The code keeps tensors of a megabyte until there is no memory left.",
        NO_MEMORY,
        answer="""
import torch
kept = []
def merge_heads(x):
    while True:
        kept.append(torch.empty(1 << 18))  # asked for and not touched: seconds are not the limit
""",
        reason="out_of_memory",
    ),
    Attack(
        "takes-memory-in-python",
        15,
        "The code doubles a list until there is no memory left.",
        NO_MEMORY,
        answer="""
def merge_heads(x):
    kept = [0]
    while True:
        kept += kept
""",
        reason="out_of_memory",
    ),
    Attack(
        "takes-memory-that-nobody-counts",
        15,
        "The code takes memory past the usual counts: memfd, /dev/shm, shared segments, huge "
        "mappings.",
        "It is refused.",
        answer="""
import ctypes, mmap
libc = ctypes.CDLL(None)
MUCH = 640 << 20  # more than the limit
def fill(number):
    with os.fdopen(number, "wb") as file:
        return os.posix_fallocate(file.fileno(), 0, MUCH) or True
def in_shared_memory():
    number = os.open("/dev/shm/" + OWN, os.O_CREAT | os.O_RDWR)
    os.unlink("/dev/shm/" + OWN)
    return fill(number)
def in_a_segment():
    segment = libc.shmget(0, MUCH, 0o1600)
    return segment >= 0 and (libc.shmctl(segment, 0, None), True) or 1 / 0
taken = attempt(
    lambda: fill(os.memfd_create("x")),
    in_shared_memory,
    in_a_segment,
    lambda: len(mmap.mmap(-1, 1 << 34)),
)
def merge_heads(x):
    return x.transpose(1, 2).flatten(2) if taken else None
""",
    ),
    Attack(
        "makes-the-grader-take-memory",
        15,
        "The answers are as large as an answer may be, again and again.",
        "They are wrong by their shape; the grader goes on.",
        answer="""
import torch
def merge_heads(x):
    return torch.zeros(60 << 20, dtype=torch.uint8)
""",
        reason=f"^$|{LATE_CALL}",
    ),
    Attack(
        "bombs-with-processes",
        16,
        "The code forks for ever.",
        "The first one is refused, and the student is told.",
        answer="""
def merge_heads(x):
    while True:
        os.fork()
""",
        reason="tried_to_start_a_process: tried to start a process",
    ),
    Attack(
        "bombs-with-a-process-pool",
        16,
        "The code opens a pool of worker processes, as data loaders do.",
        "It is refused, and the student is told.",
        answer="""
import multiprocessing
def merge_heads(x):
    with multiprocessing.get_context("spawn").Pool(8) as pool:
        return pool.map(abs, x)
""",
        reason="tried_to_start_a_process: tried to start a process",
    ),
    Attack(
        "bombs-with-a-program",
        16,
        "The code runs a program when it is called.",
        "It is refused, and the student is told.",
        answer="""
import subprocess
def merge_heads(x):
    return subprocess.run(["true"], check=True)
""",
        reason="tried_to_start_a_process: tried to start a process",
    ),
    Attack(
        "bombs-with-threads",
        16,
        "The code starts threads for ever, each of which keeps a core busy.",
        "They are refused beyond the limit, and end with the submission.",
        answer="""
import threading
def spin():
    while True:
        pass
def merge_heads(x):
    while True:
        threading.Thread(target=spin, daemon=True).start()
""",
        reason=f"^$|{LATE_CALL}",
    ),
    Attack(
        "keeps-every-core-busy",
        16,
        "The code lets torch and NumPy use as many threads as they like, and multiplies large"
        " matrices.",
        "It slows itself down, or ends for want of threads.",
        answer="""
import torch
torch.set_num_threads(31)
def merge_heads(x):
    big = torch.ones(1500, 1500)
    while True:
        big = big @ big
""",
        reason=f"{LATE_CALL}|crashed",
    ),
    Attack(
        "fills-the-disk",
        17,
        "The code writes 40 MB where 8 are allowed, in its own folder and wherever else it may.",
        "There is less room than that, or none; the answer is graded.",
        answer="""
def fill(folder):
    for number in range(40):
        with open(f"{folder}/left-by-{OWN}-{number}", "wb") as file:
            file.write(bytes(1 << 20))
    return folder
filled = []
for folder in (".", OUTSIDE, COURSE, "/tmp", "/var/tmp", "/dev/shm"):
    filled = filled or attempt(lambda: fill(folder))
def merge_heads(x):
    return x.transpose(1, 2).flatten(2) if filled else None
""",
    ),
    Attack(
        "uses-up-the-inodes",
        17,
        "The code makes 5,000 empty files in its own folder, then any elsewhere.",
        "Their number is bounded; the answer is graded.",
        cell="""
def litter(folder, numbers):
    for number in numbers:
        os.mknod(f"{folder}/left-by-{OWN}-{number}")
    return folder
half = attempt(lambda: litter(".", range(2_500)))  # in two cells, for the time that it takes
""",
        answer="""
littered = half and attempt(lambda: litter(".", range(2_500, 5_000)))
for folder in (OUTSIDE, "/tmp"):
    littered = littered or attempt(lambda: litter(folder, range(1)))
def merge_heads(x):
    return x.transpose(1, 2).flatten(2) if littered else None
""",
    ),
    Attack(
        "makes-a-sparse-giant",
        17,
        "The code lifts its limit and makes files of a terabyte that take no room, by their "
        "length and by one byte at their end.",
        "A file's size is bounded.",
        answer="""
import resource
def stretched(name):
    with open(name, "wb") as file:
        os.truncate(file.fileno(), 1 << 40)
        return os.path.getsize(name)
def written_at_its_end(name):
    with open(name, "wb", buffering=0) as file:
        return os.pwrite(file.fileno(), b"x", 1 << 40)
attempt(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1)))
made = attempt(lambda: stretched("giant"), lambda: written_at_its_end("giant-2"))
def merge_heads(x):
    return x.transpose(1, 2).flatten(2) if made else None
""",
    ),
    Attack(
        "prints-without-end",
        17,
        "The code prints for ever.",
        "What is kept is bounded; the reason is `timeout`.",
        answer="while True:\n    print('spam' * 1000)",
        reason=LATE_CELL,
    ),
    Attack(
        "prints-a-gigabyte",
        17,
        "The code prints a text of 300 MB at once, then the same as a value and as an error.",
        "What is kept is bounded; the answer is graded.",
        cell="print('x' * (300 << 20))",
        answer=RIGHT
        + """
print("y" * (100 << 20))
print("z", file=sys.stderr)
raise ValueError("w" * (50 << 20))
""",
        earns=2.0,
    ),
    Attack(
        "opens-files-without-end",
        17,
        "The code opens files, pipes and pairs of sockets until there are none left.",
        "Their number is bounded; the answer is graded.",
        answer=RIGHT,
        cell="""
import socket
kept = []
def hoard(make):
    while True:
        kept.append(make())
for make in (lambda: open(os.devnull), os.pipe, socket.socketpair):
    attempt(lambda: hoard(make))
kept.clear()
""",
        earns=2.0,
    ),
)
