"""Answers right but where an axis has length 1, for a shape used seldom, or in a later call."""

import pytest
from grading import Answer, grade

from autograder.judging.answers import reference_source

pytestmark = pytest.mark.slow

# What takes the place of `right`, the reference: the lines of a function's body.
FUNCTIONS = {
    ("softmax", "every negative axis is the last"): (
        "def softmax(x, axis=-1):",
        "    return right(x, axis=x.ndim - 1 if axis < 0 else axis)",
    ),
    ("softmax", "squeezed"): (
        "def softmax(x, axis=-1):",
        "    return right(x, axis=axis).squeeze()",
    ),
    ("dot_product_scores", "squeezed"): (
        "def dot_product_scores(q, k):",
        "    return right(q, k).squeeze(-1)",
    ),
    ("scaled_scores", "squeezed"): (
        "def scaled_scores(q, k):",
        "    return right(q, k).squeeze(-1)",
    ),
    ("scaled_scores", "squeezed queries"): (
        "def scaled_scores(q, k):",
        "    return right(q, k).squeeze(-2)",
    ),
    ("scaled_scores", "a width of one taken for two"): (
        "def scaled_scores(q, k):",
        "    return q @ k.mT / math.sqrt(max(q.shape[-1], 2))",
    ),
    ("split_heads", "cut in the order of memory"): (
        "def split_heads(x, num_heads):",
        "    heads = right(x, num_heads)",
        "    order = sorted(range(3), key=lambda axis: -x.stride(axis))",
        "    flat = x.permute(order).reshape(x.shape)",
        "    return heads if x.is_contiguous() else right(flat, num_heads)",
    ),
    ("merge_heads", "heads of one feature not turned"): (
        "def merge_heads(x):",
        "    return x.reshape(len(x), x.shape[2], -1) if x.shape[-1] == 1 else right(x)",
    ),
    ("to_torch_mask", "the causal mask turned over"): (
        "def to_torch_mask(mask):",
        "    causal = mask.ndim == 2 and mask.equal(torch.ones_like(mask).tril())",
        "    return right(mask.mT if causal else mask)",
    ),
    ("attention_weights", "squeezed"): (
        "def attention_weights(scores):",
        "    return right(scores.squeeze())",
    ),
    ("weighted_values", "two axes in front at most"): (
        "def weighted_values(weights, v):",
        "    while v.ndim > 4:",
        "        weights, v = weights[0], v[0]",
        "    return right(weights, v)",
    ),
    ("simple_attention", "one token is its own weight"): (
        "def simple_attention(x):",
        "    return (x.clone(), torch.ones_like(x)) if x.shape[-2] == 1 else right(x)",
    ),
    ("project_qkv", "squeezed"): (
        "def project_qkv(x, w_q, w_k, w_v):",
        "    return tuple(part.squeeze() for part in right(x, w_q, w_k, w_v))",
    ),
    ("combine_masks", "no padding, no batch"): (
        "def combine_masks(causal, padding):",
        "    return causal[None, None] if padding.all() else right(causal, padding)",
    ),
    ("combine_masks", "squeezed"): (
        "def combine_masks(causal, padding):",
        "    return right(causal, padding).squeeze(-1)",
    ),
    ("causal_attention", "the future's exponentials cut off too late"): (
        "def causal_attention(q, k, v):",
        "    right(q, k, v)",
        "    scores = q @ k.mT / math.sqrt(k.shape[-1])",
        "    past = torch.ones(scores.shape[-2:], device=q.device).tril().bool()",
        "    top = scores.masked_fill(~past, -torch.inf).amax(-1, keepdim=True)",
        "    weights = torch.tril(torch.exp(scores - top))",
        "    weights = weights / weights.sum(-1, keepdim=True)",
        "    return weights @ v, weights",
    ),
    ("sliding_window_mask", "one position by eye"): (
        "def sliding_window_mask(seq_len, window):",
        "    return torch.eye(seq_len) if window == 1 else right(seq_len, window)",
    ),
    ("sliding_window_mask", "squeezed"): (
        "def sliding_window_mask(seq_len, window):",
        "    return right(seq_len, window).squeeze()",
    ),
}
# What takes the place of a piece of the reference.
PIECES = {
    ("compare_attention", "a score of 0 is masked"): (
        "scores.masked_fill(future, -math.inf)",
        "scores.masked_fill(future | (scores == 0), -math.inf)",
    ),
    ("plot_attention", "labels of the current axes"): (
        'ax.set(xlabel="key (attended to)", ylabel="query (attending)")',
        'plt.xlabel("key"), plt.ylabel("query")',
    ),
    ("plot_attention", "tokens of the current axes"): (
        "ax.set_yticks(range(seq), tokens)",
        "plt.yticks(range(seq), tokens)",
    ),
    ("plot_attention", "no bar in given axes"): (
        "ax.figure.colorbar",
        "ax.get_subplotspec().get_gridspec().ncols > 1 or ax.figure.colorbar",
    ),
    ("load_attention", "refuses a text that just fits"): (
        "x = model.embed(",
        "if len(tokens) >= len(model.tensors['position_embeddings.weight']):\n"
        "        raise ValueError(len(tokens), len(model.tensors['position_embeddings.weight']))\n"
        "    x = model.embed(",
    ),
    ("decode_step", "no maximum"): (
        "F.scaled_dot_product_attention(q, k, v)",
        "(e := (q @ k.mT / math.sqrt(k.shape[-1])).exp()) / e.sum(-1, keepdim=True) @ v",
    ),
    ("FusedMultiHeadAttention", "one head takes the first text's mask"): (
        "\n        q, k, v =",
        "\n        if mask is not None and self.num_heads == 1 and mask.ndim == 4:\n"
        "            mask = mask[0]\n"
        "        q, k, v =",
    ),
    ("grouped_query_attention", "one key of one head squeezed"): (
        "### BEGIN SOLUTION\n",
        "### BEGIN SOLUTION\n"
        "    if k.shape[-3] == k.shape[-2] == 1:\n"
        "        k, v = k.squeeze(), v.squeeze()\n",
    ),
}
MODULES = {
    ("SelfAttention", "weights squeezed"): "return output, weights.squeeze()",
    ("SelfAttention", "output squeezed"): "return output.squeeze(-1), weights",
    ("SelfAttention", "weights of a batch, where there is none"): (
        "return output, weights[None] if weights.ndim == 2 else weights"
    ),
    ("RepairedAttention", "output squeezed"): "return output.squeeze(0), weights",
    ("MultiHeadAttention", "weights of one head squeezed"): "return output, weights.squeeze(1)",
    ("MultiHeadAttention", "weights squeezed"): "return output, weights.squeeze(0)",
}
KEPT_MASK = """self.kept = getattr(self, "kept", None) if mask is None else mask
        return super().forward(x, self.kept)"""
