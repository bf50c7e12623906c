"""How each exercise and question did: what it cost, how hard it was, whom it tells apart."""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np

from autograder.course import Exercise
from autograder.marks import Finding
from autograder.report.class_table import ClassTable

Flag = Literal["hard", "easy", "tells_nothing_apart"]
HARD, EASY = 0.3, 0.8  # parts of the points; between them an exercise tells students apart best
LOWEST_CORRELATION = 0.1
FEWEST = 10  # answers below which a low correlation is chance
CENT = 0.005
COMMONEST = 5


@dataclass(frozen=True)
class ExerciseFigures:
    """One exercise or question over the class.

    What those who did not try it lost counts in `lost` alone: it says nothing of the exercise.

    Attributes:
        name: the exercise.
        kind: `code`, `quiz` or `written`.
        points: what full marks are.
        bonus: whether they count on top.
        answers: submissions in which at least a part of its points is decided.
        tried: how many of these have an answer at all.
        full: how many have full marks.
        none: how many of those who tried have no point.
        mean: what those who tried earned on average, as a part (0 to 1) of what is decided; this
            is the difficulty. None where nobody tried.
        spread: the standard deviation of the same; None for fewer than two.
        correlation: of that part with the part of all other points of the same submission, over
            those who tried; None for fewer than three, or where all earned the same.
        n: how many answers the correlation is over.
        lost: points lost for good, a submission; nothing for a bonus that was left out.
        flags: what an instructor should look at.
        failed: hidden tests that most answers fail: name, aspect, answers.
        unnamed: answers that lost points on no known mistake.
        died: answers that ended a process or stopped grading: code, answers.
        answered: what was answered most often to a question, and whether it earns full marks.
    """

    name: str
    kind: str
    points: float
    bonus: bool
    answers: int
    tried: int
    full: int
    none: int
    mean: float | None
    spread: float | None
    correlation: float | None
    n: int
    lost: float
    flags: tuple[Flag, ...]
    failed: tuple[tuple[str, str, int], ...]
    unnamed: int
    died: tuple[tuple[str, int], ...]
    answered: tuple[tuple[str, bool, int], ...]


def figures_of(table: ClassTable) -> tuple[ExerciseFigures, ...]:
    """Every exercise of an assignment, by what it cost the class, the most first."""
    found = [_figures(table, place, one) for place, one in enumerate(table.assignment.exercises)]
    return tuple(sorted(found, key=lambda one: -one.lost))


def _figures(table: ClassTable, place: int, exercise: Exercise) -> ExerciseFigures:
    share = table.shares[:, place]
    is_decided = ~np.isnan(share)
    is_tried = is_decided & table.tried[:, place]
    tried = share[is_tried]
    counted = is_tried if exercise.bonus else is_decided
    lost = (table.decided - table.earned)[counted, place].clip(min=0).sum()
    mean = float(tried.mean()) if tried.size else None
    correlation = _correlation(table, place, is_tried)
    found = [finding for _, finding in table.findings(exercise.name) if finding.attempted]
    wrong = [one for one in found if one.score < one.max_points - one.pending_points - CENT]
    return ExerciseFigures(
        name=exercise.name,
        kind=exercise.kind,
        points=exercise.points,
        bonus=exercise.bonus,
        answers=int(is_decided.sum()),
        tried=int(is_tried.sum()),
        full=int((tried > 1 - CENT).sum()),
        none=int((tried < CENT).sum()),
        mean=mean,
        spread=float(tried.std(ddof=1)) if tried.size > 1 else None,
        correlation=correlation,
        n=tried.size,
        lost=float(lost) / max(1, len(table.standings)),
        flags=_flags(mean, correlation, tried.size),
        failed=_failed(wrong),
        unnamed=sum(not one.misconceptions and one.reason is None for one in wrong),
        died=tuple(Counter(one.reason for one in found if one.reason).most_common()),
        answered=_answered(found) if exercise.kind == "quiz" else (),
    )


def _correlation(table: ClassTable, place: int, who: np.ndarray) -> float | None:
    """With the rest of the score, this exercise left out of it."""
    others = [
        index
        for index, one in enumerate(table.assignment.exercises)
        if index != place and not one.bonus
    ]
    own = table.shares[who, place]
    earned = np.nansum(table.earned[who][:, others], axis=1)
    decided = np.nansum(table.decided[who][:, others], axis=1)
    own, earned, decided = own[decided > 0], earned[decided > 0], decided[decided > 0]
    rest = earned / decided
    if own.size < 3 or np.ptp(own) < CENT or np.ptp(rest) < CENT:
        return None
    return float(np.corrcoef(own, rest)[0, 1])


def _flags(mean: float | None, correlation: float | None, n: int) -> tuple[Flag, ...]:
    flags: list[Flag] = []
    if mean is not None and mean < HARD:
        flags.append("hard")
    if mean is not None and mean > EASY:
        flags.append("easy")
    if correlation is not None and n >= FEWEST and correlation < LOWEST_CORRELATION:
        flags.append("tells_nothing_apart")
    return tuple(flags)


def _failed(wrong: list[Finding]) -> tuple[tuple[str, str, int], ...]:
    counted = Counter((name, aspect) for one in wrong for name, aspect in one.failed.items())
    return tuple((name, aspect, many) for (name, aspect), many in counted.most_common(COMMONEST))


def _answered(found: list[Finding]) -> tuple[tuple[str, bool, int], ...]:
    counted = Counter(
        (one.answered, one.score > one.max_points - CENT) for one in found if one.answered
    )
    return tuple((text, right, many) for (text, right), many in counted.most_common(COMMONEST))
