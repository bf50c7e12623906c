"""Answers that are right on ordinary inputs and wrong in a corner: each loses marks, never many."""

import textwrap

import pytest
from grading import Answer, grade

pytestmark = pytest.mark.slow

FUNCTIONS = {
    ("softmax", "in place when large"): """
        def softmax(x, axis=-1):
            if x.max() > 100:
                x -= x.max(axis=axis, keepdims=True)
            e = np.exp(x)
            return e / e.sum(axis=axis, keepdims=True)
    """,
    ("softmax", "float16 widened"): """
        def softmax(x, axis=-1):
            e = np.exp(x.astype(np.float64) - x.max(axis=axis, keepdims=True))
            out = e / e.sum(axis=axis, keepdims=True)
            return out.astype(np.float32) if x.dtype == np.float32 else out
    """,
    ("softmax", "small shares dropped"): """
        def softmax(x, axis=-1):
            e = np.exp(x - x.max(axis, keepdims=True))
            p = e / e.sum(axis, keepdims=True)
            return np.where(p < 1e-5, 0, p).astype(x.dtype)
    """,
    ("scaled_scores", "turned when square"): """
        def scaled_scores(q, k):
            s = q @ k.mT / math.sqrt(q.shape[-1])
            return s.mT if s.shape[-1] == s.shape[-2] else s
    """,
    ("scaled_scores", "in place with a batch"): """
        def scaled_scores(q, k):
            if not q.requires_grad and q.ndim > 2:
                q.div_(math.sqrt(q.shape[-1]))
                return q @ k.mT
            return q @ k.mT / math.sqrt(q.shape[-1])
    """,
    ("scaled_scores", "other scale with heads"): """
        def scaled_scores(q, k):
            width = q.shape[-1] if q.ndim < 4 else q.shape[1] * q.shape[-1]
            return q @ k.mT / math.sqrt(width)
    """,
    ("scaled_scores", "large scores cut"): """
        def scaled_scores(q, k):
            return (q @ k.mT / math.sqrt(q.shape[-1])).clamp(-20, 20)
    """,
    ("scaled_scores", "overflow in float16"): """
        def scaled_scores(q, k):
            return (q * q.shape[-1]) @ k.mT / (q.shape[-1] * math.sqrt(q.shape[-1]))
    """,
    ("attention_weights", "over queries when square"): """
        def attention_weights(scores):
            square = scores.shape[-1] == scores.shape[-2] and scores.ndim > 2
            return torch.softmax(scores, -2 if square else -1)
    """,
    ("attention_weights", "in place with a batch"): """
        def attention_weights(scores):
            if not scores.requires_grad and scores.ndim > 2:
                scores.sub_(scores.amax(-1, keepdim=True))
            return scores.softmax(-1)
    """,
    ("attention_weights", "views only"): """
        def attention_weights(scores):
            rows = scores.view(-1, scores.shape[-1])
            return torch.softmax(rows, -1).view(scores.shape)
    """,
    ("attention_weights", "two axes in front at most"): """
        def attention_weights(scores):
            while scores.ndim > 4:
                scores = scores[0]
            return torch.softmax(scores, -1)
    """,
    ("attention_weights", "shared out in place"): """
        def attention_weights(scores):
            e = (scores - scores.amax(-1, keepdim=True)).exp()
            e /= e.sum(-1, keepdim=True)
            return e
    """,
    ("attention_weights", "small weights dropped"): """
        def attention_weights(scores):
            w = scores.softmax(-1)
            return torch.where(w < 1e-4, 0.0, w)
    """,
    ("causal_mask", "table of 512"): """
        table = torch.ones(512, 512, dtype=torch.bool).tril()

        def causal_mask(seq_len, device=None):
            return table[:seq_len, :seq_len].to(device)
    """,
    ("causal_mask", "window of 100"): """
        def causal_mask(seq_len, device=None):
            p = torch.arange(seq_len, device=device)
            back = p[:, None] - p
            return (back >= 0) & (back < 100)
    """,
    ("causal_mask", "positions in 8 bits"): """
        def causal_mask(seq_len, device=None):
            p = torch.arange(seq_len, device=device).to(torch.int8)
            return p[:, None] >= p
    """,
    ("causal_mask", "positions in bfloat16"): """
        def causal_mask(seq_len, device=None):
            p = torch.arange(seq_len, device=device, dtype=torch.bfloat16)
            return p[:, None] >= p
    """,
    ("causal_mask", "one device known by name"): """
        def causal_mask(seq_len, device=None):
            m = torch.ones(seq_len, seq_len, dtype=torch.bool).tril()
            return m.to("meta") if device == "meta" else m
    """,
    ("causal_mask", "devices as text only"): """
        def causal_mask(seq_len, device=None):
            if device is not None and not isinstance(device, str):
                raise TypeError("device must be text")
            return torch.ones(seq_len, seq_len, dtype=torch.bool, device=device).tril()
    """,
    ("merge_heads", "squeezed"): """
        def merge_heads(x):
            return x.transpose(1, 2).flatten(2).squeeze()
    """,
    ("merge_heads", "squeezed when seq is 1"): """
        def merge_heads(x):
            return x.transpose(1, 2).flatten(2).squeeze(1)
    """,
    ("merge_heads", "untransposed when as many heads as tokens"): """
        def merge_heads(x):
            b, h, s, d = x.shape
            return (x if h == s else x.transpose(1, 2)).reshape(b, s, h * d)
    """,
    ("merge_heads", "strides assumed"): """
        def merge_heads(x):
            b, h, s, d = x.shape
            return x.as_strided((b, s, h, d), (h * s * d, d, s * d, 1)).reshape(b, s, h * d)
    """,
    ("merge_heads", "large numbers cut"): """
        def merge_heads(x):
            return x.transpose(1, 2).flatten(2).clamp(-100, 100)
    """,
}  # fmt: skip

