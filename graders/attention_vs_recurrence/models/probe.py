"""How to observe answers to AttentionRecall and LSTMRecall for a diagnosis.

Parameters may have any names and order, so no values can be compared. What is compared is what the
logits depend on, and whether a short lesson helps.
"""

from collections.abc import Callable
from typing import Any

import torch

from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations
from graders.attention_vs_recurrence.lessons import (
    EXAM,
    ROUND,
    are_shares,
    logits_of,
    made,
    mean_loss,
    seeded_by,
    sequences,
    share_right,
    teach,
)
from graders.attention_vs_recurrence.models.attention_equation import attention_fault
from graders.attention_vs_recurrence.models.equations import lstm_computes
from graders.attention_vs_recurrence.models.model_traits import COUNTS, fading, silent, traits_of
from graders.modules import form, refusing, size_of

Look = Callable[[], object]


class ModelProbe:
    """One of the student's models, observed new and after a lesson."""

    def __init__(self, student: Any, name: str) -> None:
        self.student, self.name = student, name

    def trait(self, name: str, *places: int) -> Look:
        """One trait of a model."""

        def look() -> object:
            return getattr(traits_of(self.student, self.name, self.draw()), name)(*places)

        return look

    def draw(self) -> Draw:
        """Fresh draws, the same for every observation."""
        return Draw(b"probe", self.name)

    def form(self, pairs: int, batch: int = 2) -> Look:
        """Dtype and shape of what a new model gives, whatever that is."""

        def look() -> object:
            asked = sequences(self.draw(), batch, pairs)
            return form(made(self.student, self.name)(asked.tokens, asked.query))

        return look

    def other_sizes(self) -> object:
        """Dtype and shape of what a model of unusual sizes gives."""
        tokens, query = torch.tensor([[0, 34, 20], [8, 16, 33]]), torch.tensor([4, 2])
        return form(made(self.student, self.name, 5, 7, 12)(tokens, query))

    def double(self) -> object:
        """Dtype and shape of what a model in double precision gives."""
        asked = sequences(self.draw(), 2, 3)
        model = made(self.student, self.name)
        model.double()
        return form(model(asked.tokens, asked.query))

    def meta(self) -> object:
        """Device, dtype and shape of what a model on the meta device gives."""
        model = made(self.student, self.name)
        model.to("meta")
        tokens, query = (torch.empty(s, dtype=torch.int64, device="meta") for s in ((5, 3), (5,)))
        return form(model(tokens, query))

    def fault(self) -> object:
        """What the attention computes in place of the equation, where that is found."""
        return attention_fault(self.student, self.draw())

    def computes(self) -> object:
        """What the LSTM computes in place of the equation, where it can be told."""
        found = lstm_computes(self.student, self.draw())
        return None if found == "equation" else found

    def fades(self) -> object:
        """Whether the query still counts after sixty pairs, and the first pair fades."""
        first, last, query = fading(self.student, self.name, self.draw())
        return query > COUNTS, first < last / 3

    def shares(self) -> object:
        """Whether the logits of a sequence are positive and sum to one."""
        return are_shares(logits_of(made(self.student, self.name), sequences(self.draw(), 4, 3)))

    def sizes(self) -> object:
        """How many keys and values the model says that there are."""
        model = made(self.student, self.name)
        return tuple(size_of(model, size) for size in ("num_keys", "num_values"))

    def seeds_torch(self) -> object:
        """Whether making a model seeds torch."""
        return seeded_by(self.student, lambda: made(self.student, self.name))

    def silent(self) -> object:
        """How many of the parameters nothing is learnt by."""
        return silent(self.student, self.name, self.draw())

    def lesson(self, pairs: int) -> Look:
        """Whether a lesson helps at all, and whether it helps much."""

        def look() -> object:
            draw = self.draw()
            self.student.seed(3)
            model = made(self.student, self.name)
            exam = sequences(draw, EXAM, pairs)
            before = mean_loss(model, exam)
            for _ in range(2):
                teach(self.student, model, draw, pairs, steps=ROUND)
                if share_right(model, exam) > 0.93:
                    break
            return mean_loss(model, exam) < 0.9 * before, share_right(model, exam) > 0.75

        return look


@probe("AttentionRecall")
def observe_attention_recall(student: Any) -> Observations:
    """What a model of attention depends on, and whether it learns four pairs."""
    see = ModelProbe(student, "AttentionRecall")
    looks = _common(see) | {
        "order counts": see.trait("order_counts"),
        "repeats cancel": see.trait("repeats_cancel"),
        "repeats add up": see.trait("repeats_add_up"),
        "one pair alone": see.trait("one_pair_has_all_weight"),
        "query shows": see.trait("query_shows_without_pairs"),
        "equation": see.fault,
        "query chooses": see.trait("query_chooses"),
        "lesson": see.lesson(4),
    }
    return {name: refusing(look) for name, look in looks.items()}


@probe("LSTMRecall")
def observe_lstm_recall(student: Any) -> Observations:
    """What a model of recurrence depends on, and whether it learns two pairs."""
    see = ModelProbe(student, "LSTMRecall")
    looks = _common(see) | {
        "order counts": see.trait("order_counts"),
        "query chooses": see.trait("query_chooses"),
        "computes": see.computes,
        "fades": see.fades,
        "first of many": see.trait("first_of_many_counts"),
        "grows": see.trait("grows_with_embeddings"),
        "lesson": see.lesson(2),
    }
    return {name: refusing(look) for name, look in looks.items()}


def _common(see: ModelProbe) -> dict[str, Look]:
    return {
        "form": see.form(3),
        "one pair": see.form(1),
        "one sequence": see.form(3, batch=1),
        "as many pairs as sequences": see.form(4, batch=4),
        "other sizes": see.other_sizes,
        "double": see.double,
        "meta": see.meta,
        "shares": see.shares,
        "sizes": see.sizes,
        "seeds torch": see.seeds_torch,
        "silent parameters": see.silent,
        "query counts": see.trait("query_counts"),
        "keys count": see.trait("keys_count"),
        "values count": see.trait("values_count"),
        "last key counts": see.trait("keys_count", 4),
        "last value counts": see.trait("values_count", 4),
        "rows apart": see.trait("rows_apart"),
        "calls apart": see.trait("forgets_calls"),
    }
