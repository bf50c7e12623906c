"""Which of a student's cells grading can leave out: demonstrations that nothing else reads."""

from collections.abc import Sequence

from autograder.checks.kit.cell_names import names_in, names_of
from autograder.course.demonstrations import Demonstration

Cell = tuple[str | None, str]


def places_to_run(
    cells: Sequence[Cell], demonstrations: Sequence[Demonstration]
) -> tuple[int, ...]:
    """The places of all cells but the demonstrations that stand there as released, unneeded.

    One is needed when a cell that runs knows a name that it binds: a student may use what a
    demonstration has made. Parameters and other names of a function's own are no such names.

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
    running = [source for place, (_, source) in enumerate(cells) if place not in left_out]
    read = set().union(*(names.known for names in names_of(running)))
    while needed := [place for place, one in left_out.items() if one.binds & read]:
        for place in needed:
            read |= names_in(left_out.pop(place).source).known
    return tuple(place for place in range(len(cells)) if place not in left_out)
