"""How to observe answers to train_recall and recall_by_length for a diagnosis."""

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

import torch
from torch import nn

from autograder.checks.kit.local_student import LocalModule
from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations
from autograder.student import RemoteModule
from graders.attention_vs_recurrence.lessons import (
    EXAM,
    made,
    made_faint,
    mean_loss,
    parameters_of,
    random_state_kept,
    sequences,
    share_right,
    taught_twin,
    twin_of,
)
from graders.attention_vs_recurrence.runs.judged_runs import (
    LESSONS,
    Training,
    batches_again,
    gradients_kept,
    left_as_it_was,
    losses_of,
    numbers_in,
    shares_of,
    told_singly,
    too_few_asked,
    trained,
)
from graders.modules import refusing

Look = Callable[[], object]
FEWER_STEPS = 75  # in which fifty batches in turn come again, and hold 0.71 of the tokens

PAIRS = 3
NEAR = 0.08
CALLS = 6
STILL = 1e-6  # of losses above 2
RARE = 0.13  # tells wrong shares apart, of a model that knows short sequences well
MEANINGS = {"right": (1, 0), "wrong": (-1, 1), "per cent": (100, 0)}  # factor, and what is added


@cache
def taught(draw: str, name: str, pairs: int, steps: int) -> nn.Module:
    """A right model of ours, trained: the same for every answer that is observed."""
    return taught_twin(Draw(b"probe", draw), name, pairs, steps)


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

    def lesson(self) -> object:
        """Whether training helps, and how: at all, well, and told by falling losses."""
        model, exam = self.training.model, sequences(Draw(b"probe", "train_recall"), EXAM, PAIRS)
        before = self.training.start
        model.load_state_dict(self.training.learnt, strict=False)
        self.student.train_recall(model, 50, PAIRS, 20)
        after, twin = parameters_of(model), twin_of(model)
        moved = sum(not torch.equal(value, after[name]) for name, value in before.items())
        return (
            "all" if moved == len(before) else "some" if moved else "none",
            mean_loss(twin, exam) < 0.8 * mean_loss(twin_of(self.model()), exam),
            share_right(twin, exam) > 0.85,
        )

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
        losses = losses_of(self.student, model, 30, 2, 8)
        return max(losses) - min(losses) > STILL

    def told_later(self) -> object:
        """How single losses told of a model that has learnt compare with its own."""
        model, exam = self.model(), sequences(Draw(b"probe", "train_recall"), EXAM, PAIRS)
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
            runs.append(losses_of(self.student, model, 12, PAIRS, number))
        once, again, other = runs
        return (
            all(abs(a - b) < 1e-4 for a, b in zip(once, again, strict=True)),
            all(abs(a - b) > 1e-9 for a, b in zip(once, other, strict=True)),
        )

    def two_keys(self) -> object:
        """Whether two keys and two pairs are enough to train on."""
        return len(losses_of(self.student, self.model(2, 3, 8), 3, 2, 9))

    def state_kept(self) -> object:
        """Whether torch's global random state is left alone."""
        model = self.model()
        return random_state_kept(
            self.student, lambda: self.student.train_recall(model, 3, PAIRS, 4)
        )


