"""A filled gradebook goes back into Canvas: the marks are taken, and nothing else changes."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from canvas_importer import CanvasCourse, CanvasStudent, import_file
from plain_marks import NAME, assignment, mark, marks

from autograder.course import CourseError
from autograder.course.roster import Person
from autograder.export.canvas import fill_canvas
from autograder.export.choices import Choices
from autograder.export.marks import Mark

HEADER = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Notes,Line fitting (12345),"
    '"Masks, (2024) (77)",Assignments Current Score,Current Score,Final Grade'
)
POINTS = "    Points Possible,,,,,,10.00,4.00,(read only),(read only),(read only)"
STUDENTS = {
    101: CanvasStudent("S-01", "ada", 'Łódź, Ada "A"'),
    102: CanvasStudent("S-02", "ben", "Smith, Kim"),
    103: CanvasStudent("S-03", "chloe", "Smith, Kim"),
    104: CanvasStudent("S-04", "dan", "=HYPERLINK(1)"),
    999: CanvasStudent("", "f00", "Student, Test"),
}
LINES = [
    HEADER,
    ",,,,,,Manual Posting,,,,",
    POINTS,
    '"Łódź, Ada ""A""",101,S-01,ada,Mon,,,3.50,87.50,87.50,B',
    '"Smith, Kim",102,S-02,ben,Mon,"a, note",7.00,,,,',
    '"Smith, Kim",103,S-03,chloe,"Mon and Tue",,"5.00",,,,',
    '"=""=HYPERLINK(1)""",104,S-04,dan,Tue,,EX,N/A,,,',
    '"Student, Test",999,,f00,Mon,,,,,,',
]
END = "\r\n"


def at_canvas(assigned: Mapping[int, set[int]] | None = None) -> CanvasCourse:
    titles = {12345: ("Line fitting", 10.0), 77: ("Masks, (2024)", 4.0)}
    return CanvasCourse(titles, STUDENTS, dict(assigned or {}))


@pytest.fixture
def fill(tmp_path: Path) -> Callable[..., tuple[bytes, list[str]]]:
    """Fill a template, given as lines or bytes."""

    def fill(
        marks: list[Mark], template: Any = LINES, match: str | None = None, **more: Any
    ) -> tuple[bytes, list[str]]:
        content = template if isinstance(template, bytes) else END.join(template).encode() + b"\r\n"
        path = tmp_path / "canvas.csv"
        path.write_bytes(content)
        columns = more.pop("columns", {})
        return fill_canvas(path, marks, Choices(**more), columns, match)

    return fill


def refused(fill: Any, *arguments: Any, **more: Any) -> str:
    with pytest.raises(CourseError) as error:
        fill(*arguments, **more)
    return " ".join(str(error.value).split())


def test_marks_are_taken_and_every_other_byte_stays(fill: Any) -> None:
    content, said = fill(marks({"ada": 10.0, "ben": 2 / 3, "chloe": 5.0}))
    expected = list(LINES)
    expected[3] = LINES[3].replace("Mon,,,3.50", "Mon,,10,3.50")
    expected[4] = LINES[4].replace("7.00", "0.6667")
    assert content == END.join(expected).encode() + b"\r\n"
    done = import_file(at_canvas(), content)
    before = import_file(at_canvas(), END.join(LINES).encode()).grades
    changed = {key: grade for key, grade in done.grades.items() if before[key] != grade}
    assert changed == {(101, 12345): "10", (102, 12345): "0.6667"}
    nothing = (done.created_assignments, done.created_students, done.by_name, done.points)
    assert nothing == ([], [], [], {})
    assert "1 new, 1 changed, 1 unchanged" in said[0]
    assert "ben 7.00 to 0.6667" in said[1]
    assert "Only in Canvas, left as they are" in said[2]
    assert "Student, Test" in said[2]


def test_excused_is_said_and_missing_is_left_alone(fill: Any) -> None:
    both = [mark("ada", None, "excused"), mark("ben", None), mark("chloe", None, "pending")]
    content, _ = fill(both)
    done = import_file(at_canvas(), content)
    found = [done.grades[student, 12345] for student in (101, 102, 103)]
    assert found == ["EX", "7.00", "5.00"]


def test_a_bonus_above_the_points_is_taken(fill: Any) -> None:
    content, _ = fill(marks({"ada": 12.5}), cap=True)
    assert import_file(at_canvas(), content).grades[101, 12345] == "12.5"


def test_several_assignments_go_into_one_file(fill: Any) -> None:
    other = assignment("02-masks", 4.0)
    content, _ = fill(
        marks({"ada": 1.0}) + marks({"ada": 2.0, "ben": 3.0}, other), columns={"02-masks": "77"}
    )
    done = import_file(at_canvas(), content).grades
    assert [done[101, 12345], done[101, 77], done[102, 77]] == ["1", "2", "3"]


