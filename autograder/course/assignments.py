"""Assignments and exercises, as the percent notebooks declare them."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from autograder.course.demonstrations import Demonstration, demonstration
from autograder.course.errors import CourseError
from autograder.course.layout import module_of, quiz_file, written_file
from autograder.course.not_checked import NOT_CHECKED, NotChecked, not_checked
from autograder.course.points import BONUS, added, are_points
from autograder.course.questions import HOW_IT_STANDS, PROGRESS_CELL, ask_cell, check_cell
from autograder.course.written import ABOVE, NO_WORDING, Wording, read_written, wording

Kind = Literal["code", "quiz", "written"]
# What declares an exercise in a cell's metadata, and its kind.
DECLARED: dict[str, Kind] = {"exercise": "code", "quiz": "quiz", "written": "written"}
ASSIGNMENT_NAME = re.compile(r"\d\d-[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Exercise:
    """One thing that a student writes and that earns points.

    Attributes:
        name: the name that the student's code binds: `row_sums`, or `q1` for a quiz question; of
            a written question, its answer's cell.
        points: what full marks are.
        kind: `code` for a function or class, `quiz` for a question, `written` for a question that
            is answered in sentences and graded by a person.
        bonus: whether its points count on top of the assignment's maximum.
        taking_part: whether any answer of the right form earns its points, as of a prediction.
        void: whether it counts against nobody: everyone who was asked gets its points. Of a quiz
            question its own file says so.
    """

    name: str
    points: float
    kind: Kind
    bonus: bool = False
    taking_part: bool = False
    void: bool = False

    @property
    def nbgrader_points(self) -> float:
        """What nbgrader adds to the assignment's maximum for it: nothing for a bonus."""
        return 0.0 if self.bonus else self.points

    @property
    def graded_cell(self) -> str:
        """The nbgrader id of the cell that holds the exercise's marks."""
        return self.name if self.kind == "written" else f"test_{self.name}"


