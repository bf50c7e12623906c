"""What each named mistake costs an answer, and what else costs it something.

A name says why some claims fail, and may leave out the one that cost most. Which claims a known
mistake fails is found by asking it: the tests that the answer failed run on it too.
"""

from collections.abc import Sequence

from autograder.bank import Mistake
from autograder.bank import mistakes as known_mistakes
from autograder.course.aspects import ERRORS
from autograder.judging.answers import source_of
from autograder.judging.combining import combined
from autograder.judging.plugin import Found, Graders


def dearest_first(
    mistakes: Sequence[Mistake], failed: Sequence[Found], graders: Graders
) -> list[Mistake]:
    """The mistakes of an answer in the order of what each costs it; as they come where that ties.

    Args:
        mistakes: what it is called.
        failed: the hidden tests that it failed.
        graders: run them on the known mistakes.
    """
    if len(mistakes) < 2:
        return list(mistakes)

    def cost(mistake: Mistake) -> float:
        return sum(one.weight for one in failed if _fails(mistake, one, graders))

    return sorted(mistakes, key=cost, reverse=True)


def left_over(
    mistakes: Sequence[Mistake], failed: Sequence[Found], graders: Graders
) -> list[Found]:
    """The failed tests that none of the mistakes fails, the dearest first.

    Args:
        mistakes: what the answer is called, one at least.
        failed: the hidden tests that it failed.
        graders: run them on the known mistakes.
    """
    together = combined(*mistakes) if len(mistakes) == 2 else None
    return [
        one
        for one in by_weight(failed)
        if not any(_fails(mistake, one, graders) for mistake in mistakes)
        and (together is None or not graders.fails(mistakes[0].exercise, together, one.name))
    ]


def by_weight(failed: Sequence[Found]) -> list[Found]:
    """Failed tests that carry weight, the dearest first; those of error handling last."""
    weighty = [one for one in failed if one.weight and not one.remark]
    return sorted(weighty, key=lambda one: (one.aspect == ERRORS, -one.weight))


def _fails(mistake: Mistake, one: Found, graders: Graders) -> bool:
    """Whether a mistake fails a hidden test by itself: an entry that is a whole cell may slip too.

    What a wrong kernel leaves behind on a GPU would be judged with the next answer: not run there.
    """
    made = [same for same in known_mistakes(mistake.exercise) if same.slug == mistake.slug]
    made.sort(key=lambda same: same is not mistake)  # the likeliest first
    alone = [same for same in made if same.change] or made
    return one.device != "cpu" or any(
        graders.fails(mistake.exercise, source_of(same), one.name) for same in alone
    )
