"""What counts of a submission: what grading gave by itself, and what people made of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from autograder.verdicts.attempted import is_left_out
from autograder.verdicts.verdict import SubmissionVerdict


@dataclass(frozen=True)
class ExerciseTotal:
    """What counts of one exercise.

    Attributes:
        score: the points that count.
        auto_score: those that grading gave; None where it left them to a person.
        manual_score: those that a person gave in their place; None where nobody did.
        extra_credit: what a person gave on top.
        pending_points: those that a device or a person has still to give.
    """

    score: float
    auto_score: float | None
    manual_score: float | None
    extra_credit: float
    pending_points: float


@dataclass(frozen=True)
class SubmissionTotal:
    """What counts of one submission.

    Attributes:
        exercises: what counts of each, by name.
        late_penalty: what is taken off because it was handed in late.
    """

    exercises: Mapping[str, ExerciseTotal]
    late_penalty: float = 0.0

    @property
    def score(self) -> float:
        """The points that count, a bonus included: it can be above the maximum."""
        before = sum(one.score for one in self.exercises.values())
        return max(0.0, rounded(before - self.late_penalty))

    @property
    def auto_score(self) -> float:
        """What grading gave by itself in all."""
        return rounded(sum(one.auto_score or 0.0 for one in self.exercises.values()))

    @property
    def manual_score(self) -> float | None:
        """What people gave in its place in all; None where nobody did."""
        given = [one.manual_score for one in self.exercises.values()]
        return rounded(sum(one or 0.0 for one in given)) if set(given) - {None} else None

    @property
    def extra_credit(self) -> float:
        """What people gave on top in all."""
        return rounded(sum(one.extra_credit for one in self.exercises.values()))

    @property
    def pending_points(self) -> float:
        """What a device or a person has still to give in all."""
        return rounded(sum(one.pending_points for one in self.exercises.values()))


def automatic(verdict: SubmissionVerdict) -> SubmissionTotal:
    """What counts where no gradebook says more: what grading gave by itself."""
    return SubmissionTotal(
        {
            one.exercise: ExerciseTotal(
                score=rounded(one.score),
                auto_score=None if one.auto_score is None else rounded(one.auto_score),
                manual_score=None,
                extra_credit=0.0,
                pending_points=0.0 if is_left_out(one) else rounded(one.pending_points),
            )
            for one in verdict.exercises
        }
    )


def rounded(points: float) -> float:
    """Points as gradebooks keep them."""
    return round(points, 4)
