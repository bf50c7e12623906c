"""Which system calls the student's code may make: a seccomp filter, built as data.

The filter is an allow-list. It refuses new processes, other programs, sockets to anywhere, signals
to others, questions about others (their session, their limits, the time that they have computed),
memory that no limit counts (memfd, System V), and every call that it does not know. What the kernel
keeps for all processes that read the same library is no place for messages, either: no locks, no
say in which of its pages are in memory and no question about it, nobody to wake there.
"""

import errno
import struct
from collections.abc import Iterable

from .syscalls import CHANGING_FILES, CHECKED, FOR_A_GPU, HARMLESS

# (code, jump if true, jump if false, constant), as in struct sock_filter
Instruction = tuple[int, int, int, int]

LOAD, EQUALS, AT_LEAST, ANY_BIT, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
ALLOW, KILL_PROCESS = 0x7FFF0000, 0x80000000
REFUSE = 0x00050000 | errno.EPERM
UNKNOWN = 0x00050000 | errno.ENOSYS  # the C library then tries an older call
NOT_THERE = 0x00050000 | errno.ENOENT
TRY_AGAIN = 0x00050000 | errno.EAGAIN
NO_SUCH_ADVICE = 0x00050000 | errno.EINVAL  # an older kernel's answer, which allocators expect

# platform.machine() -> (column of the tables, AUDIT_ARCH_*)
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

_ALLOWED: list[Instruction] = [(RETURN, 0, 0, ALLOW)]
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16  # in struct seccomp_data

CLONE_THREAD = 0x00010000
CLONE_NEW_ANY = 0x7E020000
AF_UNIX, SOCK_SEQPACKET, SOCK_CLOEXEC = 1, 5, 0o2000000
OPEN_MODE_OR_TRUNCATE, READ_AND_TRUNCATE = 0o1003, 0o1000

_PRIO_PROCESS = 0
_FIRST_NEGATIVE = 0x80000000

_FCNTL = (0, 1, 2, 3, 4, 1030)  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC
# FIONREAD, FIONBIO, FIOCLEX, FIONCLEX, TCGETS, TIOCGWINSZ
_IOCTL = (0x541B, 0x5421, 0x5451, 0x5450, 0x5401, 0x5413)
# NVIDIA's driver: requests of type "F" to its main devices; to its unified memory, numbers below
# 256 and two that set it up and let it go.
_DRIVER_TYPE, _MEMORY_BELOW, _MEMORY_ITSELF = ord("F") << 8, 0x100, (0x30000001, 0x30000002)
# What allocators and libraries say of memory of their own: MADV_NORMAL, DONTNEED, FREE, DONTFORK,
# DOFORK, HUGEPAGE, NOHUGEPAGE, DONTDUMP, DODUMP, WIPEONFORK, KEEPONFORK. The others read pages in,
# put them out, or share those that are equal.
_MADVISE = (0, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19)
_MAP_HUGETLB = 0x40000  # from a store that is the whole machine's
_FUTEX_WAIT, _FUTEX_WAIT_BITSET, _FUTEX_PRIVATE, _FUTEX_REALTIME = 0, 9, 128, 256
_MEMBARRIER = (0, 8, 16)  # query, private expedited, and registering for that
# Get the thread's base; which parts of the processor's state may be used, and asking for one (AMX)
_ARCH_PRCTL = (0x1003, 0x1021, 0x1022, 0x1023)
_MEMPOLICY = (0, 4)  # the policy, the nodes allowed; not on which node a page is
# get dumpable, set and get name, get seccomp, read bounding set, no_new_privs, name a mapping
_PRCTL = (3, 15, 16, 21, 23, 38, 39, 0x53564D41)


