"""Limits hold from outside, whatever the code does, and say which one it was."""

import contextlib
import os
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from autograder.checks.kit.errors import StudentDied
from autograder.sandbox import Sandbox
from autograder.sandbox.dialogue import PATIENCE
from autograder.sandbox.worker import Place

LIMIT = 0.5
AT_MOST = PATIENCE * LIMIT + 1


def death(worker, source):
    with pytest.raises(StudentDied) as died:
        worker.run_cell(source)
    assert worker.death is died.value
    with pytest.raises(StudentDied):  # and it stays dead
        worker.run_cell("1")
    return died.value


FOREVER = {
    "loop": "while True:\n    pass",
    "sleep": "import time\ntime.sleep(3600)",
    "masked signals": (
        "import signal\n"
        "for n in range(1, 65):\n"
        "    try: signal.signal(n, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n"
        "while True: pass"
    ),
    "swallowed exceptions": "while True:\n    try:\n        while True: pass\n    except: pass",
    "a regular expression": "import re\nre.match(r'(a+)+$', 'a' * 40 + 'b')",
    "a closed line": "import os, time\nos.close(3)\ntime.sleep(3600)",
    "a drip": "import os, time\nwhile True:\n    os.write(3, b'a'); time.sleep(0.1)",
}


@pytest.mark.parametrize("source", FOREVER.values(), ids=list(FOREVER))
def test_code_that_never_ends_is_ended_at_the_limit(quick, source):
    worker = quick(cell_seconds=LIMIT)
    start = time.monotonic()
    died = death(worker, source)
    assert time.monotonic() - start < AT_MOST
    assert died.reason == "timeout"


def test_stopping_itself_wins_no_time(quick):
    worker = quick(cell_seconds=2 * LIMIT)
    worker.run_cell("import os, signal, time")
    start = time.monotonic()
    with pytest.raises(StudentDied, match="timeout"):
        worker.run_cell("os.kill(os.getpid(), signal.SIGSTOP)\ntime.sleep(9)")
    assert time.monotonic() - start < PATIENCE * 2 * LIMIT


def test_a_call_has_its_own_limit(quick):
    worker = quick(call_seconds=0.3)
    worker.run_cell("def f():\n    while True: pass")
    with pytest.raises(StudentDied) as died:
        worker.call("f")
    assert died.value.detail == "more than 0.3 seconds for one call of f"


WORK = """
import time
def work(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until: pass
    return seconds
"""


