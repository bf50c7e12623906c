"""Attacks that leave something for another submission, or watch what is done outside."""

import fcntl
import os
import platform

from benchmarks.ablation.outcome import Outcome, through
from benchmarks.ablation.stage import CANARY, Act

from .catalogue import attack

KIND = "Channels"
ADD_KEY, KEYCTL = {"x86_64": (248, 250), "aarch64": (217, 219)}.get(platform.machine(), (-1, -1))
PLACES = "places = ['.', os.environ['HOME'], '/tmp', '/var/tmp', '/dev/shm', OPEN]\n"


@attack(KIND)
def file_for_the_next(act: Act) -> Outcome:
    """a file for the next submission."""
    given = {"NAME": CANARY, "OPEN": str(act.stage.open)}
    write = "for place in places: first([lambda: open(f'{place}/{NAME}', 'w').write('x')])"
    act.attack(PLACES + write, **given)
    read = "answer = [place for place in places if os.path.exists(f'{place}/{NAME}')]"
    found = act.next_submission(PLACES + read, **given)
    act.attack("for place in places: first([lambda: os.unlink(f'{place}/{NAME}')])", **given)
    return through(found)


@attack(KIND)
def file_lock(act: Act) -> Outcome:
    """a lock on a file that all may read (flock)."""
    act.attack("import fcntl; kept = open(os.__file__); fcntl.flock(kept, fcntl.LOCK_EX)")
    with open(os.__file__) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return Outcome.THROUGH
    return Outcome.STOPPED


@attack(KIND)
def keyring(act: Act) -> Outcome:
    """a key in the kernel's keyrings."""
    source = """
def add(ring):
    key = checked(libc.syscall(ADD_KEY, b'user', NAME, b'answer', 6, ring))
    libc.syscall(KEYCTL, 15, key, 5)
for ring in (-3, -4, -5): first([lambda: add(ring)])
"""
    given = {"ADD_KEY": ADD_KEY, "KEYCTL": KEYCTL, "NAME": CANARY.encode()}
    act.attack(source, **given)
    source = """
def search(ring):
    return checked(libc.syscall(KEYCTL, 10, ring, b'user', NAME, 0))
answer = first([lambda ring=ring: search(ring) for ring in (-3, -4, -5)])
"""
    return through(act.next_submission(source, **given))


@attack(KIND)
def watch(act: Act) -> Outcome:
    """watching the course's folder (inotify)."""
    begin = """
watcher = checked(libc.inotify_init1(os.O_NONBLOCK))
checked(libc.inotify_add_watch(watcher, PATH, 0x20))
"""
    act.attack(begin, PATH=bytes(act.stage.folder))
    act.stage.hidden.read_text()
    return through(act.attack("answer = len(os.read(watcher, 4096))"))
