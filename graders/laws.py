"""Laws of answers to any exercise with leading dimensions: they hold of wrong ideas, too.

So a claim about leading dimensions or layout fails for what it says, and not for a wrong scale.
"""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import torch
from torch import Tensor

from autograder.checks.kit.errors import StudentError
from autograder.judging import Wrong, assert_matches, sure_of
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_agree, assert_varied
from autograder.judging.symptoms import of_error
from autograder.judging.tolerance import agree

Answer = Callable[..., Any]
Lead = tuple[int, ...]

FRONTS: tuple[Lead, ...] = ((4,), (2, 3), (2, 1, 3))
"""Leading dimensions of batches, whose entries have one dimension fewer each."""


def assert_alike_in_front(
    answer: Answer, reference: Answer, given: Callable[[Lead], tuple[Any, ...]]
) -> None:
    """Refuse an answer that gives an entry of a batch something else than the entry alone.

    Args:
        answer: the student's; gives a tensor, or several.
        reference: gives the form of what was promised.
        given: arguments behind leading dimensions; tensors have them all.
    """
    for lead in FRONTS:
        arguments = given(lead)
        whole = _tensors(answer(*arguments), reference(*arguments))
        for place in range(lead[0]):
            entry = [one[place] if isinstance(one, Tensor) else one for one in arguments]
            alone = _tensors(answer(*entry), reference(*entry))
            for batch, single in zip(whole, alone, strict=True):
                symptom = "An entry of a batch gets something else than it gets alone."
                assert_agree(batch[place], single, symptom)


def assert_alike_in_memory(
    answer: Answer, reference: Answer, *views: Any, misconception: str | None = None
) -> None:
    """Refuse an answer that gives views something else than the same numbers in a row.

    Args:
        answer: the student's; gives a tensor, or several.
        reference: gives the form of what was promised.
        views: arguments, tensors that are views among them.
        misconception: slug of the mistake that this alone shows, if it is an exercise's known one.
    """
    copies = [one.contiguous() if isinstance(one, Tensor) else one for one in views]
    plain = _tensors(answer(*copies), reference(*copies))
    try:
        found = _tensors(answer(*views), reference(*views))
    except StudentError as error:
        text = f"Where inputs are views of larger tensors, {of_error(error.builtin, error.message)}"
        raise Wrong(f"{text}.", misconception) from None
    symptom = "Views of larger tensors give something else than their copies."
    with sure_of(misconception) if misconception else nullcontext():
        for one, other in zip(found, plain, strict=True):
            assert_agree(one, other, symptom)


def assert_mask_broadcasts(attend: Answer, mask: Tensor, full: Lead, like: Tensor) -> None:
    """Refuse an answer for which a mask that broadcasts is not what it is when written out.

    Args:
        attend: the student's; gives the output for a mask.
        mask: one that broadcasts.
        full: its shape when written out.
        like: a tensor of the output's form.
    """
    small, whole, none = (
        output_like(attend(one), like)
        for one in (mask, mask.expand(full).clone(), torch.ones_like(mask))
    )
    symptom = "A mask that broadcasts gives something else than the same mask written out."
    assert_agree(small, whole, symptom)
    if agree(small, none):
        if bool(small.isnan().any()):
            raise Wrong("NaN appears in your result.")
        raise Wrong("A mask that broadcasts forbids nothing.")


def assert_masks_follow_texts(attend: Answer, x: Tensor, mask: Tensor) -> None:
    """Refuse an answer in which a text's mask is not its own: in another order, both go along.

    Args:
        attend: the student's; gives the output for a batch and its masks.
        x: a batch, (batch, seq, d_model).
        mask: one mask a text, (batch, ...).
    """
    one, other = attend(x, mask), attend(x.flip(0), mask.flip(0))
    symptom = "Texts in another order, each with its own mask, get something else."
    assert_agree(output_like(one, x), output_like(other, x).flip(0), symptom)


def assert_keeps_double(found: object) -> None:
    """Refuse a result, or one of several, that is not of float64, where all that went in is.

    How exact it is has tests of its own, and so has what it is made of.
    """
    for one in found if isinstance(found, tuple | list) else (found,):
        if isinstance(one, Tensor) and one.dtype != torch.float64:
            raise Wrong("In float64, what comes back is of another dtype.")


def output_like(found: object, like: Tensor) -> Tensor:
    """The output among what came back, after a check of its form, and of no number in it."""
    output = found[0] if isinstance(found, tuple | list) and found else found
    if not isinstance(output, Tensor) or output.shape != like.shape or not output.is_cpu:
        assert_matches(output, like)
    assert isinstance(output, Tensor)
    return output


def split_view(draw: Draw, lead: Lead, positions: int, width: int) -> Tensor:
    """A tensor whose positions stand before its last leading dimension in memory.

    So do those of the heads of a split tensor.
    """
    laid = draw.normal(*lead[:-1], positions, *lead[-1:], width)
    return laid.movedim(max(len(lead) - 1, 0), -2)


def _tensors(found: Any, wanted: Any) -> list[Tensor]:
    """What came back, after a check of its form; how many values do has a test of its own."""
    several = list(found) if isinstance(found, tuple | list) else [found]
    promised = list(wanted) if isinstance(wanted, tuple | list) else [wanted]
    pairs = list(zip(several, promised, strict=False))
    for one, right in pairs:
        assert_varied(one, right)
    return [one for one, _ in pairs]
