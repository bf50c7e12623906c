"""The class handed in and graded by the real commands, and what came of it, in words."""

import copy
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat

from autograder.build.source_notebook import reference_notebook
from autograder.course import load_course
from benchmarks.odd_notebooks.kinds import NAME, WAITS, HandIn, Kind

COURSE = Path(__file__).parents[2] / "examples" / "line-fitting"
SOURCES = ("assignments", "solutions", "graders", "course_config.py", "nbgrader_config.py")
UNSEEN = re.compile(r"\n?### BEGIN HIDDEN TESTS\n(.|\n)*?### END HIDDEN TESTS|^ *### .*\n?", re.M)
LIMITS = "\nc.SubmissionLimits.cell_seconds = 2\nc.SubmissionLimits.call_seconds = 5\n"

Marks = dict[str, dict[str, Any]]


def hand_in(course: Path, kinds: Sequence[Kind]) -> None:
    """Make the second course, released, with a student of each kind in `submitted/`."""
    course.mkdir()
    for name in SOURCES:
        copied = shutil.copytree if (COURSE / name).is_dir() else shutil.copy
        copied(COURSE / name, course / name)
    with open(course / "course_config.py", "a", encoding="utf-8") as config:
        config.write(LIMITS)
    _run(course, "release")
    read = load_course(course)
    released = nbformat.read(course / "release" / NAME / f"{NAME}.ipynb", as_version=4)
    for kind in kinds:
        right = reference_notebook(read, read.assignment(NAME), kind.handed_in_by)
        sources = {cell.id: UNSEEN.sub("", cell.source) for cell in right.cells}
        notebook = copy.deepcopy(released)
        for cell in notebook.cells:
            cell.source = sources[cell.id] if cell.cell_type == "code" else cell.source
        given = HandIn(notebook, copy.deepcopy(released))
        given.cell(WAITS).source = "Each step goes further over the bottom than the one before it."
        kind.make(given)
        for path, content in given.all_files().items():
            file = course / "submitted" / kind.handed_in_by / NAME / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)


def graded(course: Path) -> Marks:
    """The marks of one run of `autograder grade`, by student."""
    _run(course, "grade", "--json", "marks.json")
    listed = json.loads((course / "marks.json").read_text(encoding="utf-8"))["submissions"]
    return {one["student"]: one for one in listed}


def _run(course: Path, *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "autograder", *arguments],
        cwd=course,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1):  # 1: some stay ungraded, as they should
        raise RuntimeError(done.stdout + done.stderr)


def unfair(kind: Kind, one: dict[str, Any] | None) -> str:
    """How the marks differ from what a fair person gives; empty where they do not."""
    if one is None:
        return "it is not in the list"
    if one["reason"] != kind.reason:
        return f"it is {one['reason'] or 'graded'}: {one.get('detail') or in_words(one)}"
    found = []
    for name, exercise in one["exercises"].items():
        full = exercise["score"] >= exercise["max_score"]
        waits = exercise["pending_points"] >= exercise["max_score"]
        if name in kind.waits and not waits:
            found.append(f"{name} does not wait: {exercise['message'] or exercise['reason']}")
        elif name in kind.loses and (full or waits):
            found.append(f"{name} has {'full marks' if full else 'to wait'}")
        elif name not in (*kind.loses, *kind.waits) and not full:
            found.append(
                f"{name} has {exercise['score']:g} of {exercise['max_score']:g}: {_told(exercise)}"
            )
    return "; ".join(found)


def in_words(one: dict[str, Any] | None) -> str:
    """The marks of a submission."""
    if one is None:
        return "not listed"
    if one["reason"]:
        return str(one["reason"])
    waits = f", {one['pending_points']:g} wait" if one["pending_points"] else ""
    return f"{one['auto_score']:g} of {one['max_score']:g}{waits}"


def told(one: dict[str, Any] | None) -> str:
    """What the student reads of whatever lost points, each text once."""
    if one is None:
        return ""
    if one["reason"]:
        return str(one.get("detail") or "")
    lost: dict[str, list[str]] = {}
    for name, exercise in one["exercises"].items():
        if exercise["score"] + exercise["pending_points"] < exercise["max_score"]:
            lost.setdefault(_told(exercise), []).append(name)
    return " ".join(f"{', '.join(names)}: {text}" for text, names in lost.items())


def _told(exercise: dict[str, Any]) -> str:
    return " ".join(str(exercise["message"] or exercise["detail"] or exercise["reason"]).split())


def table(kinds: Sequence[Kind], marks: Marks, before: Marks) -> str:
    """A row a kind."""
    rows = []
    for kind in kinds:
        now = marks.get(kind.handed_in_by)
        was = in_words(before.get(kind.handed_in_by)) if before else ""
        row = (kind.name, kind.fair, was, in_words(now), told(now))
        rows.append("| " + " | ".join(one.replace("|", "\\|") for one in row) + " |\n")
    return "".join(rows)
