"""What tests and probes ask of training and measuring: is it fresh, does it go on, is it enough?"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn

from autograder.judging import Wrong
from autograder.judging.draw import Draw
from autograder.tensors.fresh import gradients_held
from graders.attention_vs_recurrence.lessons import (
    EXAM,
    NUM_KEYS,
    NUM_VALUES,
    Sequences,
    mean_loss,
    new_model,
    parameters_of,
    sequences,
    taught_twin,
    twin_of,
)

LESSONS = 100  # steps; one step more is then at most 0.55 of the way: Adam 0.2, RMSprop 0.55
KEPT = 0.75  # a model that begins anew is at 0.85 or more

# So many tokens that hardly one comes twice; 120 batches of 64 pairs hold half of them.
MANY_KEYS, MANY_VALUES, WIDTH = 30, 400, 4
TOKENS, STEPS = MANY_KEYS * MANY_VALUES, 120
NEW = 0.8  # of the tokens that fresh batches would hold; as many batches in turn hold fewer: 90

FEW_STEPS, ONE_BATCH = 8, 1.5  # times the tokens of one batch; where none is cleared, 8

SINGLE_STEPS = 8
COUNTS, NEAR = (2, 10), 0.15  # pairs; one more or one less makes the ratio 0.73 or 1.8 of this one

ENOUGH = 1000  # sequences that the text asks for
CALLS = 4
TELLING, UNLIKE = 12, 4  # shares, and values among them, that the number can be read from
WHOLE = 1e-3  # above the error of float32 times ENOUGH, far below what chance gives every time
NOISE = 0.0006  # variance from seed to seed: 0.0002 for 1,000 sequences, 0.002 for 100


@cache
def taught(draw: str, name: str, pairs: int, steps: int) -> nn.Module:
    """A right model of ours, trained: the same for every answer that is observed."""
    return taught_twin(Draw(b"probe", draw), name, pairs, steps)


def losses_of(student: Any, model: Any, steps: int, pairs: int, seed: int) -> list[float]:
    """The losses that the student's training tells.

    Raises:
        Wrong: they are not one number a step.
    """
    return numbers_in(student.train_recall(model, steps, pairs, seed), steps)


def stepped(student: Any, model: Any, steps: int, pairs: int, seed: int) -> None:
    """Train a model, whatever comes back; where that is nothing, the model is to be another.

    Raises:
        Wrong: nothing comes back, and nothing has been done.
    """
    start = _copied(model)
    losses = student.train_recall(model, steps, pairs, seed)
    if losses is None and all(
        torch.equal(start[name], now) for name, now in _copied(model).items()
    ):
        raise Wrong("Training gives nothing (None) back, and leaves the model as it was.")


def numbers_in(losses: Any, steps: int) -> list[float]:
    """What training told, as numbers.

    Raises:
        Wrong: it is not one number a step.
    """
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


@dataclass(frozen=True)
class Training:
    """What a student's training did to a new model.

    Attributes:
        model: the model.
        told: what LESSONS steps gave back.
        start: the parameters before them.
        learnt: those after them.
        goes_on: whether one step more, in a call of its own, began where they had ended.
    """

    model: Any
    told: Any
    start: dict[str, Tensor]
    learnt: dict[str, Tensor]
    goes_on: bool


def trained(student: Any, model: Any, pairs: int, seed: int) -> Training:
    """Train a new model, and then for one step more.

    Whether that goes on is told by the parameters: they stay nearer to what was learnt than to
    where training began, and nearer than to what the same step makes of the beginning. Losses would
    not do: how fast they fall, and whether they jump, is the optimiser's luck.
    """
    start = _copied(model)
    told = student.train_recall(model, LESSONS, pairs, seed)
    learnt = _copied(model)
    student.train_recall(model, 1, pairs, seed + 1)
    after = _copied(model)
    model.load_state_dict(start, strict=False)
    student.train_recall(model, 1, pairs, seed + 1)
    anew = min(_apart(after, start), _apart(after, _copied(model)))
    return Training(model, told, start, learnt, _apart(after, learnt) < KEPT * anew)


def batches_again(student: Any, draw: Draw, steps: int = STEPS) -> str | None:
    """Whether training uses batches again in place of fresh ones.

    A table of embeddings tells: rows of tokens that never came stay as they were, bit for bit.

    Args:
        student: whose training it is.
        draw: gives the model and the seed.
        steps: of training, in which batches may come again.
    Returns:
        "one" batch, or a "few" of them, again and again; None where they are fresh, or where it
        cannot be told.
    """
    seed = draw.integer(1, 10**6)
    model = new_model(student, draw, "AttentionRecall", MANY_KEYS, MANY_VALUES, WIDTH)
    start = _copied(model)
    stepped(student, model, 1, 1, seed)
    once = _tokens_seen(start, _copied(model))
    model.load_state_dict(start, strict=False)
    student.train_recall(model, steps, 1, seed)
    often = _tokens_seen(start, _copied(model))
    if not once or often == TOKENS:
        return None  # no such table, or one whose every row decays
    if often <= once:
        return "one"
    batch = -TOKENS * math.log1p(-once / TOKENS)
    return "few" if often < NEW * _different(steps * batch) else None


def gradients_kept(student: Any, draw: Draw) -> bool:
    """Whether the gradients that training leaves behind are those of more batches than the last.

    Rows of a table of embeddings tell: those of tokens that a batch does not hold have none. A
    table that no step changes may keep what it likes.
    """
    seed, held = draw.integer(1, 10**6), []
    for steps in (1, FEW_STEPS):
        model = new_model(student, draw, "AttentionRecall", MANY_KEYS, MANY_VALUES, WIDTH)
        start = _copied(model)
        stepped(student, model, steps, 1, seed)
        if not _tokens_seen(start, _copied(model)):
            return False
        found = gradients_held(student, model)
        nothing = {name: torch.zeros_like(gradient) for name, gradient in found.items()}
        held.append(_tokens_seen(nothing, found))
    return held[1] > ONE_BATCH * held[0] > 0


def told_singly(
    student: Any, model: Any, exam: Sequences, pairs: int, seed: int
) -> tuple[float, float]:
    """The model's mean cross-entropy on an exam, and the loss that training tells, of single steps.

    Both are means over some steps, each with a seed of its own.
    """
    own, told = [], []
    for number in range(SINGLE_STEPS):
        own.append(mean_loss(twin_of(model), exam))
        told += losses_of(student, model, 1, pairs, seed + number)
    return sum(own) / SINGLE_STEPS, sum(told) / SINGLE_STEPS


def averages(losses: list[float]) -> bool:
    """Whether each could be the mean of one loss a step up to there, none of them negative.

    Losses of the steps themselves cannot: sooner or later one is lower than the one before by more
    than its share in such a mean, which shrinks with every step.
    """
    return all(
        losses[step] * (step + 1) >= losses[step - 1] * step for step in range(1, len(losses))
    )


def as_many_pairs(student: Any, draw: Draw) -> bool:
    """Whether training draws sequences of as many pairs as was asked for, whatever it then does.

    A table of embeddings tells by how many of its rows one step changes: twice as many pairs change
    about twice as many. Where it cannot tell, such as where every row decays, losses do, of a model
    that knows short sequences better than long ones.
    """
    seed, drawn = draw.integer(1, 10**6), []
    for pairs in COUNTS:
        # A new model each time: gradients that are never cleared would change more rows.
        model = new_model(student, draw, "AttentionRecall", MANY_KEYS, MANY_VALUES, WIDTH)
        start = _copied(model)
        student.train_recall(model, 1, pairs, seed)
        seen = _tokens_seen(start, _copied(model))
        drawn.append(-TOKENS * math.log1p(-seen / TOKENS) if seen < TOKENS else 0)
    few, many = drawn
    if few and many:
        return abs(many / few * COUNTS[0] / COUNTS[1] - 1) < NEAR
    model = new_model(student, draw)
    taught = dict(taught_twin(draw, "AttentionRecall", pairs=3, steps=50).state_dict())
    for pairs in (1, 9):
        model.load_state_dict(taught)
        own, told = told_singly(student, model, sequences(draw, EXAM, pairs), pairs, seed)
        if abs(told - own) > max(0.2, 0.3 * own):
            return False
    return True


def left_as_it_was(student: Any, model: Any, call: Callable[[], object]) -> bool:
    """Whether a call leaves a model's parameters, and which of them can learn, as they were."""
    before, learning = _copied(model), _learning(student, model)
    call()
    after = _copied(model)
    same = before.keys() == after.keys() and learning == _learning(student, model)
    return same and all(
        value.dtype == after[name].dtype and torch.equal(value, after[name])
        for name, value in before.items()
    )


