"""A session runs every cell that it can, whatever the others do, within the submission's time."""

import subprocess
import sys
import time

import pytest

from autograder.judging.answerer import ForkedAnswerer
from autograder.student import MissingName, StudentDied
from autograder.student.session import StandIns

DEFINES_F = ("f", "def f(x):\n    return x + 1")
DEFINES_G = ("g", "def g(x):\n    return f(x) * 10")
EXITS = "import os\nos._exit(0)"
LOOPS = "while True: pass"


def test_cells_run_in_order_and_outcomes_are_by_cell(open_session):
    says_g = ("g", f"print(f(1))\n{DEFINES_G[1]}")
    session = open_session("print('not kept')", DEFINES_F, "1 + 1", "1 / 0", says_g)
    assert list(session.outcomes) == ["cell 0", "f", "cell 2", "cell 3", "g"]
    assert session.outcomes["g"].printed == "2\n"
    assert session.outcomes["cell 0"].printed == ""  # thousands of cells may print
    assert session.outcomes["cell 3"].error.type_name == "ZeroDivisionError"
    assert session.outcomes["f"].bound
    assert session.deaths == {}
    assert session.student.g(1) == 20


def test_a_cell_that_ends_the_process_costs_the_others_nothing(open_session):
    session = open_session(DEFINES_F, EXITS, DEFINES_G, "import ctypes; ctypes.string_at(0)")
    assert session.student.g(1) == 20
    assert session.deaths["cell 1"].detail == "the process exited by itself"
    assert session.deaths["cell 3"].detail == "signal 11 (SIGSEGV)"
    assert "cell 1" not in session.outcomes
    assert set(session.outcomes) == {"f", "g"}


def test_an_exercise_whose_own_cell_ended_the_process_raises_that(open_session):
    session = open_session(DEFINES_F, ("h", "def h(x):\n    return x\n" + LOOPS))
    with pytest.raises(StudentDied, match=r"timeout: more than 0\.5 seconds for cell h"):
        session.student.h(1)
    with pytest.raises(StudentDied, match="timeout"):
        session.student.value("h")
    assert session.student.f(1) == 2


def test_on_stand_ins_too_an_exercise_raises_how_its_own_cell_ended(open_session):
    session = open_session(DEFINES_F, ("h", "def h(x):\n    return f(x)\n" + LOOPS))
    again = session.up_to_check("h", StandIns({"f": "function"}, ForkedAnswerer({})))
    with pytest.raises(StudentDied, match=r"timeout: more than 0\.5 seconds for cell h"):
        again.student.h(1)
    again.close()


def test_an_exercise_whose_own_cell_ran_out_of_memory_raises_that(open_session):
    session = open_session(DEFINES_F, ("h", "import torch\nh = torch.empty(1 << 40)"))
    assert session.deaths["h"].reason == "out_of_memory"
    with pytest.raises(StudentDied, match="out_of_memory"):
        session.student.h(1)
    assert session.student.f(1) == 2


def test_what_was_bound_before_a_process_was_refused_is_used(open_session):
    starts = "import subprocess\nsubprocess.run(['nvidia-smi'])"
    late = ("f", "def f(x):\n    return x + 1\n" + starts)
    early = ("h", starts + "\ndef h(x):\n    return x")
    session = open_session(late, early)
    assert session.student.f(1) == 2
    with pytest.raises(StudentDied, match="tried to start a process"):
        session.student.h(1)


def test_what_is_kept_of_printed_text_is_bounded_in_bytes(open_session):
    forged = (
        "import gc\nfor one in gc.get_objects():\n    if type(one).__name__ == 'BoundedOutput':"
    )
    forged += "\n        one.take = lambda: '\\U0001F600' * 65_000\ndef h():\n    return 1"
    session = open_session(("h", forged))
    assert 0 < len(session.outcomes["h"].printed.encode()) <= 70_000


def test_an_exercise_that_was_not_bound_is_missing(open_session):
    session = open_session(("h", "k = 1"), "h = 1")
    with pytest.raises(MissingName):
        session.student.h()


def test_where_its_own_cell_holds_no_answer_the_last_definition_is_judged(open_session):
    session = open_session(("h", "def h():\n    raise NotImplementedError"), "def h(): return 1")
    assert session.student.h() == 1
    assert session.judged["h"].where == "last"
    assert session.student.cells["h"] == session.judged["h"].cell.source == "def h(): return 1"
    again = session.up_to_check("h", StandIns({}, ForkedAnswerer({})))
    assert again.student.h() == 1
    again.close()


def test_where_its_own_cell_ends_the_process_another_definition_is_judged(open_session):
    session = open_session("def h():\n    return 1", ("h", "def h():\n    return 2\n" + LOOPS))
    assert session.deaths["h"].reason == "timeout"
    assert session.student.h() == 1


def test_a_death_in_a_call_is_followed_by_a_fresh_process(open_session):
    session = open_session(DEFINES_F, ("h", f"def h():\n    {LOOPS}"), "count = [0]")
    student = session.student
    with pytest.raises(StudentDied, match="timeout"):
        student.h()
    with pytest.raises(StudentDied, match="timeout"):  # the old one stays dead
        student.f(1)
    assert session.student is not student
    assert session.student.f(1) == 2


def test_files_are_there_again_after_a_restart(open_session):
    reads = ("f", "def f():\n    return open('a.txt').read()")
    session = open_session(reads, EXITS, files={"a.txt": b"kept"})
    assert session.student.f() == "kept"


