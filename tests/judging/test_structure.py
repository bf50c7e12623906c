"""How an answer is computed: what counts, and what forgers and hiders gain by it (nothing)."""

import pytest
import torch
from torch import nn

from autograder.checks.kit.errors import StudentError
from autograder.checks.kit.local_student import LocalStudent
from autograder.judging import Wrong
from autograder.judging.draw import Draw
from autograder.tensors.inside import recording
from autograder.tensors.replay import MOST_OPERATIONS
from autograder.tensors.structure import NO_NUMBERS, UNSEEN, structure_of
from autograder.tensors.traced import traced

IMPORTS = "import math, sys\nimport torch\nimport torch.nn.functional as F\n"
QUERIES, KEYS, WIDTH = 6, 9, 4


def attention(q, k, v):
    return torch.softmax(q @ k.mT / WIDTH**0.5, dim=-1) @ v


def student_of(source):
    namespace = {"__name__": "__main__"}
    exec(compile(IMPORTS + source, "cell", "exec"), namespace)
    return LocalStudent(namespace)


def inputs(draw):
    return (
        draw.normal(1, 2, QUERIES, WIDTH),
        draw.normal(1, 2, KEYS, WIDTH),
        draw.normal(1, 2, KEYS, WIDTH),
    )


def structure(source):
    draw = Draw(b"secret", "structure")
    return structure_of(
        student_of(source), "answer", *inputs(draw), draw=draw, reference=lambda _: attention
    )


BY_HAND = """
def by_hand(q, k, v):
    return torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1) @ v
"""
ONE_BY_ONE = """
def answer(q, k, v):
    rows = [F.scaled_dot_product_attention(q[..., i:i+1, :], k, v) for i in range(q.shape[-2])]
    return torch.cat(rows, -2)
"""


def test_pytorchs_own_attention_is_seen_whoever_calls_it():
    assert structure("answer = F.scaled_dot_product_attention").calls_fused_attention
    assert structure(ONE_BY_ONE).calls_fused_attention
    one = structure(BY_HAND + "answer = by_hand")
    assert not one.calls_fused_attention
    assert not one.calls_attention


def test_the_largest_tensor_is_the_table_of_an_attention_by_hand():
    assert structure(BY_HAND + "answer = by_hand").largest == 2 * QUERIES * KEYS
    assert structure("answer = F.scaled_dot_product_attention").largest < 2 * QUERIES * KEYS


def test_an_expanded_tensor_counts_as_the_memory_that_it_takes():
    source = BY_HAND + (
        "def answer(q, k, v):\n"
        "    wide = q.unsqueeze(2).expand(1, 2, 100, *q.shape[2:])\n"
        "    return by_hand(wide[:, :, 5], k, v)"
    )
    assert structure(source).largest == 2 * QUERIES * KEYS


def test_a_loop_shows_in_the_growth_and_a_whole_product_does_not():
    def growth(source):
        draw, small_and_large = Draw(b"secret", "growth"), []
        for queries in (3, 9):
            q, k, v = (draw.normal(1, 1, n, WIDTH) for n in (queries, KEYS, KEYS))
            small_and_large.append(
                structure_of(
                    student_of(source), "answer", q, k, v, draw=draw, reference=lambda _: attention
                )
            )
        return small_and_large[1].growth_over(small_and_large[0])

    assert growth(ONE_BY_ONE) == 6
    assert growth(BY_HAND + "answer = by_hand") == 0


@pytest.mark.parametrize(
    ("products", "forward"),
    [
        (1, "self.both(x)"),
        (1, "F.linear(x, self.both.weight.view(2, 2, 4).flatten(0, 1), self.both.bias)"),
        (1, "torch.einsum('nd,ed->ne', x, self.both.weight * 1.0) + self.both.bias"),
        (2, "torch.cat([F.linear(x, w) for w in self.both.weight.chunk(2)], -1) + self.both.bias"),
        (2, "(x[:, :1] @ self.both.weight.T[:1] + x[:, 1:] @ self.both.weight.T[1:])"
            " + self.both.bias"),
    ],
)  # fmt: skip
def test_products_with_a_weight_are_counted_however_it_is_cut(products, forward):
    source = (
        "class Answer(torch.nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n"
        "        self.both = torch.nn.Linear(4, 4)\n        self.after = torch.nn.Linear(4, 2)\n"
        f"    def forward(self, x):\n        return self.after({forward})"
    )
    draw = Draw(b"secret", "products")
    module = student_of(source).Answer()

    def reference(own):
        right = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
        right.load_state_dict(
            {name.replace("both", "0").replace("after", "1"): own[name] for name in own}
        )
        return right

    found = structure_of(
        module._student,
        module,
        draw.normal(3, 4),
        draw=draw,
        reference=reference,
        parameters=module.state_dict(),
    )
    assert found.products_with("both.weight") == products
    assert found.products_with("after.weight") == 1


