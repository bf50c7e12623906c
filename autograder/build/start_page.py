"""The page that students read first, `release/README.md`: its text stands in start.md."""

import re
from collections.abc import Iterator
from pathlib import Path

from autograder.build.source_notebook import percent_path
from autograder.course import Assignment, Course
from autograder.course.assignments import Kind

TEMPLATE = Path(__file__).with_name("start.md")
TITLE = re.compile(r"^# # (.+)$", re.MULTILINE)

# A line of how marks work, in a course that has a bonus.
BONUS = """\
- A **bonus** counts on top: its points are not part of the total, and leaving it out costs nothing.
"""


def start_page(course: Course) -> str:
    """The page for the course as it is now: its assignments, points and limits."""
    limits = course.limits
    filled = {
        "assignments": "\n".join(_table(course)),
        "bonus": BONUS if any(one.bonus_points for one in course.assignments.values()) else "",
        "first": next(iter(course.assignments), ""),
        "exercise": next(_exercises(course), "NAME"),
        "call_seconds": f"{limits.call_seconds:g}",
        "cell_seconds": f"{limits.cell_seconds:g}",
        "submission_seconds": f"{limits.submission_seconds:g}",
        "memory": f"{limits.memory_mb / 1024:g} GB",
    }
    text = course.words.fill(TEMPLATE.read_text(encoding="utf-8"))
    for name, value in filled.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def write_start_page(course: Course) -> None:
    """Write the page into the release folder."""
    path = _path(course)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(start_page(course), encoding="utf-8", newline="\n")


def is_up_to_date(course: Course) -> bool:
    """Whether the page in the release folder is the one that the sources give."""
    path = _path(course)
    return path.is_file() and path.read_text(encoding="utf-8") == start_page(course)


def _path(course: Course) -> Path:
    return course.folder("release") / "README.md"


def _table(course: Course) -> list[str]:
    rows = [
        f"| `{assignment.name}` "
        f"| {_title(course, assignment)} | {_parts(assignment)} | {assignment.worth} |"
        for assignment in course.assignments.values()
    ]
    return ["| folder | about | yours to do | points |", "|---|---|---|---|", *rows]


def _exercises(course: Course) -> Iterator[str]:
    """The exercises of code, in order."""
    for assignment in course.assignments.values():
        yield from (one.name for one in assignment.exercises if one.kind == "code")


def _title(course: Course, assignment: Assignment) -> str:
    """The notebook's heading, without the number that its folder has."""
    found = TITLE.search(percent_path(course, assignment.name).read_text(encoding="utf-8"))
    heading = found[1] if found else assignment.module.replace("_", " ").capitalize()
    return heading.lstrip("0123456789. ")


def _parts(assignment: Assignment) -> str:
    """How much of what there is to do: `6 exercises, 9 questions, 1 bonus exercise`."""
    kinds = [exercise.kind for exercise in assignment.exercises if not exercise.bonus]
    names: dict[Kind, str] = {"code": "exercise", "quiz": "question", "written": "written answer"}
    counts = [(kinds.count(kind), name) for kind, name in names.items()]
    counts.append((len(assignment.exercises) - len(kinds), "bonus exercise"))
    return ", ".join(f"{count} {name}{'s' * (count != 1)}" for count, name in counts if count)
