"""What the graders of train_recall and recall_by_length share: models to train, and fair exams.

Both build on the student's own recall_batch and models. A batch that is drawn wrongly has cost its
marks already: whoever trains rightly on it is examined on it, too.
"""

from collections.abc import Sequence
from typing import Any

from autograder.checks.errors import StudentError
from autograder.hidden.attention_vs_recurrence.drawn_batches import batch_of
from autograder.hidden.attention_vs_recurrence.lessons import (
    NUM_KEYS,
    NUM_VALUES,
    Sequences,
    logits_of,
    made,
    sequences,
)
from autograder.judging import Wrong
from autograder.judging.draw import Draw

MODELS = ("AttentionRecall", "LSTMRecall")


def model_for_training(student: Any, draw: Draw, name: str | None = None, *sizes: int) -> Any:
    """A new model of the student's: of this name, or else of the first name that works at all."""
    student.seed(draw.integer(1, 10**6))
    first, second = MODELS if name != MODELS[1] else MODELS[::-1]
    try:
        model = made(student, first, *sizes)
        logits_of(model, _few(sizes))
    except (StudentError, Wrong):
        return made(student, second, *sizes)
    return model


def exams_of(student: Any, draw: Draw, batch: int, pairs: int) -> list[Sequences]:
    """An exam drawn here, and one that the student's own recall_batch draws, if it can."""
    exams = [sequences(draw, batch, pairs)]
    try:
        own = batch_of(student, batch, pairs, NUM_KEYS, NUM_VALUES, draw.integer(1, 10**6))
    except (StudentError, Wrong):
        return exams
    if own.in_range() and bool(((own.answer >= 0) & (own.answer < NUM_VALUES)).all()):
        exams.append(Sequences(own.tokens, own.query, own.answer, NUM_VALUES))
    return exams


def losses_of(student: Any, model: Any, steps: int, pairs: int, seed: int) -> list[float]:
    """The losses that the student's training tells.

    Raises:
        Wrong: they are not one number a step.
    """
    losses = student.train_recall(model, steps, pairs, seed)
    if not isinstance(losses, list | tuple) or len(losses) != steps:
        raise Wrong("You do not return one loss for each step.")
    try:
        return [float(loss) for loss in losses]
    except (TypeError, ValueError, RuntimeError):
        raise Wrong("The losses that you return are not all numbers.") from None


def shares_of(
    student: Any, models: dict[str, Any], counts: Sequence[int], seed: int
) -> dict[str, list[float]]:
    """The shares that the student measures.

    Raises:
        Wrong: they are not one number for each name and number of pairs.
    """
    found = student.recall_by_length(models, counts, seed)
    if not isinstance(found, dict) or set(found) != set(models):
        raise Wrong("What you return is not a dictionary with the names of the models.")
    if any(not isinstance(s, list | tuple) or len(s) != len(counts) for s in found.values()):
        raise Wrong("There is not one share for each number of pairs.")
    try:
        return {name: [float(share) for share in shares] for name, shares in found.items()}
    except (TypeError, ValueError, RuntimeError):
        raise Wrong("The shares that you return are not all numbers.") from None


def _few(sizes: tuple[int, ...]) -> Sequences:
    """A few sequences of one pair that models of any sizes can take."""
    draw = Draw(b"few", "sequences")
    num_keys, num_values = sizes[:2] or (NUM_KEYS, NUM_VALUES)
    few = sequences(draw, 3, 1)
    return Sequences(
        few.tokens % (num_keys * num_values), few.query % num_keys, few.answer, num_values
    )
