"""Visible checks of 07-attention-vs-recurrence: train_recall and recall_by_length."""

from typing import Any

import torch
from torch import Tensor, nn

from checks.kit.describing import form_text
from checks.kit.examples import example
from checks.kit.expectation import Mismatch, exercise
from checks.kit.local_student import LocalStudent
from checks.kit.pictures import Bars, Heatmap

_KEYS, _VALUES, _WIDTH = 9, 4, 32
_BLOCKS, _BLOCK = 8, 15
_COUNTS = (1, 2, 4, 8)


class Knowing(nn.Module):
    """A model without parameters that answers from the pair at a place, or from the right one."""

    def __init__(self, place: int | None = None) -> None:
        super().__init__()
        self.num_keys, self.num_values, self.place = _KEYS, _VALUES, place

    def forward(self, tokens: Tensor, query: Tensor) -> Tensor:
        """One for the value that it answers with, zero elsewhere."""
        keys, values = tokens // _VALUES, tokens % _VALUES
        right = (keys == query[:, None]).int().argmax(1)
        places = right if self.place is None else torch.full_like(right, self.place)
        return torch.eye(_VALUES)[values[torch.arange(len(values)), places]]


class Unmoved(nn.Module):
    """A model that answers by a fixed rule of thumb, with a parameter that changes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.num_keys, self.num_values = _KEYS, _VALUES
        self.idle = nn.Parameter(torch.zeros(1))

    def forward(self, tokens: Tensor, query: Tensor) -> Tensor:
        """Logits that differ from batch to batch, and by no training."""
        mixed = (tokens * torch.arange(1, tokens.shape[1] + 1)).sum(1) + 7 * query
        return torch.sin(mixed[:, None] * torch.arange(1.0, _VALUES + 1)) + 0 * self.idle


class Sure(Knowing):
    """A model that knows all answers and is sure of them, with a parameter that changes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.idle = nn.Parameter(torch.zeros(1))

    def forward(self, tokens: Tensor, query: Tensor) -> Tensor:
        """A large logit for the right value, zero elsewhere."""
        return 20 * super().forward(tokens, query) + 0 * self.idle


class Once(nn.Module):
    """A model that its parameter speaks for in the first step alone."""

    def __init__(self) -> None:
        super().__init__()
        self.num_keys, self.num_values = _KEYS, _VALUES
        self.said, self.asked = nn.Parameter(torch.ones(1)), 0

    def forward(self, tokens: Tensor, query: Tensor) -> Tensor:
        """The first value's logit is the parameter's in the first call, and 1 in all others."""
        self.asked += 1
        first = self.said if self.asked == 1 else 0 * self.said + 1
        return first * torch.eye(_VALUES)[torch.zeros_like(query)]


@example(
    "train_recall",
    picture=Bars(
        "Attention on three pairs: mean loss of 15 steps",
        tuple(f"{block * _BLOCK}" for block in range(_BLOCKS)),
        "steps from",
        "loss",
    ),
)
def losses_of_a_short_training(student: LocalStudent) -> Tensor:
    """The mean losses of blocks of 15 steps, while a new model of attention learns three pairs."""
    student.seed(0)
    model = student.AttentionRecall(_KEYS, _VALUES, _WIDTH)
    losses = student.train_recall(model, _BLOCKS * _BLOCK, 3, 1)
    return torch.tensor(losses).reshape(_BLOCKS, _BLOCK).mean(1)


@example(
    "recall_by_length",
    picture=Heatmap(
        "Share of right answers after 120 steps on two pairs",
        ("attention", "LSTM"),
        tuple(map(str, _COUNTS)),
        rows_are="model",
        columns_are="pairs in a sequence",
    ),
)
def shares_after_a_short_training(student: LocalStudent) -> Tensor:
    """The shares of right answers of two models for four numbers of pairs."""
    student.seed(0)
    models = {
        "attention": student.AttentionRecall(_KEYS, _VALUES, _WIDTH),
        "LSTM": student.LSTMRecall(_KEYS, _VALUES, _WIDTH),
    }
    for model in models.values():
        student.train_recall(model, 120, 2, 1)
    shares = student.recall_by_length(models, _COUNTS, 1)
    return torch.tensor([shares[name] for name in models])


@exercise("train_recall")
def test_the_loss_of_every_step(student: LocalStudent) -> None:
    """Five steps give a list of five floats; the first is near ln 4 = 1.39, as guessing is."""
    student.seed(0)
    model = student.AttentionRecall(_KEYS, _VALUES, _WIDTH)
    losses = student.train_recall(model, 5, 2, 1)
    wanted = "a list of 5 floats"
    if not isinstance(losses, list) or any(type(loss) is not float for loss in losses):
        inner = f" of {type(losses[0]).__name__}" if isinstance(losses, list) and losses else ""
        says = "Plain Python floats are wanted: a tensor would keep its whole computation alive."
        raise Mismatch(form_text(losses) + inner, wanted, says)
    if len(losses) != 5:
        raise Mismatch(f"a list of {len(losses)}", wanted, "One loss for each step is wanted.")
    if not 0.7 < losses[0] < 2.8:
        says = "A new model guesses among 4 values. Is this the mean over the batch?"
        raise Mismatch(f"a first loss of {losses[0]:.3g}", "about 1.4", says)


@exercise("train_recall")
def test_the_losses_of_a_model_that_knows_all(student: LocalStudent) -> None:
    """For a model that is sure of every right answer, all losses are near 0."""
    losses = student.train_recall(Sure(), 3, 2, 1)
    if isinstance(losses, list) and any(abs(loss) > 0.01 for loss in losses):
        says = "This model's right logit is 20, all others are 0. What is its mean cross-entropy?"
        raise Mismatch(f"losses up to {max(map(float, losses)):.3g}", "losses near 0", says)


