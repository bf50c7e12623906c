"""Stand-ins for earlier exercises: they do as right answers do, and who answers is bounded."""

import psutil
import pytest
import torch
from course_packages import PACKAGES
from torch import Tensor, nn

from autograder.checks.kit.errors import StudentDied, StudentError
from autograder.course.limits import Limits
from autograder.judging import answerer as answering
from autograder.judging.answerer import ForkedAnswerer
from autograder.judging.library import library
from autograder.judging.parts import named_by
from autograder.sandbox import Sandbox, SandboxLost
from autograder.student.session import Cell, Session, StandIns
from solutions.attention_by_hand.reference import dot_product_scores, softmax
from solutions.attention_vs_recurrence.reference import AttentionRecall
from solutions.causal_masking.reference import causal_mask
from solutions.seeing_attention.reference import plot_attention
from solutions.self_attention.reference import scaled_dot_product_attention

LIMITS = Limits(memory_bytes=1 << 30, call_seconds=3, cell_seconds=3)
GATE = 0.25


def gated(x: Tensor, gate: float = GATE, *, by: Tensor | None = None) -> Tensor:
    """A part with a default and a tensor that can only be given by its name."""
    return x * gate if by is None else x * by


def slow(count: int) -> int:
    """Work that takes as long as one asks."""
    return sum(i * i for i in range(count))


def hungry(count: int) -> list[bytes]:
    """Memory that no run without content foretells."""
    return [bytes(1 << 20) for _ in range(count)]


def noted(x: Tensor) -> Tensor:
    """What a right answer raises."""
    if x.shape[-1] % 2:
        raise ValueError(f"{x.shape[-1]} features cannot be shared by 2 heads")
    return x


PARTS = {
    "dot_product_scores": (dot_product_scores, "function"),
    "scaled_dot_product_attention": (scaled_dot_product_attention, "function"),
    "softmax": (softmax, "function"),
    "causal_mask": (causal_mask, "function"),
    "AttentionRecall": (AttentionRecall, "module"),
    "plot_attention": (plot_attention, "picture"),
    **{one.__name__: (one, "function") for one in (gated, slow, hungry, noted)},
}
CELLS = """
import copy, math, threading
import numpy as np
import torch
"""


@pytest.fixture(scope="module", params=["required", "fallback"])
def connection(request):
    library().warm()  # as grading processes are, before they fork
    with Sandbox(policy=request.param, limits=LIMITS, packages=PACKAGES) as sandbox:
        yield sandbox.connect()


@pytest.fixture
def student_of(connection):
    """The student of cells that stand-ins were bound for."""
    opened = []

    def start(source, **changes):
        answerer = ForkedAnswerer({name: part for name, (part, _) in PARTS.items()})
        stand_ins = StandIns({name: kind for name, (_, kind) in PARTS.items()}, answerer)
        cells = [Cell("imports", CELLS), Cell("own", source, "own")]
        opened.append((Session(connection, cells, {}, LIMITS, stand_ins), answerer))
        assert [one.error for one in opened[-1][0].outcomes.values() if one.error] == []
        return opened[-1][0].student

    yield start
    for session, answerer in opened:
        session.close()
        answerer.close()


@pytest.fixture(scope="module")
def x():
    return torch.linspace(-1, 1, 24, dtype=torch.float64).view(2, 3, 4)


def test_values_and_gradients_are_those_of_a_right_answer(student_of, x):
    student = student_of("def own(q, k): return dot_product_scores(q, k) / 2")
    upstream = torch.arange(18.0).view(2, 3, 3)
    found = student.grad("own", x, 3 * x, upstream=upstream)
    assert torch.equal(found.value, dot_product_scores(x, 3 * x) / 2)
    assert torch.allclose(found.inputs[0], upstream.double() @ (3 * x) / 2)
    assert torch.allclose(found.inputs[1], upstream.double().mT @ x / 2)


def test_a_tensor_given_by_its_name_gets_its_gradient(student_of, x):
    student = student_of("def own(x, by): return gated(x, by=by)")
    found = student.grad("own", x, 2 * x, upstream=torch.ones_like(x))
    assert torch.equal(found.inputs[0], 2 * x)
    assert torch.equal(found.inputs[1], x)


def test_what_is_changed_in_place_afterwards_is_no_concern_of_gradients(student_of, x):
    student = student_of(
        """
def own(q):
    own_q = q * 1
    scores = dot_product_scores(own_q, own_q)
    own_q.zero_()
    scores /= 2
    return scores.view(-1)
"""
    )
    found = student.grad("own", x, upstream=torch.ones(18))
    assert torch.allclose(found.inputs[0], x.sum(-2, keepdim=True).expand_as(x))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_dtype_and_device_are_kept(student_of, x, dtype):
    student = student_of("def own(q): return dot_product_scores(q, q)")
    assert torch.equal(student.own(x.to(dtype)), dot_product_scores(x.to(dtype), x.to(dtype)))
    meta = student.own(x.to(dtype).to("meta"))
    assert meta.is_meta
    assert (meta.shape, meta.dtype) == ((2, 3, 3), dtype)