@dataclass(frozen=True)
class Assignment:
    """One notebook.

    Attributes:
        name: the folder's and the notebook's name, such as `01-first-steps`.
        exercises: in the notebook's order.
        demonstrations: cells that grading need not run.
        not_checked: what visible checks leave open.
        predictions: questions whose checks say at once what is right; they are among the exercises
            only where the course gives points for answering.
    """

    name: str
    exercises: tuple[Exercise, ...]
    demonstrations: tuple[Demonstration, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()
    predictions: tuple[str, ...] = ()
    wording: Wording = NO_WORDING

    @property
    def module(self) -> str:
        """The name of the assignment's folders of Python: `first_steps`."""
        return module_of(self.name)

    @property
    def max_points(self) -> float:
        """Points of all exercises together, those of a bonus left out."""
        return added(exercise.nbgrader_points for exercise in self.exercises)

    @property
    def bonus_points(self) -> float:
        """Points that can be earned on top of the maximum."""
        return added(exercise.points for exercise in self.exercises if exercise.bonus)

    @property
    def worth(self) -> str:
        """The maximum, and what counts on top of it: `36`, or `36 + 2 bonus`."""
        on_top = f" + {self.bonus_points:g} bonus" if self.bonus_points else ""
        return f"{self.max_points:g}{on_top}"

    def has(self, name: str) -> bool:
        """Whether one of its exercises has that name."""
        return any(exercise.name == name for exercise in self.exercises)

    def exercise(self, name: str) -> Exercise:
        """The exercise of that name; KeyError when there is none."""
        return {exercise.name: exercise for exercise in self.exercises}[name]


def read_assignment(source: Path, prediction_points: float = 0.0) -> Assignment:
    """Read the exercises that a percent notebook declares in its cells' metadata.

    Args:
        source: the percent notebook, `assignments/<name>/<name>.py`.
        prediction_points: what answering a prediction earns, right or not.

    Raises:
        CourseError: a cell declares an exercise wrongly; the text says which.
    """
    import jupytext  # late: 0.1 s that `autograder --help` does not need

    notebook = jupytext.reads(source.read_text(encoding="utf-8"), fmt="py:percent")
    exercises: list[Exercise] = []
    predictions: list[str] = []
    for cell in notebook.cells:
        for key in DECLARED.keys() & cell.metadata.keys():
            if _is_prediction(cell.metadata, key):
                predictions.append(cell.metadata[key])
                if prediction_points:
                    one = Exercise(cell.metadata[key], prediction_points, "quiz", taking_part=True)
                    exercises.append(one)
            else:
                exercises.append(_exercise(cell.metadata, key, source))
    graded = [exercise.name for exercise in exercises]
    names = graded + [name for name in predictions if not prediction_points]
    for name in names:
        if names.count(name) > 1:
            raise CourseError(f"{source}: exercise {name!r} is declared {names.count(name)} times.")
    shown = [cell.source for cell in notebook.cells if cell.metadata.get("demonstration")]
    try:
        demonstrations = tuple(demonstration(text) for text in shown)
    except SyntaxError as error:
        raise CourseError(f"{source}: a demonstration is no plain Python: {error}") from error
    # These only show something, too; where students are graded there is nothing to show it with.
    shows = [ask_cell(exercise.name) for exercise in exercises if exercise.kind == "quiz"]
    shows += [PROGRESS_CELL, *(check_cell(name) for name in predictions if name not in graded)]
    demonstrations += tuple(Demonstration(source, frozenset()) for source in shows)
    open_points = (not_checked(cell.metadata, source) for cell in notebook.cells)
    said = tuple(one for one in open_points if one is not None)
    says = _wording(source, notebook.cells, exercises, said)
    return Assignment(source.stem, tuple(exercises), demonstrations, said, tuple(predictions), says)


def _wording(
    source: Path, cells: Sequence[Any], exercises: Sequence[Exercise], said: Sequence[NotChecked]
) -> Wording:
    """What the notebook says around its written questions; nothing where it has none."""
    if not any(one.kind == "written" for one in exercises):
        return NO_WORDING
    asked: list[str] = []
    with suppress(CourseError):  # the build says what is wrong with it
        questions = read_written(written_file(source.parents[2], source.stem)).values()
        asked = [ABOVE.format(name=q.name, points="points", text=q.text) for q in questions]
    text = [cell.source for cell in cells if cell.cell_type == "markdown"]
    added = [HOW_IT_STANDS, BONUS, *(NOT_CHECKED.format(says=one.says) for one in said)]
    code = [cell.source for cell in cells if cell.cell_type != "markdown"]
    return wording([*text, *asked, *added], code)


def _is_prediction(metadata: dict, key: str) -> bool:
    """Whether it is a question on the way without points, `quiz="k1"`: its check tells the key."""
    name = metadata[key]
    on_the_way = isinstance(name, str) and re.fullmatch("k[0-9]+", name)
    return key == "quiz" and "points" not in metadata and bool(on_the_way)


def _exercise(metadata: dict, key: str, source: Path) -> Exercise:
    name, points = metadata[key], metadata.get("points")
    if not isinstance(name, str) or not name.isidentifier():
        raise CourseError(f"{source}: {key}={name!r} is not a Python name.")
    if not isinstance(points, int | float) or isinstance(points, bool) or points <= 0:
        raise CourseError(
            f"{source}: the cell of {name!r} needs points, a number above 0, as in "
            f'`# %% {key}="{name}" points=2`; it has {points!r}.'
        )
    if not are_points(points):
        raise CourseError(
            f"{source}: {name!r} has points={points!r}. Points have two decimals at most, since "
            "they are shared out in tenths, or in hundredths where there are many tests."
        )
    bonus, void = (_says(word, metadata, key, source) for word in ("bonus", "void"))
    if bonus and key != "exercise":
        raise CourseError(f"{source}: {name!r} cannot be a bonus: only an exercise in code can.")
    if void and key != "exercise":
        instead = f"Say `void = true` in {quiz_file(Path(), source.stem)}, beside its key."
        if key == "written":
            instead = "A person gives its marks: give everyone all points in formgrader."
        raise CourseError(f"{source}: {name!r} is no exercise in code. {instead}")
    return Exercise(name, float(points), DECLARED[key], bonus, void=void)


def _says(word: str, metadata: dict, key: str, source: Path) -> bool:
    """Whether the cell says `bonus`, or `bonus=true`; Jupytext reads a bare word as None."""
    said = metadata.get(word, False)
    if said is not None and not isinstance(said, bool):
        raise CourseError(
            f"{source}: the cell of {metadata[key]!r} says {word}={said!r}. The word stands alone "
            f'there: `# %% {key}="{metadata[key]}" points=2 {word}`.'
        )
    return said is not False
