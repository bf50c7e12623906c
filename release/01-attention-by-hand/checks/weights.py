"""What visible checks of attention share: its weights, beside an output and in a picture."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from torch import Tensor

from checks.kit.describing import form_text
from checks.kit.expectation import Hint, Mismatch, expect_part, sums_to_one
from checks.kit.pictures import Heatmap


@dataclass(frozen=True)
class AttentionMap(Heatmap):
    """One cell a pair of query and key."""

    rows_are: str = "queries (attending)"
    columns_are: str = "keys (attended to)"


def expect_output_and_weights(
    actual: Any,
    output: Tensor,
    weights: Tensor,
    axes: tuple[str, str],
    hint: Hint | None = None,
    output_hint: Hint | None = None,
) -> None:
    """State what attention must give back: the output, and the weights that made it.

    Args:
        actual: what the student's code returned.
        output: the right output.
        weights: the right weights; they are compared first, since the output follows from them.
        axes: what the axes of output and weights are called, for the message.
        hint: asked first for any mismatch of the weights.
        output_hint: asked first for any mismatch of the output.
    Raises:
        Mismatch: something differs; the first thing that does is named.
    """
    pair = "two tensors: the output, then the weights"
    if not isinstance(actual, (tuple, list)) or len(actual) != 2:
        if isinstance(actual, Tensor):
            says = "One tensor came back where two are promised: the output, and the weights too."
        else:
            says = "Two tensors are promised. What does your code return, and how many?"
        raise Mismatch(form_text(actual), pair, says)
    found_output, found_weights = actual
    expect_part("weights", found_weights, weights, axes[1], hint)
    expect_part("output", found_output, output, axes[0], output_hint)


def second_of_two(found: Any) -> Any:
    """The weights that came back beside an output, to be drawn.

    Raises:
        Mismatch: not two values came back; one of another kind must not be drawn as weights.
    """
    if isinstance(found, (tuple, list)) and len(found) == 2:
        return found[1]
    raise Mismatch(form_text(found), "an output and weights", "There are no weights to draw.")


def shared_by_columns(weights: np.ndarray) -> str | None:
    """Words for weights whose columns sum to 1 in place of their rows; for hints."""
    if weights.ndim > 1 and sums_to_one(weights, -2) and not sums_to_one(weights, -1):
        return "Your columns sum to 1, your rows do not. Which axis lists the keys?"
    return None
