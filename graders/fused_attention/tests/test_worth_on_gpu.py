"""What graders on a GPU ask of FusedMultiHeadAttention, asked here on the CPU, in the real sandbox.

Right answers pass but for their time, which no test goes by; code that looks fast and is not gains
nothing, because fresh inputs show it or the clock is not its own.
"""

import textwrap
from functools import partial

import pytest
import torch
from course_packages import PACKAGES

from autograder.bank import variants
from autograder.checks.kit.errors import StudentDied
from autograder.course.limits import Limits
from autograder.judging import Wrong
from autograder.judging.answers import reference_source, source_of
from autograder.judging.draw import Draw
from autograder.sandbox import Sandbox
from autograder.tensors import racing
from autograder.tensors.fresh import fresh_runs
from autograder.tensors.inside.fresh import run_fresh
from autograder.tensors.racing import ASTRAY, _compare
from graders.fused_attention.fused_module.hidden_on_gpu import RACE, RACE_HEADS
from graders.fused_attention.given_modules import reference_of, weights_of
from graders.fused_attention.gpu_worth import (
    EXERCISE,
    assert_no_table,
    assert_one_graph,
    assert_precise,
    length_beyond,
    times_the_reference,
    without_biases,
)

SHAPE, HEADS = (2, 24, 32), 4
REFERENCE = reference_source(EXERCISE)

LIMITS = Limits(call_seconds=20, memory_bytes=1 << 30)


@pytest.fixture(scope="module")
def connection():
    with Sandbox(limits=LIMITS, packages=PACKAGES) as sandbox:
        yield sandbox.connect()


def draw():
    return Draw(b"a secret", "worth")


def raced(student, rounds=2, runs=6):
    return times_the_reference(student, draw(), "cpu", SHAPE, HEADS, rounds=rounds, runs=runs)


RIGHT = {"reference": REFERENCE} | {one.name: source_of(one) for one in variants(EXERCISE)}


@pytest.mark.parametrize("name", RIGHT)
def test_right_answers_give_what_is_asked(student_of, name):
    student = student_of(RIGHT[name])
    assert_precise(student, draw(), "cpu")
    assert_no_table(student, draw(), "cpu", 512)
    raced(student)  # raises where fresh inputs give something else


def test_the_reference_compiles_as_one_graph(student_of):
    assert_one_graph(student_of(REFERENCE), draw(), "cpu")


# What is put around the reference's forward, so that it looks fast.
PRETENCE = """
_plain = FusedMultiHeadAttention.forward
{setup}
def _forward(self, x, mask=None, is_causal=False):
{body}
FusedMultiHeadAttention.forward = _forward
"""
CHEATS = {
    "kept by pointer": (
        "_kept = {}",
        """
        if x.data_ptr() not in _kept:
            _kept[x.data_ptr()] = _plain(self, x, mask, is_causal)
        return _kept[x.data_ptr()]
        """,
    ),
    "kept by shape": (
        "_kept = {}",
        "return _kept.setdefault(x.shape, _plain(self, x, mask, is_causal))",
    ),
    "kept by a few values": (
        "_kept = {}",
        """
        key = x[0, 0, 0].sign().item()
        if key not in _kept:
            _kept[key] = _plain(self, x, mask, is_causal)
        return _kept[key]
        """,
    ),
    "a stale buffer": (
        "_last = []",
        """
        _last.append(_plain(self, x, mask, is_causal))
        return _last[-2] if len(_last) > 1 else _last[-1]
        """,
    ),
    "filled by a thread, later": (
        "import threading, time",
        """
        out = torch.zeros_like(x)
        def fill(x=x.clone()):
            time.sleep(0.3)
            with torch.no_grad():
                out.copy_(_plain(self, x, mask, is_causal))
        threading.Thread(target=fill, daemon=True).start()
        return out
        """,
    ),
    "half of the work": (
        "",
        """
        half = x.shape[1] // 2
        done = _plain(self, x[:, :half], None, is_causal)
        return torch.cat([done, done], dim=1)
        """,
    ),
    "one text for all": (
        "",
        "return _plain(self, x[:1], mask, is_causal).expand_as(x).clone()",
    ),
    "eight bits": (
        "",
        """
        coarse = x.to(torch.float8_e4m3fn).to(x.dtype)
        return _plain(self, coarse, mask, is_causal)
        """,
    ),
    "random numbers that are not": (
        """
        torch.randn = lambda shape, **options: torch.ones(
            shape, dtype=options.get("dtype"), device=options.get("device"))
        """,
        "return _plain(self, x, mask, is_causal)",
    ),
    "runs replaced by others": (
        "import sys",
        """
        frame = sys._getframe()
        while frame is not None and "FRESH" not in frame.f_globals:
            frame = frame.f_back
        if frame is not None:
            frame.f_globals["FRESH"]["runs"] = (
                lambda call, shape, dtype, device, seeds, *_: torch.ones(
                    len(seeds), 2, 2
                )
            )
        return _plain(self, x, mask, is_causal)
        """,
    ),
}


def pretending(setup, body):
    return PRETENCE.format(
        setup=textwrap.dedent(setup).strip(),
        body=textwrap.indent(textwrap.dedent(body).strip("\n"), "    "),
    )


def test_a_graph_that_breaks_is_told(student_of):
    breaks = pretending(
        "",
        """
        if bool((x == x).all()):
            x = x + 0
        return _plain(self, x, mask, is_causal)
        """,
    )
    with pytest.raises(Wrong, match="cannot take your module as one graph"):
        assert_one_graph(student_of(breaks), draw(), "cpu")


@pytest.mark.parametrize("name", CHEATS)
def test_what_looks_fast_is_found_by_fresh_inputs(student_of, name):
    with pytest.raises(Wrong, match=ASTRAY):
        raced(student_of(pretending(*CHEATS[name])))