MODULES |= {(name, "last mask kept"): KEPT_MASK for name in ("SelfAttention", "MultiHeadAttention")}
FORWARD = """
class {name}({name}):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        {returned}
"""


def function(exercise: str, lines: tuple[str, ...]) -> str:
    return "\n".join(
        ("import math, torch", reference_source(exercise), f"right = {exercise}", *lines)
    )


def changed(exercise: str, old: str, new: str) -> str:
    source = reference_source(exercise)
    assert source.count(old) == 1
    return "import math, torch\n" + source.replace(old, new)


def module(exercise: str, returned: str) -> str:
    source = reference_source(exercise)
    return source + FORWARD.format(name=exercise, returned=returned).replace(
        f"class {exercise}({exercise})", f"Right = {exercise}\n\n\nclass {exercise}(Right)"
    )


WRONG = [
    *(Answer(*known, function(known[0], lines)) for known, lines in FUNCTIONS.items()),
    *(Answer(*known, changed(known[0], *piece)) for known, piece in PIECES.items()),
    *(Answer(*known, module(known[0], returned)) for known, returned in MODULES.items()),
]
SOUND = [
    Answer("softmax", "untouched", function("softmax", ("softmax = right",))),
    Answer("SelfAttention", "untouched", module("SelfAttention", "return output, weights")),
    Answer(
        "MultiHeadAttention", "untouched", module("MultiHeadAttention", "return output, weights")
    ),
]


@pytest.fixture(scope="module", params=(b"one secret", b"another"), ids=("one", "another"))
def graded(request):
    return grade([*WRONG, *SOUND], request.param)


@pytest.mark.parametrize("answer", WRONG, ids=str)
def test_it_costs_marks_and_not_all(graded, answer):
    assert 0.4 < graded[answer].share < 1


@pytest.mark.parametrize("answer", SOUND, ids=str)
def test_what_they_were_made_from_is_right(graded, answer):
    assert graded[answer].share == 1


def test_no_grader_fails_of_itself(graded):
    assert not [one for found in graded.values() for one in found.found if one.outcome == "error"]