def too_few_asked(student: Any, model: Any, seed: int) -> bool:
    """Whether shares come from fewer sequences than the text asks for.

    All shares are then whole numbers over one divisor that is too small. Hundredths may also be
    rounded shares of enough sequences, which differ less from seed to seed. Per cent tell it, too.
    """
    counts = list(range(1, NUM_KEYS - 1))
    calls = [shares_of(student, {"model": model}, counts, seed + n)["model"] for n in range(CALLS)]
    shares = torch.tensor(calls, dtype=torch.float64)
    if 1 < shares.max() <= 100:
        shares = shares / 100
    telling = shares[(shares > 0) & (shares < 1)]
    if len(telling) < TELLING or len(telling.unique()) < UNLIKE or bool((shares > 1).any()):
        return False
    if _whole(telling * 100):
        return shares.var(dim=0).mean().item() > NOISE
    return any(_whole(telling * number) for number in range(1, ENOUGH))


def _different(draws: float) -> float:
    """How many different tokens so many draws hold."""
    return TOKENS * -math.expm1(-draws / TOKENS)


def _tokens_seen(before: dict[str, Tensor], after: dict[str, Tensor]) -> int:
    """How many rows of the first table of all tokens have changed; 0 without such a table."""
    for name, table in before.items():
        if table.ndim == 2 and TOKENS in table.shape:
            changed = table != after[name]
            return int(changed.any(1 - table.shape.index(TOKENS)).sum())
    return 0


def _learning(student: Any, model: Any) -> dict[str, bool]:
    """Which parameters a gradient reaches."""
    asked = sequences(Draw(b"learning", "parameters"), 3, 2)
    upstream = torch.ones(3, NUM_VALUES).cumsum(1)
    found = student.grad(model, asked.tokens, asked.query, upstream=upstream).parameters
    return {name: gradient is not None for name, gradient in found.items()}


def _whole(numbers: Tensor) -> bool:
    return bool(((numbers - numbers.round()).abs() < WHOLE).all())


def _copied(model: Any) -> dict[str, Tensor]:
    return {name: value.clone() for name, value in parameters_of(model).items()}


def _apart(one: dict[str, Tensor], other: dict[str, Tensor]) -> float:
    """How far two states of a model are from each other, over all parameters."""
    squares = [(one[name].double() - other[name].double()).square().sum() for name in one]
    return torch.stack(squares).sum().sqrt().item()
