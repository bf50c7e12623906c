"""Answers whose values are right on every input of the value tests, and that break a law."""

import pytest
from grading import Answer, grade

from autograder.judging.answers import reference_source

FORMULA = "return weights @ v, weights"
AVERAGE = "return weights @ v  # (..., queries, keys) @ (..., keys, d_v)"
SOFTMAX = "return torch.softmax(scores, dim=-1)"
MODULE = "return scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x), mask)"
HEADS = "merge_heads(weights @ v)"
FOURTH = "scores.detach() ** 4 * (scores.abs() < 100)"
NOT_LINEAR = "(weights @ v).clamp(-50, 50)"
NEVER_ZERO = "weights @ v + 1e-8"
A_TRACE = "weights @ v + 1e-9 * v.detach().flatten(0, -2).mean(0)"
ONE_PLACE = "weights @ v + (1e-3 * v[..., :1, :] if v.shape[-2] == {} else 0)"


def returning(output: str) -> tuple[str, str]:
    return FORMULA, f"return {output}, weights"


def in_module(output: str) -> tuple[str, str]:
    lines = (
        "v = self.w_v(x)",
        "_, weights = scaled_dot_product_attention(self.w_q(x), self.w_k(x), v, mask)",
        f"return {output}, weights",
    )
    return MODULE, "\n        ".join(lines)


# exercise, how the reference is changed, the law that it breaks
BROKEN = [
    (
        "dot_product_scores",
        ("return q @ k.mT", "return (q @ k.mT).clamp(-2e4, 2e4)"),
        "longer_vectors_have_larger_scores",
    ),
    (
        "scaled_scores",
        (
            "return dot_product_scores(q, k) / math.sqrt(k.shape[-1])",
            "return (dot_product_scores(q, k) / math.sqrt(k.shape[-1])).clamp(-9e3, 9e3)",
        ),
        "entry_ij_compares_query_i_with_key_j",
    ),
    (
        "attention_weights",
        (SOFTMAX, f"scores = scores + 1e-9 * {FOURTH}\n    {SOFTMAX}"),
        "one_number_added_to_a_row_changes_nothing",
    ),
    (
        "attention_weights",
        (SOFTMAX, f"{SOFTMAX} + (1e-9 * scores[:1].detach() if scores.ndim > 2 else 0)"),
        "leading_dimensions_are_kept_apart",
    ),
    ("weighted_values", (AVERAGE, f"return {NOT_LINEAR}"), "outputs_grow_and_add_with_the_values"),
    ("weighted_values", (AVERAGE, f"return {NEVER_ZERO}"), "outputs_grow_and_add_with_the_values"),
    ("weighted_values", (AVERAGE, f"return {A_TRACE}"), "batch_and_heads_are_kept_apart"),
    (
        "weighted_values",
        (AVERAGE, f"return {ONE_PLACE.format(8)}"),
        "reordering_weights_and_values_together_changes_nothing",
    ),
    (
        "simple_attention",
        (
            "return weighted_values(weights, x), weights",
            "return weights @ x + 1e-9 * x.detach().flatten(0, -2).mean(0), weights",
        ),
        "texts_of_a_batch_do_not_meet",
    ),
    (
        "scaled_dot_product_attention",
        returning(NOT_LINEAR),
        "the_output_is_linear_in_the_values",
    ),
    (
        "scaled_dot_product_attention",
        returning(NEVER_ZERO),
        "the_output_is_linear_in_the_values",
    ),
    (
        "scaled_dot_product_attention",
        returning(ONE_PLACE.format(8)),
        "the_order_of_the_keys_does_not_matter",
    ),
    (
        "scaled_dot_product_attention",
        (
            "scores = q @ k.mT / math.sqrt(k.shape[-1])",
            "own = k + 1e-8 * k.detach() ** 4 * (k.abs() < 40)\n"
            "    scores = q @ own.mT / math.sqrt(k.shape[-1])",
        ),
        "one_vector_added_to_all_keys_changes_nothing",
    ),
    (
        "scaled_dot_product_attention",
        returning("weights @ v + (1e-9 * v[..., :1, :].detach().mean(0) if v.ndim > 2 else 0)"),
        "texts_of_a_batch_are_attended_to_apart",
    ),
    *(
        ("SelfAttention", in_module(output), law)
        for output, law in (
            (ONE_PLACE.format(6), "tokens_that_change_places_keep_what_they_get"),
            (
                "weights @ v + (1e-9 * v[:1, :1].detach() if len(v) == 4 else 0)",
                "texts_of_a_batch_stay_apart",
            ),
        )
    ),
    *(
        ("RepairedAttention", returning(output), law)
        for output, law in (
            (ONE_PLACE.format(6), "no_place_is_special_after_the_repair"),
            (
                "weights @ v + (1e-9 * v[:1, :1].detach() if len(v) == 4 else 0)",
                "texts_stay_apart_after_the_repair",
            ),
        )
    ),
    (
        "masked_softmax",
        (
            "scores = scores.masked_fill(~mask",
            f"scores = (scores + 1e-8 * {FOURTH}).masked_fill(~mask",
        ),
        "one_number_added_to_all_scores_of_a_query_changes_nothing",
    ),
    (
        "masked_softmax",
        (
            "scores = scores.masked_fill(~mask",
            "far = 0.01 * torch.arange(8) if mask.shape[-1] == 8 else 0\n"
            "    scores = (scores + far).masked_fill(~mask",
        ),
        "keys_that_change_places_take_their_weights_along",
    ),
    ("causal_attention", returning(NOT_LINEAR), "the_output_follows_its_values"),
    (
        "causal_attention",
        returning("weights @ v * (0.9 if v.shape[-2] == 9 else 1)"),
        "the_beginning_of_a_text_is_attended_to_as_a_text",
    ),
    (
        "causal_attention",
        returning("weights @ v + (1e-9 * v[:1, :1].detach() if len(v) == 4 else 0)"),
        "what_stands_in_one_text_is_nothing_to_another",
    ),
    (
        "split_heads",
        ("per_head = x.unflatten(", "per_head = x.float().to(x.dtype).unflatten("),
        "what_was_split_can_be_merged",
    ),
    (
        "MultiHeadAttention",
        (HEADS, "merge_heads(weights @ v + 1e-9 * v[:1].detach())"),
        "padding_and_other_texts_do_not_matter",
    ),
    (
        "MultiHeadAttention",
        (HEADS, f"merge_heads({ONE_PLACE.format(7)})"),
        "tokens_that_change_places_keep_what_they_get",
    ),
    (
        "MultiHeadAttention",
        (HEADS, "merge_heads((weights @ v).clamp(-30, 30))"),
        "the_heads_findings_come_out_mixed",
    ),
]


def changed(exercise: str, old: str, new: str) -> str:
    source = reference_source(exercise)
    assert source.count(old) == 1, (exercise, old)
    return source.replace(old, new)


ANSWERS = [
    (Answer(exercise, f"{number} {law}", changed(exercise, *change)), law)
    for number, (exercise, change, law) in enumerate(BROKEN)
]


@pytest.fixture(scope="module")
def graded():
    return grade([answer for answer, _ in ANSWERS], b"secret")


@pytest.mark.parametrize(("answer", "law"), ANSWERS, ids=lambda part: str(part))
def test_the_law_alone_catches_it(graded, answer, law):
    assert [one.name for one in graded[answer].found if one.outcome == "failed"] == [law]


def test_no_grader_fails_of_itself(graded):
    faults = [one.fault for found in graded.values() for one in found.found if one.fault]
    assert faults == []
