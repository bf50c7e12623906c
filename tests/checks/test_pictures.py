"""Pictures draw what is there, whatever it is, and say the same in words."""

import json
import re
from dataclasses import asdict

import numpy as np
import pytest
import torch
from student_cells import EXERCISES, solved

from autograder.checks.kit.chart import Chart
from autograder.checks.kit.chart_page import chart_page
from autograder.checks.kit.discovery import example_of, modules_with_checks
from autograder.checks.kit.examples import examples
from autograder.checks.kit.local_student import LocalStudent

ODD = {
    "none": None,
    "text": "no tensor",
    "tuple": (torch.ones(2), 3),
    "scalar": torch.tensor(3.0),
    "empty": torch.zeros(0, 3),
    "one dimension": torch.arange(3.0),
    "transposed": torch.arange(6.0).reshape(3, 2),
    "five dimensions": torch.zeros(1, 2, 1, 2, 3),
    "nan and infinity": torch.tensor([[torch.nan, torch.inf], [-torch.inf, 1.0]]),
    "nan in a row": torch.tensor([torch.nan, 1.0]),
    "all nan": torch.full((3, 3), torch.nan),
    "huge numbers": torch.full((2, 2), 1e30),
    "far too many": torch.zeros(100, 100),
    "complex": torch.zeros(2, 2, dtype=torch.complex64),
    "half": torch.ones(2, 2, dtype=torch.bfloat16),
    "integers": np.arange(4).reshape(2, 2),
    "objects": np.array([["a", None]], dtype=object),
    "without memory": torch.zeros(2, 2, device="meta"),
}


modules_with_checks()  # importing them registers their examples
EXAMPLES = sorted(examples)
ONE_OF_EACH_KIND = ("softmax", "masked_softmax", "causal_mask", "split_heads", "recall_batch")


def drawn(example, result):
    """What a notebook shows of the picture."""
    return chart_page(example.picture.chart(result))


def words(example, result):
    return example.picture.chart(result).words


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_example_of_a_right_answer_is_small_and_fully_told(exercise):
    example = example_of(exercise)
    result = example.run(LocalStudent(solved(exercise)))
    assert 0 < np.asarray(result).size <= 400
    assert drawn(example, result).count("<td") >= np.asarray(result).size
    assert len(words(example, result)) <= 400  # feedback cuts there


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("exercise", ONE_OF_EACH_KIND)
def test_an_odd_result_is_drawn_or_named_and_never_an_error(exercise, odd):
    example = example_of(exercise)
    assert drawn(example, ODD[odd])
    assert words(example, ODD[odd])


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_stored_result_in_float64_draws_the_same(exercise):
    example = example_of(exercise)
    result = example.run(LocalStudent(solved(exercise)))
    stored = np.asarray(result, dtype=np.float64)
    assert drawn(example, stored) == drawn(example, result)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("exercise", EXAMPLES)
def test_what_is_told_of_an_odd_result_is_plain_bounded_and_whole(exercise, odd):
    chart = example_of(exercise).picture.chart(ODD[odd])
    json.dumps(asdict(chart), allow_nan=False)
    texts = [text for row in chart.texts for text in row]
    shades = [shade for row in chart.shades for shade in row]
    assert len(texts) == len(shades) == len(chart.rows) * len(chart.columns) * bool(texts)
    assert len(texts) <= 400
    assert all(len(text) <= 24 for text in (*texts, *chart.sums))
    assert all(shade is None or 0 <= shade <= 1 for shade in shades)
    assert len(chart.sums) in (0, len(chart.rows))


def test_the_words_follow_the_students_result_not_the_right_one():
    example = example_of("causal_mask")
    assert "The may attend to The;" in words(example, torch.ones(6, 6).tril())
    assert "The may attend to nothing" in words(example, torch.zeros(6, 6))


def test_what_a_picture_says_is_escaped():
    page = chart_page(
        Chart('<b>"', "<i>", texts=(("<u>",),), shades=((1.0,),), rows=("<s>",), columns=("<q>",))
    )
    assert not {"<b>", "<i>", "<u>", "<s>", "<q>"} & set(re.findall("<[a-z]+>", page))


def test_causal_influence_is_lower_triangular_for_the_reference():
    influence = example_of("FusedMultiHeadAttention").run(
        LocalStudent(solved("FusedMultiHeadAttention"))
    )
    assert torch.equal(influence.triu(1), torch.zeros(5, 5))
    assert (influence.tril()[torch.ones(5, 5).tril().bool()] > 0).all()
