"""What comparisons accept, and what they say."""

import numpy as np
import pytest
import torch
from torch import nn

from autograder.checks.kit.local_student import LocalStudent
from autograder.judging import Wrong, assert_matches, expected
from autograder.tensors.gradients import assert_gradients_match
from solutions.attention_by_hand.reference import attention_weights, scaled_scores

WEIGHTS = torch.tensor([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]], dtype=torch.float64)


def said(actual, wanted):
    with pytest.raises(Wrong) as caught:
        assert_matches(actual, wanted)
    return caught.value.symptom


@pytest.mark.parametrize(
    ("actual", "words"),
    [
        (None, "nothing (None)"),
        (WEIGHTS.numpy(), "a NumPy array; a tensor was promised"),
        (WEIGHTS.tolist(), "a list"),
        ((WEIGHTS,), "a tuple"),
        (WEIGHTS.to("meta"), "on the meta device; cpu was asked for"),
        (WEIGHTS.mT, "its last two axes are swapped"),
        (WEIGHTS[0], "fewer axes"),
        (WEIGHTS[None], "more axes"),
        (WEIGHTS[:, :2], "its last axis has the wrong length"),
        (WEIGHTS[:1], "its first axis has the wrong length"),
        (WEIGHTS.float(), "float32 values where float64 was promised"),
        (WEIGHTS * torch.nan, "NaN appears"),
        (WEIGHTS / 0, "infinity appears"),
        (WEIGHTS / WEIGHTS.sum(0), "its columns sum to one, its rows do not"),
        (WEIGHTS / WEIGHTS.sum(), "each whole matrix sums to one"),
        (WEIGHTS.log(), "it looks like the logarithm"),
        (WEIGHTS * 2, "its rows do not sum to one"),
        (WEIGHTS.flip(-1), "the right numbers in the wrong places"),
    ],
)
def test_symptoms_name_what_is_seen(actual, words):
    assert words in said(actual, WEIGHTS)


@pytest.mark.parametrize(
    ("actual", "words"),
    [
        (torch.zeros(3, 3), "zero everywhere"),
        (-torch.arange(9.0).view(3, 3), "sign"),
        (torch.arange(9.0).view(3, 3).mT, "transpose"),
        (torch.arange(9.0).view(3, 3) * 3, "too large, all by the same factor"),
        (torch.arange(9.0).view(3, 3) / 3, "too small, all by the same factor"),
        (torch.arange(9.0).view(3, 3) + 2, "off by the same amount"),
        (torch.arange(9.0).view(3, 3) + 2e-4 * torch.eye(3), "further off than rounding explains"),
    ],
)
def test_symptoms_of_other_values(actual, words):
    assert words in said(actual, torch.arange(9.0).view(3, 3))


def test_symptoms_of_masks():
    mask = torch.ones(4, 4, dtype=torch.bool).tril()
    assert "the other way round" in said(~mask, mask)
    assert "transpose" in said(mask.mT, mask)
    assert "True that should be False" in said(mask | True, mask)
    assert "False that should be True" in said(mask & False, mask)
    assert "float32 values where bool" in said(mask.float(), mask)


def test_a_list_may_stand_for_a_tuple_but_not_a_lone_tensor():
    assert_matches([WEIGHTS, WEIGHTS], (WEIGHTS, WEIGHTS))
    assert "A tuple was promised" in said(WEIGHTS, (WEIGHTS, WEIGHTS))
    assert "another number of values" in said((WEIGHTS,), (WEIGHTS, WEIGHTS))
    assert "the second value you return" in said((WEIGHTS, WEIGHTS * 2), (WEIGHTS, WEIGHTS)).lower()


def test_a_subclass_of_tensor_counts_as_a_tensor():
    assert_matches(nn.Parameter(WEIGHTS), WEIGHTS)


def test_infinity_and_nan_are_right_where_they_are_expected():
    mask = torch.tensor([0.0, -torch.inf, torch.nan])
    assert_matches(mask.clone(), mask)
    assert "wrong" in said(torch.tensor([0.0, torch.inf, torch.nan]), mask)


def test_meta_tensors_have_a_form_but_no_values():
    assert_matches(WEIGHTS.to("meta"), WEIGHTS.to("meta"))
    assert "wrong shape" in said(WEIGHTS[0].to("meta"), WEIGHTS.to("meta"))


def test_arrays_of_objects_and_strings_are_refused_in_words():
    assert "object values" in said(np.array([None, 1]), np.zeros(2))
    assert "values where float64" in said(np.array(["a", "b"]), np.zeros(2))