class MeasuringProbe:
    """The student's measuring, observed on models of attention."""

    def __init__(self, student: Any) -> None:
        self.student = student

    def model(self, name: str = "AttentionRecall") -> Any:
        """A new model, the same for every observation."""
        self.student.seed(6)
        return made(self.student, name)

    def form(self, counts: tuple[int, ...]) -> Look:
        """What comes back for these numbers of pairs, as types."""

        def look() -> object:
            models = {"b": self.model(), "a": self.model()}
            found = self.student.recall_by_length(models, counts, 3)
            if not isinstance(found, dict):
                return type(found).__name__
            return sorted(str(name) for name in found), [
                (type(s).__name__, len(s), sorted({type(one).__name__ for one in s}))
                if isinstance(s, list | tuple | dict)
                else type(s).__name__
                for s in found.values()
            ]

        return look

    def meaning(self) -> object:
        """What the shares of two models are: of right answers, of wrong ones, or something else."""
        models = {"new": self.model(), "taught": self.model("LSTMRecall")}
        counts, draw = (4, 1, 12), Draw(b"probe", "exams")
        knows_short = taught("shares", "LSTMRecall", 2, 50)
        models["taught"].load_state_dict(dict(knows_short.state_dict()))
        own = {
            name: [share_right(twin, sequences(draw, EXAM, count)) for count in counts]
            for name, twin in (("new", twin_of(models["new"])), ("taught", knows_short))
        }
        # Those of few sequences owe much to luck, and more of them less.
        calls = CALLS if self._asks_too_few else 1
        found = _mean_shares(
            [shares_of(self.student, models, counts, 4 + number) for number in range(calls)]
        )
        names = [
            name
            for name, (factor, start) in MEANINGS.items()
            if all(
                abs(told - start - factor * share) < NEAR * abs(factor)
                for model in models
                for told, share in zip(found[model], own[model], strict=True)
            )
        ]
        rare = [share < RARE for share in found["taught"]]
        return names, rare, len({tuple(shares) for shares in found.values()}), _size(found)

    def faint(self) -> object:
        """Whether a model that is right, but not sure of it, gets a high share."""
        model = self.model("LSTMRecall")
        model.load_state_dict(dict(taught("faint", "LSTMRecall", 1, 30).state_dict()))
        if not made_faint(model):
            return None
        return shares_of(self.student, {"faint": model}, [1], 4)["faint"][0] > 0.8

    def too_few(self) -> object:
        """Whether shares come from fewer sequences than the text asks for."""
        return self._asks_too_few

    def sure(self) -> object:
        """Whether a model that cannot be wrong has a share of exactly 1, or that of one key."""
        model = made(self.student, "AttentionRecall", 9, 1, 8)
        (share,) = shares_of(self.student, {"sure": model}, [3], 4)["sure"]
        return share == 1, abs(share - 1 / 9) < NEAR

    def changed(self) -> object:
        """Whether measuring changes parameters, and whether it keeps them from learning."""
        model = self.model()
        before = {name: value.clone() for name, value in parameters_of(model).items()}
        kept = left_as_it_was(
            self.student, model, lambda: shares_of(self.student, {"model": model}, (2, 4), 7)
        )
        after = parameters_of(model)
        moved = any(
            value.dtype != after[name].dtype or not torch.equal(value, after[name])
            for name, value in before.items()
        )
        return kept, moved

    def seeds(self) -> object:
        """Whether shares repeat with the seed alone, and for the same model."""
        model, counts = self.model(), (1, 2, 3, 4, 5, 6)
        self.student.seed(1)
        twins = shares_of(self.student, {"one": model, "other": model}, counts, 3)
        self.student.seed(2)
        again = shares_of(self.student, {"one": model}, counts, 3)
        elsewhere = shares_of(self.student, {"one": model}, counts, 4)
        one = twins["one"]
        return one == twins["other"], one == again["one"], one == elsewhere["one"]

    @cached_property
    def _asks_too_few(self) -> bool:
        return too_few_asked(self.student, self.model(), 4)

    def state_kept(self) -> object:
        """Whether torch's global random state is left alone."""
        model = self.model()
        return random_state_kept(
            self.student, lambda: self.student.recall_by_length({"m": model}, (1, 3), 4)
        )


def _kind(value: object) -> str:
    """The type's name; a module is one wherever it lives."""
    return "module" if isinstance(value, LocalModule | RemoteModule) else type(value).__name__


def _mean_shares(calls: list[dict[str, list[float]]]) -> dict[str, list[float]]:
    """For each model and number of pairs, the mean of the shares that several calls gave."""
    return {
        name: [
            sum(shares) / len(calls) for shares in zip(*(one[name] for one in calls), strict=True)
        ]
        for name in calls[0]
    }


def _size(found: dict[str, list[float]]) -> str:
    """Whether the numbers are shares, shares in per cent, or larger."""
    largest = max(share for shares in found.values() for share in shares)
    return "shares" if largest <= 1 else "per cent" if largest <= 100.5 else "counts"


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
        "moves": see.moves,
        "told": see.told,
        "told later": see.told_later,
        "goes on": see.goes_on,
        "lesson": see.lesson,
        "again": see.again,
        "gradients kept": see.kept,
    }
    return {name: refusing(look) for name, look in looks.items()}


@probe("recall_by_length", refusal=("too few",))
def observe_recall_by_length(student: Any) -> Observations:
    """What measuring tells about models, and whether it leaves them as they are."""
    see = MeasuringProbe(student)
    looks: dict[str, Look] = {
        "form": see.form((1, 3, 2)),
        "no lengths": see.form(()),
        "sure": see.sure,
        "changed": see.changed,
        "state kept": see.state_kept,
        "seeds": see.seeds,
        "faint": see.faint,
        "too few": see.too_few,
        "meaning": see.meaning,
    }
    return {name: refusing(look) for name, look in looks.items()}