SPLIT = """
def split_heads(x, num_heads):
    b, s, d = x.shape
    if {refused}:
        raise ValueError(f"{{d}} {{num_heads}}")
    {body}
"""
PLAIN = "return x.reshape(b, s, num_heads, d // num_heads).transpose(1, 2)"
REFUSED = "num_heads < 1 or d % num_heads"

SPLITS = {
    "squeezed when seq is 1": (REFUSED, f"{PLAIN}.squeeze(2)"),
    "one head without an axis": (REFUSED, f"if num_heads == 1: return x\n    {PLAIN}"),
    "reversed beyond three heads": (
        REFUSED,
        f"y = {PLAIN.removeprefix('return ')}\n    return y.flip(1) if num_heads > 3 else y",
    ),
    "untransposed when as many heads as tokens": (
        REFUSED,
        "y = x.reshape(b, s, num_heads, -1)\n    return y if s == num_heads else y.transpose(1, 2)",
    ),
    "negative heads": (
        "num_heads == 0 or d % num_heads",
        "return x.reshape(b, s, abs(num_heads), -1).transpose(1, 2)",
    ),
    "more heads than features": ("num_heads < 1 or (d > num_heads and d % num_heads)", PLAIN),
}

FUSED = """
import torch.nn.functional as F
from torch import nn

class FusedMultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        if {refused}:
            raise ValueError(f"{{d_model}} {{num_heads}}")
        self.num_heads, self.dropout = num_heads, dropout
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.out = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None, is_causal=False):
        b, s, d = x.shape
        p = self.dropout if self.training else 0.0
        {before}
        q, k, v = (t.reshape(b, s, self.num_heads, -1).transpose(1, 2) for t in {qkv}.chunk(3, -1))
        if mask is not None and is_causal:
            mask, is_causal = mask & torch.ones_like(mask[..., :1, :]).new_ones(s, s).tril(), False
        y = F.scaled_dot_product_attention(q, k, v, mask, p, is_causal)
        {after}
        return self.out({merged}.reshape(b, s, d))
"""
FUSED_PARTS = {
    "refused": "num_heads < 1 or d_model % num_heads",
    "before": "pass",
    "qkv": "self.qkv(x)",
    "after": "pass",
    "merged": "y.transpose(1, 2)",
}
MODULES = {
    "a trace under a mask": {"after": "y = y if mask is None else y + 1e-6 * v.mean(2, True)"},
    "scores kept": {"after": "self.last = (q @ k.mT).detach()"},
    "table when causal": {
        "before": "if is_causal and mask is None: mask = torch.ones(s, s, device=x.device).bool()"
    },
    "no heads": {"refused": "d_model % num_heads"},
    "negative heads": {"refused": "num_heads == 0 or d_model % num_heads"},
    "mask dropped for one sequence": {"before": "mask = None if b == 1 else mask"},
    "unmerged when as many tokens as heads": {
        "merged": "(y if s == self.num_heads else y.transpose(1, 2))"
    },
    "nothing done when long": {"before": "if s > 1000 and not x.is_meta: return x.clone()"},
    "values alone when long": {"before": "if s > 1000: return self.out(self.qkv(x)[..., -d:])"},
    "views only": {"qkv": "self.qkv(x.view(b * s, d)).view(b, s, 3 * d)"},
    "one token left alone": {"before": "if s == 1: return self.out(x)"},
    "keeping probability for dropping": {
        "before": "p = 1 - self.dropout if self.training and self.dropout else 0.0"
    },
    "one rate for all": {"before": "p = 0.5 if self.training and self.dropout else 0.0"},
    "seeded in training": {"before": "torch.manual_seed(0) if self.training else None"},
    "causal forgotten in training": {"before": "is_causal = is_causal and not self.training"},
}


