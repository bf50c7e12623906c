"""What a notebook's namespace holds: the reference solutions, or a student's cell upon them."""

import linecache
from importlib.util import find_spec

from autograder.checks.kit.discovery import module_of
from autograder.checks.kit.running import Finding, run_checks
from autograder.course import load_course
from autograder.course.own_code import served
from autograder.judging.answers import solution_module


def is_here(exercise: str) -> bool:
    """Whether this machine has what the reference imports."""
    return exercise != "triton_attention" or find_spec("triton") is not None


EXERCISES = tuple(
    exercise.name
    for name, assignment in load_course(served()).assignments.items()
    if name[:2] < "06"
    for exercise in assignment.exercises
    if exercise.kind == "code" and is_here(exercise.name)
)


def solved(exercise: str) -> dict[str, object]:
    """The namespace of a notebook whose exercises are all right."""
    return dict(vars(solution_module(exercise)))


def with_cell(exercise: str, cell: str) -> dict[str, object]:
    """The namespace after a student's cell has run."""
    namespace = solved(exercise)
    name = f"<{exercise} {hash(cell):x}>"  # where Triton finds the source of a kernel
    linecache.cache[name] = (len(cell), None, cell.splitlines(keepends=True), name)
    exec(compile(cell, name, "exec"), namespace)
    return namespace


def check_cell(exercise: str, cell: str) -> list[Finding]:
    """What the visible checks find in a student's cell."""
    return run_checks(exercise, module_of(exercise), with_cell(exercise, cell))
