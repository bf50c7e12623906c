"""The students' start page: written with a release, checked for drift, published with it."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from small_course import NAME, edit

from autograder.build.leaks import find_secrets
from autograder.build.start_page import start_page
from autograder.commands.release import command
from autograder.course import load_course


def release(root: Path, *arguments: object) -> Result:
    return CliRunner().invoke(command, ["--course", str(root), *map(str, arguments)])


@pytest.fixture
def page(root: Path) -> Path:
    """Where the page of a course that was just released stands."""
    assert release(root).exit_code == 0
    return root / "release" / "README.md"


def test_it_lists_the_assignments_with_what_there_is_to_do(page):
    row = f"| `{NAME}` | Causal masking | 2 exercises, 1 question | 4.5 |"
    assert row in page.read_text(encoding="utf-8").splitlines()


def test_it_tells_of_a_bonus_where_there_is_one(root, page):
    assert "bonus" not in page.read_text(encoding="utf-8")
    edit(root / f"assignments/{NAME}/{NAME}.py", "points=1.5", "points=1.5 bonus")
    result = release(root)
    assert "3 exercises, 3 + 1.5 bonus points" in result.output
    text = page.read_text(encoding="utf-8")
    row = "1 exercise, 1 question, 1 bonus exercise | 3 + 1.5 bonus |"
    assert f"| `{NAME}` | Causal masking | {row}" in text.splitlines()
    assert "\n- A **bonus** counts on top" in text
    assert "\n- Points that wait for a person" in text


def test_it_tells_the_courses_own_limits(root):
    with (root / "course_config.py").open("a") as config:
        config.write("c.SubmissionLimits.call_seconds = 7\nc.SubmissionLimits.memory_mb = 1536\n")
    text = start_page(load_course(root))
    assert "may take 7 seconds, a cell 10, the whole notebook\n60; 1.5 GB of memory" in text


def test_nothing_is_left_to_fill_in_and_the_commands_name_a_folder_that_is_there(page):
    text = page.read_text(encoding="utf-8")
    assert "{" not in text
    assert f"pip install -r {NAME}/requirements.txt" in text
    assert (page.parent / NAME / "requirements.txt").is_file()


def test_check_tells_a_page_that_is_out_of_date_and_changes_nothing(root, page):
    assert release(root, "--check").exit_code == 0
    edit(root / f"assignments/{NAME}/{NAME}.py", "# # Causal masking", "# # 3 Masks")
    release(root, NAME)
    assert "| Masks |" in page.read_text(encoding="utf-8")
    page.write_text("mine", encoding="utf-8")
    found = release(root, "--check", NAME)
    assert found.exit_code == 1
    assert "README.md" in found.output
    assert page.read_text(encoding="utf-8") == "mine"


def test_it_goes_out_with_what_is_published(root, page, tmp_path):
    assert release(root, "--publish", tmp_path / "public").exit_code == 0
    assert (tmp_path / "public" / "README.md").read_bytes() == page.read_bytes()


def test_the_real_page_gives_no_secret_away(course_root, tmp_path):
    course = load_course(course_root)
    (tmp_path / "README.md").write_text(start_page(course), encoding="utf-8")
    assert find_secrets(tmp_path, course) == []