def test_the_submissions_time_is_counted_over_restarts(open_session):
    session = open_session(
        ("h", f"def h():\n    {LOOPS}"), submission_seconds=1.2, call_seconds=0.5
    )
    for _ in range(3):
        with pytest.raises(StudentDied):
            session.student.h()
    with pytest.raises(StudentDied) as last:
        session.student.h()
    assert last.value.detail == "the submission's 1.2 seconds are used up"


def test_all_runs_on_stand_ins_share_as_much_time_again(open_session):
    loops = ("h", f"def h(x):\n    {LOOPS}")
    session = open_session(DEFINES_F, loops, submission_seconds=1.2, call_seconds=0.5)
    for calls in (3, 1):
        again = session.up_to_check("h", StandIns({"f": "function"}, ForkedAnswerer({})))
        for _ in range(calls):
            with pytest.raises(StudentDied) as last:
                again.student.h(1)
        again.close()
    assert last.value.detail == "the submission's 1.2 seconds are used up"
    assert again.is_out_of_time
    assert not session.has_further_time
    assert session.student.f(1) == 2


def test_our_own_time_does_not_count(open_session):
    session = open_session(DEFINES_F, submission_seconds=0.3)
    time.sleep(0.5)
    assert session.student.f(1) == 2


def test_cells_that_use_up_the_time_leave_the_rest_undone_and_say_so(open_session):
    session = open_session("ok = 1", LOOPS, LOOPS, DEFINES_F, submission_seconds=0.8)
    assert session.deaths["cell 1"].detail.startswith("more than 0.5 seconds")
    for name in ("cell 2", "f"):
        assert session.deaths[name].detail == "the submission's 0.8 seconds are used up"
    with pytest.raises(StudentDied, match="used up"):
        _ = session.student


def test_a_notebook_of_fatal_cells_is_given_up_on(open_session):
    session = open_session(*[EXITS] * 60, DEFINES_F)
    assert len(session.deaths) == 61
    assert session.deaths["f"].detail == "the process ended over 20 cells"
    with pytest.raises(StudentDied):
        _ = session.student


READS = ("read", "def read(path):\n    return open(path).read()")


def test_a_file_is_placed_beside_the_notebook_before_the_next_call(open_session):
    student = open_session(READS, files={"a.txt": b"theirs", "kept.txt": b"kept"}).student
    assert student.read("a.txt") == "theirs"
    student.place("a.txt", b"ours")
    student.place("deep/er/b.txt", b"more")
    assert student.read("a.txt") == "ours"
    assert student.read("deep/er/b.txt") == "more"
    assert student.read("kept.txt") == "kept"


def test_a_file_that_is_there_already_starts_no_process_anew(open_session):
    session = open_session(
        ("state", "state = []\ndef add():\n    state.append(1)\n    return len(state)")
    )
    student = session.student
    student.place("a", b"1")
    assert student.add() == 1
    student.place("a", b"1")
    assert student.add() == 2
    assert session.student.add() == 3
    student.place("a", b"2")
    assert student.add() == 1


def test_a_folder_is_placed_at_once_and_its_path_given_back(open_session):
    student = open_session(READS).student
    path = student.place("folder", {"a.txt": b"one", "b.txt": b"two"})
    assert student.read(f"{path}/a.txt") + student.read(f"{path}/b.txt") == "onetwo"


def test_a_students_folder_makes_way_for_a_file_and_the_other_way_round(open_session):
    student = open_session(READS, files={"a/b.txt": b"theirs", "c": b"theirs"}).student
    student.place("a", b"ours")
    student.place("c/d", b"ours")
    assert student.read("a") == student.read("c/d") == "ours"


@pytest.mark.parametrize("path", ["/etc/passwd", "../up", ""])
def test_nothing_is_placed_outside_of_the_directory(open_session, path):
    with pytest.raises(ValueError, match="leads out"):
        open_session(READS).student.place(path, b"")


def test_what_a_cell_prints_beside_a_placed_file_is_not_kept(open_session):
    shows = ("f", "import os\nprint(os.listdir())\ndef f():\n    pass")
    session = open_session(shows)
    session.student.place("hidden", b"")
    session.student.f()
    assert session.outcomes["f"].printed == "[]\n"


def test_files_that_do_not_fit_are_the_submissions_failure(open_session):
    session = open_session(DEFINES_F, files={"big": bytes(2 << 20)}, scratch_bytes=1 << 20)
    assert "MiB are allowed" in session.deaths["f"].detail


def test_closing_twice_is_harmless(open_session):
    session = open_session(DEFINES_F)
    session.close()
    session.close()


def test_importing_the_student_needs_nothing_that_only_linux_has():
    code = (
        "import sys, filelock, torch, zoneinfo\n"  # these ask for the platform themselves
        "for name in ('resource', 'fcntl', 'pwd', 'termios'): sys.modules[name] = None\n"
        "sys.platform = 'win32'\n"
        "import autograder.student.session\n"
        "assert not any(name.endswith('inside.linux') for name in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_which_cell_is_judged_tells_nothing_of_a_hidden_file(open_session):
    """Of thousands of cells, the one that is named could be a number in the file."""
    stub = ("f", "def f():\n    raise NotImplementedError('f is not written yet')")
    told = "import os\nif os.path.exists('hidden'):\n    def f(): return 2"
    session = open_session(stub, "def f(): return 1", told)
    before = session.judged["f"].cell.source
    session.student.place("hidden", b"")
    assert session.student.f() == 2
    assert session.judged["f"].cell.source == before == "def f(): return 1"
