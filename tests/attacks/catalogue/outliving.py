"""Row 37: what the kernel keeps for all who read a library, and longer than a process."""

from attack import Attack

# A library's file that nothing loads, and its first page, mapped twice.
LIBRARY = """
import ctypes, mmap, platform, threading
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype, libc.syscall.restype = ctypes.c_void_p, ctypes.c_long
file = os.open(os.path.join(os.path.dirname(os.__file__), "_pydecimal.py"), os.O_RDONLY)
here, there = (ctypes.c_void_p(libc.mmap(None, 4096, 1, 1, file, ctypes.c_long(0))) for _ in "12")
def call(x86, arm, *arguments):
    number = {"x86_64": x86, "aarch64": arm}[platform.machine()]
    return libc.syscall(number, *arguments, *[None] * (6 - len(arguments)))
def done(result):
    return 1 / 0 if result < 0 else True
"""
IF_GAINED = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2) if gained else None
"""
WAITING = """
word = ctypes.c_uint32.from_address(here.value).value
second = (ctypes.c_long * 2)(1, 0)
woken = []
def wait():
    woken.append(call(202, 98, here, 0, word, second) == 0)
waiter = threading.Thread(target=wait)
waiter.start()
time.sleep(0.2)
"""

OUTLIVING = (
    Attack(
        "remembers-by-pages",
        37,
        "The code writes what it is asked into which pages of a library are in memory, ends its "
        "process, and reads it there in the next one.",
        "No call puts a page out or tells whether one is in.",
        answer=LIBRARY
        + """
def is_there(page):
    try:
        return os.preadv(file, [bytearray(1)], page * 4096, os.RWF_NOWAIT) == 1
    except BlockingIOError:
        return False
def keep(bits):
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_RANDOM)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    for page, bit in enumerate(bits):
        bit and os.pread(file, 1, page * 4096)
SIGN = [True, False, False, True, True, False, True, False] * 2
kept = attempt(lambda: [is_there(page) for page in range(32)])
asked = [bits[16:] for bits in kept if bits[:16] == SIGN]
print("asked before:", asked)
def merge_heads(x):
    if asked or x.is_meta:
        return x.transpose(1, 2).flatten(2) if asked else None
    attempt(lambda: keep(SIGN + [number > 0 for number in x.flatten().tolist()][:16]))
    os._exit(1)
""",
        reason="crashed: the process exited by itself",
    ),
    Attack(
        "asks-which-pages-are-there",
        37,
        "The code asks the kernel which pages of a library are in memory, and on which node.",
        "The calls are refused, by their arguments where others are needed.",
        answer=LIBRARY
        + """
room = ctypes.create_string_buffer(64)
gained = attempt(
    lambda: os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT) + 1,
    lambda: done(libc.mincore(here, ctypes.c_size_t(4096), room)),
    lambda: done(call(451, 451, file, room, room)),
    lambda: done(call(239, 236, room, None, None, here, 3)),
)
"""
        + IF_GAINED,
    ),
    Attack(
        "moves-pages-in-and-out",
        37,
        "The code tells the kernel to read pages of a library in, to put them out, to share those"
        " that are equal, and to take others from a store of the whole machine's.",
        "The calls are refused, by their arguments where others are needed.",
        answer=LIBRARY
        + """
libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
room = os.pread(file, 4096, 0)
vector = (ctypes.c_void_p * 2)(ctypes.addressof(ctypes.create_string_buffer(room)), 4096)
ADVICE = (1, 2, 3, 12, 20, 21, 22, 25)  # MADV_RANDOM to MADV_COLLAPSE
gained = attempt(
    lambda: os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED) is None,
    lambda: os.posix_fadvise(file, 0, 0, os.POSIX_FADV_WILLNEED) is None,
    lambda: done(call(187, 213, file, 0, 4096)),
    lambda: done(call(327, 286, file, vector, 1, 0, 0, 0x80)),
    *(lambda n=n: done(libc.madvise(here, 4096, n)) for n in ADVICE),
    lambda: mmap.mmap(-1, 2 << 20, flags=0x40022),
)
"""
        + IF_GAINED,
    ),
    Attack(
        "wakes-by-a-library",
        37,
        "The code waits at an address in a library, and wakes who waits there in any process.",
        "It wakes its own threads alone.",
        answer=LIBRARY
        + WAITING
        + """
old, new = (202, 98), (454, 454)
ways = ((*old, 1, 9), (*old, 10, 9, 0, 0, -1), (*old, 5, 9, 9, there), (*new, -1, 9, 2))
gained = attempt(*(lambda w=w: done(call(*w[:2], there, *w[2:]) - 1) for w in ways))
waiter.join()
"""
        + IF_GAINED,
    ),
    Attack(
        "wakes-at-a-threads-end",
        37,
        "The code names an address in a library as the place at which the kernel wakes whoever "
        "waits for a thread's end.",
        "Nobody can wait there.",
        answer=LIBRARY
        + WAITING
        + """
threading.Thread(target=lambda: call(218, 96, there)).start()
waiter.join()
gained = any(woken)
"""
        + IF_GAINED,
    ),
    Attack(
        "dates-the-machines-devices",
        37,
        "The code changes the dates, the mode and the attributes of /dev/null and its like, which"
        " are the machine's own.",
        "They are read-only, and can be written to all the same.",
        answer="""
devices = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", 0, 1)
gained = attempt(
    *(lambda d=d: os.utime(d) is None for d in devices),
    *(lambda d=d: os.chmod(d, 0o666) is None for d in devices),
    *(lambda d=d: os.setxattr(d, "user.asked", b"x") is None for d in devices),
)
open("/dev/null", "w").write("x")
"""
        + IF_GAINED,
    ),
    Attack(
        "takes-all-timers",
        37,
        "The code makes thousands of timers, which are counted for all processes of a user.",
        "None can be made, and few signals can wait.",
        answer=LIBRARY
        + """
room = ctypes.create_string_buffer(8)
gained = attempt(lambda: all(done(call(222, 107, 1, None, room)) for _ in range(1000)))
"""
        + IF_GAINED,
    ),
)