@pytest.mark.parametrize("said", ["77", "Masks, (2024)", "Masks, (2024) (77)"])
def test_a_column_is_named_by_id_title_or_whole(fill: Any, said: str) -> None:
    content, _ = fill(marks({"ada": 2.0}, assignment("02-x", 4.0)), columns={"02-x": said})
    assert import_file(at_canvas(), content).grades[101, 77] == "2"


@pytest.mark.parametrize("ids", ["SIS User ID", "SIS Login ID", "ID"])
def test_students_are_found_by_whichever_id_the_course_uses(fill: Any, ids: str) -> None:
    field = {"SIS User ID": "sis", "SIS Login ID": "login"}.get(ids)
    of = {key: getattr(one, field) if field else str(key) for key, one in STUDENTS.items()}
    content, _ = fill(marks({of[101]: 1.0, of[102].upper(): 2.0}))
    done = import_file(at_canvas(), content).grades
    assert (done[101, 12345], done[102, 12345]) == ("1", "2")


def test_students_are_found_by_the_rosters_address(fill: Any) -> None:
    lines = [line.replace(",ada,", ",ada@u.edu,") for line in LINES]
    content, _ = fill([mark(Person("4711", "Ada", "Ada@u.edu"), 3.0)], lines)
    assert b",ada@u.edu,Mon,,3," in content


def test_two_students_of_one_name_are_never_mixed_up(fill: Any) -> None:
    content, _ = fill(marks({"chloe": 1.0, "ben": 2.0}))
    done = import_file(at_canvas(), content).grades
    assert (done[102, 12345], done[103, 12345]) == ("2", "1")
    same = [mark(Person("x1", "Smith, Kim"), 1.0)]
    assert "No student of the course is in" in refused(fill, same)
    assert "both fit x1 by Student" in refused(fill, same, match="Student")
    twins = [mark(Person(one, 'Łódź, Ada "A"'), 1.0) for one in ("x1", "x2")]
    assert "Student fits both x1 and x2" in refused(fill, twins, match="Student")


def test_ids_that_mean_different_students_in_two_columns_are_refused(fill: Any) -> None:
    lines = [line.replace("S-02", "101") for line in LINES]
    said = refused(fill, marks({"101": 1.0, "103": 2.0}), lines)
    assert "not certain who 101 is: ID says line 4, SIS User ID says line 5" in said
    content, _ = fill(marks({"101": 1.0}), lines, match="SIS User ID")
    assert import_file(at_canvas(), content).grades[102, 12345] == "1"


def test_a_match_that_may_be_by_chance_is_refused(fill: Any) -> None:
    several = marks({"101": 1.0, "x": 2.0, "y": 3.0, "z": 4.0, "w": 5.0})
    said = refused(fill, several, unmatched="omit")
    assert "only 1 of 5 students are found, by ID, which may be by chance" in said
    content, _ = fill(several, match="ID", unmatched="omit")
    assert import_file(at_canvas(), content).grades[101, 12345] == "1"


def test_a_mark_of_nobody_there_is_refused_or_left_out_aloud(fill: Any) -> None:
    both = marks({"ada": 1.0, "zoe": 2.0})
    assert "no mark of zoe (not in the file)" in refused(fill, both)
    _, said = fill(both, unmatched="omit")
    assert "left out, unmatched: zoe (not in the file)" in " ".join(said)
    nothing_lost = [mark("zoe", None), mark("yan", None, "excused")]
    fill([*marks({"ada": 1.0, "ben": 2.0}), *nothing_lost])


def test_a_mark_of_what_is_not_assigned_to_a_student_is_refused(fill: Any) -> None:
    there = {77: {101, 102, 103}}
    one = marks({"dan": 1.0, "ada": 1.0}, assignment("02-masks", 4.0))
    said = refused(fill, one, columns={"02-masks": "77"})
    assert "dan (not assigned to them in Canvas)" in said
    forced = END.join(LINES).replace("N/A", "1").encode()
    assert import_file(at_canvas(there), forced).grades[104, 77] == ""  # so Canvas drops it


def test_other_points_are_refused_or_scaled(fill: Any) -> None:
    twenty = assignment(points=20.0)
    said = refused(fill, marks({"ada": 15.0}, twenty))
    assert "is worth 20 points here and 10 in 'Line fitting (12345)'" in said
    content, _ = fill(marks({"ada": 15.0}, twenty), scale=True)
    done = import_file(at_canvas(), content)
    assert (done.grades[101, 12345], done.points) == ("7.5", {})


@pytest.mark.parametrize("shown", ["(read only)", ""])
def test_a_column_that_canvas_would_not_take_is_refused(fill: Any, shown: str) -> None:
    lines = [line.replace("10.00", shown) for line in LINES]
    assert "Canvas takes no marks in 'Line fitting (12345)'" in refused(
        fill, marks({"ada": 1}), lines
    )


