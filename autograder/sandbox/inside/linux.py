"""Linux calls that Python lacks, by ctypes; each raises OSError when the kernel refuses."""

import ctypes
import os
import struct

CLONE_NEWNS = 0x00020000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND = 1 << 5, 1 << 12
MS_REC, MS_PRIVATE = 1 << 14, 1 << 18

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_KEEPCAPS = 8
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

CAP_DAC_READ_SEARCH = 2

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def prctl(option: int, second: int = 0, third: int = 0) -> None:
    """Change one of this process's own settings."""
    arguments = [ctypes.c_ulong(value) for value in (second, third, 0, 0)]
    _checked(_libc.prctl(option, *arguments), f"prctl {option}")


def unshare(flags: int) -> None:
    """Leave the namespaces named by the flags for fresh ones."""
    _checked(_libc.unshare(flags), f"unshare {flags:#x}")


def set_namespace(descriptor: int, kind: int) -> None:
    """Join the namespace that the descriptor stands for."""
    _checked(_libc.setns(descriptor, kind), "setns")


def mount(kind: str | None, target: str, flags: int, options: str = "") -> None:
    """Mount a file system of that kind, or change the mount at the target when kind is None."""
    name = kind.encode() if kind else None
    result = _libc.mount(
        name, target.encode(), name, ctypes.c_ulong(flags), options.encode() or None
    )
    _checked(result, f"mount {target}")


def make_read_only(mounted: str) -> None:
    """Let nobody change what is mounted there; a device can be written to all the same."""
    kept = os.statvfs(mounted).f_flag & (MS_NOSUID | MS_NODEV | MS_NOEXEC)  # not ours to take away
    mount(None, mounted, MS_REMOUNT | MS_BIND | MS_RDONLY | kept)


def drop_bounding_set(kept: int) -> None:
    """Make every capability but those in the set impossible to gain, where that is ours to do."""
    for capability in range(64):
        if not kept >> capability & 1:
            try:
                prctl(PR_CAPBSET_DROP, capability)
            except OSError:
                return  # past this kernel's last capability, or there is nothing that we could gain


def set_capabilities(kept: int) -> None:
    """Hold the capabilities in the set and no other."""
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    version_3 = struct.pack("=Ii", 0x20080522, 0)
    words = struct.pack("=6I", kept, kept, 0, 0, 0, 0)  # effective, permitted, inheritable
    _checked(_libc.capset(version_3, words), "capset")


class _SeccompProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def install_seccomp(instructions: bytes) -> None:
    """Filter this process's system calls from now on; no_new_privs must be set."""
    program = _SeccompProgram(len(instructions) // 8, instructions)
    filter_mode = 2
    address = ctypes.addressof(program)
    prctl(PR_SET_SECCOMP, filter_mode, address)


def landlock_version() -> int:
    """The Landlock version of this kernel; 0 when it has none."""
    return max(0, _libc.syscall(444, None, ctypes.c_size_t(0), ctypes.c_uint(1)))


def landlock_create(attributes: bytes) -> int:
    """A descriptor of a new, empty Landlock ruleset."""
    size = ctypes.c_size_t(len(attributes))
    return _checked(_libc.syscall(444, attributes, size, ctypes.c_uint(0)), "landlock")


def landlock_allow(ruleset: int, path: int, rights: int) -> None:
    """Allow the rights beneath what the path descriptor stands for."""
    beneath = struct.pack("=Qi", rights, path)
    _checked(
        _libc.syscall(445, ctypes.c_int(ruleset), ctypes.c_int(1), beneath, ctypes.c_uint(0)),
        "landlock rule",
    )


def landlock_restrict(ruleset: int) -> None:
    """Hold this thread to the ruleset from now on."""
    _checked(_libc.syscall(446, ctypes.c_int(ruleset), ctypes.c_uint(0)), "landlock restriction")
