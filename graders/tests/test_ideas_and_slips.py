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
