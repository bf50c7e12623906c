"""Everything in a gradebook and under autograded/, without what differs by chance."""

import json
import stat
from pathlib import Path
from typing import Any

from gradebook_rows import query, url_of
from sqlalchemy import create_engine, inspect

# Rows by table: each as (column, value), with names in the place of ids.
Tables = dict[str, list[dict[str, Any]]]

# A row in `course` that nbgrader's own steps add, which are not told how the course is called.
STRAY = "default_course"

NAMES = {
    "assignment": "select id, name from assignment",
    "notebook": "select id, name from notebook",
    "base_cell": "select base_cell.id, notebook.name || '/' || base_cell.name || '/' || type"
    " from base_cell join notebook on notebook.id = base_cell.notebook_id",
    "submitted_assignment": "select submitted_assignment.id, student_id || '/' || name"
    " from submitted_assignment join assignment on assignment.id = assignment_id",
    "submitted_notebook": "select submitted_notebook.id, student_id || '/' || name"
    " from submitted_notebook"
    " join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id"
    " join notebook on notebook.id = submitted_notebook.notebook_id",
}


def tables(course: Path, without: set[str]) -> Tables:
    """Every row of every table, but for rows of these students.

    A penalty is rounded: it is a sum in the order of ids, which are drawn at random.
    """
    url = url_of(course)
    names = {key: name for statement in NAMES.values() for key, name in query(url, statement)}
    found = {}
    engine = create_engine(url)
    for table in inspect(engine).get_table_names():
        columns = [column["name"] for column in inspect(engine).get_columns(table)]
        rows = []
        for row in query(url, f"select {', '.join(columns)} from {table}"):
            told = {
                column: names.get(value, "an id" if column == "id" else value)
                for column, value in zip(columns, row, strict=True)
            }
            if told.get("late_submission_penalty") is not None:
                told["late_submission_penalty"] = round(told["late_submission_penalty"], 9)
            if table == "student":
                told["id"] = row[columns.index("id")]
            if row == (STRAY,):
                continue
            if not any(str(value).split("/")[0] in without for value in told.values()):
                rows.append(told)
        found[table] = sorted(rows, key=lambda row: json.dumps(row, default=str, sort_keys=True))
    engine.dispose()
    return found


def autograded(course: Path) -> dict[str, tuple[int, Any]]:
    """Every file under autograded/ by path: its permissions and what is in it; not of a record."""
    folder = course / "autograded"
    found = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content: Any = path.read_bytes()
        if path.suffix == ".ipynb":
            content = json.loads(content)
        if path.parent.parent == folder:  # a record: nbgrader's stages know less than ours
            content = path.suffix
        found[path.relative_to(folder).as_posix()] = (stat.S_IMODE(path.stat().st_mode), content)
    return found
