"""A filled worksheet goes back into Moodle: nothing is skipped without a word."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from moodle_importer import MoodleAssignment, MoodleGrade, upload
from plain_marks import NAME, assignment, mark, marks

from autograder.course import CourseError
from autograder.course.roster import Person
from autograder.export.choices import Choices
from autograder.export.marks import Mark
from autograder.export.moodle import fill_moodle

HEADER = (
    'Identifier,"Full name","ID number","Email address",Status,Grade,"Maximum grade",'
    '"Grade can be changed","Last modified (submission)","Last modified (grade)",'
    '"Feedback comments"'
)
AT = "Friday, 20 November 2026, 9:00 AM"
LINES = [
    HEADER,
    f'"Participant 11","Ada Łódź",0042,ada@u.edu,"Submitted for grading",,10.00,Yes,"{AT}",-,',
    f'"Participant 12","Kim Smith",0043,ben@u.edu,Submitted,7.00,10.00,Yes,-,"{AT}","so, ""ok"""',
    '"Participant 13","Kim Smith",0044,chloe@u.edu,"No submission",,10.00,Yes,-,-,',
    f'"Participant 14","=1+1",0045,dan@u.edu,Submitted,,10.00,No,"{AT}",-,',
]
PARTICIPANTS = {11: "ada", 12: "ben", 13: "chloe", 14: "dan"}
ADA, BEN = "0042", "0043"


def at_moodle(**more: Any) -> MoodleAssignment:
    grades = {12: MoodleGrade(7.0, datetime(2026, 11, 20, 9, 0))}
    return MoodleAssignment(10.0, PARTICIPANTS, grades, locked={14}, **more)


@pytest.fixture
def fill(tmp_path: Path) -> Callable[..., tuple[bytes, list[str]]]:
    """Fill a template, given as lines or bytes."""

    def fill(
        marks: list[Mark], template: Any = LINES, match: str | None = None, **more: Any
    ) -> tuple[bytes, list[str]]:
        content = template if isinstance(template, bytes) else "\n".join(template).encode()
        path = tmp_path / "worksheet.csv"
        path.write_bytes(content)
        columns = more.pop("columns", {})
        return fill_moodle(path, marks, Choices(**more), columns, match)

    return fill


def refused(fill: Any, *arguments: Any, **more: Any) -> str:
    with pytest.raises(CourseError) as error:
        fill(*arguments, **more)
    return " ".join(str(error.value).split())


def test_grades_are_taken_and_every_other_byte_stays(fill: Any) -> None:
    content, said = fill(marks({ADA: 2 / 3, BEN: 8.0, "0044": None}))
    expected = list(LINES)
    expected[1] = LINES[1].replace('grading",,', 'grading",0.6667,')
    expected[2] = LINES[2].replace("7.00", "8")
    assert content == "\n".join(expected).encode()
    assert upload(at_moodle(), content).grades == {11: 0.6667, 12: 8.0}
    assert upload(at_moodle(), content).skipped == {}
    assert "1 new, 1 changed, 0 unchanged" in said[0]
    assert "0043 7.00 to 8" in said[1]


def test_a_bonus_that_moodle_would_drop_is_refused_aloud(fill: Any) -> None:
    both = marks({ADA: 12.5, BEN: 8.0})
    said = refused(fill, both)
    assert "Moodle drops scores above 10 without a word: 0042 (12.5)" in said
    forced = "\n".join(LINES).replace('grading",,', 'grading",12.5,').encode()
    assert upload(at_moodle(), forced).skipped[11] == "out of range"  # it is true of Moodle
    content, _ = fill(both, cap=True)
    assert upload(at_moodle(), content).grades == {11: 10.0, 12: 8.0}


def test_a_locked_grade_is_refused_or_left_out_aloud(fill: Any) -> None:
    both = marks({"0045": 3.0, ADA: 1.0})
    assert "0045 (the grade is locked in Moodle)" in refused(fill, both)
    content, said = fill(both, unmatched="omit")
    assert upload(at_moodle(), content).grades == {11: 1.0}
    assert "left out, unmatched: 0045" in " ".join(said)


def test_another_maximum_is_refused_or_scaled(fill: Any) -> None:
    one = marks({ADA: 23.0}, assignment(points=23.0))
    assert "worth 23 points here and 10 in 'Grade'" in refused(fill, one)
    content, _ = fill(one, scale=True)
    assert upload(at_moodle(), content).grades == {11: 10.0}


def test_an_excused_student_is_left_alone(fill: Any) -> None:
    content, _ = fill([mark(ADA, None, "excused"), mark(BEN, 7.0)])
    assert content == "\n".join(LINES).encode()


