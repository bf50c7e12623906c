"""What a gradebook holds, whichever database it is: marks, and whether each stands once."""

from dataclasses import dataclass

from gradebook_rows import grades, query

# A cell's score, and whether nbgrader shows it as waiting for a person or a run.
Mark = tuple[float | None, bool]
Marks = dict[tuple[str, str, str], Mark]

TABLES = ("student", "assignment", "submitted_assignment", "submitted_notebook", "grade")


@dataclass(frozen=True)
class Records:
    """A gradebook, read without nbgrader.

    Attributes:
        rows: rows by table.
        marks: by student, assignment and cell.
        doubled: cells of a submission that have more than one grade.
    """

    rows: dict[str, int]
    marks: Marks
    doubled: list[tuple[str, str, str]]


def has_new_scores(now: Records, before: Records) -> bool:
    """Whether a run has graded a submission that was not graded before."""
    return any(now.marks[name][0] is not None for name in now.marks.keys() - before.marks.keys())


def stale_scores(now: Records, before: Records, today: Records) -> list[tuple[str, str, str]]:
    """Cells whose score is an earlier version's though a run has already given new ones.

    Args:
        now: the gradebook as it is found.
        before: as it was before the run.
        today: as an undisturbed run leaves it.
    """
    if not has_new_scores(now, before):
        return []
    scores = {name: score for name, (score, _) in now.marks.items() if score is not None}
    return [name for name in scores if scores[name] != today.marks[name][0]]


def read(url: str) -> Records:
    """Everything in a gradebook that a grade consists of."""
    rows = {table: query(url, f"select count(*) from {table}")[0][0] for table in TABLES}
    marks: Marks = {}
    doubled = []
    for grade in grades(url):
        if grade.name in marks:
            doubled.append(grade.name)
        marks[grade.name] = (grade.score, grade.due)
    return Records(rows, marks, doubled)
