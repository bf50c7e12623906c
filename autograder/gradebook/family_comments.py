"""What a person wrote about a whole family of answers, put beside each answer that is in it.

Which family an answer is in is found when a page is made: an answer that joins a family later gets
its comment, one that leaves it loses it, and grading again changes nothing. nbgrader's own comments
are left alone.
"""

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets.config import Config

from autograder.course import Course, CourseError, load_course
from autograder.course.locks import locked
from autograder.gradebook.formgrader_page import is_formgraders, put_above
from autograder.notebooks.family_ids import family_id, form_of, imports_around
from autograder.notebooks.sanitise import code_cells, grade_id

LONGEST = 10_000
Converted = tuple[NotebookNode, ResourcesDict]


@dataclass(frozen=True)
class FamilyComment:
    """A comment on all answers of one family.

    Attributes:
        exercise: what they answer.
        text: the comment, in Markdown.
        written: when, in ISO 8601 with its time zone.
    """

    exercise: str
    text: str
    written: str


def read_comments(root: Path, assignment: str) -> dict[str, FamilyComment]:
    """The comments on families of answers to an assignment, by the families' ids.

    Raises:
        CourseError: the file that holds them is broken. It is a person's work: it is not made anew.
    """
    path = _file(root, assignment)
    try:
        data = json.loads(path.read_bytes())
        return {family: FamilyComment(**one) for family, one in data.items()}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, AttributeError) as error:
        raise CourseError(
            f"{path} cannot be read ({error}). It holds comments on families of answers: put back "
            "a copy of it, or remove it and write them again."
        ) from error


def write_comment(
    course: Course, assignment: str, family: str, exercise: str, text: str | None
) -> FamilyComment | None:
    """Keep a comment on a family in the place of an earlier one; None takes it back.

    Args:
        course: the course.
        assignment: the assignment's name.
        family: the family's id.
        exercise: what its answers answer.
        text: the comment, in Markdown.
    Returns:
        the comment that was there before.
    Raises:
        CourseError: it is empty or too long.
    """
    if text is not None and not text.strip():
        raise CourseError("The comment is empty. `--remove` takes a comment back.")
    if text is not None and len(text) > LONGEST:
        raise CourseError(f"The comment has {len(text)} characters; {LONGEST} are allowed.")
    with locked(course.root, f"comments on {assignment}"):
        comments = read_comments(course.root, assignment)
        before = comments.pop(family, None)
        if text is not None:
            now = datetime.now(UTC).astimezone().isoformat(timespec="seconds")
            comments[family] = FamilyComment(exercise, text.strip(), now)
        path = _file(course.root, assignment)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, unfinished = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            kept = {name: asdict(one) for name, one in sorted(comments.items())}
            json.dump(kept, file, ensure_ascii=False, indent=1)
        Path(unfinished).replace(path)
    return before


class ShowFamilyComments(NbGraderPreprocessor):
    """Puts comments on families where the feedback page looks for an instructor's."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Converted:
        """Add to the comment of each answer; comes after what drops automatic comments."""
        root, name = _root(self.config), resources["nbgrader"]["assignment"]
        if read_comments(root, name):
            put_family_comments(load_course(root), nb, name)
        return nb, resources


class ShowFamilyCommentsToGraders(Preprocessor):
    """Puts comments on families above the answers, where formgrader shows a submission."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> Converted:
        """Add a cell before each answer; leave every page alone that is not formgrader's."""
        root, name = _root(self.config), str(resources.get("assignment_id"))
        if is_formgraders(resources) and read_comments(root, name):
            told = _comments_in(load_course(root), nb, name)
            put_above(nb, lambda cell: _to_graders(told.get(grade_id(cell) or "")))
        return nb, resources


def put_family_comments(course: Course, nb: NotebookNode, assignment: str) -> None:
    """Add comments on families to the comments of a notebook's answers, in place.

    Args:
        course: the course.
        nb: an autograded notebook that holds its marks.
        assignment: the assignment's name.
    """
    told = _comments_in(course, nb, assignment)
    for cell in nb.cells:
        comment = told.get(grade_id(cell) or "")
        if comment is not None:
            mark = cell.metadata["nbgrader"]
            mark["comment"] = "\n\n".join(filter(None, (mark.get("comment"), comment.text)))


def _comments_in(course: Course, nb: NotebookNode, assignment: str) -> Mapping[str, FamilyComment]:
    """The comments on the families that a notebook's answers are in, by the answers' cells."""
    comments = read_comments(course.root, assignment)
    if not comments:
        return {}
    asked = {one.exercise for one in comments.values()}
    cells = code_cells(nb, course.assignment(assignment))
    imports = imports_around(cells)
    found = {}
    for exercise, source in cells:
        if exercise in asked:
            family = family_id(exercise, form_of(exercise, source, imports))
            if family in comments:
                found[exercise] = comments[family]
    return found


def _to_graders(comment: FamilyComment | None) -> str | None:
    if comment is None:
        return None
    return (
        f"**Said on every answer like this one, below your own comment:**\n\n{comment.text}\n\n---"
    )


def _root(config: Config) -> Path:
    return Path(config.CourseDirectory.get("root", "."))


def _file(root: Path, assignment: str) -> Path:
    return root / ".autograder" / "comments" / f"{assignment}.json"