def test_a_masked_or_tensor_like_comparison_cannot_be_talked_into_equality():
    class Agreeable(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            return torch.tensor(True)

    with pytest.raises(Exception):  # noqa: B017, PT011 - any refusal will do
        assert_matches(torch.zeros(2, 3).as_subclass(Agreeable), torch.ones(2, 3))


class TestGradients:
    """Gradients of q kᵀ / sqrt(d_k) for fixed inputs."""

    q, k, upstream = (
        torch.arange(6.0).view(2, 3) / 5,
        torch.arange(12.0).view(4, 3) / 7,
        torch.arange(8.0).view(2, 4) - 3,
    )

    def check(self, function):
        student = LocalStudent({"scores": function})
        found = student.grad("scores", self.q, self.k, upstream=self.upstream)
        assert_gradients_match(found, scaled_scores, self.q, self.k, upstream=self.upstream)

    def test_right_ones_pass(self):
        self.check(lambda q, k: torch.einsum("qd,kd->qk", q, k) / 3**0.5)

    def test_a_missing_one_is_named(self):
        with pytest.raises(Wrong, match="No gradient reaches `k`"):
            self.check(lambda q, k: q @ k.detach().mT / 3**0.5)

    def test_a_wrong_one_is_named(self):
        with pytest.raises(Wrong, match="gradient with respect to `q` is wrong"):
            self.check(lambda q, k: q @ k.mT / 3**0.5 + q.sum() - q.detach().sum())


class TestGradientsOfSeveralResults:
    """Gradients of two products and a count, for fixed inputs in float32."""

    x, w, y, upstream = (
        torch.arange(6.0).view(2, 3) / 5,
        torch.arange(12.0).view(3, 4) / 7,
        torch.arange(15.0).view(3, 5) - 6,
        (torch.arange(8.0).view(2, 4) - 3, torch.arange(10.0).view(2, 5) / 3),
    )

    @staticmethod
    def products(x, w, y):
        return x @ w, torch.tensor(x.shape), x @ y

    def check(self, function, upstream=upstream):
        student = LocalStudent({"products": function})
        given = self.x, self.w, self.y
        found = student.grad("products", *given, upstream=upstream)
        assert_gradients_match(found, self.products, *given, upstream=upstream)

    def test_right_ones_pass(self):
        self.check(lambda x, w, y: [torch.einsum("td,dk->tk", x, w), None, torch.mm(x, y)])

    def test_a_later_result_that_is_cut_off_is_seen(self):
        def cut(x, w, y):
            return x @ w, 0, (x @ y).detach()

        with pytest.raises(Wrong, match="gradient with respect to `x` is wrong"):
            self.check(cut)
        self.check(cut, self.upstream[0])  # which asks about the first result alone

    def test_a_parameter_that_only_a_later_result_uses_is_named(self):
        with pytest.raises(Wrong, match="No gradient reaches `y`"):
            self.check(lambda x, w, y: (x @ w, 0, x @ y.detach()))

    def test_a_result_may_be_skipped(self):
        self.check(lambda x, w, y: (x @ w, 0, (x @ y).detach()), (self.upstream[0], None))
        with pytest.raises(Wrong, match="No gradient reaches `y`"):
            self.check(lambda x, w, y: (x @ w, 0, x @ y.detach()), (None, self.upstream[1]))

    def test_another_number_than_the_reference_returns_is_an_error_of_the_grader(self):
        found = LocalStudent({"f": self.products}).grad(
            "f", self.x, self.w, self.y, upstream=self.upstream
        )
        with pytest.raises(ValueError, match="shorter"):
            assert_gradients_match(
                found, self.products, self.x, self.w, self.y, upstream=self.upstream[:1]
            )


def test_gradients_of_parameters_are_compared_by_name():
    torch.manual_seed(0)
    reference, x, upstream = nn.Linear(3, 2), torch.ones(4, 3), torch.ones(4, 2)
    student = LocalStudent({"Layer": lambda: nn.Linear(3, 2, bias=False)})
    module = student.Layer()
    module.load_state_dict({"weight": reference.weight.detach()})
    found = student.grad(module, x, upstream=upstream)
    with pytest.raises(Wrong, match="No gradient reaches `bias`"):
        assert_gradients_match(found, reference, x, upstream=upstream)


def test_a_gradient_that_is_zero_in_theory_may_be_rounding_noise():
    scores, upstream = torch.randn(5, 7), torch.ones(5, 7)
    student = LocalStudent({"attention_weights": lambda s: torch.log_softmax(s, -1).exp()})
    found = student.grad("attention_weights", scores, upstream=upstream + 1e-3 * scores)
    assert_gradients_match(found, attention_weights, scores, upstream=upstream + 1e-3 * scores)


def test_expected_values_carry_the_reference_s_own_rounding():
    q = torch.randn(3, 64, dtype=torch.bfloat16)
    assert_matches(scaled_scores(q, q), expected(scaled_scores, q, q))
