"""The seccomp filter, run by a small interpreter on chosen system calls, for both architectures."""

import re
import struct
from pathlib import Path

import pytest

from autograder.sandbox.inside import seccomp
from autograder.sandbox.inside.syscalls import CHANGING_FILES, CHECKED, FOR_A_GPU, HARMLESS

ALLOWED, REFUSED, UNKNOWN = seccomp.ALLOW, seccomp.REFUSE, seccomp.UNKNOWN
NOT_THERE, TRY_AGAIN, NO_SUCH_ADVICE = seccomp.NOT_THERE, seccomp.TRY_AGAIN, seccomp.NO_SUCH_ADVICE
OWN = 77
O_TRUNC, O_WRONLY, O_CREAT = 0o1000, 1, 0o100
MASK = 0xFFFFFFFF


def run(program, audit, number, arguments=()):
    """What a filter says about one call: a classic BPF machine of the instructions it uses."""
    values = [argument & 0xFFFFFFFFFFFFFFFF for argument in arguments]
    data = struct.pack("<iIQ6Q", number, audit, 0, *values, *[0] * (6 - len(values)))
    accumulator, at = 0, 0
    while True:
        code, if_true, if_false, constant = program[at]
        at += 1
        match code:
            case seccomp.LOAD:
                (accumulator,) = struct.unpack_from("<I", data, constant)
            case seccomp.EQUALS:
                at += if_true if accumulator == constant else if_false
            case seccomp.AT_LEAST:
                at += if_true if accumulator >= constant else if_false
            case seccomp.ANY_BIT:
                at += if_true if accumulator & constant else if_false
            case seccomp.AND:
                accumulator &= constant
            case seccomp.RETURN:
                return constant
            case _:
                raise AssertionError(f"instruction {code:#x}")


@pytest.fixture(params=["x86_64", "aarch64"])
def architecture(request):
    return request.param


@pytest.fixture
def says(architecture):
    column, audit = seccomp.ARCHITECTURES[architecture]
    everything = HARMLESS | CHANGING_FILES | FOR_A_GPU | CHECKED

    def ask(name, *arguments, changes_files=True, gpu=False):
        program = seccomp.build_filter(architecture, OWN, changes_files, gpu)
        number = everything[name][column] if isinstance(name, str) else name
        return None if number is None else run(program, audit, number, arguments)

    return ask


def test_reading_and_computing_are_allowed(says):
    for name in ("read", "write", "mmap", "munmap", "openat", "exit_group", "getrandom"):
        assert says(name) == ALLOWED, name


# Numbers of calls that no table holds: (x86-64, arm64).
FORBIDDEN = {
    "execve": (59, 221),
    "execveat": (322, 281),
    "fork": (57, None),
    "vfork": (58, None),
    "socket": (41, 198),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept4": (288, 242),
    "sendmsg": (46, 211),
    "recvmsg": (47, 212),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    "flock": (73, 32),
    "setuid": (105, 146),
    "setresuid": (117, 147),
    "setgroups": (116, 159),
    "capset": (126, 91),
    "setrlimit": (160, 164),
    "mlock": (149, 228),
    "seccomp": (317, 277),
    "landlock_create_ruleset": (444, 444),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "chown": (92, None),
    "fchownat": (260, 54),
    "setxattr": (188, 5),
    "mknodat": (259, 33),
    "openat2": (437, 437),
    "setpriority": (141, 140),
    "init_module": (175, 105),
    "kexec_load": (246, 104),
    "clock_settime": (227, 112),
    "syslog": (103, 116),
    "fadvise64": (221, 223),
    "readahead": (187, 213),
    "mincore": (27, 232),
    "cachestat": (451, 451),
    "process_madvise": (440, 440),
    "move_pages": (279, 239),
    "futex_waitv": (449, 449),
    "futex_wake": (454, 454),
    "futex_wait": (455, 455),
    "futex_requeue": (456, 456),
    "timer_create": (222, 107),
    "sched_setaffinity": (203, 122),
    "personality": (135, 92),
}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_calls_that_reach_outside_the_process_are_refused(says, architecture, name):
    number = FORBIDDEN[name][seccomp.ARCHITECTURES[architecture][0]]
    if number is not None:
        assert says(number) == REFUSED


