"""A few characters that make a huge answer cost the trusted side little."""

import numpy as np
import torch

from autograder.judging import behaviour
from autograder.verdicts.judge import picture_of

TERABYTE = 1 << 40


def test_a_huge_result_is_not_converted_to_be_drawn() -> None:
    assert picture_of(torch.zeros(1, dtype=torch.uint8).expand(TERABYTE)) is None
    assert picture_of(np.broadcast_to(np.zeros(1), TERABYTE)) is None
    assert picture_of(torch.ones(2, 2)) is not None


def test_of_a_huge_observation_its_size_alone_is_kept() -> None:
    huge = torch.zeros(1).expand(TERABYTE)
    assert behaviour._remembered(huge) == f"a tensor of {TERABYTE} values"
    assert behaviour._remembered(huge.numpy()) == f"an array of {TERABYTE} values"
    small = torch.ones(3)
    assert behaviour._remembered(small) is small
