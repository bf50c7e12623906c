"""Row 8: ending the process, or trying to, in the hope that silence counts as success."""

from attack import Attack
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

UNANSWERED = "What was not answered earns nothing, and the reason is told."


def add_fatal_cells(notebook: NotebookNode) -> None:
    notebook.cells += [new_code_cell(f"os._exit({number})") for number in range(30)]


ENDING = (
    Attack(
        "exits-with-success",
        8,
        "The code ends its process with status 0 when it is asked for an answer.",
        UNANSWERED,
        answer="def merge_heads(x):\n    os._exit(0)",
        reason=r"crashed: the process exited by itself",
    ),
    Attack(
        "exits-in-a-cell",
        8,
        "A cell ends the process with status 0 before anything is asked.",
        "The other cells are run without it, and what they define is graded.",
        cell="os._exit(0)",
        answer="def merge_heads(x):\n    return x.transpose(1, 2).flatten(2)",
        earns=2.0,
    ),
    Attack(
        "exits-politely",
        8,
        "The code raises SystemExit(0), in the cell and in the call.",
        "An exception like any other.",
        cell="sys.exit(0)",
        answer="import sys\ndef merge_heads(x):\n    sys.exit(0)",
    ),
    Attack(
        "raises-what-nobody-catches",
        8,
        "The code raises KeyboardInterrupt, GeneratorExit and exceptions beside Exception.",
        "An exception like any other.",
        answer="""
import itertools
class Escape(BaseException):
    __str__ = lambda self: os._exit
kinds = (KeyboardInterrupt, GeneratorExit, StopIteration, Escape, BaseExceptionGroup)
kinds = itertools.cycle(kinds)
def merge_heads(x):
    kind = next(kinds)
    raise kind("x", [Escape()]) if kind is BaseExceptionGroup else kind()
""",
    ),
    Attack(
        "raises-what-looks-like-success",
        8,
        "The code raises pytest's own outcomes: skipped, exit, expected failure, and the "
        "grader's own error names.",
        "An exception like any other.",
        answer="""
import itertools
import pytest, _pytest.outcomes
class Wrong(Exception):
    symptom = misconception = None
class StudentDied(Exception):
    reason, detail = None, None
outcomes = itertools.cycle((
    lambda: pytest.skip("x"), lambda: pytest.exit("x", 0), lambda: pytest.xfail("x"),
    lambda: exec("raise Wrong()"), lambda: exec("raise StudentDied()"),
))
def merge_heads(x):
    next(outcomes)()
""",
    ),
    Attack(
        "crashes-the-interpreter",
        8,
        "The code reads from address 0.",
        UNANSWERED,
        answer="import ctypes\ndef merge_heads(x):\n    return ctypes.string_at(0)",
        reason=r"crashed: signal 11 \(SIGSEGV\)",
    ),
    Attack(
        "aborts",
        8,
        "The code calls the C library's abort().",
        UNANSWERED,
        answer="import ctypes\ndef merge_heads(x):\n    ctypes.CDLL(None).abort()",
        reason=r"crashed: signal (6|11) \(",
    ),
    Attack(
        "overflows-the-stack",
        8,
        "The code recurses without end, with Python's own limit lifted.",
        UNANSWERED,
        answer="""
sys.setrecursionlimit(1 << 30)
def merge_heads(x):
    return merge_heads(x)
""",
        reason=r"crashed: signal 11|out_of_memory|timeout",
    ),
    Attack(
        "kills-itself",
        8,
        "The code sends itself SIGKILL.",
        UNANSWERED + " The first process of a namespace cannot even do that.",
        answer="import signal\ndef merge_heads(x):\n    os.kill(os.getpid(), signal.SIGKILL)",
        reason=r"^$|out_of_memory: killed",
    ),
    Attack(
        "kills-everybody",
        8,
        "The code sends SIGKILL to every process, to its group and to its parents.",
        "No signal leaves the process; its own answer is graded.",
        answer="""
import signal
for pid in (-1, 0, os.getppid() or 1, -os.getpgrp() or 1, *range(2, 3000)):
    if pid != os.getpid():
        attempt(lambda: os.kill(pid, signal.SIGKILL))
attempt(lambda: os.killpg(os.getpgrp(), signal.SIGKILL))
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)
""",
        earns=2.0,
    ),
    Attack(
        "dies-after-the-first-answer",
        8,
        "The code answers the first question rightly and ends its process at the second.",
        UNANSWERED + " What was answered before counts.",
        answer="""
asked = []
def merge_heads(x):
    asked.append(1)
    if len(asked) > 1:
        os._exit(0)
    return x.transpose(1, 2).flatten(2)
""",
        reason=r"crashed: the process exited by itself",
        earns=0.4,  # a hidden test that asks once, in the fresh process after the first death
    ),
    Attack(
        "dies-over-every-cell",
        8,
        "Thirty cells end the process, each of which costs a fresh one.",
        "It ends soon, and says over how many cells.",
        edit=add_fatal_cells,
        reason=r"crashed: the process ended over \d+ cells",
        spoils_all=True,
    ),
)
