"""An idea is named beside whatever slips, and each slip that is sure; nothing else is claimed."""

import warnings

import pytest

from autograder.bank import all_mistakes
from autograder.course.own_code import import_file, served
from autograder.judging import diagnose
from autograder.judging.answers import reference_source, student_with
from autograder.judging.registry import declared_aspects, probe_of

for file in sorted(served().glob("graders/*/**/probe*.py")):
    import_file(file)

ANSWERS = [
    (
        "scaled_dot_product_attention",
        ["no-scale", "mask-inverted", "fill-too-large-for-half-precision"],
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
""",
    ),
    (
        "causal_attention",
        ["no-scale", "mask-inverted"],
        """
def causal_attention(q, k, v):
    if q.shape[-2] != k.shape[-2]:
        raise ValueError(f"{q.shape[-2]} queries and {k.shape[-2]} keys")
    scores = (q @ k.mT).masked_fill(causal_mask(q.shape[-2], device=q.device), -1e9)
    weights = scores.softmax(-1)
    return weights @ v, weights
""",
    ),
    (
        "grouped_query_attention",
        ["key-heads-dealt-in-turn"],
        """
def grouped_query_attention(q, k, v, is_causal=False):
    if q.shape[1] % k.shape[1]:
        raise ValueError(f"{q.shape[1]} heads of queries, {k.shape[1]} of keys")
    g = q.shape[1] // k.shape[1]
    k, v = (one.repeat(1, g, 1, 1) for one in (k, v))
    return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
""",
    ),
    (
        "additive_mask",
        ["minus-1e9-for-infinity", "dtype-ignored", "made-on-the-cpu"],
        """
def additive_mask(mask, dtype):
    zeros = torch.zeros(mask.shape)
    return zeros.masked_fill(~mask, -1e9)
""",
    ),
    (
        "scaled_dot_product_attention",
        ["mask-transposed"],
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(k.shape[-1])
    if mask is not None:
        scores = torch.where(mask.mT, scores, -1e9)
    weights = scores.softmax(dim=-1)
    return weights @ v, weights
""",
    ),
    (
        "padding_mask",
        ["max-len-only-as-a-limit"],
        """
def padding_mask(lengths, max_len):
    if not torch.is_tensor(lengths):
        lengths = torch.tensor(lengths)
    filling = torch.arange(min(max_len, int(lengths.max())))[None] >= lengths.view(-1, 1)
    return ~filling
""",
    ),
    (
        "split_heads",
        ["view-straight-to-heads", "no-check-of-heads"],
        """
def split_heads(x, num_heads):
    batch, seq, d_model = x.shape
    return x.view(batch, num_heads, seq, d_model // num_heads)
""",
    ),
    (
        "padding_mask",
        ["one-position-too-many", "lists-refused", "float-mask"],
        """
def padding_mask(lengths, max_len):
    steps = torch.arange(max_len, device=lengths.device)
    return (steps[None] <= lengths[:, None]).float()
""",
    ),
    (
        "causal_attention",
        ["no-scale", "another-kind-of-error"],
        """
def causal_attention(q, k, v):
    seq = q.shape[-2]
    assert seq == k.shape[-2], "as many keys as queries"
    future = torch.ones(seq, seq, dtype=torch.bool, device=q.device).triu(1)
    weights = (q @ k.mT).masked_fill(future, float("-inf")).softmax(-1)
    return weights @ v, weights
""",
    ),
    (
        "causal_attention",
        ["fill-too-large-for-float16", "another-kind-of-error"],
        """
def causal_attention(q, k, v):
    seq = q.shape[-2]
    assert seq == k.shape[-2], "as many keys as queries"
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(causal_mask(seq, q.device) == 0, -1e9).softmax(-1)
    return weights @ v, weights
""",
    ),
    (
        "dot_product_scores",
        ["elementwise-product"],
        """
def dot_product_scores(q, k):
    assert q.shape == k.shape, "one key for each query"
    return (q * k).sum(-1)
""",
    ),
    (
        "scaled_dot_product_attention",
        ["softmax-over-queries", "fill-too-large-for-half-precision"],
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = scores.softmax(-2)
    return weights @ v, weights
""",
    ),
]


WITH_THE_COMMONEST_MISTAKE = [
    (
        "scaled_dot_product_attention",
        ["fill-too-soft"],
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores + (1 - mask.to(scores.dtype)) * -10000.0
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
""",
    ),
    (
        "scaled_dot_product_attention",
        ["causal-without-a-mask"],
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is None:
        mask = torch.ones(scores.shape[-2:], device=q.device).tril().bool()
    weights = scores.masked_fill(mask.logical_not(), -math.inf).softmax(-1)
    return weights @ v, weights
""",
    ),
    (
        "scaled_dot_product_attention",
        ["no-scale", "two-axes-in-front-only"],
        """
def scaled_dot_product_attention(q, k, v, mask=None):
    B, H, T, D = q.shape
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
""",
    ),
    (
        "masked_softmax",
        ["scores-and-weights-times-the-mask"],
        """
def masked_softmax(scores, mask):
    return torch.softmax(scores * mask, dim=-1) * mask
""",
    ),
    (
        "weighted_values",
        ["best-value-only"],
        """
def weighted_values(weights, v):
    best = torch.argmax(weights, dim=-1)
    return v[best]
""",
    ),
    (
        "simple_attention",
        ["itself-left-out"],
        """
def simple_attention(x):
    scores = x @ x.mT
    scores = scores.masked_fill(torch.eye(scores.shape[-1], dtype=torch.bool), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return [weights @ x, weights]
""",
    ),
    (
        "causal_attention",
        ["mask-inverted", "scale-by-number-of-keys"],
        """
def causal_attention(q, k, v):
    T = q.shape[-2]
    if k.shape[-2] != T:
        raise ValueError(f"{T} != {k.shape[-2]}")
    future = torch.triu(torch.ones(T, T, device=q.device), diagonal=1).bool()
    scores = (q @ k.transpose(-2, -1) / math.sqrt(T)).masked_fill(~future, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
""",
    ),
    (
        "sliding_window_mask",
        ["window-to-both-sides", "one-position-too-many"],
        """
def sliding_window_mask(seq_len, window):
    i = torch.arange(seq_len)
    return (i[:, None] - i[None, :]).abs() <= window
""",
    ),
    (
        "grouped_query_attention",
        ["is-causal-ignored", "scale-by-number-of-heads"],
        """
def grouped_query_attention(q, k, v, is_causal=False):
    heads, key_heads = q.shape[-3], k.shape[-3]
    if heads % key_heads:
        raise ValueError(f"{heads} and {key_heads}")
    k = torch.repeat_interleave(k, heads // key_heads, dim=-3)
    v = torch.repeat_interleave(v, heads // key_heads, dim=-3)
    return torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(heads), dim=-1) @ v
""",
    ),
    (
        "attention_entropy",
        ["bits-for-nats", "small-number-lost"],
        """
def attention_entropy(weights):
    return -(weights * torch.log2(weights + 1e-9)).sum(-1)
""",
    ),
    (
        "strongest_links",
        ["largest-last", "weights-as-tensors"],
        """
def strongest_links(weights, tokens, k=3):
    if len(tokens) != weights.shape[1]:
        raise ValueError(f"{len(tokens)} tokens for {weights.shape[1]} keys")
    orders = [torch.argsort(row)[-k:] for row in weights]
    return [
        [(tokens[j], row[j]) for j in order] for row, order in zip(weights, orders, strict=True)
    ]
""",
    ),
    (
        "simple_attention",
        ["cosine-similarity"],
        """
def simple_attention(x):
    batch, seq, width = x.shape
    x /= x.norm(dim=-1, keepdim=True)
    weights = torch.softmax(torch.bmm(x, x.mT), dim=2)
    return torch.bmm(weights, x), weights
""",
    ),
    (
        "weighted_values",
        ["every-entry-with-every-other"],
        """
def weighted_values(weights, v):
    return torch.from_numpy(weights.detach().numpy().dot(v.detach().numpy()))
""",
    ),
    (
        "attention_cost",
        ["flops-times-heads", "four-bytes-always", "floats-for-counts"],
        """
def attention_cost(seq_len, d_model, num_heads, dtype):
    flops = 4 * seq_len**2 * d_model * num_heads
    return {"flops": float(flops), "score_bytes": float(num_heads * seq_len**2 * 4)}
""",
    ),
]


def named(exercise, source):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [mistake.slug for mistake in diagnose(exercise, student_with(exercise, source))]


@pytest.mark.parametrize(
    ("exercise", "slugs", "source"),
    ANSWERS,
    ids=[" ".join([exercise, *slugs]) for exercise, slugs, _ in ANSWERS],
)
def test_the_idea_is_named_first_and_each_slip_beside_it(exercise, slugs, source):
    found = named(exercise, source)
    assert found[0] == slugs[0]
    assert set(found) == set(slugs)


@pytest.mark.parametrize(
    ("exercise", "slugs", "source"),
    WITH_THE_COMMONEST_MISTAKE,
    ids=[" ".join([exercise, *slugs]) for exercise, slugs, _ in WITH_THE_COMMONEST_MISTAKE],
)
def test_nothing_beside_the_commonest_mistake_hides_it(exercise, slugs, source):
    assert set(named(exercise, source)) == set(slugs)


def test_a_cut_gradient_beside_what_nothing_explains_is_not_named():
    """Who leaves for NumPy cuts gradients too; `.detach()` would not be what they wrote."""
    source = """
def scaled_scores(q, k):
    if q.dtype is torch.bfloat16:
        raise TypeError("no bfloat16 here")
    return (q.detach() @ k.detach().mT) / math.sqrt(k.shape[-1])
"""
    assert named("scaled_scores", source) == []


def test_words_alone_tell_no_idea():
    source = """
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v, bias=False):
        super().__init__()
        raise TypeError("nothing yet")
"""
    assert named("SelfAttention", source) == []


@pytest.mark.parametrize("exercise", list(dict.fromkeys(one.exercise for one in all_mistakes())))
def test_declared_aspects_are_of_observations_that_there_are(exercise):
    observe = probe_of(exercise)
    assert observe is not None
    seen = observe(student_with(exercise, reference_source(exercise)))
    assert set(declared_aspects(exercise)) <= set(seen)
