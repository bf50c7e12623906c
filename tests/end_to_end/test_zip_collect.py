"""`nbgrader zip_collect`, by the shipped settings, on zips as Canvas and Moodle make them.

Names are those of Canvas' lib/content_zipper.rb and of Moodle's folders of file submissions.
"""

import io
import json
import shutil
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from line_fitting import NAME, all_right, keep

from autograder.course import load_course
from autograder.gradebook.collecting import handed_in, owner

pytestmark = pytest.mark.slow

ROSTER = """\
id,name,group
12345,"Lovelace, Ada",
23456,José Ñúñez,
34567,Cy Dee,
eve,Eve Xu,
45678,Ann Bee,red
bob,Bob Ng,red
o'brien,Conan Brien,
zoë,Zoë Quill,
"""
CANVAS = {  # what Canvas packs: the student it is of
    f"lovelaceada_12345_67890_{NAME}.ipynb": "12345",
    f"ñúñezjosé_LATE_23456_67891_{NAME}-2.ipynb": "23456",
    f"xueve_99999_67892_{NAME}.ipynb": "eve",
    "Dee_Cy_34567_67893_01_line_fitting.ipynb": "34567",
    f"beeann_45678_67894_{NAME}.zip": "red",
}
MOODLE = {
    f"Ada Lovelace_771_assignsubmission_file_/{NAME}.ipynb": "12345",
    "José Ñúñez_772_assignsubmission_file_/my work.ipynb": "23456",
    f"Cy Dee_773_assignsubmission_file_{NAME} (1).ipynb": "34567",
    "Eve Xu_774_assignsubmission_file_/02-another-one.ipynb": "eve",
    f"Bob Ng_775_assignsubmission_file_/{NAME}.ipynb": "red",
}
BESIDE = {
    f"__MACOSX/._{NAME}.ipynb": b"",
    f"Some One_776_assignsubmission_file_/{NAME}.ipynb": b"{}",
    "notes.txt": b"",
}
ADA = "Ada Lovelace_771_assignsubmission_file_"
HOSTILE: dict[str, str | bytes] = {  # one right notebook each, or bytes as they are
    f"{ADA}/{NAME}.ipynb": "12345",
    f"Ada-Lovelace_790_assignsubmission_file_/{NAME} (9).ipynb": "12345",
    "Eve Xu_774_assignsubmission_file_/work.zip": b"PK\3\4 and nothing that follows",
    f"José Ñúñez_772_assignsubmission_file_/{NAME}.ipynb": "23456",
    "José Ñúñez_772_assignsubmission_file_/rows.csv.gz": b"\x1f\x8b stray",
    # Names that participants chose, and folders in archives of their own, that say who they are.
    f"deecy_34567_999_5_{NAME}.ipynb": "34567",
    f"Cy Dee_1_assignsubmission_file_x_791_assignsubmission_file_/{NAME}.ipynb": "34567",
    "mal-lory_999_6_work.zip": "34567",
    f"beeann_45678_67894_{NAME}.zip": "red",
}
TOLD = [
    "12345 is not collected: 'Ada Lovelace' (771) and 'Ada-Lovelace' (790) lead to it.",
    "Eve Xu_774_assignsubmission_file_/work.zip is not unpacked: it is broken",
    "rows.csv.gz is no archive, and stays as it is",
    f"deecy_34567_999_5_{NAME}.ipynb is not collected: it can be read in two ways",
    f"x_791_assignsubmission_file_/{NAME}.ipynb is not collected: it can be read in two ways",
    f"34567/{NAME}.ipynb is not collected: its name is none that Canvas or Moodle give",
]


