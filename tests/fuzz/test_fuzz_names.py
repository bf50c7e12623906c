"""Whatever a folder is called, it is refused in words, or safe wherever a student's id is used."""

import csv
import glob
import html
import io
import os
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config
from trying import cases

from autograder.checks.kit.plain_text import is_seen, plain
from autograder.notebooks.names import look_alikes, odd_name
from autograder.notebooks.submitted import find_submitted, read_files, why_refused

ASSIGNMENT = "01-a"
NO_NAMES = [
    "../x",
    "-h",
    "--help",
    "=1+1",
    "+1",
    "@SUM(1)",
    "\t=1",
    "a\n",
    "{0}",
    "{student_id}",
    "'ada",
]
NO_NAMES += [
    "*",
    "[a]",
    "a?",
    "ada ",
    " ada",
    "a" * 300,
    "<b>",
    'a"b',
    "a|b",
    "a:b",
    "\udcff",
]
NO_NAMES += ["аda", "ﬁona", "Ａda", "＝1+1", "a\u200bb", "a\u3164b", "a\ufe0f", "\u202eada", "αda"]
NO_NAMES += ["\u212aim", "\u212bsa"]  # signs that Unicode says are K and Å
ORDINARY = [
    "ada",
    "Ada",
    "josé",
    "李雷",
    "李雷 Lei",
    "Анна",
    "o-k_1.2",
    "a@b.org",
    "a+b",
    "(x)",
    "#1",
    "o'brien",
    "zoe\u0308",
]
ORDINARY += ["100%", "%s", "$HOME", "`id`", "a&b", "^", "~a", "~", "a=b", "a,b", "a;b", "!x", "NUL"]
NAMES = (
    st.sampled_from([*NO_NAMES, *ORDINARY])
    | st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=12)
    | st.text("aA1 .-+=@~#%&()^$!,;é李аα", min_size=1, max_size=8)
)


def submit(root: Path, name: str) -> Path:
    """Make a student's folder on the disk, where the system allows the name."""
    shutil.rmtree(root, ignore_errors=True)
    folder = root / name / ASSIGNMENT
    try:
        assume("/" not in name and name not in (".", ".."))
        folder.mkdir(parents=True)
    except (OSError, ValueError):  # the name is no name of a folder here
        assume(False)
    (folder / f"{ASSIGNMENT}.ipynb").write_text("{}")
    return folder


@cases(600)
@given(name=NAMES)
def test_an_accepted_name_is_safe_in_paths_patterns_tables_and_pages(
    tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    root = tmp_path_factory.getbasetemp() / "safe" / "submitted"
    folder = submit(root, name)
    (found,) = find_submitted(root, [ASSIGNMENT])
    assert found.folder == folder
    told = why_refused(found.folder)
    if told is not None:
        assert told[0] == "bad_name"
        assert all(is_seen(character) for character in told[1])
        return
    assert_fit_for_nbgrader(root.parent, name, folder)
    rows = io.StringIO()
    csv.writer(rows).writerow([name, "1.0"])
    assert next(csv.reader(io.StringIO(rows.getvalue()))) == [name, "1.0"]
    assert not re.match(r"\s*[=+\-@＝＋－＠]", name)
    # An apostrophe ends nothing: nbgrader's pages and ours have texts between quotation marks.
    assert html.escape(name) == name.replace("&", "&amp;").replace("'", "&#x27;")
    assert plain(name) == name
    assert len(name.encode()) == len(os.fsencode(name)) <= 400


def assert_fit_for_nbgrader(root: Path, name: str, folder: Path) -> None:
    """Demand that nbgrader finds this folder, and no other, by the id, and reads the id back."""
    config = Config()
    config.CourseDirectory.root = str(root)
    directory = CourseDirectory(config=config)
    path = directory.format_path("submitted", name, ASSIGNMENT)
    assert [Path(one) for one in glob.glob(path)] == [folder]
    pattern = directory.format_path(
        "submitted", "(?P<student_id>.*)", "(?P<assignment_id>.*)", escape=True
    )
    match = re.match(pattern, path)
    assert match is not None
    assert match.groupdict() == {"student_id": name, "assignment_id": ASSIGNMENT}


@cases(300)
@given(names=st.lists(st.binary(min_size=1, max_size=12), max_size=5))
@example(names=[b"\xff", b"a\nb", b"-rf", b"*", b"caf\xe9"])
def test_nothing_outside_the_folder_is_ever_found(
    tmp_path_factory: pytest.TempPathFactory, names: list[bytes]
) -> None:
    base = tmp_path_factory.getbasetemp() / "bytes"
    shutil.rmtree(base, ignore_errors=True)
    (base / "outside" / ASSIGNMENT).mkdir(parents=True)
    (base / "submitted").mkdir()
    for number, name in enumerate(names):
        target = os.path.join(os.fsencode(base / "submitted"), name.replace(b"/", b"_"))
        try:
            if number % 3 == 2:
                os.symlink(base / "outside", target)
            else:
                os.makedirs(os.path.join(target, ASSIGNMENT.encode()))
        except (OSError, ValueError):
            continue
    for one in find_submitted(base / "submitted", [ASSIGNMENT]):
        refused = why_refused(one.folder)
        if refused is None:
            assert one.folder.resolve().parent.parent == (base / "submitted").resolve()
        one.student.encode()
        read_files(one.folder, 1000)


@cases(300)
@given(st.lists(NAMES, max_size=6))
def test_names_that_differ_in_case_alone_are_told_whatever_their_order(names: list[str]) -> None:
    groups = look_alikes(names)
    assert groups == look_alikes(reversed(names))
    assert all(len(set(group)) == len(group) > 1 for group in groups)
    together = {frozenset(group) for group in groups}
    for one in names:
        for other in names:
            if one != other and one.casefold() == other.casefold():
                assert any({one, other} <= group for group in together)


@pytest.mark.parametrize("name", NO_NAMES)
def test_what_is_no_name_is_refused(name: str) -> None:
    assert odd_name(name)


@pytest.mark.parametrize("other", ["Ada", "аdа", "αdα", "ＡＤＡ", "ADA"])
def test_a_name_that_looks_like_another_is_told(other: str) -> None:
    assert look_alikes(["bob", "ada", other]) == [sorted(["ada", other])]


@pytest.mark.parametrize("name", ORDINARY)
def test_what_people_are_called_is_accepted(name: str) -> None:
    assert odd_name(name) is None
