"""What was handed in for each exercise in code, by its form; kept by the notebooks' content."""

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from autograder.course import Assignment, Course
from autograder.course.locks import locked
from autograder.gradebook.submission import content_of
from autograder.notebooks.choosing import choose
from autograder.notebooks.family_ids import EMPTY, NO_PYTHON, family_id, form_of, imports_around
from autograder.notebooks.loose_form import loose_form
from autograder.notebooks.normal_form import Imports, imports_of
from autograder.notebooks.own_words import comments_in, names_in
from autograder.notebooks.plain_file import BadNotebook
from autograder.notebooks.reading import read_notebook
from autograder.notebooks.sanitise import code_cells, sanitise
from autograder.notebooks.submitted import find_submitted
from autograder.verdicts.key import digest

VERSION = 4

Form = Literal["code", "no Python", "as released", "empty"]
NO_CODE: Mapping[str, Form] = {NO_PYTHON: "no Python", EMPTY: "empty"}
Cells = tuple[tuple[str | None, str], ...]


@dataclass(frozen=True)
class Answer:
    """One text that was handed in for an exercise.

    Attributes:
        family: the id of the answers that are the same up to names and layout.
        form: whether it is code at all, and the student's own.
        loose: the hash of what also stays when lines change places and values get names.
        comments: its comments and docstrings, each in one line.
        names: the names that it binds, without short ones.
        source: the cell: its own, or where that holds no answer the last that defines it.
    """

    family: str
    form: Form
    loose: str
    comments: tuple[str, ...]
    names: tuple[str, ...]
    source: str


class Answers:
    """The answers to the exercises in code of one assignment.

    Args:
        course: the course.
        assignment: the assignment's name.

    Attributes:
        exercises: their names.
        released: what students were given in each exercise's cell; nothing without a release.
    """

    def __init__(self, course: Course, assignment: str) -> None:
        self._course, self._assignment = course, course.assignment(assignment)
        self.exercises = [one.name for one in self._assignment.exercises if one.kind == "code"]
        self._path = course.root / ".autograder" / "answers" / f"{assignment}.json"
        text = course.source(assignment).read_text(encoding="utf-8")
        self._imports: Imports = tuple(sorted(dict(imports_of(text)).items()))
        self.released, imports = _released(course, self._assignment)
        self._released = {
            name: form_of(name, source, imports) for name, source in self.released.items()
        }
        self._context = digest([VERSION, self.exercises, self.released])
        self._answers: dict[str, Answer] = {}
        self._notebooks: dict[str, dict[str, str]] = {}
        self._texts: set[str] = set()
        self._read()

    def handed_in(self) -> dict[str, dict[str, Answer]]:
        """The answers by student and exercise; notebooks that cannot be read are left out."""
        found: dict[str, str] = {}
        known = len(self._notebooks)
        everyone = find_submitted(self._course.folder("submitted"), [self._assignment.name])
        for one in everyone:
            with suppress(BadNotebook, OSError):
                content = content_of(self._course, one)
                if content not in self._notebooks:
                    notebook = choose(self._course, one).notebook
                    sanitise(notebook, self._assignment)
                    cells = code_cells(notebook, self._assignment)
                    self._notebooks[content] = dict(self._keys_of(cells))
                found[one.student] = content
        if len(self._notebooks) != known:
            used = set(found.values())
            self._notebooks = {key: self._notebooks[key] for key in sorted(used)}
            self._keep()
        return {
            student: {name: self._answers[key] for name, key in self._notebooks[content].items()}
            for student, content in found.items()
        }

    def of(self, texts: Iterable[tuple[str, str]]) -> list[Answer]:
        """Texts as answers, in notebooks that import what the course's does.

        Args:
            texts: of each the exercise and the cell.
        """
        known = len(self._answers)
        keys = [self._key_of(*text, self._imports) for text in texts]
        new = set(keys) - self._texts
        self._texts |= new
        if new or len(self._answers) != known:
            self._keep()
        return [self._answers[key] for key in keys]

    def _keys_of(self, cells: Cells) -> Iterator[tuple[str, str]]:
        imports = imports_around(cells)
        own = {exercise: source for exercise, source in cells if exercise is not None}
        for exercise in self.exercises:
            key = self._key_of(exercise, own.get(exercise, ""), imports)
            if self._answers[key].form != "code":  # then its last definition is judged
                defines = re.compile(rf"^(?:(?:async +)?def|class) +{exercise}\b", re.MULTILINE)
                elsewhere = [text for _, text in cells if defines.search(text)]
                key = self._key_of(exercise, elsewhere[-1], imports) if elsewhere else key
            yield exercise, key

    def _key_of(self, exercise: str, source: str, imports: Imports) -> str:
        key = _hash(json.dumps([exercise, source, imports]))
        if key not in self._answers:
            written = form_of(exercise, source, imports)
            form: Form = "as released" if written == self._released.get(exercise) else "code"
            form = NO_CODE.get(written, form)
            self._answers[key] = Answer(
                family=family_id(exercise, written),
                form=form,
                loose=loose_form(source, exercise, imports),
                comments=comments_in(source),
                names=names_in(source),
                source=source,
            )
        return key

    def _read(self) -> None:
        try:
            data = json.loads(self._path.read_bytes())
            if data["context"] != self._context:
                return
            answers = {key: _answer(one) for key, one in data["answers"].items()}
            self._notebooks = {key: dict(one) for key, one in data["notebooks"].items()}
            self._texts = set(data["texts"])
            self._answers = answers
        except (OSError, ValueError, KeyError, TypeError):
            return  # it is made again

    def _keep(self) -> None:
        """Write it whole or not at all, without what nobody hands in any more."""
        keys = {key for one in self._notebooks.values() for key in one.values()} | self._texts
        data = {
            "context": self._context,
            "notebooks": self._notebooks,
            "texts": sorted(self._texts),
            "answers": {key: asdict(self._answers[key]) for key in sorted(keys)},
        }
        with locked(self._course.root, f"answers of {self._assignment.name}"):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle, unfinished = tempfile.mkstemp(dir=self._path.parent)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(data, file)
            Path(unfinished).replace(self._path)


def _answer(data: dict) -> Answer:
    for name in ("comments", "names"):
        data[name] = tuple(data[name])
    return Answer(**data)


def _released(course: Course, assignment: Assignment) -> tuple[dict[str, str], Imports]:
    """What students were given in each exercise's cell, and what their notebook imports."""
    path = course.folder("release") / assignment.name / f"{assignment.name}.ipynb"
    try:
        notebook = read_notebook(path, course.limits.notebook_mb * 2**20)
    except BadNotebook:
        return {}, ()
    sanitise(notebook, assignment)
    cells = code_cells(notebook, assignment)
    sources = {name: source for name, source in cells if name is not None}
    return sources, imports_around(cells)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