@pytest.mark.parametrize(
    "source",
    [
        "def answer(q, k, v):\n"  # what is in place, and views of it
        "    s = torch.empty(1, 2, q.shape[2], k.shape[2])\n"
        "    torch.matmul(q, k.mT, out=s)\n    s /= 2\n    s[:, :1].sub_(s[:, :1].amax(-1, True))\n"
        "    s.exp_()\n    return s @ v / s.sum(-1, keepdim=True)",
        "answer = torch.func.vmap(by_hand)",
        "def answer(q, k, v):\n"
        "    with torch.inference_mode():\n        return torch.einsum('bhqk,bhkd->bhqd', "
        "torch.softmax(torch.einsum('bhqd,bhkd->bhqk', q, k) / 2, -1), v)",
        "def answer(q, k, v):\n"  # a choice by content
        "    s = q @ k.mT / 2\n    top = s.data.amax(-1, keepdim=True)\n"
        "    if bool((top > 0).any()):\n        s = s - top\n"
        "    e = s.exp()\n    assert not e[e < 0].any()\n    return (e / e.sum(-1, True)) @ v",
        "def answer(q, k, v):\n    return F.dropout(by_hand(q, k, v), 0.0)",
    ],
)
def test_what_runs_is_followed_in_every_style(source):
    assert structure(BY_HAND + source).largest > 0


def test_compiled_code_is_followed_as_it_is_written():
    source = "answer = torch.compile(by_hand, backend='eager', fullgraph=True)"
    assert structure(BY_HAND + source).largest == 2 * QUERIES * KEYS


HIDDEN = """
def hidden(q, k, v):
    return F.scaled_dot_product_attention(q, k, v)
"""
FORGE = """
def forge(data):
    module = next(m for name, m in sys.modules.items() if name.endswith("inside.recording"))
    module.Recording.as_data = lambda self, value: data(self, value)
"""
ATTACKS = {
    "switches the recording off": """
from torch.utils._python_dispatch import _disable_current_modes
def answer(q, k, v):
    with _disable_current_modes():
        return hidden(q, k, v)
""",
    "takes the recording off the stack for a while": """
from torch.utils._python_dispatch import _pop_mode_temporarily
def answer(q, k, v):
    with _pop_mode_temporarily():
        return hidden(q, k, v)
""",
    "computes in another thread": """
import threading
def answer(q, k, v):
    found = []
    thread = threading.Thread(target=lambda: found.append(hidden(q, k, v)))
    thread.start(); thread.join()
    return found[0]
""",
    "computes in NumPy": """
import numpy as np
def answer(q, k, v):
    s = q.numpy() @ k.numpy().swapaxes(-1, -2) / 2
    e = np.exp(s - s.max(-1, keepdims=True))
    return torch.from_numpy(e / e.sum(-1, keepdims=True) @ v.numpy())
""",
    "writes what is hidden into a tensor that was seen": """
import ctypes
from torch.utils._python_dispatch import _disable_current_modes
def answer(q, k, v):
    with _disable_current_modes():
        right = hidden(q, k, v).contiguous()
    seen = q * 1
    ctypes.memmove(seen.data_ptr(), right.data_ptr(), right.nbytes)
    return seen
""",
    "corrects a seen output by what is hidden": """
from torch.utils._python_dispatch import _disable_current_modes
def answer(q, k, v):
    seen = (q @ k.mT) @ v
    with _disable_current_modes():
        gap = hidden(q, k, v) - seen
    return seen + gap
""",
    "works out beforehand what will be asked": """
known = {}
def answer(q, k, v):
    from torch.utils._python_dispatch import _disable_current_modes
    with _disable_current_modes():
        known.setdefault(q.sum().item(), hidden(q, k, v))
        right = known[q.sum().item()]
    return right.clone()
""",
    "forges a recording whose result is a constant": """
def answer(q, k, v):
    right = hidden(q, k, v)
    forge(lambda self, value: {"operations": [], "constants": [right.detach()],
                               "result": ("constant", 0), "complete": True})
    return right
""",
    "forges a recording with nothing but an input": """
def answer(q, k, v):
    forge(lambda self, value: {"operations": [], "constants": [], "result": ("input", 0),
                               "complete": True})
    return hidden(q, k, v)
""",
    "forges a recording of a wrong program": """
def answer(q, k, v):
    forge(lambda self, value: {"operations": [["aten.mul.Tensor", [("input", 0), 2.0], {}]],
                               "constants": [], "result": ("made", 0, 0), "complete": True})
    return hidden(q, k, v)
""",
    "forges a recording that names what must not run": """
def answer(q, k, v):
    forge(lambda self, value: {"operations": [["aten.from_file.default", ["/etc/passwd"], {}]],
                               "constants": [], "result": ("made", 0, 0), "complete": True})
    return hidden(q, k, v)
""",
    "forges a recording of no form at all": """
def answer(q, k, v):
    forge(lambda self, value: {"operations": "all", "result": [], 3: None})
    return hidden(q, k, v)
""",
}