def test_two_columns_of_one_title_are_refused_until_one_is_named(fill: Any) -> None:
    lines = [line.replace('"Masks, (2024) (77)"', "Line fitting (77)") for line in LINES]
    ten = [line.replace("4.00", "10.00") for line in lines]
    said = refused(fill, marks({"ada": 1.0}), ten)
    assert "could go into 'Line fitting (12345)' and 'Line fitting (77)'" in said
    assert f"--column '{NAME}=Line fitting (12345)'" in said
    content, _ = fill(marks({"ada": 1.0}), ten, columns={NAME: "77"})
    assert content.decode().splitlines()[3].split(",")[7:9] == ["", "1"]


def test_an_assignment_without_a_column_is_refused_with_what_there_is(fill: Any) -> None:
    said = refused(fill, marks({"ada": 1.0}, assignment("02-fit-more")))
    assert "no column for 02-fit-more" in said
    assert "Line fitting (12345), Masks, (2024) (77)" in said


def test_totals_are_no_assignments(fill: Any) -> None:
    lines = [line.replace("Line fitting", "My Current Score") for line in LINES]
    said = refused(fill, marks({"ada": 1.0}), lines, columns={NAME: "12345"})
    assert "Its columns: Masks, (2024) (77)." in said


def test_one_column_takes_one_assignment(fill: Any) -> None:
    two = marks({"ada": 1.0}) + marks({"ada": 1.0}, assignment("02-more"))
    said = refused(fill, two, columns={"02-more": "12345"})
    assert f"{NAME} and 02-more would both go into" in said


def test_semicolons_decimal_commas_and_a_byte_order_mark_stay(fill: Any) -> None:
    lines = [
        "Student;ID;SIS Login ID;Section;Line fitting (12345)",
        "    Points Possible;;;;10,00",
        "Łódź, Ada;101;ada;Mon;",
        '"Smith; Kim";102;ben;Mon;"3,50"',
    ]
    template = "\ufeff".encode() + "\n".join(lines).encode()
    content, _ = fill(marks({"ada": 2.5, "ben": 3.5}), template)
    assert content == template.replace(b"ada;Mon;", b"ada;Mon;2,5")
    done = import_file(at_canvas(), content.removeprefix("\ufeff".encode()))
    assert (done.grades[101, 12345], done.grades[102, 12345]) == ("2.5", "3.50")


def test_surnames_in_a_column_of_their_own(fill: Any) -> None:
    lines = [
        "LastName,FirstName,ID,SIS Login ID,Section,Line fitting (12345)",
        "    Points Possible,,,,,10.00",
        "Łódź,Ada,101,ada,Mon,",
    ]
    content, _ = fill(marks({"ada": 4.0}), lines)
    assert import_file(at_canvas(), content).grades == {(101, 12345): "4"}


@pytest.mark.parametrize("encoding", ["utf-16", "cp1252"])
def test_what_a_spreadsheet_saved_is_refused_where_canvas_could_not_read_it(
    fill: Any, encoding: str
) -> None:
    template = END.join(LINES).replace("Łódź", "José").encode(encoding)
    with pytest.raises((UnicodeError, AssertionError)):
        import_file(at_canvas(), template)
    assert "was saved by a spreadsheet" in refused(fill, marks({"ada": 1.0}), template)


def test_long_numbers_that_a_spreadsheet_spoilt_are_refused(fill: Any) -> None:
    lines = [line.replace("S-02", "1.23457E+11") for line in LINES]
    assert "'1.23457E+11', which a spreadsheet made" in refused(fill, marks({"ada": 1.0}), lines)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["name,mark", "ada,1"], "is no gradebook that Canvas exported"),
        ([HEADER], "has no row 'Points Possible'"),
        ([HEADER, POINTS], "No student of the course is in"),
        ([*LINES, "Zoe,105,S-05,zoe,Tue"], "line 9 of the file ends before this column"),
    ],
)
def test_a_file_that_is_none_of_canvas_is_refused(fill: Any, lines: list[str], why: str) -> None:
    assert why in refused(
        fill, marks({"zoe": 1.0}) if len(lines) > 3 else marks({"ada": 1.0}), lines
    )


def test_all_that_does_not_fit_is_said_at_once(fill: Any) -> None:
    both = marks({"zoe": 1.0, "ada": 1.0}) + marks({"ada": 2.0}, assignment("02-masks", 5.0))
    said = refused(fill, both, columns={"02-masks": "77"})
    assert said.startswith("Nothing was written.")
    assert "no mark of zoe" in said
    assert "02-masks is worth 5 points here and 4" in said


def test_a_class_of_5000_goes_there_and_back(fill: Any) -> None:
    lines = [f'"Nämé, {n}",{n},S{n},u{n},Mon,,,,,,' for n in range(1, 5001)]
    course = at_canvas()
    course.students = {n: CanvasStudent(f"S{n}", f"u{n}", f"Nämé, {n}") for n in range(1, 5001)}
    scores = {f"u{n}": n % 41 / 4 for n in range(1, 5001)}
    content, _ = fill(marks(scores), [HEADER, POINTS, *lines])
    done = import_file(course, content).grades
    assert {f"u{n}": float(done[n, 12345]) for n in range(1, 5001)} == scores
    assert fill(marks(scores), content)[0] == content