@pytest.fixture(scope="module")
def released(
    make_line_fitting: Callable[[Path], Path], run: Any, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    root = make_line_fitting(tmp_path_factory.mktemp("zipped") / "course")
    keep(root, "predict")
    (root / "roster.csv").write_text(ROSTER, encoding="utf-8")
    assert run("autograder", "release", NAME, cwd=root).returncode == 0
    return root


@pytest.fixture
def course(released: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(released, tmp_path / "course"))


def collected(course: Path, run: Any, packed: Mapping[str, str | bytes]) -> Any:
    """Collect a zip with each student's right answers; gives what nbgrader did and said."""
    archive = course / "downloaded" / NAME / "archive"
    archive.mkdir(parents=True)
    with zipfile.ZipFile(archive / "submissions.zip", "w") as file:
        for name, student in packed.items():
            if isinstance(student, bytes):
                file.writestr(name, student)
                continue
            notebook = json.dumps(all_right(course, student)).encode()
            file.writestr(name, zipped(notebook, student) if ".zip" in name else notebook)
        for name, content in BESIDE.items():
            file.writestr(name, content)
    return run("nbgrader", "zip_collect", NAME, cwd=course)


def zipped(notebook: bytes, folder: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        file.writestr(f"{folder}/{NAME}.ipynb", notebook)
        file.writestr(f"{folder}/.ipynb_checkpoints/{NAME}-checkpoint.ipynb", b"{}")
    return made.getvalue()


def marks(course: Path, run: Any) -> dict[str, float | None]:
    run("autograder", "grade", "--json", "marks.json", cwd=course)
    found = json.loads((course / "marks.json").read_text())["submissions"]
    return {one["student"]: one["score"] for one in found}


def test_what_canvas_packs_is_collected_and_graded(course: Path, run: Any) -> None:
    done = collected(course, run, CANVAS)
    assert done.returncode == 0, done.stderr
    assert {one.name for one in (course / "submitted").iterdir()} == set(CANVAS.values())
    assert marks(course, run) == dict.fromkeys(CANVAS.values(), 2.0)


def test_what_moodle_packs_is_collected_by_name_and_told_where_it_is_not(
    course: Path, run: Any
) -> None:
    done = collected(course, run, MOODLE)
    assert done.returncode == 0, done.stderr
    assert "nobody, or more than one, who is called 'Some One'" in done.stderr
    assert f"my work of 23456 is taken for {NAME}" in done.stderr
    assert marks(course, run) == dict.fromkeys(MOODLE.values(), 2.0)


def test_whoever_takes_anothers_name_or_breaks_an_archive_costs_nobody_else(
    course: Path, run: Any
) -> None:
    done = collected(course, run, HOSTILE)
    assert done.returncode == 1
    assert [told for told in TOLD if told not in done.stderr] == []
    assert {one.name for one in (course / "submitted").iterdir()} == {"23456", "red"}


def test_a_form_of_the_courses_own_goes_before_ours(course: Path, run: Any) -> None:
    with (course / "course_config.py").open("a", encoding="utf-8") as config:
        config.write(
            "c.FileNameCollectorPlugin.named_regexp = "
            'r".*/(?P<student_id>[^_/]+)_(?P<file_id>[^/]+)\\.ipynb"\n'
        )
    done = collected(course, run, {f"eve_{NAME}.ipynb": "eve"})
    assert done.returncode == 0, done.stderr
    assert (course / "submitted" / "eve" / NAME / f"{NAME}.ipynb").is_file()


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (["notes", NAME], 1),
        ([f"{NAME}-1", NAME, f"{NAME}-2"], 2),
        ([f"{NAME} (3)", f"{NAME}-1"], 0),
        (["01_Line Fitting"], 0),
        (["anything"], 0),
        (["anything", "else"], None),
        ([], None),
    ],
)
def test_one_of_several_notebooks_is_the_assignments(
    released: Path, names: list[str], chosen: int | None
) -> None:
    assert handed_in(names, NAME, load_course(released)) == chosen


@pytest.mark.parametrize(
    ("path", "student"),
    [
        ("lovelaceada_34567_1_x.ipynb", ""),  # two people, by its number and by its name
        ("lovelaceada_12345_1_x.ipynb", "12345"),
        ("anon_Ab12C_3_x.ipynb", ""),
        ("deecy_777_1_x.ipynb", "34567"),
        ("nobody_778_1_x.ipynb", "778"),
        ("eve/x.ipynb", "eve"),
        ("o'brien/x.ipynb", "o'brien"),
        ("zoe\u0308/x.ipynb", "zoë"),  # as macOS writes it
        ("x.ipynb", ""),
    ],
)
def test_whose_a_file_is(released: Path, path: str, student: str) -> None:
    found = owner(load_course(released), Path(path).parts)
    assert (found.student, found.why is None) == (student, bool(student))
