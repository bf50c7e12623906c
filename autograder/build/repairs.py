"""Repair exercises: students are given a body that is wrong in an instructive way, not a stub.

`solutions/broken/<module>.py` has the object again, marked as in `solutions/<module>.py`; what
stands there between the markers is what students find between them. The rest, the docstring too,
comes from the reference alone.
"""

from pathlib import Path

from autograder.build.references import (
    BEGIN,
    END,
    named_objects,
    parse_module,
    reference_source,
    solution_lines,
)
from autograder.course import Course, CourseError


def broken_path(course: Course, module: str) -> Path:
    """Where the broken versions of a module's objects stand, if it has any."""
    return course.root / "solutions" / "broken" / f"{module}.py"


def broken_version(course: Course, module: str, name: str) -> str | None:
    """What students are given to repair; None where the exercise is to be written from nothing.

    Raises:
        CourseError: the broken object is not marked as the reference is.
    """
    path = broken_path(course, module)
    if not path.is_file() or name not in named_objects(parse_module(path)[1]):
        return None
    reference = reference_source(course.root / "solutions" / f"{module}.py", name)
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