def test_a_device_that_is_asked_for_is_heeded(student_of):
    student = student_of("def own(device): return causal_mask(3, device=device)")
    assert student.own(torch.device("meta")).is_meta
    assert torch.equal(student.own("cpu"), causal_mask(3))


def test_torchs_default_device_is_heeded(student_of):
    student = student_of(
        """
def own(device):
    with torch.device(device):
        return causal_mask(3)
"""
    )
    assert student.own("meta").is_meta
    assert torch.equal(student.own("cpu"), causal_mask(3))


def test_it_runs_under_autocast_as_it_was_on(student_of, x):
    student = student_of("def own(q): return dot_product_scores(q, q)")
    with student.autocast("cpu", torch.bfloat16):
        assert student.own(x.float()).dtype == torch.bfloat16
    assert student.own(x.float()).dtype == torch.float32


def test_vmap_and_its_gradient_work(student_of, x):
    student = student_of(
        """
def own(q):
    def scores_of(row, rows): return dot_product_scores(row[None], rows)[0]
    return torch.vmap(torch.vmap(scores_of, (0, None)))(q, q)
def gradient(q):
    return torch.func.grad(lambda q: own(q).sum())(q)
"""
    )
    assert torch.allclose(student.own(x), dot_product_scores(x, x))
    assert torch.allclose(student.gradient(x), 2 * x.sum(-2, keepdim=True).expand_as(x))


def test_threads_may_ask_at_once(student_of, x):
    student = student_of(
        """
def own(q):
    found = [None] * 8
    def ask(place):
        for _ in range(20):
            found[place] = dot_product_scores(place * q, q)
    threads = [threading.Thread(target=ask, args=(place,)) for place in range(8)]
    [one.start() for one in threads], [one.join() for one in threads]
    return torch.stack(found)
"""
    )
    wanted = torch.stack([place * dot_product_scores(x, x) for place in range(8)])
    assert torch.allclose(student.own(x), wanted)


def test_arrays_and_several_results_come_back(student_of, x):
    student = student_of(
        """
def own(a): return softmax(a, axis=0)
def several(q, mask): return scaled_dot_product_attention(q, q, q, mask=mask)
"""
    )
    assert (student.own(x.numpy()) == softmax(x.numpy(), axis=0)).all()
    mask = torch.ones(3, 3, dtype=torch.bool).tril()
    found, wanted = student.several(x, mask), scaled_dot_product_attention(x, x, x, mask)
    assert type(found) is tuple
    assert all(map(torch.equal, found, wanted))


def test_an_error_is_that_of_a_right_answer(student_of, x):
    student = student_of("def own(x): return noted(x)")
    with pytest.raises(StudentError, match="3 features cannot be shared by 2 heads") as caught:
        student.own(x[..., :3])
    assert caught.value.type_name == "ValueError"
    assert torch.equal(student.own(x), x)