def test_another_architectures_calls_kill_the_process(architecture):
    program = seccomp.build_filter(architecture, OWN, True)
    i386 = 0x40000003
    assert run(program, i386, 1) == seccomp.KILL_PROCESS


def test_x32_calls_are_refused_on_x86_64():
    program = seccomp.build_filter("x86_64", OWN, True)
    assert run(program, 0xC000003E, 0x40000000 | 1) == REFUSED


def test_an_architecture_without_a_table_is_an_error():
    with pytest.raises(KeyError):
        seccomp.build_filter("riscv64", OWN, True)


def test_threads_may_be_made_and_processes_may_not(says):
    thread = 0x003D0F00
    assert says("clone", thread) == ALLOWED
    assert says("clone", 0x11) == REFUSED  # fork: SIGCHLD alone
    assert says("clone", 0x4111) == REFUSED  # vfork
    for namespace in (0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x40000000):
        assert says("clone", thread | namespace) == REFUSED
    assert says("clone3") == UNKNOWN  # glibc then uses clone, whose flags can be looked at


def test_signals_go_to_the_process_itself_alone(says):
    for name in ("kill", "tgkill"):
        assert says(name, OWN, 9) == ALLOWED
        for target in (1, 0, -1, OWN + 1, -OWN):
            assert says(name, target, 9) == REFUSED


def test_limits_may_be_read_and_not_set(says):
    assert says("prlimit64", 0, 7, 0, 0x7FFF0000) == ALLOWED
    assert says("prlimit64", 0, 7, 0x7FFF0000, 0) == REFUSED
    assert says("prlimit64", 0, 7, 0x7FFF_00000000, 0) == REFUSED  # a pointer with no low half


def test_file_locks_are_refused_and_plain_descriptor_calls_allowed(says):
    for command in (0, 1, 2, 3, 4, 1030):
        assert says("fcntl", 3, command) == ALLOWED
    for command in (5, 6, 7, 8, 36, 37, 38, 1024, 1026, 1031, 1033):
        assert says("fcntl", 3, command) == REFUSED


def test_the_terminal_cannot_be_typed_into(says):
    assert says("ioctl", 0, 0x5401) == ALLOWED  # isatty
    for request in (0x5412, 0x541C, 0x5423):  # TIOCSTI, TIOCLINUX, TIOCSETD
        assert says("ioctl", 0, request) == REFUSED


def test_a_driver_is_asked_only_where_there_is_a_gpu(says):
    # NV_ESC_RM_ALLOC and NV_ESC_CARD_INFO, with their sizes; UVM_INITIALIZE, UVM_MAP_EXTERNAL
    for request in (0xC030462B, 0xC00046C8, 0x30000001, 33):
        assert says("ioctl", 5, request) == REFUSED
        assert says("ioctl", 5, request, gpu=True) == ALLOWED
    for name in FOR_A_GPU:  # some of them change files, which is allowed where none can be reached
        assert says(name, changes_files=False) == REFUSED
        assert says(name, changes_files=False, gpu=True) == ALLOWED
        assert (says(name) == ALLOWED) == (name in CHANGING_FILES)


def test_a_gpu_opens_no_way_to_other_devices(says):
    assert says("ioctl", 0, 0x5401, gpu=True) == ALLOWED  # isatty, as ever
    # TIOCSTI, TIOCLINUX, TIOCSETD; a network's addresses, a disk's size, KVM, and one past UVM's
    for request in (0x5412, 0x541C, 0x5423, 0x8915, 0x80081272, 0xAE00, 0x100, 0x30000003):
        assert says("ioctl", 5, request, gpu=True) == REFUSED