def test_students_are_found_by_address_and_never_by_a_name_alone(fill: Any) -> None:
    content, _ = fill([mark(Person("x", "Kim Smith", "chloe@u.edu"), 4.0)])
    assert upload(at_moodle(), content).grades == {13: 4.0}
    twin = [mark(Person("x", "Kim Smith"), 4.0)]
    assert "No student of the course is in" in refused(fill, twin)
    assert "lines 3 and 4 both fit x by Full name" in refused(fill, twin, match="Full name")
    ada = [mark(Person("x", "Ada Łódź"), 4.0)]
    content, _ = fill(ada, match="Full name")
    assert upload(at_moodle(), content).grades == {11: 4.0}


def test_a_name_written_with_another_form_of_its_accents_is_the_same(fill: Any) -> None:
    decomposed = "Ada Ło\N{COMBINING ACUTE ACCENT}dz\N{COMBINING ACUTE ACCENT}"
    assert decomposed != "Ada Łódź"
    content, _ = fill([mark(Person("x", decomposed), 4.0)], match="Full name")
    assert upload(at_moodle(), content).grades == {11: 4.0}


def test_an_identifier_can_be_the_id(fill: Any) -> None:
    for student in ("Participant 11", "11"):
        content, _ = fill(marks({student: 5.0}), match="Identifier")
        assert upload(at_moodle(), content).grades == {11: 5.0}


def test_a_worksheet_is_of_one_assignment(fill: Any) -> None:
    two = marks({ADA: 1.0}) + marks({ADA: 1.0}, assignment("02-more"))
    assert f"these are 2: {NAME}, 02-more" in refused(fill, two)


GERMAN = [
    "ID;Vollständiger Name;E-Mail-Adresse;Status;Bewertung;Beste Bewertung;Änderbar;Geändert",
    "Teilnehmer/in 11;Ada Łódź;ada@u.edu;Abgegeben;;10,00;Ja;-",
    "Teilnehmer/in 12;Kim Smith;ben@u.edu;Abgegeben;7,00;10,00;Ja;-",
]


def test_another_language_names_its_column_and_keeps_its_decimals(fill: Any) -> None:
    people = [mark(Person("a", "Ada", "ada@u.edu"), 2.5)]
    assert "no grading worksheet of an English Moodle" in refused(fill, people, GERMAN)
    content, said = fill(people, GERMAN, columns={NAME: "Bewertung"})
    expected = [GERMAN[0], GERMAN[1].replace(";;", ";2,5;"), GERMAN[2]]
    assert content == "\n".join(expected).encode()
    assert said[-1] == "When you upload it, choose the separator semicolon."
    names = ("ID", "Bewertung", "Geändert")
    lines = content.decode().replace("Teilnehmer/in", "Participant").encode()
    done = upload(at_moodle(names=names, decimals=","), lines, separator=";")
    assert done.grades == {11: 2.5}
    assert upload(at_moodle(names=names), lines, separator=";").grades == {11: 2.0}  # a lost half


@pytest.mark.parametrize(("encoding", "told"), [("utf-16", "utf-16-le"), ("cp1252", "cp1252")])
def test_what_excel_saved_is_filled_in_its_encoding(fill: Any, encoding: str, told: str) -> None:
    template = "\r\n".join(LINES).replace("Łódź", "José").replace(",", ";").encode(encoding)
    content, said = fill(marks({ADA: 2.5}), template)
    assert content.decode(encoding).splitlines()[1].split(";")[5] == "2.5"
    assert (
        said[-1] == f"When you upload it, choose the encoding {told} and the separator semicolon."
    )


def test_a_gradebook_is_no_worksheet(fill: Any) -> None:
    lines = [
        "First name,ID number,Assignment: Fitting (Real),Last downloaded from this course",
        "Ada,0042,-,1764000000",
    ]
    assert "is the whole gradebook" in refused(fill, marks({ADA: 1.0}), lines)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["name,mark", "ada,1"], "has no column 'Identifier' and no 'Grade'"),
        (
            [HEADER.replace("Maximum grade", "Grade"), *LINES[1:]],
            "could go into 'Grade' and 'Grade'",
        ),
        ([HEADER], "(there are no students)"),
        ([one.replace("10.00", "Pass,Fail") for one in LINES], "not by a scale"),
        ([*LINES[:2], LINES[2].replace("10.00", "20.00")], "does not hold one maximum"),
    ],
)
def test_a_file_that_is_no_worksheet_is_refused(fill: Any, lines: list[str], why: str) -> None:
    assert why in refused(fill, marks({ADA: 1.0}), lines)


def test_a_class_of_5000_goes_there_and_back(fill: Any) -> None:
    rows = [
        f'"Participant {n}","Nämé {n}",{n:06},u{n}@u.edu,Submitted,,10.00,Yes,-,-,'
        for n in range(1, 5001)
    ]
    there = MoodleAssignment(10.0, {n: f"u{n}" for n in range(1, 5001)})
    scores = {f"{n:06}": n % 41 / 4 for n in range(1, 5001)}
    content, _ = fill(marks(scores), [HEADER, *rows])
    assert {f"{n:06}": score for n, score in upload(there, content).grades.items()} == scores
