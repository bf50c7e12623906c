"""Attacks by processes and on processes."""

import contextlib
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.ablation.outcome import Outcome, bounded, through
from benchmarks.ablation.stage import CANARY, Act, named, numbers_of, pid_of, status_of

from .catalogue import attack

STARTING, OTHERS = "Starting processes", "Other processes"
A_BOMB = 400  # an ordinary user without namespaces has 256 tasks of slack, beyond the limit
BOUND = A_BOMB - 1
COUNTING = """
hits = []
signal.signal(signal.SIGURG, lambda *_: hits.append(1))
"""
SIGNAL = """
for pid in PIDS:
    first([lambda: os.kill(pid, signal.SIGURG)])
"""


@attack(STARTING)
def fork_bomb(act: Act) -> Outcome:
    """a fork bomb."""
    source = """
started = []
try:
    while len(started) < BOMB:
        started.append(checked(libc.fork()))
        if not started[-1]:
            libc.prctl(1, 9)
            time.sleep(9)
            os._exit(0)
except OSError:
    pass
for pid in started:
    os.kill(pid, 9)
    os.waitpid(pid, 0)
answer = len(started)
"""
    return bounded(act.attack(source, BOMB=A_BOMB) or 0, BOUND)


@attack(STARTING)
def thread_bomb(act: Act) -> Outcome:
    """a thread bomb."""
    source = """
threading.stack_size(1 << 16)
go, answer = threading.Event(), 0
try:
    while answer < BOMB:
        threading.Thread(target=go.wait, daemon=True).start()
        answer += 1
except RuntimeError:
    pass
go.set()
"""
    return bounded(act.attack(source, BOMB=A_BOMB) or 0, BOUND)


@attack(STARTING)
def execute(act: Act) -> Outcome:
    """another program in its own place (exec)."""
    source = """
words = [NAME, b'-S', b'-c', b'import time; time.sleep(1)', None]
checked(libc.execv(sys.executable.encode(), (ctypes.c_char_p * len(words))(*words)))
"""
    command = Path(f"/proc/{pid_of(act.attacker)}/cmdline")
    with ThreadPoolExecutor(1) as pool:
        attempt = pool.submit(act.attack, source, NAME=CANARY.encode())
        seen = False
        while not (seen or attempt.done()):
            with contextlib.suppress(OSError):
                seen = CANARY in command.read_text()
            time.sleep(0.05)
    return through(seen)


@attack(STARTING)
def daemon(act: Act) -> Outcome:
    """a daemon that outlives the submission."""
    name = f"abl{os.getpid()}"
    source = """
if checked(libc.fork()) == 0:
    os.setsid()
    if libc.fork():
        os._exit(0)
    libc.prctl(1, 0)
    libc.prctl(15, NAME)
    os.closerange(0, 64)
    time.sleep(8)
    os._exit(0)
time.sleep(0.2)
"""
    act.attack(source, NAME=name.encode())
    act.attacker.close()
    time.sleep(0.2)
    left = named(name)
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return through(left)


@attack(OTHERS)
def signal_another(act: Act) -> Outcome:
    """a signal to another submission, by its number."""
    victim = act.victim(COUNTING)
    act.attack(SIGNAL, PIDS=numbers_of(victim)[:1])
    return through(victim.value("hits"))


@attack(OTHERS)
def signal_group(act: Act) -> Outcome:
    """a signal to its process group: kill(0)."""
    victim = act.victim(COUNTING)
    act.attack(SIGNAL, PIDS=[0])
    return through(victim.value("hits"))


@attack(OTHERS)
def signal_all(act: Act) -> Outcome:
    """a signal to all that it may signal: kill(-1)."""
    victim = act.victim(COUNTING)
    act.attack(SIGNAL, PIDS=[-1])
    return through(victim.value("hits"))


@attack(OTHERS)
def kill_server(act: Act) -> Outcome:
    """killing the fork server."""
    act.attack("if os.getppid(): os.kill(os.getppid(), signal.SIGKILL)")
    return through(not act.is_served())


@attack(OTHERS)
def trace(act: Act) -> Outcome:
    """tracing another submission (ptrace)."""
    victim = act.victim("")
    source = "answer = checked(libc.ptrace(0x4206, PID, None, None)) == 0; time.sleep(0.2)"
    act.attack(source.replace("; ", "\n"), PID=numbers_of(victim)[0])
    return through(status_of(victim, "TracerPid") != ["0"])


MEMORY_OF_ANOTHER = f"secret = ctypes.create_string_buffer({CANARY!r}.encode())"


@attack(OTHERS)
def read_memory(act: Act) -> Outcome:
    """the memory of another submission: process_vm_readv."""
    victim = act.victim(f"{MEMORY_OF_ANOTHER}\nanswer = ctypes.addressof(secret)")
    source = """
class Piece(ctypes.Structure):
    _fields_ = [('at', ctypes.c_void_p), ('size', ctypes.c_size_t)]
mine = ctypes.create_string_buffer(SIZE)
here, there = Piece(ctypes.addressof(mine), SIZE), Piece(AT, SIZE)
checked(libc.process_vm_readv(PID, ctypes.byref(here), 1, ctypes.byref(there), 1, 0))
answer = mine.raw.decode()
"""
    given = {"PID": numbers_of(victim)[0], "AT": victim.value("answer"), "SIZE": len(CANARY)}
    return through(act.attack(source, **given) == CANARY)


@attack(OTHERS)
def read_memory_file(act: Act) -> Outcome:
    """the memory of another submission: /proc/PID/mem."""
    victim = act.victim(f"{MEMORY_OF_ANOTHER}\nanswer = ctypes.addressof(secret)")
    source = """
def read(pid):
    with open(f'/proc/{pid}/mem', 'rb', 0) as memory:
        memory.seek(AT)
        return memory.read(SIZE).decode()
answer = any(first([lambda: read(pid) == CANARY]) for pid in [PID, *pids()] if pid != os.getpid())
"""
    given = {"PID": numbers_of(victim)[0], "AT": victim.value("answer"), "SIZE": len(CANARY)}
    return through(act.attack(source, CANARY=CANARY, **given))


@attack(OTHERS)
def take_line(act: Act) -> Outcome:
    """the line between another submission and its grader (pidfd_getfd)."""
    victim = act.victim("")
    source = """
import stat
taken = checked(libc.syscall(438, os.pidfd_open(PID), 3, 0))
answer = stat.S_ISSOCK(os.fstat(taken).st_mode)
"""
    return through(act.attack(source, PID=numbers_of(victim)[0]))