@pytest.mark.parametrize("name", FORBIDDEN)
def test_a_gpu_allows_nothing_else_that_is_forbidden(says, architecture, name):
    number = FORBIDDEN[name][seccomp.ARCHITECTURES[architecture][0]]
    if number is not None and name not in FOR_A_GPU:
        assert says(number, gpu=True) == (NOT_THERE if name == "connect" else REFUSED)


def test_a_driver_may_wait_for_others_at_a_socket_to_which_nobody_comes(says):
    packets, closed_on_exec, nonblocking = 5, 0o2000000, 0o4000
    for kind in (packets, packets | closed_on_exec):
        assert says("socket", 1, kind, 0, gpu=True) == ALLOWED
        assert says("socket", 1, kind, 0) == REFUSED
    for kind in (1, 2, 3, 1 | closed_on_exec, packets | nonblocking):  # streams, datagrams, raw
        assert says("socket", 1, kind, 0, gpu=True) == REFUSED
    for family in (2, 10, 16, 40):
        assert says("socket", family, packets, 0, gpu=True) == REFUSED


def test_a_driver_that_may_change_no_file_finds_none_to_remove(says):
    for name in ("unlink", "unlinkat"):
        if says(name) is not None:
            assert says(name, changes_files=False) == REFUSED
            assert says(name, changes_files=False, gpu=True) == NOT_THERE
            assert says(name, gpu=True) == ALLOWED


def test_only_of_its_own_memory_does_a_process_say_what_is_done_with_it(says):
    for advice in (0, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19):
        assert says("madvise", 0x1000, 4096, advice) == ALLOWED
    # random, sequential, will need, remove, mergeable, cold, page out, populate, collapse, poison
    for advice in (1, 2, 3, 9, 12, 13, 20, 21, 22, 23, 24, 25, 100, 101):
        assert says("madvise", 0x1000, 4096, advice) == NO_SUCH_ADVICE
    private, shared_file, huge = 0x22, 0x1, 0x40022
    assert says("mmap", 0, 4096, 3, private) == says("mmap", 0, 4096, 1, shared_file) == ALLOWED
    assert says("mmap", 0, 1 << 21, 3, huge) == REFUSED


def test_nothing_tells_whether_a_page_of_a_file_is_in_memory_or_where(says):
    for name in ("preadv2", "pwritev2"):
        assert says(name, 5, 0x1000, 1, 0, 0, 0) == ALLOWED
        for flag in (1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80):  # 8 is RWF_NOWAIT
            assert says(name, 5, 0x1000, 1, 0, 0, flag) == REFUSED
    assert says("get_mempolicy", 0x1000, 0, 0, 0, 0) == ALLOWED
    assert says("get_mempolicy", 0x1000, 0, 0, 0x2000, 3) == REFUSED
    assert says("get_mempolicy", 0x1000, 0, 0, 0x2000, 3, gpu=True) == ALLOWED


def test_a_process_waits_and_wakes_in_its_own_memory_alone(says):
    private, realtime = 128, 256
    for operation in range(14):
        assert says("futex", 0x1000, operation | private, 1) == ALLOWED
        assert says("futex", 0x1000, operation | private | realtime, 1) == ALLOWED
        # Whoever joins a thread waits so: it looks again, and finds in the end that it is gone.
        shared = TRY_AGAIN if operation in (0, 9) else REFUSED
        assert says("futex", 0x1000, operation, 1) == shared
        assert says("futex", 0x1000, operation | realtime, 1) == shared


def test_no_barrier_reaches_other_processes(says):
    for command in (0, 8, 16):
        assert says("membarrier", command) == ALLOWED
    for command in (1, 2, 4, 32, 64, 128, 512):
        assert says("membarrier", command) == REFUSED


def test_of_its_processor_a_process_asks_for_state_to_compute_with(says):
    if says("arch_prctl", 0x1003) is None:
        pytest.skip("x86 alone has this call")
    for request in (0x1003, 0x1022, 0x1023):
        assert says("arch_prctl", request) == ALLOWED
    for request in (0x1001, 0x1011, 0x1012, 0x1025, 0x2001, 0x4002, 0x5001):
        assert says("arch_prctl", request) == REFUSED


