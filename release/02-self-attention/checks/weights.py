"""What visible checks of attention share: its weights, beside an output and in a picture."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from torch import Tensor

from checks.kit.describing import form_text
from checks.kit.expectation import Hint, Mismatch, expect_part, sums_to_one
from checks.kit.local_student import LocalModule
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


def load(module: LocalModule, weights: dict[str, Tensor]) -> None:
    """Give a module these weights; a bias that it lacks has a check of its own.

    Raises:
        Mismatch: a layer is not there, or of another size; what comes out would say nothing then.
    """
    there = {name: tuple(one.shape) for name, one in module.state_dict().items()}
    for name, one in weights.items():
        layer = name.removesuffix(".weight")
        found = there.get(name, tuple(one.shape) if layer == name else None)
        if found != tuple(one.shape):
            missing = f"There is no layer {layer} to put weights into"
            narrow = f"The weights that the text gives {layer} do not fit into it"
            says = f"{missing if found is None else narrow}, so nothing more can be said here yet."
            came_back = f"{name}: {'not there' if found is None else found}"
            raise Mismatch(came_back, f"{name}: {tuple(one.shape)}", says)
    module.load_state_dict(weights, strict=False)


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
