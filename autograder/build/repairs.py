"""Repair exercises: students are given a body that is wrong in an instructive way, not a stub.

`solutions/<module>/broken.py` has the object again, marked as in `reference.py` beside it; what
stands there between the markers is what students find between them. The rest, the docstring too,
comes from the reference alone.
"""

from autograder.build.references import (
    BEGIN,
    END,
    named_objects,
    parse_module,
    reference_source,
    solution_lines,
)
from autograder.course import Course, CourseError
from autograder.course.layout import broken_file, reference_file


def broken_version(course: Course, assignment: str, name: str) -> str | None:
    """What students are given to repair; None where the exercise is to be written from nothing.

    Raises:
        CourseError: the broken object is not marked as the reference is.
    """
    path = broken_file(course.root, assignment)
    if not path.is_file() or name not in named_objects(parse_module(path)[1]):
        return None
    reference = reference_source(reference_file(course.root, assignment, name), name)
    broken = _regions(reference_source(path, name), f"{path}: {name}")
    count = len(_regions(reference, name))
    if len(broken) != count:
        raise CourseError(
            f"{path}: {name} has {len(broken)} regions between `### {BEGIN}` and `### {END}`, and "
            f"the reference has {count}. Each region here takes the place of one there."
        )
    return _with_regions(reference, broken)


def _regions(text: str, where: str) -> list[list[str]]:
    """The lines between each pair of markers."""
    inside = solution_lines(text, where)
    regions: list[list[str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if BEGIN in line:
            regions.append([])
        elif number in inside:
            regions[-1].append(line)
    return regions


def _with_regions(text: str, regions: list[list[str]]) -> str:
    """The text with other lines in the place of its marked regions; the markers go."""
    inside = solution_lines(text, "the reference")
    left, lines = iter(regions), []
    for number, line in enumerate(text.splitlines(), start=1):
        if BEGIN in line:
            lines += next(left)
        elif END not in line and number not in inside:
            lines.append(line)
    return "\n".join(lines)