def build_filter(
    architecture: str, own_pid: int, changes_files: bool, gpu: bool = False
) -> list[Instruction]:
    """The filter for one process.

    Args:
        architecture: as `platform.machine()` names it.
        own_pid: the only process that signals may go to.
        changes_files: whether calls that change files are allowed; where they may go is then
            for read-only mounts and Landlock to say.
        gpu: whether the process reaches a GPU.

    Raises:
        KeyError: an architecture that the tables do not cover.
    """
    column, audit = ARCHITECTURES[architecture]
    program: list[Instruction] = [
        (LOAD, 0, 0, _ARCHITECTURE_AT),
        (EQUALS, 1, 0, audit),
        (RETURN, 0, 0, KILL_PROCESS),
        (LOAD, 0, 0, _NUMBER_AT),
    ]
    # First what the kernel asks about each time; of the others it keeps that they are allowed.
    for name, body in _checks(own_pid, changes_files, gpu).items():
        program += _on((CHECKED | CHANGING_FILES)[name][column], body)
    allowed = HARMLESS | (CHANGING_FILES if changes_files else {}) | (FOR_A_GPU if gpu else {})
    for numbers in allowed.values():
        program += _on(numbers[column], _ALLOWED)
    return [*program, (RETURN, 0, 0, REFUSE)]


def assemble(program: Iterable[Instruction]) -> bytes:
    """The filter as the kernel takes it."""
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _on(number: int | None, body: list[Instruction]) -> list[Instruction]:
    if number is None:
        return []
    return [(EQUALS, 0, len(body), number), *body]


def _checks(own_pid: int, changes_files: bool, gpu: bool) -> dict[str, list[Instruction]]:
    """What is done on each call whose arguments matter."""
    opening: dict[str, list[Instruction]] = {}
    for name, flags in (("open", 1), ("openat", 2)):
        opening[name] = _ALLOWED if changes_files else _no_truncating_read(flags)
    driver: dict[str, list[Instruction]] = {}
    if gpu:
        # It waits for others at a socket, whose file it first removes; refused that, it gives up.
        removed = () if changes_files else ("unlink", "unlinkat")
        driver = {name: [(RETURN, 0, 0, NOT_THERE)] for name in ("connect", *removed)}
        driver["socket"] = _for_packets()
    return (
        opening
        | driver
        | {
            "futex": _ALLOWED if gpu else _own_futex(),
            "mmap": _no_bit(3, _MAP_HUGETLB),
            "madvise": _only(2, _MADVISE, NO_SUCH_ADVICE),
            "preadv2": _only(5, (0,)),
            "pwritev2": _only(5, (0,)),
            "arch_prctl": _only(0, _ARCH_PRCTL),
            "membarrier": _only(0, _MEMBARRIER),
            "get_mempolicy": _ALLOWED if gpu else _only(4, _MEMPOLICY),
            "fcntl": _only(1, _FCNTL),
            "ioctl": _driver_or(_IOCTL) if gpu else _only(1, _IOCTL),
            "prctl": _only(0, _PRCTL),
            "prlimit64": _own(0, own_pid, _null(2)),
            "getpgid": _own(0, own_pid, _ALLOWED),
            "getsid": _own(0, own_pid, _ALLOWED),
            "getpriority": _own(1, own_pid, _only(0, (_PRIO_PROCESS,))),
            "clock_gettime": _no_clock_of_a_process(),
            "clock_getres": _no_clock_of_a_process(),
            "clone": _new_thread_only(),
            "clone3": [(RETURN, 0, 0, UNKNOWN)],
            "kill": _only(0, (own_pid,)),
            "tgkill": _only(0, (own_pid,)),
            "sendto": _null(4),  # half of a pair could send to any Unix socket that has an address
            "socketpair": _only(0, (AF_UNIX,)),
        }
    )


def _low(argument: int) -> Instruction:
    return (LOAD, 0, 0, _ARGUMENTS_AT + 8 * argument)


def _high(argument: int) -> Instruction:
    return (LOAD, 0, 0, _ARGUMENTS_AT + 8 * argument + 4)


