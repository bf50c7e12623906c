"""A few characters that make a huge answer cost the trusted side little."""

import json
from dataclasses import asdict

import numpy as np
import pytest
import torch

from autograder.checks.kit.examples import Example
from autograder.checks.kit.pictures import Heatmap
from autograder.judging import behaviour
from autograder.verdicts.judge import picture_of

TERABYTE = 1 << 40
EXAMPLE = Example("f", lambda student: None, Heatmap("f()", (), (), row_sums=True))


def test_a_huge_result_is_not_converted_to_be_drawn() -> None:
    assert picture_of(EXAMPLE, torch.zeros(1, dtype=torch.uint8).expand(TERABYTE)) is None
    assert picture_of(EXAMPLE, np.broadcast_to(np.zeros(1), TERABYTE)) is None
    assert picture_of(EXAMPLE, torch.ones(2, 2)) is not None


@pytest.mark.parametrize("shape", [(20, 20), (1, 400), (400, 1), (1,) * 60])
def test_whatever_a_result_holds_its_picture_is_kept_in_few_bytes(shape: tuple[int, ...]) -> None:
    picture = picture_of(EXAMPLE, torch.full(shape, -1.2345678e300, dtype=torch.float64))
    assert picture is not None
    assert len(json.dumps(asdict(picture))) < 30_000


@pytest.mark.parametrize("result", [None, "text", (1, 2), 3.0, torch.zeros(21, 20), np.zeros(0)])
def test_what_is_no_small_array_has_no_picture(result: object) -> None:
    assert picture_of(EXAMPLE, result) is None


def test_of_a_huge_observation_its_size_alone_is_kept() -> None:
    huge = torch.zeros(1).expand(TERABYTE)
    assert behaviour._remembered(huge) == f"tensor of {TERABYTE} values"
    assert behaviour._remembered(huge.numpy()) == f"array of {TERABYTE} values"
    small = torch.ones(3)
    assert behaviour._remembered(small) is small
