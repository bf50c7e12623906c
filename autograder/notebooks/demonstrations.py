"""Which of a student's cells grading can leave out: demonstrations that nothing else reads."""

import re
from collections.abc import Iterable, Sequence

from autograder.course.demonstrations import Demonstration

Cell = tuple[str | None, str]
WORD = re.compile(r"\w+")


def without_demonstrations(
    cells: Sequence[Cell], demonstrations: Sequence[Demonstration]
) -> tuple[Cell, ...]:
    """The cells without the demonstrations that stand there as released and are not needed.

    One is needed when a name that it binds stands anywhere in a cell that runs, be it only as a
    word of a comment: a student may read what a demonstration has made.

    Args:
        cells: (the exercise a cell belongs to or None, its source), in order.
        demonstrations: those of the released notebook.
    """
    by_source = {one.source: one for one in demonstrations}
    left_out = {
        place: by_source[source.strip()]
        for place, (exercise, source) in enumerate(cells)
        if exercise is None and source.strip() in by_source
    }
    words = _words(source for place, (_, source) in enumerate(cells) if place not in left_out)
    while needed := [place for place, one in left_out.items() if one.binds & words]:
        for place in needed:
            words |= _words([left_out.pop(place).source])
    return tuple(cell for place, cell in enumerate(cells) if place not in left_out)


def _words(sources: Iterable[str]) -> set[str]:
    return {word for source in sources for word in WORD.findall(source)}