SLOW = """
import time
time.sleep(0.05)
return _plain(self, x, mask, is_causal)
"""


def test_what_is_slow_beyond_doubt_is_run_twice(student_of, monkeypatch):
    rounds = []

    def counted(student, *given, **options):
        rounds.append(student)
        return fresh_runs(student, *given, **options)

    monkeypatch.setattr(racing, "fresh_runs", counted)
    slow, size = student_of(pretending("", SLOW)), {"rounds": 5, "runs": 1}
    race = partial(times_the_reference, slow, draw(), "cpu", SHAPE, HEADS, **size)
    assert race(hopeless=2) > 2
    assert rounds.count(slow) == 2
    race(hopeless=10_000)
    assert rounds.count(slow) == 2 + 6


SET_BACK = """
import time
for _name in ("perf_counter", "monotonic", "time", "process_time", "perf_counter_ns"):
    setattr(time, _name, lambda: 0)
torch.cuda.synchronize = lambda *_: None
torch.cuda.Event = None
"""


def test_a_clock_that_is_set_back_changes_nothing(student_of):
    """Of code that sleeps, the sleep is in the figure, whatever the code's own clocks say."""
    student = student_of(pretending(SET_BACK, SLOW))
    module = student.FusedMultiHeadAttention(SHAPE[-1], HEADS)
    _, took = fresh_runs(student, module, SHAPE, torch.float32, "cpu", range(6))
    assert took >= 6 * 0.05


LAZY = """
import time
class Later(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        with torch._C.DisableTorchFunctionSubclass():
            if function is torch.Tensor.float:
                time.sleep(0.05)
                return _plain(*args[0].asked).float()
            return function(*args, **(kwargs or {}))
"""
PUTS_OFF = """
later = torch.empty_like(x).as_subclass(Later)
later.asked = self, x, mask, is_causal
return later
"""


def test_work_that_is_put_off_is_waited_for(student_of):
    """A result that is computed when it is first read is read before the answer is there."""
    student = student_of(pretending(LAZY, PUTS_OFF))
    raced(student)
    module = student.FusedMultiHeadAttention(SHAPE[-1], HEADS)
    _, took = fresh_runs(student, module, SHAPE, torch.float32, "cpu", range(6))
    assert took >= 6 * 0.05


def test_memory_decides_how_long_a_long_sequence_is():
    for memory in (16 << 30, 80 << 30, 141 << 30):
        length = length_beyond(memory)
        table = length * length * 16 * 2
        assert 2 * memory <= table < 2.1 * memory
        assert length % 4 == 0
        assert length * 128 * 2 < 32 << 20, "the values would not fit into a reply"


def test_a_table_that_does_not_fit_is_told_as_such(student_of):
    written_out = pretending(
        "",
        """
        split = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).transpose(1, 3)
        q, k, v = split.float().unbind(2)
        table = q @ k.mT / math.sqrt(q.shape[-1])
        return self.out((table.softmax(-1) @ v).to(x.dtype).transpose(1, 2).flatten(2))
        """,
    )
    with pytest.raises(Wrong, match="a table of every query by every key would fill it"):
        assert_no_table(student_of(written_out), draw(), "cpu", 24_000)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return x", "wrong"),
        ("return x.tolist()", "list"),
        ("return _plain(self, x, mask, is_causal).float()", "float32"),
    ],
)
def test_what_is_no_attention_is_told_before_it_is_long(student_of, body, told):
    with pytest.raises(Wrong, match=told):
        assert_no_table(student_of(pretending("", body)), draw(), "cpu", 512)


@pytest.mark.parametrize(
    "returned", ["torch.ones(6, 2, 2, device='meta')", "[0.0]", "torch.ones(6, 2, 2).double()"]
)
def test_odd_answers_are_the_answers_fault(student_of, returned):
    setup, body = CHEATS["runs replaced by others"]
    begin, end = body.index("torch.ones("), body.index("            )\n        return")
    odd = body[:begin] + returned + "\n" + body[end:]
    with pytest.raises(Wrong, match=ASTRAY):
        raced(student_of(pretending(setup, odd)))


def test_a_fault_of_the_reference_is_none_of_the_answers(student_of, monkeypatch):
    student = student_of(REFERENCE)

    def killed(_, source):
        raise StudentDied("out_of_memory", "killed")

    monkeypatch.setattr(type(student), "run_ours", killed)
    with pytest.raises(RuntimeError, match="the reference stops: out_of_memory"):
        raced(student)


def test_coarser_work_shows_at_the_size_that_is_graded():
    """Where 4,096 values are averaged, little is left for an error to stand out from."""
    width, heads = 4 * RACE[-1] // RACE_HEADS, 4
    reference = reference_of(width, heads, without_biases(weights_of(draw(), width)))
    shape, seeds = (RACE[0], RACE[1], width), range(4)

    def coarse(dtype):
        return lambda x: reference(x.to(dtype).float())

    found = {
        dtype: run_fresh(coarse(dtype), shape, torch.float32, "cpu", seeds, 1, {})
        for dtype in (torch.float32, torch.float16, torch.float8_e4m3fn)
    }
    _compare(found[torch.float16], found[torch.float32], torch.float16)
    with pytest.raises(Wrong, match=ASTRAY):
        _compare(found[torch.float8_e4m3fn], found[torch.float32], torch.float16)


def test_a_sequence_cut_short_is_told(student_of):
    cut = pretending("", "return _plain(self, x, mask, is_causal) * (x.shape[1] < 100)")
    with pytest.raises(Wrong, match="what it does not on a short one"):
        assert_no_table(student_of(cut), draw(), "cpu", 512)