def test_a_module_has_real_layers_that_learn(student_of):
    student = student_of(
        """
def own(tokens, query, answer):
    torch.manual_seed(3)
    model = copy.deepcopy(AttentionRecall(5, 3, 8))
    optimiser = torch.optim.Adam(model.parameters(), lr=0.05)
    losses = []
    for _ in range(20):
        loss = torch.nn.functional.cross_entropy(model(tokens, query), answer)
        optimiser.zero_grad(), loss.backward(), optimiser.step()
        losses.append(loss.item())
    return losses, model.num_keys, dict(model.state_dict())
"""
    )
    tokens = torch.arange(12).view(4, 3)
    losses, num_keys, state = student.own(tokens, tokens[:, 0] // 3, tokens[:, 0] % 3)
    assert losses[-1] < losses[0] / 2
    assert num_keys == 5
    right = AttentionRecall(5, 3, 8)
    right.load_state_dict(dict(state))
    found = nn.functional.cross_entropy(right(tokens, tokens[:, 0] // 3), tokens[:, 0] % 3)
    assert found.item() < losses[0] / 2


def test_a_picture_is_drawn_where_it_is_asked_for(student_of):
    student = student_of("def own(w, tokens, ax=None): return plot_attention(w, tokens, ax)")
    weights = torch.rand(3, 3).softmax(-1)
    ours = student.new_axes()
    student.own(weights, ["a", "b", "a"], ours)
    shown = student.drawn_in(ours)
    assert shown.xticklabels == ("a", "b", "a")
    assert shown.mesh_limits == (0.0, 1.0)
    assert torch.allclose(torch.from_numpy(shown.mesh), weights.double())


def test_names_stay_those_of_stand_ins_in_graded_calls(student_of):
    student = student_of("def AttentionRecall(*sizes): return 'mine'\ndef own(): return 0")
    assert student.AttentionRecall(5, 3, 8).attribute("num_values") == 3


LARGE = {
    "a result of gigabytes": "dot_product_scores(torch.zeros(40_000, 1), torch.zeros(40_000, 1))",
    "a mask of a million positions": "causal_mask(10**6)",
    "a module of gigabytes": "AttentionRecall(10**5, 10**4, 64)",
    "what no run without content foretells": "hungry(4000)",
}


@pytest.mark.parametrize("large", LARGE)
def test_what_is_too_large_is_refused(student_of, large):
    student = student_of(f"def own(): return {LARGE[large]}\ndef other(): return causal_mask(2)")
    before = psutil.Process().memory_info().rss
    with pytest.raises(StudentDied) as caught:
        student.own()
    assert caught.value.reason == "out_of_memory"
    assert psutil.Process().memory_info().rss < before + (64 << 20)
    assert torch.equal(student.other(), causal_mask(2))


def test_the_answers_time_is_the_calls(student_of):
    student = student_of("def own(n): return slow(n)\ndef many():\n    while True: causal_mask(2)")
    assert student.own(1000) == slow(1000)
    for endless in (lambda: student.own(10**10), student.many):
        with pytest.raises(StudentDied) as caught:
            endless()
        assert caught.value.reason == "timeout"


def test_there_is_an_end_to_questions(student_of, monkeypatch):
    monkeypatch.setattr(answering, "MOST_QUESTIONS", 10)
    student = student_of("def own(n): return len([causal_mask(1) for _ in range(n)])")
    assert student.own(8) == 8
    with pytest.raises(StudentError, match="too many questions"):
        student.own(8)


def test_who_answers_ends_with_the_run(connection):
    answerer = ForkedAnswerer({"causal_mask": causal_mask})
    stand_ins = StandIns({"causal_mask": "function"}, answerer)
    cells = [Cell("own", "def own(n): return causal_mask(n)", "own")]
    session = Session(connection, cells, {}, LIMITS, stand_ins)
    before = psutil.Process().children()
    session.student.own(2)
    (child,) = {*psutil.Process().children()} - {*before}
    session.close()
    answerer.close()
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_what_ends_who_answers_from_outside_is_not_the_students_doing(connection):
    answerer = ForkedAnswerer({"causal_mask": causal_mask})
    cells = [Cell("own", "def own(n): return causal_mask(n)", "own")]
    stand_ins = StandIns({"causal_mask": "function"}, answerer)
    session = Session(connection, cells, {}, LIMITS, stand_ins)
    before = psutil.Process().children()
    session.student.own(2)
    (child,) = {*psutil.Process().children()} - {*before}
    child.kill()
    with pytest.raises(SandboxLost):
        session.student.own(2)
    session.close()
    answerer.close()


def test_a_process_without_stand_ins_may_ask_nothing(connection):
    asking = """
import json, os, struct
def own():
    text = json.dumps({"ask": {"part": "causal_mask", "way": "call"}, "tensors": []}).encode()
    os.write(3, struct.pack("<4sIQ", b"agw1", len(text), 0) + text)
"""
    session = Session(connection, [Cell("own", asking, "own")], {}, LIMITS)
    with pytest.raises(StudentDied) as caught:
        session.student.own()
    assert caught.value.reason == "protocol"
    session.close()


HELPER = "def helper(x): return dot_product_scores(x, x)"


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("def own(x): return dot_product_scores(x, x)", {"dot_product_scores"}),
        ("def own(x): return helper(x)", {"dot_product_scores"}),
        ("def own(x): return torch.softmax(x, -1)", set()),
        ("def own(softmax): return softmax", set()),
        ("def own(x):\n    '''Not softmax.'''\n    return x  # no dot_product_scores", set()),
        ("def own(x): return globals()['softmax'](x)", {"softmax"}),
        ("%time\ndef own(x): return softmax(x)", {"softmax"}),
        ("def own(x): return x #" + " long" * 50_000, {"dot_product_scores", "softmax"}),
    ],
)
def test_the_parts_that_an_answer_may_call_are_found(source, named):
    cells = [
        Cell("imports", "import torch"),
        Cell("dot", "def dot_product_scores(q, k): ...", "dot_product_scores"),
        Cell("helper", HELPER),
        Cell("own", source, "own"),
        Cell("after", "shown = softmax(own)"),
    ]
    assert named_by(cells, "own", ["dot_product_scores", "softmax"]) == named


def test_an_error_of_a_cell_that_asked_a_stand_in_is_told_to_nobody(connection):
    cells = [
        Cell("part", "def causal_mask(n): return 'own'", "causal_mask"),
        Cell("asking", "raise ValueError(f'gave {causal_mask(2)}')\nname = 1"),
        Cell("own", "def own(n): return name", "own"),
    ]
    answerer = ForkedAnswerer({"causal_mask": causal_mask})
    first = Session(connection, cells, {}, LIMITS)
    second = first.up_to_check("own", StandIns({"causal_mask": "function"}, answerer))
    try:
        assert "tensor" in second.outcomes["asking"].error.message
        told = second.student.stops.behind("NameError", "name 'name' is not defined")
        assert told.says == "ValueError: gave own"
    finally:
        second.close()
        first.close()
        answerer.close()