@pytest.mark.parametrize("how", ATTACKS)
def test_what_is_hidden_or_forged_counts_for_nothing(how, monkeypatch):
    monkeypatch.setattr(recording.Recording, "as_data", recording.Recording.as_data)
    with pytest.raises(Wrong) as wrong:
        structure(HIDDEN + FORGE + ATTACKS[how])
    assert wrong.value.symptom == UNSEEN


def wrong_but_own(source):
    draw, student = Draw(b"secret", "structure"), student_of(source)
    return structure_of(
        student,
        "answer",
        *inputs(draw),
        draw=draw,
        reference=lambda _: attention,
        own=lambda _: student.answer,
    )


def test_a_wrong_output_is_seen_only_where_the_students_own_counts():
    source = "def answer(q, k, v):\n    return torch.softmax(q @ k.mT, -1) @ v"
    assert wrong_but_own(source).largest == 2 * QUERIES * KEYS
    with pytest.raises(Wrong):
        structure(source)


@pytest.mark.parametrize("less", ["q * 1", "q + v.sum()", "torch.ones_like(q)"])
def test_a_wrong_answer_of_less_than_all_that_goes_in_is_not_seen(less):
    with pytest.raises(Wrong):
        wrong_but_own(f"def answer(q, k, v):\n    return {less}")


WITH_NAN = """
def answer(q, k, v):
    out = torch.softmax(q @ k.mT, -1) @ v
    return out.masked_fill(torch.arange(q.shape[-2])[:, None] < {rows}, torch.nan)
"""


def test_a_wrong_output_with_some_nan_is_seen():
    assert wrong_but_own(WITH_NAN.format(rows=1)).largest == 2 * QUERIES * KEYS


def test_of_an_output_that_is_mostly_nan_it_is_said_that_it_is():
    with pytest.raises(Wrong) as wrong:
        wrong_but_own(WITH_NAN.format(rows=QUERIES - 1))
    assert wrong.value.symptom == NO_NUMBERS


@pytest.mark.parametrize("how", ATTACKS)
def test_forging_gains_nothing_where_the_students_own_counts(how, monkeypatch):
    monkeypatch.setattr(recording.Recording, "as_data", recording.Recording.as_data)
    with pytest.raises((Wrong, StudentError)):  # some attacks fail where nothing watches them
        wrong_but_own(HIDDEN + FORGE + ATTACKS[how])


def test_an_answer_that_is_another_one_while_it_is_watched_is_not_seen():
    watched = "torch._C._len_torch_dispatch_stack()"
    with pytest.raises(Wrong):
        wrong_but_own(
            f"def answer(q, k, v):\n    if {watched}:\n        return q * 1\n"
            "    return F.scaled_dot_product_attention(q, k, v)"
        )


def test_no_more_is_recorded_than_may_cross():
    student = student_of(
        "def answer(x):\n    for _ in range(5000):\n        x = x + 1\n    return x"
    )
    _, kept = traced(student, "answer", torch.zeros(2, 3))
    assert not kept["complete"]
    assert len(kept["operations"]) == MOST_OPERATIONS == recording.MOST_OPERATIONS


DECOY = "    unused = F.scaled_dot_product_attention(q, k, v)\n"


@pytest.mark.parametrize(
    ("counts", "body"),
    [
        (False, f"{DECOY}    return by_hand(q, k, v)"),
        (False, f"{DECOY}    return by_hand(q, k, v) + 0 * unused"),
        (True, f"{DECOY}    return (by_hand(q, k, v) + unused) / 2"),
    ],
)
def test_pytorchs_attention_counts_where_the_output_needs_it(counts, body):
    ran = structure(f"{BY_HAND}def answer(q, k, v):\n{body}")
    assert ran.calls_attention is ran.calls_fused_attention is counts


def test_a_mask_that_leaves_torch_is_not_seen():
    source = (
        "def answer(q, k, v, mask):\n    mask = torch.from_numpy(mask.numpy().copy())\n"
        "    return F.scaled_dot_product_attention(q, k, v, mask)"
    )
    draw, sdpa = Draw(b"secret", "masks"), torch.nn.functional.scaled_dot_product_attention
    given = (*inputs(draw), draw.normal(QUERIES, KEYS) > 0)
    seen = student_of("answer = F.scaled_dot_product_attention")
    assert structure_of(seen, "answer", *given, draw=draw, reference=lambda _: sdpa).calls_attention
    with pytest.raises(Wrong):
        structure_of(student_of(source), "answer", *given, draw=draw, reference=lambda _: sdpa)


def test_exponentials_tell_how_much_of_a_row_a_softmax_sees():
    halves = "torch.cat([(q @ k.mT)[..., :3].exp(), (q @ k.mT)[..., 3:].exp()], -1)"
    source = f"def answer(q, k, v):\n    e = {halves.replace('q @', 'q / 2 @')}\n"
    source += "    return e @ v / e.sum(-1, True)"
    assert structure(source).most_exponentials == 2 * QUERIES * (KEYS - 3)
    assert structure(BY_HAND + "answer = by_hand").most_exponentials == 2 * QUERIES * KEYS