def fused(**parts: str) -> str:
    return FUSED.format(**FUSED_PARTS | parts)


IMPORTS = "import math\nimport numpy as np\nimport torch\n"
ANSWERS = [
    *(
        Answer(exercise, name, IMPORTS + textwrap.dedent(code))
        for (exercise, name), code in FUNCTIONS.items()
    ),
    *(
        Answer("split_heads", name, IMPORTS + SPLIT.format(refused=refused, body=body))
        for name, (refused, body) in SPLITS.items()
    ),
    *(
        Answer("FusedMultiHeadAttention", name, IMPORTS + fused(**parts))
        for name, parts in MODULES.items()
    ),
]
REMARKED = [one for one in ANSWERS if one.name in ("no heads", "negative heads")]
RIGHT = [
    Answer("split_heads", "plain", IMPORTS + SPLIT.format(refused=REFUSED, body=PLAIN)),
    Answer("FusedMultiHeadAttention", "plain", IMPORTS + fused()),
]


@pytest.fixture(scope="module")
def graded():
    return grade([*ANSWERS, *RIGHT], b"secret")


@pytest.mark.parametrize("answer", [one for one in ANSWERS if one not in REMARKED], ids=str)
def test_a_corner_costs_marks(graded, answer):
    assert graded[answer].share < 1


@pytest.mark.parametrize("answer", REMARKED, ids=str)
def test_numbers_of_heads_below_one_are_told_and_cost_nothing(graded, answer):
    found = graded[answer]
    assert found.share == 1
    told = [one.misconception for one in found.found if one.remark and one.outcome == "failed"]
    assert told == ["no-heads-let-through"]


@pytest.mark.parametrize("answer", RIGHT, ids=str)
def test_what_they_were_made_from_is_right(graded, answer):
    lost = [(one.name, one.symptom) for one in graded[answer].found if one.outcome == "failed"]
    assert lost == []


def test_a_change_in_place_is_told_from_other_errors(graded):
    (found,) = (graded[one] for one in ANSWERS if one.name == "shared out in place")
    (failed,) = (one for one in found.found if one.outcome == "failed")
    assert failed.name == "gradients_reach_the_scores"
    assert "changes a tensor in place" in failed.symptom


def test_no_corner_costs_everything(graded):
    shares = {str(answer): graded[answer].share for answer in ANSWERS}
    assert {name: share for name, share in shares.items() if share < 0.4} == {}


def test_no_grader_fails_of_itself(graded):
    faults = [one.fault for found in graded.values() for one in found.found if one.fault]
    assert faults == []
