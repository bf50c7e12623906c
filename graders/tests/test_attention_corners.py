"""Answers to 01 and 02 that are right on ordinary inputs and wrong in a corner."""

import textwrap

import pytest
from grading import Answer, grade

FUNCTIONS = {
    ("dot_product_scores", "turned when square"): """
        def dot_product_scores(q, k):
            s = q @ k.mT
            return s.mT if s.shape[-1] == s.shape[-2] else s
    """,
    ("dot_product_scores", "large scores cut"): """
        def dot_product_scores(q, k):
            return (q @ k.mT).clamp(-1000, 1000)
    """,
    ("dot_product_scores", "overflow in float16"): """
        def dot_product_scores(q, k):
            return (q * q.shape[-1]) @ k.mT / q.shape[-1]
    """,
    ("dot_product_scores", "scaled with heads"): """
        def dot_product_scores(q, k):
            s = q @ k.mT
            return s / math.sqrt(k.shape[-1]) if q.ndim == 4 else s
    """,
    ("dot_product_scores", "views only"): """
        def dot_product_scores(q, k):
            flat = q.view(-1, *q.shape[-2:]), k.view(-1, *k.shape[-2:])
            return (flat[0] @ flat[1].mT).view(*q.shape[:-1], k.shape[-2])
    """,
    ("weighted_values", "turned when square"): """
        def weighted_values(weights, v):
            square = weights.shape[-1] == weights.shape[-2]
            return (weights.mT if square else weights) @ v
    """,
    ("weighted_values", "small weights dropped"): """
        def weighted_values(weights, v):
            return torch.where(weights < 1e-4, 0.0, weights) @ v
    """,
    ("weighted_values", "as wide as there are keys"): """
        def weighted_values(weights, v):
            return (weights @ v)[..., : max(v.shape[-2], 4)]
    """,
    ("weighted_values", "in place with a batch"): """
        def weighted_values(weights, v):
            output = weights @ v
            if v.ndim > 2 and not v.requires_grad:
                v.zero_()
            return output
    """,
    ("weighted_values", "four axes at most"): """
        def weighted_values(weights, v):
            heads_behind = weights.ndim == 4 and not v.is_contiguous()
            return weights @ (v.contiguous().flip(1) if heads_behind else v)
    """,
    ("simple_attention", "scaled with a batch"): """
        def simple_attention(x):
            scores = x @ x.mT / (math.sqrt(x.shape[-1]) if x.ndim > 2 else 1)
            weights = torch.softmax(scores, dim=-1)
            return weights @ x, weights
    """,
    ("simple_attention", "scaled when wide"): """
        def simple_attention(x):
            scores = x @ x.mT / (math.sqrt(x.shape[-1]) if x.shape[-1] > 4 else 1)
            weights = torch.softmax(scores, dim=-1)
            return weights @ x, weights
    """,
    ("simple_attention", "small weights dropped"): """
        def simple_attention(x):
            weights = torch.softmax(x @ x.mT, dim=-1)
            return torch.where(weights < 1e-4, 0.0, weights) @ x, weights
    """,
    ("simple_attention", "weights of another softmax"): """
        def simple_attention(x):
            output = torch.softmax(x @ x.mT, dim=-1) @ x
            return output, torch.softmax(x @ x.mT / math.sqrt(x.shape[-1]), dim=-1)
    """,
    ("project_qkv", "turned when square"): """
        def project_qkv(x, w_q, w_k, w_v):
            ws = [w.mT if w.shape[0] == w.shape[1] else w for w in (w_q, w_k, w_v)]
            return tuple(x @ w for w in ws)
    """,
    ("project_qkv", "batch of one axis"): """
        def project_qkv(x, w_q, w_k, w_v):
            x = x.flatten(0, -3) if x.ndim > 3 else x
            return x @ w_q, x @ w_k, x @ w_v
    """,
    ("scaled_dot_product_attention", "scale of the square case"): """
        def scaled_dot_product_attention(q, k, v, mask=None):
            scores = q @ k.mT / math.sqrt(min(k.shape[-1], v.shape[-1]))
            if mask is not None:
                scores = scores.masked_fill(~mask, -math.inf)
            weights = torch.softmax(scores, dim=-1)
            return weights @ v, weights
    """,
    ("scaled_dot_product_attention", "small weights dropped"): """
        def scaled_dot_product_attention(q, k, v, mask=None):
            scores = q @ k.mT / math.sqrt(k.shape[-1])
            if mask is not None:
                scores = scores.masked_fill(~mask, -math.inf)
            weights = torch.softmax(scores, dim=-1)
            return torch.where(weights < 1e-4, 0.0, weights) @ v, weights
    """,
    ("scaled_dot_product_attention", "soft fill of a thousand"): """
        def scaled_dot_product_attention(q, k, v, mask=None):
            scores = q @ k.mT / math.sqrt(k.shape[-1])
            if mask is not None:
                scores = scores.masked_fill(~mask, -1000.0)
            weights = torch.softmax(scores, dim=-1)
            return weights @ v, weights
    """,
    ("scaled_dot_product_attention", "mask of two axes only"): """
        def scaled_dot_product_attention(q, k, v, mask=None):
            scores = q @ k.mT / math.sqrt(k.shape[-1])
            if mask is not None:
                mask = mask.reshape(-1, *mask.shape[-2:])[0] if mask.ndim > 3 else mask
                scores = scores.masked_fill(~mask, -math.inf)
            weights = torch.softmax(scores, dim=-1)
            return weights @ v, weights
    """,
}

