"""What a verdict is about: a student's code cells and files, as plain data."""

import base64
import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from autograder.course import Assignment

if TYPE_CHECKING:
    from nbformat import NotebookNode


@dataclass(frozen=True)
class Submission:
    """All that a verdict depends on of what a student handed in.

    Attributes:
        student: the student's id; verdicts on personal questions depend on it.
        assignment: the assignment's name.
        cells: the student's code cells in order: (exercise a cell belongs to or None, source).
        files: the files beside the notebook, by relative path.
        checks: by exercise, how many of the cells stand above its check, where it is not the one
            right below its own cell.
        written: for each written question that has an answer, the hash of that answer. Its text is
            for a person; no process that grades code is given it.
    """

    student: str
    assignment: str
    cells: tuple[tuple[str | None, str], ...]
    files: dict[str, bytes] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    checks: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        notebook: "NotebookNode",
        assignment: Assignment,
        student: str,
        files: dict[str, bytes],
    ) -> "Submission":
        """The submission that a sanitised notebook makes."""
        # Here, not above: the grading process reads no notebooks, and would start later.
        from autograder.notebooks.sanitise import cells_above_checks, code_cells
        from autograder.notebooks.written_answers import answer_to

        answers = {
            exercise.name: answer_to(notebook, assignment, exercise)
            for exercise in assignment.exercises
            if exercise.kind == "written"
        }
        written = {
            name: hashlib.sha256(text.encode()).hexdigest()
            for name, text in answers.items()
            if text is not None
        }
        cells = code_cells(notebook, assignment)
        checks = cells_above_checks(notebook, assignment)
        return cls(student, assignment.name, cells, files, written, checks)

    def to_json(self) -> dict[str, Any]:
        """The submission as JSON values; `from_json` reads it back."""
        return {
            "student": self.student,
            "assignment": self.assignment,
            "cells": [list(cell) for cell in self.cells],
            "files": {
                name: base64.b64encode(data).decode() for name, data in sorted(self.files.items())
            },
            "written": self.written,
            "checks": self.checks,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Submission":
        """Read what `to_json` wrote."""
        files = {name: base64.b64decode(text) for name, text in data["files"].items()}
        cells = tuple((exercise, source) for exercise, source in data["cells"])
        return cls(
            data["student"], data["assignment"], cells, files, data["written"], data["checks"]
        )