def test_socket_pairs_are_of_the_local_kind_alone(says):
    assert says("socketpair", 1, 1, 0) == ALLOWED
    for family in (2, 10, 16, 40):
        assert says("socketpair", family, 1, 0) == REFUSED


def test_a_pair_of_sockets_sends_to_itself_alone(says):
    address = 0x7FFF_0000_0000
    assert says("sendto", 5, address, 7, 0, 0, 0) == ALLOWED
    assert says("sendto", 5, address, 7, 0, address, 16) == REFUSED
    assert says("sendto", 5, address, 7, 0, 0x1000, 16) == REFUSED


def test_the_process_cannot_change_how_it_is_held(says):
    for option in (1, 4, 8, 22, 24, 36, 47):  # parent's death, dumpable, keep caps, seccomp, ...
        assert says("prctl", option) == REFUSED
    assert says("prctl", 15) == ALLOWED  # name a thread


def test_only_about_itself_does_a_process_get_answers(says):
    for process, answer in ((0, ALLOWED), (OWN, ALLOWED), (1, REFUSED), (OWN + 1, REFUSED)):
        assert says("getpgid", process) == answer
        assert says("getsid", process) == answer
        assert says("getpriority", 0, process) == answer
        assert says("prlimit64", process, 7, 0, 0x1000) == answer
    assert says("getpriority", 1, 0) == says("getpriority", 2, 0) == REFUSED  # a group, a user


def test_no_clock_tells_how_long_another_process_has_computed(says):
    for name in ("clock_gettime", "clock_getres"):
        assert all(says(name, clock) == ALLOWED for clock in (*range(12), 1 << 32))
        assert all(says(name, ~process << 3 | 2) == REFUSED for process in (1, OWN, 1 << 20))


def test_without_mounts_of_its_own_it_changes_no_file(says):
    for name in CHANGING_FILES:
        assert says(name, changes_files=False) in (REFUSED, None)
        assert says(name, changes_files=True) in (ALLOWED, None)


def test_emptying_a_file_by_opening_it_to_read_is_refused_in_the_fallback(says):
    for name, before in (("open", [0]), ("openat", [-100, 0])):
        for flags, answer in (
            (0, ALLOWED),
            (O_TRUNC, REFUSED),
            (O_TRUNC | O_CREAT, REFUSED),
            (O_TRUNC | O_WRONLY, ALLOWED),  # a write: Landlock's to judge
        ):
            assert says(name, *before, flags, changes_files=False) in (answer, None)
            assert says(name, *before, flags, changes_files=True) in (ALLOWED, None)


@pytest.mark.parametrize("gpu", [False, True])
def test_every_path_through_the_filter_ends_in_an_answer(architecture, gpu):
    program = seccomp.build_filter(architecture, OWN, False, gpu)
    for at, (code, if_true, if_false, _) in enumerate(program):
        if code in (seccomp.EQUALS, seccomp.AT_LEAST, seccomp.ANY_BIT):
            assert max(if_true, if_false) < 256
            assert at + 1 + max(if_true, if_false) < len(program)
    assert program[-1][0] == seccomp.RETURN
    assert len(seccomp.assemble(program)) == 8 * len(program)


HEADERS = {
    0: Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    1: Path("/usr/include/asm-generic/unistd.h"),
}


@pytest.mark.parametrize("column", HEADERS)
def test_the_numbers_are_those_of_the_kernels_headers(column):
    if not HEADERS[column].is_file():
        pytest.skip("the kernel's headers are not installed")
    found = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)\b", HEADERS[column].read_text())
    known = {name: int(number) for name, number in found}
    if column == 1:
        known |= {"newfstatat": known["fstatat"]}
    tables = HARMLESS | CHANGING_FILES | CHECKED
    checked = 0
    for name, numbers in tables.items():
        if name in known:
            assert numbers[column] == known[name], name
            checked += 1
    assert checked > 120
