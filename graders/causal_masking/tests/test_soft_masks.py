"""Masks that lower forbidden scores by a number, which scores that are higher still show."""

import pytest
from grading import Answer, grade

from autograder.judging.answers import reference_source

pytestmark = pytest.mark.slow

SOFT = ("-200.0", "-2e4")
# What a reference does to forbidden scores, and what to do instead; {} is a number that seems low.
CHANGES = {
    "MultiHeadAttention": (
        "scores.masked_fill(~mask, -math.inf)",
        "scores + {} * (~mask).to(scores)",
    ),
    "RepairedAttention": (
        "torch.where(mask, scores, -math.inf)",
        "scores + {} * (~mask).to(scores)",
    ),
    "SelfAttention": (
        "return scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x), mask)",
        "scores = self.w_q(x) @ self.w_k(x).mT / self.w_q.out_features**0.5\n"
        "        if mask is not None:\n"
        "            scores = scores + {} * (~mask).to(scores)\n"
        "        weights = scores.softmax(-1)\n"
        "        return weights @ self.w_v(x), weights",
    ),
    "FusedMultiHeadAttention": (
        "attn_mask=mask,",
        "attn_mask=mask if mask is None else {} * (~mask).to(q),",
    ),
    "tiled_attention": (
        "scores.masked_fill(position[block] > position[:, None], -math.inf)",
        "torch.where(position[block] > position[:, None], {}, scores)",
    ),
    "causal_attention": (
        "masked_softmax(scores, causal_mask(keys, device=q.device))",
        "(scores + {} * (~causal_mask(keys, device=q.device)).to(scores)).softmax(-1)",
    ),
    "compare_attention": (
        "scores.masked_fill(future, -math.inf)",
        "scores.masked_fill(future, {})",
    ),
    "grouped_query_attention": (
        "is_causal=is_causal)",
        "attn_mask={} * q.new_ones(q.shape[-2], q.shape[-2]).triu(1) if is_causal else None)",
    ),
}


def softened(exercise, number):
    old, new = CHANGES[exercise]
    source = reference_source(exercise)
    assert source.count(old) == 1, source
    return Answer(exercise, number, source.replace(old, new.format(number)))


ANSWERS = [softened(exercise, number) for exercise in CHANGES for number in SOFT]


@pytest.fixture(scope="module")
def graded():
    return grade(ANSWERS, b"secret")


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_a_soft_mask_costs_marks(graded, answer):
    assert 0.5 < graded[answer].share < 1


def test_no_grader_fails_of_itself(graded):
    assert [one.fault for found in graded.values() for one in found.found if one.fault] == []
