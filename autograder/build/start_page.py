"""The page that students read first, `release/README.md`: its text stands in start.md."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.build.source_notebook import percent_path
from autograder.course import Assignment, Course
from autograder.course.assignments import Kind
from autograder.course.moments import in_words
from autograder.feedback.words import points

TEMPLATE = Path(__file__).with_name("start.md")
TITLE = re.compile(r"^# # (.+)$", re.MULTILINE)

# A line of how marks work, in a course that has a bonus.
BONUS = """\
- A **bonus** counts on top: its points are not part of the total, and leaving it out costs nothing.
"""


# Another, in a course that has predictions, by whether they earn something.
PREDICTIONS = """\
- A **prediction**, a question on the way that is the same for everybody, is answered at once: its
  check says whether you are right, and why. {earns} The answers stand encoded in
  `checks/questions.json`; they are no secret, but who reads them first has nothing to predict.
"""


# Lines of how to set up, in a course whose students need torch.
TORCH = """\
# On Linux first, unless you have an NVIDIA graphics card: the build for processors alone.
python -m pip install torch --index-url https://download.pytorch.org/whl/cpu
"""
SIZE = """\
On Linux PyTorch comes with the libraries for NVIDIA graphics cards unless you ask for the build for
processors: some 3 GB to download in place of 0.2. On macOS and Windows leave that line out.

"""

COLAB = """
**In Google Colab**, nothing is installed on your computer: the buttons in the table open a notebook
there. It comes without the files beside it, so put this into a cell of your own on top, and run it
first, every time Colab starts anew:

```
!git clone --depth 1 {repository} course
%cd course/{folder}NAME
!pip install -q -r requirements.txt
```

with the assignment's folder in place of `NAME`. To hand in, download the notebook (*File*,
*Download*).
"""
COLAB_BUTTON = "[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]({url})"
GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?(?:/tree/([\w.-]+)(/.*)?)?/?")


def start_page(course: Course, address: str | None = None) -> str:
    """The page for the course as it is now: its assignments, points and limits.

    Args:
        course: the course.
        address: where its releases stand in public; on GitHub, Colab opens them from there.
    """
    limits = course.limits
    place = _public_place(address or course.words.address)
    has_torch = course.packages.has_torch
    filled = {
        "assignments": "\n".join(_table(course, place)),
        "torch": TORCH if has_torch else "",
        "size": SIZE if has_torch else "",
        "colab": ""
        if place is None
        else COLAB.format(repository=place.repository, folder=place.folder),
        "bonus": BONUS if any(one.bonus_points for one in course.assignments.values()) else "",
        "predictions": _predictions(course),
        "python": course.packages.python,
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


@dataclass(frozen=True)
class PublicPlace:
    """Where releases stand on GitHub.

    Attributes:
        repository: its address, to be cloned.
        notebook: the address at which Colab opens a notebook, with `{name}` for the assignment's.
        folder: the path of the releases in the repository, ending in a slash; or nothing.
    """

    repository: str
    notebook: str
    folder: str


def _public_place(address: str) -> PublicPlace | None:
    """The place that an address names; None where it is none that Colab can open."""
    found = GITHUB.fullmatch(address.strip())
    if found is None:
        return None
    folder = (found[3] or "").strip("/")
    folder = f"{folder}/" if folder else ""
    opened = f"https://colab.research.google.com/github/{found[1]}/blob/{found[2] or 'main'}"
    notebook = f"{opened}/{folder}{{name}}/{{name}}.ipynb"
    return PublicPlace(f"https://github.com/{found[1]}", notebook, folder)


def _table(course: Course, place: PublicPlace | None) -> list[str]:
    times, due = course.words.times, course.due
    columns = ["folder", "about", "yours to do", "points"]
    more = {"time": times, "due": due, "in Colab": place}
    columns += [column for column, is_there in more.items() if is_there]
    rows = []
    for name, assignment in course.assignments.items():
        row = [f"`{name}`", _title(course, assignment), _parts(assignment), assignment.worth]
        row += [times.get(name, "")] if times else []
        row += [_due(course, name)] if due else []
        row += [COLAB_BUTTON.format(url=place.notebook.format(name=name))] if place else []
        rows.append(row)
    lines = [columns, ["---"] * len(columns), *rows]
    return [f"| {' | '.join(line)} |" for line in lines]


def _due(course: Course, name: str) -> str:
    """Until when it is handed in, where the course says so."""
    due = course.due.get(name)
    return "" if due is None else in_words(due, course.zone or due.tzinfo)


def _predictions(course: Course) -> str:
    if not any(one.predictions for one in course.assignments.values()):
        return ""
    earned = course.predictions.points
    earns = f"Any answer earns {points(earned)}." if earned else "It carries no points."
    return PREDICTIONS.format(earns=earns)


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
    kinds = [one.kind for one in assignment.exercises if not (one.bonus or one.taking_part)]
    bonus = sum(one.bonus for one in assignment.exercises)
    names: dict[Kind, str] = {"code": "exercise", "quiz": "question", "written": "written answer"}
    counts = [(kinds.count(kind), name) for kind, name in names.items()]
    counts.insert(2, (len(assignment.predictions), "prediction"))
    counts.append((bonus, "bonus exercise"))
    return ", ".join(f"{count} {name}{'s' * (count != 1)}" for count, name in counts if count)