@pytest.fixture
def crowded():
    """One processor for us, for the sandbox and for two others who never rest."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    busy = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(busy, start_new_session=True) for _ in range(2)]
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
        for other in others:
            other.kill()
            other.wait()


@pytest.mark.slow
def test_a_busy_machine_makes_nobody_late(crowded, limits):
    with Sandbox(policy="fallback", limits=replace(limits, call_seconds=2.0)) as started:
        worker = started.connect().start_worker({})
        worker.run_cell(WORK)
        start = time.monotonic()
        assert worker.call("work", [1.2]).value == 1.2
        assert time.monotonic() - start > 2.0, "the machine was not busy"
        with pytest.raises(StudentDied, match="more than 2 seconds for one call of work"):
            worker.call("work", [60.0])


@pytest.mark.slow
@pytest.mark.parametrize("name", [b"\xff", b") R 0 0", b"a\nb) R"], ids=repr)
def test_a_process_may_call_itself_anything(limits, name):
    """Where it can: without isolation, that is."""
    with Sandbox(policy="none", limits=replace(limits, call_seconds=2 * LIMIT)) as started:
        worker = started.connect().start_worker({})
        worker.run_cell(
            "import time\ndef nap():\n    with open('/proc/self/comm', 'wb') as own:\n"
            f"        own.write({name!r})\n    time.sleep(60)"
        )
        with pytest.raises(StudentDied, match="timeout"):
            worker.call("nap")


def test_a_word_in_time_wins_no_second_limit(quick):
    worker = quick(call_seconds=4 * LIMIT)
    worker.run_cell(
        "import os, time\n"
        "def f():\n    time.sleep(1.8)\n    os.write(3, b'agw1')\n    time.sleep(60)"
    )
    start = time.monotonic()
    with pytest.raises(StudentDied):
        worker.call("f")
    assert time.monotonic() - start < 1.8 * 4 * LIMIT  # with a second one, 1.9


def test_who_sleeps_beyond_the_limit_is_ended(quick):
    worker = quick(call_seconds=2 * LIMIT)
    worker.run_cell("import time\ndef nap(): time.sleep(60)")
    start = time.monotonic()
    with pytest.raises(StudentDied, match="timeout"):
        worker.call("nap")
    assert time.monotonic() - start < PATIENCE * 2 * LIMIT


def test_the_submissions_time_is_one_sum(quick):
    worker = quick(submission_seconds=0.6)
    worker.run_cell("import time\ntime.sleep(0.4)")
    time.sleep(0.5)  # our own time does not count
    worker.run_cell("1")
    assert death(worker, "time.sleep(0.4)").detail == "the submission's 0.6 seconds are used up"


def test_one_huge_tensor_is_out_of_memory_and_the_process_lives(worker):
    worker.run_cell("import torch\ndef f():\n    return torch.empty(1 << 40)", place=Place("f"))
    with pytest.raises(StudentDied, match="out_of_memory"):
        worker.call("f")
    assert worker.run_cell("1").error is None


@pytest.mark.parametrize(
    "source",
    [
        "kept = []\nwhile True: kept.append(torch.ones(1 << 18))",
        "kept = []\nwhile True: kept.append(bytearray(1 << 20))",
        "import numpy as np\nnp.ones(1 << 32)",
        "import mmap\nmmap.mmap(-1, 1 << 34)",
    ],
    ids=["many tensors", "many bytes", "one array", "a mapping"],
)
def test_memory_is_bounded(quick, source):
    worker = quick(memory_bytes=128 << 20, cell_seconds=10.0)
    worker.run_cell("import torch")
    before = worker.peak_bytes()
    error = worker.run_cell(source).error
    assert error.reason == "out_of_memory" or error.type_name == "OSError"
    already_mapped = 128 << 20  # pages that the fork server has mapped and not yet touched
    assert worker.peak_bytes() - before < (128 << 20) + already_mapped


CRASHES = {
    "import os; os._exit(0)": "the process exited by itself",
    "import os; os._exit(3)": "the process exited by itself",
    "import ctypes; ctypes.string_at(0)": "signal 11 (SIGSEGV)",
    "import sys, ctypes; ctypes.CDLL(None).abort()": "signal",
}


@pytest.mark.parametrize("source", CRASHES)
def test_a_crash_says_how_the_process_ended(worker, source):
    died = death(worker, source)
    assert died.reason == "crashed"
    assert died.detail.startswith(CRASHES[source])


def test_recursion_without_end_does_not_reach_further_than_its_process(quick):
    worker = quick(memory_bytes=64 << 20)
    source = "import sys\nsys.setrecursionlimit(10**9)\ndef f(n):\n    return f(n + 1)\nf(0)"
    with contextlib.suppress(StudentDied):  # a crash would do as well
        assert worker.run_cell(source).error is not None


def test_a_thread_bomb_is_refused_at_the_limit(worker, limits):
    source = (
        "import threading\n"
        "end, count = threading.Event(), 0\n"
        "try:\n"
        "    for _ in range(400):\n"
        "        threading.Thread(target=end.wait, args=(5,), daemon=True).start()\n"
        "        count += 1\n"
        "finally:\n"
        "    end.set()\n"
    )
    assert worker.run_cell(source).error.type_name == "RuntimeError"
    assert worker.value("count") < limits.threads


@pytest.mark.parametrize(
    "source",
    [
        "os.fork()",
        "os.posix_spawn('/bin/true', ['true'], {})",
        "os.execv('/bin/true', ['true'])",
        "__import__('subprocess').run(['true'])",
        "__import__('multiprocessing').Process(target=print).start()",
        "__import__('multiprocessing').get_context('spawn').Pool(2)",
        "next(iter(__import__('torch').utils.data.DataLoader([1], num_workers=2)))",
        "os.system('true')",
    ],
)
def test_an_attempt_to_start_a_process_is_named(worker, tried, source):
    assert tried(source) == "ProcessRefused"
    worker.run_cell(f"import os\ndef attempt():\n    {source}")
    with pytest.raises(StudentDied, match="tried_to_start_a_process: "):
        worker.call("attempt")
    assert worker.run_cell("1 + 1").error is None


@pytest.mark.parametrize(
    "made",
    [
        "libc.fork() >= 0",
        "libc.vfork() >= 0",
        "libc.system(b'true') == 0",
        "libc.execv(b'/bin/true', arguments) == 0",
        "libc.posix_spawn(number, b'/bin/true', None, None, arguments, None) == 0",
        "libc.syscall(56 if os.uname().machine == 'x86_64' else 220, 17, 0, 0, 0, 0) >= 0",
        "libc.syscall(435, bytes(32) + bytes([17]) + bytes(55), 88) >= 0",
    ],
)
def test_no_process_is_made_behind_pythons_back(tried, made):
    setup = (
        "import ctypes\n"
        "libc, number = ctypes.CDLL(None), ctypes.byref(ctypes.c_int())\n"
        "arguments = (ctypes.c_char_p * 2)(b'true', None)\n"
    )
    assert tried(made, setup) == "False"


def test_the_disk_cannot_be_filled(worker, sandbox, limits):
    source = (
        "count = 0\n"
        "try:\n"
        "    for n in range(100):\n"
        "        with open(f'fill{n}', 'wb') as f:\n"
        "            for _ in range(8): count += f.write(bytes(1 << 20)); f.flush()\n"
        "except OSError as e: said = type(e).__name__\n"
        "made = 0\n"
        "try:\n"
        "    for n in range(20_000): open(f'n{n}', 'w').close(); made += 1\n"
        "except OSError: pass\n"
    )
    assert worker.run_cell(source).error is None
    assert worker.value("count") <= limits.scratch_bytes
    assert worker.value("made") <= 4096
    if not sandbox.isolation.startswith("bwrap"):
        assert worker.value("count") == worker.value("made") == 0


def test_a_file_larger_than_the_scratch_is_refused_before_it_starts(connection, limits):
    with pytest.raises(StudentDied, match="8 MiB are allowed"):
        connection.start_worker({"big.bin": bytes(limits.scratch_bytes + 1)})


def test_open_files_are_bounded(tried, limits):
    setup = "files = []\ntry:\n    while True: files.append(open(os.devnull))\nexcept OSError: pass"
    assert int(tried("len(files)", setup)) < limits.open_files


def test_a_reply_larger_than_the_limit_is_refused_by_name(worker, limits):
    from autograder.checks.kit.errors import StudentError

    worker.run_cell("import torch\ndef f(n):\n    return torch.zeros(n, dtype=torch.uint8)")
    assert worker.call("f", [limits.reply_bytes]).value.numel() == limits.reply_bytes
    with pytest.raises(StudentError, match="32 MiB are allowed"):
        worker.call("f", [limits.reply_bytes + 64])


def test_peak_memory_is_seen_from_outside_and_never_falls(worker):
    worker.run_cell("import torch\ndef f(n):\n    return torch.ones(n, dtype=torch.uint8).max()")
    before = worker.peak_bytes()
    worker.call("f", [100 << 20])
    after = worker.peak_bytes()
    assert 100 << 20 <= after - before < 130 << 20
    worker.call("f", [1])
    assert worker.peak_bytes() >= after


def test_an_argument_larger_than_the_memory_is_out_of_memory(quick):
    import torch

    worker = quick(memory_bytes=32 << 20)
    worker.run_cell("def f(x):\n    return 1")
    with pytest.raises(StudentDied, match="out_of_memory"):
        worker.call("f", [torch.zeros(200 << 20, dtype=torch.uint8)])


def test_a_cell_of_several_megabytes_is_run(worker):
    assert worker.run_cell(f"x = {'a' * (3 << 20)!r}\nprint(len(x))").printed == "3145728\n"


@pytest.mark.parametrize(
    "files",
    [{"a": b"", "a/b": b""}, {"n" * 300: b""}, {f"f{n}": b"" for n in range(5000)}],
    ids=["a file and a folder of one name", "a long name", "thousands of files"],
)
def test_files_that_cannot_be_laid_out_are_the_submissions_failure(connection, sandbox, files):
    if len(files) > 100 and not sandbox.isolation.startswith("bwrap"):
        connection.start_worker(files).close()  # no limit of the private directory's own here
        return
    with pytest.raises(StudentDied, match="cannot be laid out"):
        connection.start_worker(files)
    connection.start_worker({"fine": b""}).close()
