"""Hidden graders of 06-seeing-attention: attention_entropy and classify_pattern."""

import math
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.seeing_attention.probes  # noqa: F401 - registers the probes
from autograder.judging import Wrong, assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_inputs_unchanged
from autograder.tensors.devices import assert_stays_on_meta
from autograder.tensors.gradients import assert_gradients_match
from graders.laws import Lead, assert_alike_in_front
from graders.seeing_attention.maps_seen import along_shares, causal_rows, rows
from solutions.seeing_attention import reference

PATTERNS = ("uniform", "diagonal", "focused", "local", "mixed")


@exercise("attention_entropy")
@pytest.mark.points(3, "values")
def test_entropy_is_the_mean_surprise_of_a_row(student: Any, draw: Draw, lead: Lead) -> None:
    """Each query's entropy is minus the sum of its weights times their natural logarithms."""
    for shape in ((5, 7), (6, 4), (5, 5), (5, 7)):
        _assert_entropy(student, rows(draw, *lead, *shape))
    _assert_entropy(student, (4 * rows(draw, *lead, 3, 12).log()).softmax(dim=-1))


@exercise("attention_entropy")
@pytest.mark.points(1, "generality")
def test_any_number_of_dimensions_may_stand_in_front(student: Any, draw: Draw) -> None:
    """There may be any number of dimensions before the queries, and each table stands alone."""
    answer, right = student.attention_entropy, reference.attention_entropy
    assert_alike_in_front(answer, right, lambda lead: (rows(draw, *lead, 5, 7),))


@exercise("attention_entropy")
@pytest.mark.points(1.5, "values")
def test_a_weight_of_zero_adds_nothing(student: Any, draw: Draw, lead: Lead) -> None:
    """A weight of 0 adds 0: behind a causal mask, and where one key has everything."""
    one_key = torch.cat([torch.eye(5)[[2, 0, 4]], torch.full((1, 5), 0.2)])
    for weights in (causal_rows(draw, *lead, 6), one_key.expand(*lead, 4, 5).clone()):
        _assert_entropy(student, weights)


@exercise("attention_entropy")
@pytest.mark.points(1, "gradient")
def test_gradients_reach_the_weights(student: Any, draw: Draw, lead: Lead) -> None:
    """Gradients say how the entropy changes when a query shares out its 1 in another way."""
    weights, upstream = rows(draw, *lead, 4, 6), draw.normal(*lead, 4)
    found = student.grad("attention_entropy", weights, upstream=upstream)
    inputs = tuple(map(along_shares, found.inputs))
    assert_gradients_match(replace(found, inputs=inputs), _of_shares, weights, upstream=upstream)


@exercise("attention_entropy")
@pytest.mark.points(1, "gradient")
def test_gradients_stay_finite_behind_a_mask(student: Any, draw: Draw, lead: Lead) -> None:
    """A weight of exactly 0 makes no gradient NaN or infinite, its own included."""
    weights, upstream = causal_rows(draw, *lead, 7), draw.normal(*lead, 7)
    found = student.grad("attention_entropy", weights, upstream=upstream).inputs[0]
    if not isinstance(found, Tensor) or found.shape != weights.shape:
        raise Wrong("No gradient reaches the weights: something cuts your result off from them.")
    if not bool(found.isfinite().all()):
        raise Wrong("Where a weight is 0, your gradient is NaN or infinite.")
    leaf = weights.clone().requires_grad_()
    (wanted,) = torch.autograd.grad(reference.attention_entropy(leaf), leaf, upstream)
    seen = weights > 0
    found, wanted = along_shares(found, seen), along_shares(wanted, seen)
    if not torch.allclose(found[seen], wanted[seen], rtol=1e-3, atol=1e-3):
        raise Wrong("Beside weights of 0, the gradient of the others is wrong.")


@exercise("attention_entropy")
@pytest.mark.points(0.5, "numerics")
def test_half_precision_stays_half_precision(student: Any, draw: Draw, lead: Lead) -> None:
    """Weights in bfloat16, float16 and float64, with zeros, give entropies in the same dtype."""
    for dtype in (torch.bfloat16, torch.float16, torch.float64):
        _assert_entropy(student, causal_rows(draw, *lead, 6).to(dtype))


@exercise("attention_entropy")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_measuring_leaves_the_weights_as_they_were(student: Any, draw: Draw, lead: Lead) -> None:
    """The weights that are passed in hold the same values afterwards."""
    for weights in (rows(draw, *lead, 4, 6), causal_rows(draw, *lead, 5)):
        assert_inputs_unchanged(student, student.attention_entropy(weights))


@exercise("attention_entropy")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_entropies_stay_on_the_device_of_the_weights(student: Any, lead: Lead) -> None:
    """The entropies are on the device of the weights, with no detour through the CPU or NumPy."""

    def entropies(device: str) -> object:
        return student.attention_entropy(torch.full((*lead, 5, 7), 1 / 7, device=device))

    assert_stays_on_meta(entropies, reading=True)


