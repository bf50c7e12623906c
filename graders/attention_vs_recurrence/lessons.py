"""What the graders of 07 share: sequences made here, lessons given to models, and their exams.

A model is taught from outside: its logits and gradients come through the sandbox, the optimiser and
the data stay here. So a model is judged by itself, whatever the student's own training does. And
training is judged by the parameters that it leaves, in a right model of ours.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch._dynamo  # an optimiser's first step imports it; here once for all grading processes
import torch.nn.functional as F  # noqa: N812 - torch's own documentation calls it F
from torch import Tensor, nn

from autograder.judging import Wrong
from autograder.judging.draw import Draw
from graders import modules
from graders.modules import form
from solutions.attention_vs_recurrence import reference

NUM_KEYS, NUM_VALUES, D_MODEL = 14, 3, 28

LESSON, RATE = 128, 0.03  # sequences a step, and Adam's learning rate
ROUND, ROUNDS = 40, 5  # steps, and how often; right models need one round
PATIENCE, HOPELESS = 2, 0.55
EXAM = 1500  # sequences an exam: a share of 0.9 is then known to 0.008


@dataclass(frozen=True)
class Sequences:
    """Sequences of pairs, each with a query and its answer.

    Attributes:
        tokens: (batch, pairs), key · NUM_VALUES + value.
        query: (batch,).
        answer: (batch,).
        num_values: how many values there are.
    """

    tokens: Tensor
    query: Tensor
    answer: Tensor
    num_values: int


def sequences(draw: Draw, batch: int, pairs: int) -> Sequences:
    """Fresh sequences for the usual numbers of keys and values."""
    seed = draw.integer(0, 2**31)
    return Sequences(*reference.recall_batch(batch, pairs, NUM_KEYS, NUM_VALUES, seed), NUM_VALUES)


def made(student: Any, name: str, *sizes: int) -> Any:
    """A student's model, of the usual sizes unless others are given.

    Raises:
        Wrong: the name makes something that is no module.
    """
    return modules.made(student, name, *(sizes or (NUM_KEYS, NUM_VALUES, D_MODEL)))


def new_model(student: Any, draw: Draw, name: str = "AttentionRecall", *sizes: int) -> Any:
    """A model that nobody has taught, with parameters that a seed decides."""
    student.seed(draw.integer(1, 10**6))
    return made(student, name, *sizes)


def twin_of(model: Any, name: str = "AttentionRecall", *sizes: int) -> nn.Module:
    """A right model of ours with the parameters of one where the student's code runs.

    Raises:
        Wrong: it has others than a right model by now.
    """
    twin: nn.Module = getattr(reference, name)(*(sizes or (NUM_KEYS, NUM_VALUES, D_MODEL)))
    found, wanted = parameters_of(model), twin.state_dict()
    if {key: form(value) for key, value in found.items()} != {
        key: form(value) for key, value in wanted.items()
    }:
        raise Wrong("The model that you were given has other parameters afterwards than before.")
    twin.load_state_dict(found)
    return twin.requires_grad_(False)


def taught_twin(draw: Draw, name: str, pairs: int, steps: int) -> nn.Module:
    """A right model of ours, trained on sequences of that many pairs."""
    twin: nn.Module = getattr(reference, name)(NUM_KEYS, NUM_VALUES, D_MODEL)
    shapes = {key: tuple(value.shape) for key, value in twin.state_dict().items()}
    start = {key: draw.normal(*shape, scale=D_MODEL**-0.5) for key, shape in shapes.items()}
    twin.load_state_dict(start)
    optimiser = torch.optim.Adam(twin.parameters(), lr=RATE)
    for _ in range(steps):
        lesson = sequences(draw, LESSON, pairs)
        optimiser.zero_grad()
        F.cross_entropy(twin(lesson.tokens, lesson.query), lesson.answer).backward()
        optimiser.step()
    return twin.requires_grad_(False)


def logits_of(model: Any, asked: Sequences) -> Tensor:
    """The model's logits for these sequences.

    Raises:
        Wrong: they are not one row a sequence and one number a value.
    """
    logits = model(asked.tokens.clone(), asked.query.clone())
    if not isinstance(logits, Tensor):
        raise Wrong("Your model does not return one tensor of logits.")
    if logits.shape != (len(asked.query), asked.num_values):
        raise Wrong("Your model's logits do not have one row a sequence and one column a value.")
    if not logits.is_floating_point() or bool(logits.isnan().any()):
        raise Wrong("Your model's logits hold something else than numbers.")
    return logits


def are_shares(logits: Tensor) -> bool:
    """Whether these went through softmax already: positive, and each row sums to one."""
    return bool((logits >= 0).all()) and bool(((logits.sum(1) - 1).abs() < 1e-3).all())


def share_right(model: Any, asked: Sequences) -> float:
    """The share of these sequences that the model answers rightly."""
    right = logits_of(model, asked).argmax(-1) == asked.answer
    return right.double().mean().item()


def mean_loss(model: Any, asked: Sequences) -> float:
    """The model's mean cross-entropy on these sequences."""
    return F.cross_entropy(logits_of(model, asked).double(), asked.answer).item()