@exercise("train_recall")
def test_the_model_has_learnt(student: LocalStudent) -> None:
    """After 150 steps on two pairs, 8 of 10 answers on new sequences are right."""
    student.seed(0)
    model = student.AttentionRecall(_KEYS, _VALUES, _WIDTH)
    first = _share_right(student, model)
    student.train_recall(model, 150, 2, 1)
    share = _share_right(student, model)
    if share < 0.8:
        says = "The model has learnt little. Does the batch change from step to step?"
        if share == first:
            says = "The model answers as before. Does every step change its parameters?"
        raise Mismatch(f"{share:.0%} right", "at least 80% right", says)


@exercise("train_recall")
def test_every_step_has_a_batch_of_its_own(student: LocalStudent) -> None:
    """For a model that cannot learn, 60 losses are 60 numbers: no batch comes again."""
    losses = student.train_recall(Unmoved(), 60, 3, 2)
    if isinstance(losses, list) and len(set(losses)) < 60:
        says = "Some losses are the same to the last digit. Does a batch come again?"
        raise Mismatch(f"{len(set(losses))} different losses", "60 different losses", says)


@exercise("train_recall")
def test_a_step_goes_by_its_own_gradients(student: LocalStudent) -> None:
    """Where the first step alone has a gradient, 120 steps move the model as far as 60 do."""
    moved = []
    for steps in (60, 120):
        model = Once()
        student.train_recall(model, steps, 2, 1)
        moved.append(abs(model.said.item() - 1))
    if moved[1] > 1.5 * moved[0]:
        says = "Later steps still go by the first one's gradient. What does backward() add to?"
        raise Mismatch(f"{moved[0]:.2g}, then {moved[1]:.2g}", "about the same twice", says)


@exercise("train_recall")
def test_the_seed_decides_the_losses(student: LocalStudent) -> None:
    """The same seed on the same new model gives the same losses, another seed others."""
    runs: list[list[float]] = []
    for seed in (3, 3, 4):
        student.seed(0)
        model = student.LSTMRecall(_KEYS, _VALUES, _WIDTH)
        student.seed(len(runs))  # what torch draws elsewhere has no say
        runs.append(student.train_recall(model, 4, 2, seed))
        if student.changed_random:
            whose = student.changed_random[0]
            says = "Training moved random numbers that all share. Only recall_batch has to draw."
            raise Mismatch(f"{whose}'s global state changed", "all global state as before", says)
    if runs[0] != runs[1]:
        raise Mismatch("two different runs", "twice the same", "Two runs with seed 3 differ.")
    if runs[0] == runs[2]:
        says = "Seeds 3 and 4 give the same losses. Where does `seed` come in?"
        raise Mismatch("twice the same", "two different runs", says)


@exercise("recall_by_length")
def test_shares_of_models_that_are_known(student: LocalStudent) -> None:
    """A model that knows everything gets 1; one that trusts the first pair gets what luck gives."""
    models = {"knows": Knowing(), "first": Knowing(place=0)}
    found = student.recall_by_length(models, [1, 4, 8], 5)
    _expect_shares(found, models, 3)
    if found["knows"] != [1.0, 1.0, 1.0]:
        says = "This model always gives the right value the largest logit."
        raise Mismatch(str(_rounded(found)), "knows: 1.0 throughout", says)
    for pairs, share in zip((1, 4, 8), found["first"], strict=True):
        luck = 1 / pairs + (1 - 1 / pairs) / _VALUES  # asked for, or the same value by chance
        if abs(share - luck) > 0.08:
            says = f"With {pairs} pairs, the first is right in about {luck:.0%} of all sequences."
            raise Mismatch(str(_rounded(found)), f"first: about {luck:.2f} there", says)


@exercise("recall_by_length")
def test_models_are_asked_and_not_taught(student: LocalStudent) -> None:
    """One float for each model and number of pairs; the model's parameters stay as they are."""
    student.seed(0)
    models = {"new": student.LSTMRecall(_KEYS, _VALUES, _WIDTH)}
    before = {name: value.clone() for name, value in models["new"].state_dict().items()}
    _expect_shares(student.recall_by_length(models, (2, 3), 5), models, 2)
    after = models["new"].state_dict()
    if any(not torch.equal(value, after[name]) for name, value in before.items()):
        says = "Measuring changed the model. Who calls an optimiser there?"
        raise Mismatch("other parameters", "the parameters as before", says)


def _expect_shares(found: Any, models: dict[str, Any], count: int) -> None:
    wanted = f"a dictionary: {', '.join(models)}, each with a list of {count} floats from 0 to 1"
    if not isinstance(found, dict) or set(found) != set(models):
        raise Mismatch(form_text(found), wanted, "The names of the models are the keys.")
    for shares in found.values():
        if not isinstance(shares, list) or len(shares) != count:
            says = "Under each name, one share for each number of pairs is wanted, as a list."
            raise Mismatch(form_text(shares), wanted, says)
        if any(type(share) is not float or not 0 <= share <= 1 for share in shares):
            raise Mismatch(str(shares), wanted, "A share is a float from 0 to 1.")


def _rounded(found: dict[str, list[float]]) -> dict[str, list[float]]:
    return {name: [round(share, 3) for share in shares] for name, shares in found.items()}


def _share_right(student: LocalStudent, model: Any) -> float:
    tokens, query, answer = student.recall_batch(500, 2, _KEYS, _VALUES, 9)
    return float((model(tokens, query).argmax(1) == answer).float().mean())