def _only(argument: int, values: tuple[int, ...], otherwise: int = REFUSE) -> list[Instruction]:
    """Allow when the low half of the argument is one of the values."""
    tests: list[Instruction] = []
    for value in values:
        tests += [(EQUALS, 0, 1, value), (RETURN, 0, 0, ALLOW)]
    return [_low(argument), *tests, (RETURN, 0, 0, otherwise)]


def _no_bit(argument: int, bit: int) -> list[Instruction]:
    """Refuse when the bit is set in the argument."""
    return [_low(argument), (ANY_BIT, 0, 1, bit), (RETURN, 0, 0, REFUSE), *_ALLOWED]


def _own_futex() -> list[Instruction]:
    """Allow what stays in this process's memory.

    Whoever joins a thread waits for the kernel, which wakes whoever waits there, in any process; it
    looks again at once when told that the number there has changed. A thread's end wakes at any
    address that it names, so that refusing to wake is not enough.
    """
    return [
        _low(1),
        (ANY_BIT, 0, 1, _FUTEX_PRIVATE),
        (RETURN, 0, 0, ALLOW),
        (AND, 0, 0, 0xFFFFFFFF ^ _FUTEX_REALTIME),
        (EQUALS, 1, 0, _FUTEX_WAIT),
        (EQUALS, 0, 1, _FUTEX_WAIT_BITSET),
        (RETURN, 0, 0, TRY_AGAIN),
        (RETURN, 0, 0, REFUSE),
    ]


def _own(argument: int, own_pid: int, then: list[Instruction]) -> list[Instruction]:
    """Refuse when the argument names another process; 0 is the process itself."""
    return [
        _low(argument),
        (EQUALS, 2, 0, 0),
        (EQUALS, 1, 0, own_pid),
        (RETURN, 0, 0, REFUSE),
        *then,
    ]


def _no_clock_of_a_process() -> list[Instruction]:
    """Refuse clocks of single processes and threads: their numbers are negative."""
    return [_low(0), (AT_LEAST, 0, 1, _FIRST_NEGATIVE), (RETURN, 0, 0, REFUSE), *_ALLOWED]


def _driver_or(values: tuple[int, ...]) -> list[Instruction]:
    """Allow when the second argument is one of the values, or a request to NVIDIA's driver."""
    *tests, refuse = _only(1, (*values, *_MEMORY_ITSELF))
    return [
        *tests,
        (AT_LEAST, 1, 0, _MEMORY_BELOW),
        (RETURN, 0, 0, ALLOW),
        (AND, 0, 0, 0xFF00),
        (EQUALS, 0, 1, _DRIVER_TYPE),
        (RETURN, 0, 0, ALLOW),
        refuse,
    ]


def _null(argument: int) -> list[Instruction]:
    """Allow when the argument, a pointer, is null."""
    return [
        _low(argument),
        (EQUALS, 0, 3, 0),
        _high(argument),
        (EQUALS, 0, 1, 0),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    ]


def _new_thread_only() -> list[Instruction]:
    return [
        _low(0),
        (ANY_BIT, 2, 0, CLONE_NEW_ANY),
        (ANY_BIT, 0, 1, CLONE_THREAD),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    ]


def _for_packets() -> list[Instruction]:
    """Allow a Unix socket for packets, which sends nothing unless it is connected."""
    return [
        _low(0),
        (EQUALS, 0, 4, AF_UNIX),
        _low(1),
        (AND, 0, 0, 0xFFFFFFFF ^ SOCK_CLOEXEC),
        (EQUALS, 0, 1, SOCK_SEQPACKET),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    ]


def _no_truncating_read(flags: int) -> list[Instruction]:
    """Refuse O_RDONLY | O_TRUNC, which empties a file and which old Landlocks take for a read."""
    return [
        _low(flags),
        (AND, 0, 0, OPEN_MODE_OR_TRUNCATE),
        (EQUALS, 0, 1, READ_AND_TRUNCATE),
        (RETURN, 0, 0, REFUSE),
        (RETURN, 0, 0, ALLOW),
    ]