def teach(student: Any, model: Any, draw: Draw, pairs: int, steps: int) -> None:
    """Train a student's model by Adam, on sequences of that many pairs.

    Raises:
        Wrong: nothing in it can learn.
    """
    state = {name: value.clone() for name, value in parameters_of(model).items()}
    optimiser = torch.optim.Adam(state.values(), lr=RATE)
    for _ in range(steps):
        lesson = sequences(draw, LESSON, pairs)
        logits = logits_of(model, lesson).requires_grad_()
        (upstream,) = torch.autograd.grad(F.cross_entropy(logits, lesson.answer), logits)
        found = student.grad(model, lesson.tokens, lesson.query, upstream=upstream).parameters
        for name, value in state.items():
            gradient = found.get(name)
            value.grad = gradient if gradient is not None else torch.zeros_like(value)
        if not any(bool(value.grad.any()) for value in state.values() if value.grad is not None):
            raise Wrong("No gradient reaches any parameter of your model.")
        optimiser.step()
        model.load_state_dict(state, strict=False)


def taught(student: Any, name: str, draw: Draw, pairs: int, exam: Sequences, enough: float) -> bool:
    """Make a model and teach it until it answers enough of an exam rightly.

    It is given up after ROUNDS rounds; or when after PATIENCE of them it still answers no better
    than a model would that goes by the most common value of a sequence.

    Returns:
        whether it does.
    """
    student.seed(draw.integer(1, 10**6))
    model = made(student, name)
    for number in range(1, ROUNDS + 1):
        teach(student, model, draw, pairs, ROUND)
        share = share_right(model, exam)
        if share > enough:
            return True
        if number >= PATIENCE and share < HOPELESS:
            return False
    return False


def logits_scaled(model: Any, factor: float) -> bool:
    """Scale a model's logits: it is as right as before, and more or less sure of it.

    Returns:
        whether it could be done: that the model ends in one projection to the values.
    """
    state = parameters_of(model)
    tables = [key for key, value in state.items() if value.shape == (NUM_VALUES, D_MODEL)]
    if len(tables) != 1:
        return False
    for key, value in state.items():
        if key in tables or value.shape == (NUM_VALUES,):
            state[key] = value * factor
    model.load_state_dict(state, strict=False)
    return True


def parameters_of(model: Any) -> dict[str, Tensor]:
    """The floating-point tensors in the model's state.

    Raises:
        Wrong: there are none.
    """
    state = model.state_dict()
    found = {
        name: value
        for name, value in (state.items() if isinstance(state, dict) else ())
        if isinstance(value, Tensor) and value.is_floating_point()
    }
    if not found:
        raise Wrong("Your model has no parameters.")
    return found


def globally_drawn(student: Any, call: Callable[[], object]) -> tuple[str, ...]:
    """Whose global random numbers a call changes, where the student's code runs."""
    layer = student.linear(torch.zeros(4, 3))
    layer.reset_parameters()  # so that who seeds torch as it was seeded before changes its state
    call()
    return tuple(student.changed_random)


def assert_not_nothing(found: object, what: str) -> None:
    """Refuse None: a claim that some call leaves alone what it should is not met by doing nothing.

    Raises:
        Wrong: nothing came back.
    """
    if found is None:
        raise Wrong(f"Your {what} gives nothing (None) back.")


def seeded_by(student: Any, call: Callable[[], object]) -> bool:
    """Whether what torch draws after a call is always the same: the call seeds torch."""
    return torch.equal(_drawn_after(student, 20, call), _drawn_after(student, 21, call))


def _drawn_after(student: Any, seed: int, call: Callable[[], object]) -> Tensor:
    """Numbers from torch's global random state, where the student's code runs, after a call."""
    layer = student.linear(torch.zeros(4, 3))
    student.seed(seed)
    layer.reset_parameters()  # a call that seeds torch as it was seeded before changes its state
    call()
    layer.reset_parameters()
    weight: Tensor = layer.state_dict()["weight"]
    return weight.clone()
