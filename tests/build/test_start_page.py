"""The students' start page: written with a release, checked for drift, published with it."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from line_fitting import NAME, SOURCE, edit

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
    row = f"| `{NAME}` | Line fitting | 5 exercises, 6 questions, 1 written answer | 23 |"
    assert row in page.read_text(encoding="utf-8").splitlines()


def test_it_tells_of_a_bonus_where_there_is_one(root, page):
    assert "bonus" not in page.read_text(encoding="utf-8")
    edit(root / SOURCE, '"normal_equation" points=3', '"normal_equation" points=3 bonus')
    result = release(root)
    assert "12 exercises, 20 + 3 bonus points" in result.output
    text = page.read_text(encoding="utf-8")
    row = "4 exercises, 6 questions, 1 written answer, 1 bonus exercise | 20 + 3 bonus |"
    assert f"| `{NAME}` | Line fitting | {row}" in text.splitlines()
    assert "\n- A **bonus** counts on top" in text
    assert "\n- Points that wait for a person" in text


def test_it_tells_the_courses_own_limits(root):
    with (root / "course_config.py").open("a") as config:
        config.write("c.SubmissionLimits.call_seconds = 7\nc.SubmissionLimits.memory_mb = 1536\n")
    text = start_page(load_course(root))
    assert "may take 7 seconds, a cell 10, the whole notebook\n60, and as long" in text
    assert "1.5 GB of memory" in text


def test_nothing_is_left_to_fill_in_and_the_commands_name_a_folder_that_is_there(page):
    text = page.read_text(encoding="utf-8")
    assert "{" not in text
    assert f"pip install -r {NAME}/requirements.txt" in text
    assert (page.parent / NAME / "requirements.txt").is_file()


def test_check_tells_a_page_that_is_out_of_date_and_changes_nothing(root, page):
    assert release(root, "--check").exit_code == 0
    edit(root / SOURCE, "# # 1 Line fitting", "# # 3 Masks")
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


def test_it_gives_no_secret_away(root, page):
    assert find_secrets(page.parent, load_course(root)) == []


def test_it_tells_how_to_install_torch_where_the_course_has_it(root, page):
    text = page.read_text(encoding="utf-8")
    assert "python -m venv .venv" in text
    assert "pytorch.org" not in text
    with (root / "course_config.py").open("a") as config:
        config.write('c.Packages.required = ["torch>=2.4,<3", "numpy", "matplotlib", "pytest"]\n')
    text = start_page(load_course(root))
    assert "pip install torch --index-url https://download.pytorch.org/whl/cpu" in text
    assert "some 3 GB" in text


def test_it_tells_the_time_that_an_assignment_takes(root):
    with (root / "course_config.py").open("a") as config:
        config.write(f'c.CourseWords.times = {{"{NAME}": "an hour"}}\n')
    text = start_page(load_course(root))
    assert "| points | time |" in text
    assert "| 23 | an hour |" in text


@pytest.mark.parametrize(
    ("address", "notebook", "folder"),
    [
        ("https://github.com/me/course", "me/course/blob/main/{0}/{0}.ipynb", "%cd course/NAME"),
        ("https://github.com/me/course.git", "me/course/blob/main/{0}/{0}.ipynb", "course/NAME"),
        (
            "https://github.com/me/course/tree/2026/students/",
            "me/course/blob/2026/students/{0}/{0}.ipynb",
            "%cd course/students/NAME",
        ),
    ],
)
def test_colab_opens_what_stands_on_github(root, page, tmp_path, address, notebook, folder):
    target = tmp_path / "public"
    assert release(root, "--publish", target, "--url", address).exit_code == 0
    text = (target / "README.md").read_text(encoding="utf-8")
    opened = f"https://colab.research.google.com/github/{notebook.format(NAME)}"
    assert f"colab-badge.svg)]({opened})" in text
    assert "git clone --depth 1 https://github.com/me/course course" in text
    assert folder in text
    assert "Colab" not in page.read_text(encoding="utf-8")  # the release itself stands nowhere


def test_no_button_leads_to_an_address_that_colab_cannot_open(root):
    for address in ("https://example.org/course", "https://github.com/me"):
        assert "Colab" not in start_page(load_course(root), address)


def test_an_address_is_told_together_with_what_is_published(root):
    result = release(root, "--url", "https://github.com/me/course")
    assert result.exit_code == 2
    assert "--url belongs to --publish" in result.output