MODULE = """
class {name}(nn.Module):
    def __init__(self, d_model, d_k, d_v, bias=False):
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k, bias=bias)
        self.w_k = nn.Linear(d_model, d_k, bias=bias)
        self.w_v = nn.Linear(d_model, d_v, bias=bias)

    def forward(self, x, mask=None):
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        scores = q @ k.mT / {root}
        if mask is not None:
            scores = {masked}
        weights = {weights}
        return {output}, weights
"""
PARTS = {
    "root": "math.sqrt(k.shape[-1])",
    "masked": "scores.masked_fill(~mask, -math.inf)",
    "weights": "scores.softmax(dim=-1)",
    "output": "weights @ v",
}
MODULES = {
    "findings cut off": {"output": "(weights @ v).clamp(-30, 30)"},
    "a trace of the average": {"output": "weights @ v + 1e-4 * v.mean(-2, True)"},
    "scale with a mask": {"root": "(1 if mask is not None else math.sqrt(k.shape[-1]))"},
    "wider of two widths": {"root": "math.sqrt(max(k.shape[-1], v.shape[-1]))"},
    "over queries without a batch": {"weights": "scores.softmax(-2 if x.ndim == 2 else -1)"},
    "detached in training": {"output": "(weights.detach() if self.training else weights) @ v"},
    "first row of the mask": {"masked": "scores.masked_fill(~mask[..., :1, :], -math.inf)"},
}  # fmt: skip
IMPORTS = "import math\nimport torch\nfrom torch import nn\n"

ANSWERS = [
    *(
        Answer(exercise, name, IMPORTS + textwrap.dedent(code))
        for (exercise, name), code in FUNCTIONS.items()
    ),
    *(
        Answer(exercise, name, IMPORTS + MODULE.format(name=exercise, **PARTS | parts))
        for exercise in ("SelfAttention", "RepairedAttention")
        for name, parts in MODULES.items()
    ),
]


@pytest.fixture(scope="module")
def graded():
    return grade(ANSWERS, b"secret")


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_a_corner_costs_marks(graded, answer):
    assert graded[answer].share < 1


def test_no_corner_costs_everything(graded):
    shares = {name: found.share for name, found in graded.items()}
    assert {name: share for name, share in shares.items() if share < 0.25} == {}


def test_no_grader_fails_of_itself(graded):
    faults = [one.fault for found in graded.values() for one in found.found if one.fault]
    assert faults == []
