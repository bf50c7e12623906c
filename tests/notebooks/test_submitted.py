"""Submissions are found by folder; odd names are told, links and pipes passed over."""

import os
import subprocess
from pathlib import Path

import pytest

from autograder.notebooks.names import look_alikes, odd_name
from autograder.notebooks.plain_file import BadNotebook
from autograder.notebooks.submitted import MOST_FILES, find_submitted, read_files, why_refused


def test_submissions_come_by_assignment_then_student(tmp_path: Path) -> None:
    for name in ("bo/01-a", "al/01-a", "al/02-b", ".hidden/01-a", "al/unknown"):
        (tmp_path / name).mkdir(parents=True)
    found = find_submitted(tmp_path, ["01-a", "02-b"])
    assert [(one.student, one.assignment) for one in found] == [
        (".hidden", "01-a"),
        ("al", "01-a"),
        ("bo", "01-a"),
        ("al", "02-b"),
    ]


def test_a_hidden_folder_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / ".hidden" / "01-a").mkdir(parents=True)
    assert why_refused(tmp_path / ".hidden" / "01-a") == (
        "bad_name",
        "the name starts with a dot, which hides the folder; rename the folder",
    )


def test_only_the_students_asked_for(tmp_path: Path) -> None:
    for name in ("bo/01-a", "al/01-a"):
        (tmp_path / name).mkdir(parents=True)
    assert [one.student for one in find_submitted(tmp_path, ["01-a"], ["bo"])] == ["bo"]


def test_no_folder_is_no_submission(tmp_path: Path) -> None:
    assert find_submitted(tmp_path / "none", ["01-a"]) == []


@pytest.mark.parametrize(
    "name", ["ada", "Ada Lovelace", "josé", "李雷", "o-k_1.2", "a@b.org", "o'brien", "zoe\u0308"]
)
def test_ordinary_names_are_fine(name: str) -> None:
    assert odd_name(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "a*",
        "[ab]",
        "{x}",
        "a\nb",
        "a\u202eb",
        "a\u200bb",
        " a",
        "\u212aim",
        "'ada",
        "x" * 101,
        "<b>",
    ],
)
def test_odd_names_are_told(name: str) -> None:
    assert odd_name(name)


@pytest.mark.parametrize("name", ["=1+1", "+1", "-h", "@SUM(1)", "ﬁona", "Ａda", "аda", "a\u3164"])
def test_names_that_could_be_taken_for_something_else_are_told(name: str) -> None:
    assert odd_name(name)


def test_names_that_look_alike_are_told() -> None:
    assert look_alikes(["bo", "ada", "Ada", "аса", "aca"]) == [["Ada", "ada"], ["aca", "аса"]]
    assert look_alikes(["o'brien", "o’brien"]) == [["o'brien", "o’brien"]]


def test_two_folders_whose_names_are_composed_in_two_ways_are_never_one_student(
    tmp_path: Path,
) -> None:
    for name in ("zo\u00eb", "zoe\u0308", "E\u0302\u0323", "E\u0323\u0302", "e\u0301ve"):
        (tmp_path / name / "01-a").mkdir(parents=True)
    refused = {one.student: why_refused(one.folder) for one in find_submitted(tmp_path, ["01-a"])}
    assert [name for name, why in refused.items() if why is None] == ["e\u0301ve", "zo\u00eb"]
    assert "another folder's has the same letters" in str(refused["zoe\u0308"])


def test_a_name_that_is_not_valid_unicode_is_found_and_refused(tmp_path: Path) -> None:
    (tmp_path / "caf\udce9" / "01-a").mkdir(parents=True)
    (found,) = find_submitted(tmp_path, ["01-a"])
    assert found.student == "caf?"
    assert why_refused(found.folder) == (
        "bad_name",
        "the name is not valid Unicode; rename the folder",
    )


def test_links_are_refused_wherever_they_stand(tmp_path: Path) -> None:
    real = tmp_path / "al" / "01-a"
    real.mkdir(parents=True)
    (tmp_path / "bo").mkdir()
    (tmp_path / "bo" / "01-a").symlink_to(real)
    (tmp_path / "cy").symlink_to(tmp_path / "al")
    assert why_refused(real) is None
    for student in ("bo", "cy"):
        reason, detail = why_refused(tmp_path / student / "01-a") or ("", "")
        assert reason == "bad_notebook"
        assert "symbolic link" in detail


def test_files_beside_the_notebook_are_read_and_the_rest_left(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("1,2")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "mine.py").write_text("x = 1")
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "__init__.py").write_text("def check(name): pass")
    (tmp_path / "other.ipynb").write_text("{}")
    (tmp_path / ".secret").write_text("s")
    (tmp_path / "link").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "pipe")
    assert read_files(tmp_path, 1000) == {"data.csv": b"1,2", "sub/mine.py": b"x = 1"}


def test_too_many_files_beside_the_notebook_are_refused(tmp_path: Path) -> None:
    for number in range(MOST_FILES + 1):
        (tmp_path / f"{number}.txt").touch()
    with pytest.raises(BadNotebook, match="more than 2000 files"):
        read_files(tmp_path, 1000)


def test_folders_that_are_too_deep_are_refused(tmp_path: Path) -> None:
    inside = os.open(tmp_path, os.O_RDONLY)
    for _ in range(3000):  # deeper than any path may be long, and than Python walks
        os.mkdir("d", dir_fd=inside)
        outside, inside = inside, os.open("d", os.O_RDONLY, dir_fd=inside)
        os.close(outside)
    os.close(inside)
    with pytest.raises(BadNotebook, match="more than 20 deep"):
        read_files(tmp_path, 1000)
    subprocess.run(["rm", "-rf", tmp_path], check=True)  # pytest cannot


def test_too_much_beside_the_notebook_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"0" * 600)
    (tmp_path / "b.bin").write_bytes(b"0" * 600)
    with pytest.raises(BadNotebook, match=r"b\.bin"):
        read_files(tmp_path, 1000)