@exercise("classify_pattern")
@pytest.mark.points(2, "values")
def test_the_four_examples_are_sorted_rightly(student: Any) -> None:
    """The four examples of the text get their names."""
    examples = (
        [[0.9, 0.05, 0.05], [0.05, 0.9, 0.05], [0.05, 0.05, 0.9]],
        [[0.33, 0.33, 0.33]] * 3,
        [[0.05, 0.90, 0.05], [0.10, 0.10, 0.80], [0.85, 0.10, 0.05]],
        [[0.7, 0.2, 0.1, 0], [0.2, 0.5, 0.2, 0.1], [0.1, 0.2, 0.5, 0.2], [0, 0.1, 0.2, 0.7]],
    )
    for table in examples:
        weights, says = torch.tensor(table), "One of the four examples gets another name."
        _assert_named(student, weights, says, letter_by_letter=True)


@exercise("classify_pattern")
@pytest.mark.points(1.5, "values")
def test_uniform_is_judged_by_entropy_for_any_length(student: Any, draw: Draw) -> None:
    """Uniform begins where the mean entropy is 0.95 of what so many keys allow."""
    for seq in (4, 9, 23):
        for even in (0.97, 0.955, 0.94, 0.9):
            weights = _with_entropy(draw, seq, even * math.log(seq))
            _assert_named(
                student,
                weights,
                "A table about as even as the bound of `uniform` gets another name.",
            )
        one_sharp, half_sharp = torch.full((2, seq, seq), 1 / seq)
        one_sharp[seq // 2] = torch.eye(seq)[0]
        half_sharp[: seq // 2 + 1] = _with_entropy(draw, seq, 0.93 * math.log(seq))[:1]
        for weights in (one_sharp, half_sharp):
            says = "A table of which some rows are even and others sharp gets another name."
            _assert_named(student, weights, says)


@exercise("classify_pattern")
@pytest.mark.points(1, "values")
def test_diagonal_and_focused_are_judged_by_the_mean_over_rows(student: Any, draw: Draw) -> None:
    """The bounds of 0.8 and 0.7 hold for the mean over the rows, not for each row."""
    for seq in (6, 11):
        own = torch.arange(seq)
        far = (own + 3) % seq
        for places in (own, far, torch.full_like(own, seq // 2)):
            for mean in (0.84, 0.76, 0.73, 0.68, 0.66, 0.55):
                weights = _peaked(draw, places, mean)
                says = "A table with one large weight a row gets another name."
                _assert_named(student, weights, says)
            for most, few in ((0.84, 0.3), (0.75, 0.2), (0.67, 0.95), (0.786, 0.98)):
                weights = _with_peaks(places, _few_apart(seq, most, few))
                says = "A table with one large weight in most of its rows gets another name."
                _assert_named(student, weights, says)


@exercise("classify_pattern")
@pytest.mark.points(1, "values")
def test_local_counts_both_neighbours_and_the_token_itself(student: Any, draw: Draw) -> None:
    """What a row gives to itself and to both neighbours counts together, against 0.8."""
    for seq in (6, 10, 15):
        uneven = (_few_apart(seq, 0.88, 0.2), _few_apart(seq, 0.92, 0.4))
        for within in (torch.tensor(0.88), torch.tensor(0.72), *uneven):
            for tilt in (0.1, 0.9):
                weights = _banded(seq, within, tilt)
                _assert_named(
                    student, weights, "A table with a band along the diagonal gets another name."
                )


@exercise("classify_pattern")
@pytest.mark.points(1, "values")
def test_the_first_rule_that_holds_decides(student: Any, draw: Draw) -> None:
    """Where several rules hold, the earlier one gives the name."""
    before = torch.arange(-1, 7).clamp(min=0)
    both = (
        torch.tensor([[0.6, 0.4], [0.45, 0.55]]),  # uniform, and all within one position
        _peaked(draw, torch.arange(8), 0.93),  # diagonal, focused and local
        _peaked(draw, before, 0.9),  # focused and local
    )
    for weights in both:
        _assert_named(
            student,
            weights,
            "Where several rules hold, another name comes back than that of the first.",
        )


@exercise("classify_pattern")
@pytest.mark.points(0.5, "values")
def test_a_bound_that_is_just_reached_is_enough(student: Any) -> None:
    """Where the mean is exactly 0.8, the rule of the diagonal and that of the band hold."""
    far = [[0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]]
    diagonal = [[1.0, 0, 0, 0], [0, 1.0, 0, 0], [0, 0, 1.0, 0], [0, 0, 0, 1.0]]
    band = [[0.5, 0.5, 0, 0], [0.5, 0, 0.5, 0], [0, 0.5, 0, 0.5], [0, 0, 0.5, 0.5]]
    # The sums of these rows are exact, however they are taken.
    seen = [_at_a_bound(student, inside, far) for inside in (diagonal, band)]
    if "below" in seen:
        raise Wrong("A mean that is exactly the bound does not pass; at least so much was asked.")
    if "above" not in seen:
        raise Wrong("Just below a bound of 0.8 your function gives the same name as just above.")


@exercise("classify_pattern")
@pytest.mark.points(0.5, "numerics")
def test_patterns_in_any_precision(student: Any, draw: Draw) -> None:
    """Weights in float64 and bfloat16 are sorted as well, and are not changed."""
    for dtype in (torch.float64, torch.bfloat16):
        weights = _peaked(draw, (torch.arange(7) + 3) % 7, 0.8).to(dtype)
        _assert_named(
            student,
            weights,
            "In another precision, a table with one large weight a row gets another name.",
        )
        if student.changed_inputs:
            raise Wrong("Your code changes the weights that it was given.")


def _at_a_bound(student: Any, inside: list[list[float]], outside: list[list[int]]) -> str | None:
    """As what a mean of exactly 0.8 counts: as one "above" the bound, or "below" it.

    Names of tables just above and just below tell: which rule comes first is not asked here. None
    where the name is the same on both sides.

    Args:
        inside: what the mean is taken of, each row's share of it.
        outside: where the rest of each row is.
    """
    shares, rest = torch.tensor(inside).double(), torch.tensor(outside).double()

    def table(mean: float) -> Tensor:
        return mean * shares + (1 - mean) * rest

    above, at = (_name_of(student, table(mean)) for mean in (0.81, 0.8))
    below = student.classify_pattern(table(0.79))  # "mixed", whose name another test asks for
    below = below.lower() if isinstance(below, str) else ""
    if at not in (above, below):
        raise Wrong("A mean of 0.8 gets another name than one just below it and one just above it.")
    if above == below:
        return None
    return "above" if at == above else "below"


def _of_shares(weights: Tensor) -> Tensor:
    """The entropy of rows that are moved to a sum of 1: see `along_shares`."""
    moved = weights - weights.mean(dim=-1, keepdim=True) + 1 / weights.shape[-1]
    return reference.attention_entropy(moved)


def _assert_entropy(student: Any, weights: Tensor) -> None:
    wanted = expected(reference.attention_entropy, weights)
    assert_matches(student.attention_entropy(weights), wanted)


def _assert_named(student: Any, weights: Tensor, says: str, letter_by_letter: bool = False) -> None:
    if _name_of(student, weights, letter_by_letter) != reference.classify_pattern(weights):
        raise Wrong(says)


def _name_of(student: Any, weights: Tensor, letter_by_letter: bool = False) -> str:
    """The name that comes back; capitals count in one test alone."""
    found = student.classify_pattern(weights)
    name: str | None = found if isinstance(found, str) else None
    if name is not None and not letter_by_letter:
        name = name.lower()
    if name not in PATTERNS:
        raise Wrong("What comes back is none of the five names.")
    return name


def _with_entropy(draw: Draw, seq: int, entropy: float) -> Tensor:
    """Rows whose mean entropy is this: random scores, sharpened until it fits."""
    scores, low, high = draw.normal(seq, seq, dtype=torch.float64), 0.0, 30.0
    for _ in range(60):
        sharp = (low + high) / 2
        mean = reference.attention_entropy((sharp * scores).softmax(dim=-1)).mean()
        low, high = (sharp, high) if mean > entropy else (low, sharp)
    return (low * scores).softmax(dim=-1).float()


def _peaked(draw: Draw, places: Tensor, mean: float) -> Tensor:
    """Rows with one large weight each, at these places; their mean is `mean`, a few lie apart."""
    seq = len(places)
    apart = min(0.1, (1 - mean) / 2)  # far enough that the least of them is below the next bound
    spread = torch.linspace(-apart, apart, seq)[torch.randperm(seq, generator=_generator(draw))]
    return _with_peaks(places, (mean + spread)[:, None])


def _with_peaks(places: Tensor, peaks: Tensor) -> Tensor:
    """Rows with one large weight each, (seq, 1), at these places."""
    seq = len(places)
    at = torch.zeros(seq, seq).scatter_(1, places[:, None], 1.0).bool()
    return torch.where(at, peaks, (1 - peaks) / (seq - 1))


def _few_apart(seq: int, most: float, few: float) -> Tensor:
    """One number for most rows, and another for one in six; (seq, 1)."""
    return torch.where(torch.arange(seq) % 6 == 3, few, most)[:, None]


def _generator(draw: Draw) -> torch.Generator:
    return torch.Generator().manual_seed(draw.integer(0, 1 << 30))


def _banded(seq: int, within: Tensor, tilt: float) -> Tensor:
    """Rows that give `within` to the band of three, most of it to one side of the diagonal."""
    position = torch.arange(seq)
    apart = position - position[:, None]
    band = (apart == 0) * 0.8 + (apart == -1) * tilt + (apart == 1) * (1 - tilt)
    band = band / band.sum(dim=-1, keepdim=True)
    far = (apart.abs() > 1).float()
    return within * band + (1 - within) * far / far.sum(dim=-1, keepdim=True)
