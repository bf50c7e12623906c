"""How to observe answers to train_recall for a diagnosis."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import torch

from autograder.checks.kit.local_student import LocalModule
from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations
from autograder.student import RemoteModule
from graders.attention_vs_recurrence.lessons import (
    EXAM,
    globally_drawn,
    logits_scaled,
    made,
    mean_loss,
    parameters_of,
    sequences,
    share_right,
    twin_of,
)
from graders.attention_vs_recurrence.runs.judged_runs import (
    LESSONS,
    Training,
    averages,
    batches_again,
    gradients_kept,
    losses_of,
    numbers_in,
    taught,
    told_singly,
    trained,
)
from graders.modules import refusing

Look = Callable[[], object]
FEWER_STEPS = 20  # in which eight batches in turn hold 0.41 of the tokens; a hidden test sees more

PAIRS, SHORT_EXAM = 3, 300
STILL = 1e-6  # of losses above 2


class TrainingProbe:
    """The student's training, observed by what it does to a model of attention."""

    def __init__(self, student: Any) -> None:
        self.student = student

    def model(self, *sizes: int) -> Any:
        """A new model, the same for every observation."""
        self.student.seed(5)
        return made(self.student, "AttentionRecall", *sizes)

    @cached_property
    def training(self) -> Training:
        """Training of a new model, which several observations look at."""
        return trained(self.student, self.model(), PAIRS, 8)

    def form(self, steps: int) -> Look:
        """What comes back for so many steps: its type, its length, and the types in it."""

        def look() -> object:
            found = self.student.train_recall(self.model(), steps, PAIRS, 5)
            if not isinstance(found, list | tuple):
                return type(found).__name__
            return type(found).__name__, len(found), sorted(set(map(_kind, found)))

        return look

    def begins(self) -> object:
        """Which parameters a few steps change, and whether they make the loss smaller."""
        model, exam = self.model(), sequences(Draw(b"probe", "train_recall"), SHORT_EXAM, PAIRS)
        before = {name: value.clone() for name, value in parameters_of(model).items()}
        own = mean_loss(twin_of(model), exam)
        self.student.train_recall(model, 8, PAIRS, 7)
        return _moved(before, parameters_of(model)), mean_loss(twin_of(model), exam) < own

    def lesson(self) -> object:
        """Whether training helps, and how: at all, well, and told by falling losses."""
        model, exam = self.training.model, sequences(Draw(b"probe", "train_recall"), EXAM, PAIRS)
        model.load_state_dict(self.training.learnt, strict=False)
        twin = twin_of(model)
        return (
            _moved(self.training.start, parameters_of(model)),
            mean_loss(twin, exam) < 0.9 * mean_loss(twin_of(self.model()), exam),
            share_right(twin, exam) > 0.85,
        )

    def told_at_once(self) -> object:
        """Whether a few losses are far too large, or averages of those so far.

        The model is sure of itself, and wrong at times: its losses go up and down by chance.
        """
        model, exam = self.model(), sequences(Draw(b"probe", "train_recall"), SHORT_EXAM, PAIRS)
        model.load_state_dict(dict(taught("told", "AttentionRecall", PAIRS, 15).state_dict()))
        logits_scaled(model, 20)
        own = mean_loss(twin_of(model), exam)
        losses = losses_of(self.student, model, 12, PAIRS, 8)
        return losses[0] > 8 * own, losses[0] > own / 3 and averages(losses)

    def told(self) -> object:
        """How the first loss told compares with the model's own; whether losses fall, or soar."""
        model, exam = self.model(), sequences(Draw(b"probe", "train_recall"), EXAM, PAIRS)
        own = mean_loss(twin_of(model), exam)
        losses = numbers_in(self.training.told, LESSONS)
        first = losses[0] / own
        size = "own" if 0.7 < first < 1.3 else "larger" if first > 1.3 else "smaller"
        end = sum(losses[-10:])
        falls, soars = end < 0.8 * sum(losses[:10]), end > 30 * losses[0] > 0
        return size, falls, soars, losses[0] < 0, losses == sorted(losses, reverse=True)

    def moves(self) -> object:
        """Whether losses change at all, of a model whose logits are 0 to begin with.

        While nothing is learnt, all losses are the same, whatever the batch; who trains a copy with
        steps that are too small tells others.
        """
        values = 11  # no other size of the model, so that the last projection can be told
        model = self.model(4, values, 8)
        silent = {
            name: torch.zeros_like(table)
            for name, table in parameters_of(model).items()
            if values in table.shape
        }
        model.load_state_dict(silent, strict=False)
        losses = losses_of(self.student, model, 8, 2, 8)
        return max(losses) - min(losses) > STILL

    def told_later(self) -> object:
        """How single losses told of a model that has learnt compare with its own."""
        model, exam = self.model(), sequences(Draw(b"probe", "train_recall"), SHORT_EXAM, PAIRS)
        model.load_state_dict(dict(taught("told", "AttentionRecall", PAIRS, 75).state_dict()))
        own, told = told_singly(self.student, model, exam, PAIRS, 8)
        return told > own + 0.3

    def goes_on(self) -> object:
        """Whether a second training begins where the first one ended."""
        return self.training.goes_on

    def again(self) -> object:
        """Whether batches are used again."""
        return batches_again(self.student, Draw(b"probe", "again"), FEWER_STEPS)

    def kept(self) -> object:
        """Whether gradients are never cleared."""
        return gradients_kept(self.student, Draw(b"probe", "kept"))

    def seeds(self) -> object:
        """Whether losses repeat with the seed alone."""
        model = self.model()
        start = {name: value.clone() for name, value in parameters_of(model).items()}
        runs = []
        for number, own in ((3, 1), (3, 2), (4, 1)):
            model.load_state_dict(start, strict=False)
            self.student.seed(own)
            runs.append(losses_of(self.student, model, 3, PAIRS, number))
        once, again, other = runs
        return (
            all(abs(a - b) < 1e-4 for a, b in zip(once, again, strict=True)),
            all(abs(a - b) > 1e-9 for a, b in zip(once, other, strict=True)),
        )

    def two_keys(self) -> object:
        """Whether two keys and two pairs are enough to train on."""
        return len(losses_of(self.student, self.model(2, 3, 8), 3, 2, 9))

    def state_kept(self) -> object:
        """Whose global random numbers change."""
        model = self.model()
        return globally_drawn(self.student, lambda: self.student.train_recall(model, 3, PAIRS, 4))


def _kind(value: object) -> str:
    """The type's name; a module is one wherever it lives."""
    return "module" if isinstance(value, LocalModule | RemoteModule) else type(value).__name__


def _moved(before: dict[str, torch.Tensor], after: dict[str, torch.Tensor]) -> str:
    """How many of a model's parameters have changed."""
    moved = sum(not torch.equal(value, after[name]) for name, value in before.items())
    return "all" if moved == len(before) else "some" if moved else "none"


@probe("train_recall")
def observe_train_recall(student: Any) -> Observations:
    """What training does to a model, and what it tells."""
    see = TrainingProbe(student)
    looks: dict[str, Look] = {
        "form": see.form(5),
        "no steps": see.form(0),
        "two keys": see.two_keys,
        "state kept": see.state_kept,
        "seeds": see.seeds,
        "begins": see.begins,
        "moves": see.moves,
        "told at once": see.told_at_once,
        "told": see.told,
        "told later": see.told_later,
        "goes on": see.goes_on,
        "lesson": see.lesson,
        "again": see.again,
        "gradients kept": see.kept,
    }
    return {name: refusing(look) for name, look in looks.items()}
