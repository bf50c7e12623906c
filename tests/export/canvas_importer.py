"""What Canvas makes of a gradebook file, rule by rule from its `lib/gradebook_importer.rb`.

Written from Canvas's source alone: it shares nothing with what fills the file.
"""

import csv
import io
import re
from dataclasses import dataclass, field

TOTALS = (
    "Current Score|Current Points|Current Grade|Final Score|Final Points|Final Grade|"
    "Override Score|Override Grade|Override Status"
)


@dataclass
class CanvasStudent:
    sis: str
    login: str
    name: str


@dataclass
class CanvasCourse:
    """Who and what is in the course at Canvas; `assigned` limits who has an assignment."""

    assignments: dict[int, tuple[str, float]]
    students: dict[int, CanvasStudent]
    assigned: dict[int, set[int]] = field(default_factory=dict)


@dataclass
class Imported:
    """What an import would do: grades by student and assignment, and what nobody asked for."""

    grades: dict[tuple[int, int], str] = field(default_factory=dict)
    created_assignments: list[str] = field(default_factory=list)
    created_students: list[str] = field(default_factory=list)
    by_name: list[str] = field(default_factory=list)
    points: dict[int, float] = field(default_factory=dict)
    read_only: list[int] = field(default_factory=list)


def import_file(course: CanvasCourse, content: bytes) -> Imported:
    """Import a file; AssertionError where Canvas would refuse it whole."""
    text = content.decode("utf-8")  # nothing else is read
    separator = _separator(text)
    skipped = re.compile(r"^[;, ]+$")
    lines = [line for line in io.StringIO(text, newline="") if not skipped.match(line.rstrip())]
    rows = [row for row in csv.reader(lines, delimiter=separator, strict=True) if row]
    header = rows[0]
    names = 4 if header[:2] == ["LastName", "FirstName"] else 3
    assert "Student" in header[0] or names == 4
    sis = login = None
    columns = names
    if re.search(r"SIS\s+Login\s+ID", header[names - 1]):
        login, columns = names - 1, names + 1
    elif re.search(r"SIS\s+User\s+ID", header[names - 1]):
        sis, login, columns = names - 1, names, names + 2
        if re.search(r"Integration\s+ID", header[names + 1]):
            columns += 1
    assert "Section" in header[columns - 1], "Invalid header row"
    done = Imported()
    places: dict[int, int] = {}
    for place, title in enumerate(header):
        if place < columns or re.search(TOTALS, title) or title == "Notes":
            continue
        numbered = re.fullmatch(r"(.*) \((\d+)\)", title)
        found = int(numbered[2]) if numbered and int(numbered[2]) in course.assignments else None
        if found is None:
            same = [one for one, (name, _) in course.assignments.items() if name == title]
            found = same[0] if same else None
        if found is None:
            done.created_assignments.append(title)
        else:
            places[found] = header.index(title)
    for row in rows[1:]:
        row = [_normal(cell) for cell in row]
        if "Points Possible" in row[0]:
            for one, place in places.items():
                if re.search(r"read\s+only", row[place]):
                    done.read_only.append(one)
                elif row[place] and float(row[place]) != course.assignments[one][1]:
                    done.points[one] = float(row[place])
            continue
        if all(re.fullmatch(r"\s*(Muted|Manual Posting.*)?\s*", cell, re.I) for cell in row):
            continue
        student = _student(course, row, names - 2, sis, login, done)
        if student is None:
            done.created_students.append(row[0])
            continue
        for one, place in places.items():
            grade = row[place].strip()
            if student not in course.assigned.get(one, course.students.keys()):
                grade = ""
            done.grades[student, one] = grade
    return done


def _separator(text: str) -> str:
    lines = text.splitlines()[:3]
    counts = {}
    for separator in ";,":
        sizes = [len(next(csv.reader([line], delimiter=separator), [])) for line in lines]
        counts[separator] = sizes[0] if len(set(sizes)) == 1 else 0
    return ";" if counts[";"] > counts[","] else ","


def _normal(field: str) -> str:
    """The converter `decimal_comma_to_period`."""
    if not re.fullmatch(r"-?[0-9.,]+%?", field):
        return field
    *parts, last = re.split("[,.]", field)
    return f"{''.join(parts)}.{last}" if parts else last


def _student(
    course: CanvasCourse,
    row: list[str],
    id_at: int,
    sis: int | None,
    login: int | None,
    done: Imported,
) -> int | None:
    if row[id_at].isdigit() and int(row[id_at]) in course.students:
        return int(row[id_at])
    for at, name in ((sis, "sis"), (login, "login")):
        for student, one in course.students.items():
            if at is not None and row[at] and getattr(one, name) == row[at]:
                return student
    for student, one in course.students.items():
        if one.name == row[0]:
            done.by_name.append(row[0])
            return student
    return None
