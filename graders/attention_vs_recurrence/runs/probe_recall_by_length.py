"""How to observe answers to recall_by_length for a diagnosis."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import torch

from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations
from graders.attention_vs_recurrence.lessons import (
    EXAM,
    globally_drawn,
    logits_scaled,
    made,
    parameters_of,
    sequences,
    share_right,
    twin_of,
)
from graders.attention_vs_recurrence.runs.judged_runs import (
    left_as_it_was,
    shares_of,
    taught,
    too_few_asked,
)
from graders.modules import refusing

Look = Callable[[], object]

NEAR = 0.08
CALLS = 6
RARE = 0.13  # tells wrong shares apart, of a model that knows short sequences well
MEANINGS = {"right": (1, 0), "wrong": (-1, 1), "per cent": (100, 0)}  # factor, and what is added


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
        if not logits_scaled(model, 1 / 20):
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
        """Whose global random numbers change."""
        model = self.model()
        return globally_drawn(
            self.student, lambda: self.student.recall_by_length({"m": model}, (1, 3), 4)
        )


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
