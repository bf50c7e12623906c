"""One mistake costs once: what is built on a wrong earlier answer keeps its own marks."""

import pytest
from grading import Answer, grade

from autograder.judging.answers import source_of
from autograder.misconceptions import mistakes

SCALED = """
def scaled_scores(q, k):
    return dot_product_scores(q, k) / math.sqrt(k.shape[-1])
"""
SIMPLE = """
def simple_attention(x):
    weights = attention_weights(dot_product_scores(x, x))
    return weighted_values(weights, x), weights
"""
MODULE = """
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v, bias=False):
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k, bias=bias)
        self.w_k = nn.Linear(d_model, d_k, bias=bias)
        self.w_v = nn.Linear(d_model, d_v, bias=bias)

    def forward(self, x, mask=None):
        return scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x), mask)
"""

# exercise, its answer, the earlier exercise, how that one is wrong
BUILT = [
    ("scaled_scores", SCALED, "dot_product_scores", "keys-by-queries"),
    ("scaled_scores", SCALED, "dot_product_scores", "mean-for-sum"),
    ("scaled_scores", SCALED, "dot_product_scores", "cosine-similarity"),
    ("simple_attention", SIMPLE, "dot_product_scores", "scaled-already"),
    ("simple_attention", SIMPLE, "attention_weights", "softmax-over-queries"),
    ("simple_attention", SIMPLE, "attention_weights", "applied-twice"),
    ("simple_attention", SIMPLE, "weighted_values", "divided-by-number-of-keys"),
    ("SelfAttention", MODULE, "scaled_dot_product_attention", "no-scale"),
    ("SelfAttention", MODULE, "scaled_dot_product_attention", "softmax-over-queries"),
    ("SelfAttention", MODULE, "scaled_dot_product_attention", "mask-inverted"),
]
# The same wrong part, and a mistake of the exercise's own upon it.
OWN = [
    ("scaled_scores", SCALED.replace("math.sqrt(k.shape[-1])", "8"), *BUILT[0][2:]),
    ("simple_attention", SIMPLE.replace("weights, x), w", "weights.mT, x), w"), *BUILT[4][2:]),
    ("SelfAttention", MODULE.replace("self.w_v(x), mask", "self.w_v(x)"), *BUILT[7][2:]),
]


def answers(rows, note="on"):
    for exercise, code, earlier, slug in rows:
        wrong = next(entry for entry in mistakes(earlier) if entry.slug == slug)
        yield Answer(exercise, f"{note} {earlier}, {slug}", f"{source_of(wrong)}\n{code}")


@pytest.fixture(scope="module")
def graded():
    return grade([*answers(BUILT), *answers(OWN, "wrong on")], b"secret")


@pytest.mark.parametrize("answer", list(answers(BUILT)), ids=str)
def test_a_wrong_part_costs_nothing_again(graded, answer):
    found = graded[str(answer)].found
    assert [f"{one.name}: {one.symptom}" for one in found if one.outcome == "failed"] == []


@pytest.mark.parametrize("answer", list(answers(OWN, "wrong on")), ids=str)
def test_a_mistake_of_its_own_still_costs(graded, answer):
    assert 0 < graded[str(answer)].share < 1


def test_no_grader_fails_of_itself(graded):
    faults = [one.fault for found in graded.values() for one in found.found if one.fault]
    assert faults == []
