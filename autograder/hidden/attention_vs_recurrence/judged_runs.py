"""What tests and probes ask of training and measuring: does it go on, does it ask often enough?"""

from typing import Any

import torch
from torch import Tensor

from autograder.hidden.attention_vs_recurrence.lessons import NUM_KEYS, parameters_of
from autograder.hidden.attention_vs_recurrence.own_sequences import shares_of

LESSONS = 100  # steps; one step more is then at most 0.55 of the way: Adam 0.2, RMSprop 0.55
KEPT = 0.75  # a model that begins anew is at 0.85 or more

ENOUGH = 1000  # sequences that the text asks for
CALLS = 4
TELLING, UNLIKE = 12, 4  # shares, and values among them, that the number can be read from
WHOLE = 1e-3  # above the error of float32 times ENOUGH, far below what chance gives every time
NOISE = 0.0006  # variance from seed to seed: 0.0002 for 1,000 sequences, 0.002 for 100


def training_goes_on(student: Any, model: Any, pairs: int, seed: int) -> bool:
    """Whether one step of training, after many, begins where those have ended.

    It is told by the parameters: they stay nearer to what was learnt than to where training began,
    and nearer than to what the same step makes of the beginning. Losses would not do: how fast they
    fall, and whether they jump, is the optimiser's luck.
    """
    start = _copied(model)
    student.train_recall(model, LESSONS, pairs, seed)
    learnt = _copied(model)
    student.train_recall(model, 1, pairs, seed + 1)
    after = _copied(model)
    model.load_state_dict(start, strict=False)
    student.train_recall(model, 1, pairs, seed + 1)
    anew = min(_apart(after, start), _apart(after, _copied(model)))
    return _apart(after, learnt) < KEPT * anew


def too_few_asked(student: Any, model: Any, seed: int) -> bool:
    """Whether shares come from fewer sequences than the text asks for.

    All shares are then whole numbers over one divisor that is too small. Hundredths may also be
    rounded shares of enough sequences, which differ less from seed to seed.
    """
    counts = list(range(1, NUM_KEYS - 1))
    calls = [shares_of(student, {"model": model}, counts, seed + n)["model"] for n in range(CALLS)]
    shares = torch.tensor(calls, dtype=torch.float64)
    telling = shares[(shares > 0) & (shares < 1)]
    if len(telling) < TELLING or len(telling.unique()) < UNLIKE or bool((shares > 1).any()):
        return False
    if _whole(telling * 100):
        return shares.var(dim=0).mean().item() > NOISE
    return any(_whole(telling * number) for number in range(1, ENOUGH))


def _whole(numbers: Tensor) -> bool:
    return bool(((numbers - numbers.round()).abs() < WHOLE).all())


def _copied(model: Any) -> dict[str, Tensor]:
    return {name: value.clone() for name, value in parameters_of(model).items()}


def _apart(one: dict[str, Tensor], other: dict[str, Tensor]) -> float:
    """How far two states of a model are from each other, over all parameters."""
    squares = [(one[name].double() - other[name].double()).square().sum() for name in one]
    return torch.stack(squares).sum().sqrt().item()
