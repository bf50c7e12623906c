"""A release that is refused, for whatever reason, leaves every file of the course as it was."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from gradebook_rows import url_of
from line_fitting import NAME, REFERENCE, SOURCE, edit
from nbgrader.api import Gradebook
from sqlalchemy.exc import DBAPIError

from autograder.commands.release import command
from autograder.course.errors import CourseError, MachineError

QUIZ = "solutions/line_fitting/quiz.toml"
LEAK = "# Hint: `return np.mean((predicted - actual) ** 2)` squares\n# ## Walking down"
# What the command line tells in words.
TOLD = (CourseError, MachineError, OSError, DBAPIError, SystemExit)


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every folder, and every file with its content."""
    paths = sorted(folder.rglob("*"))
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None for p in paths}


def release(root: Path, *arguments: object) -> Result:
    return CliRunner().invoke(command, ["--course", str(root), *map(str, arguments)])


@pytest.fixture(scope="module")
def released(
    make_line_fitting: Callable[[Path], Path],
    empty_gradebook: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """A course with a release, published too, and with a submission in the gradebook."""
    root = make_line_fitting(tmp_path_factory.mktemp("refused") / "course")
    shutil.copy(empty_gradebook, root / "gradebook.db")
    assert release(root, "--publish", root / "public").exit_code == 0
    with Gradebook(url_of(root), "line-fitting") as gradebook:
        gradebook.add_student("ada")
        gradebook.add_submission(NAME, "ada")
    return root


REFUSED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a line of a solution": (
        lambda root: (
            edit(root / SOURCE, "# ## Walking down", LEAK),
            edit(root / SOURCE, '"predict" points=2', '"predict" points=3'),
        ),
        "would give secrets away",
    ),
    "a key": (
        lambda root: edit(root / SOURCE, "# ## Walking down", '# Not q1 = "B"?\n# ## Walking down'),
        f"holds the key of q1, from {QUIZ}",
    ),
    "another exercise": (
        lambda root: edit(root / SOURCE, '# %% exercise="normal_equation" points=3', ""),
        "holds submissions of an earlier version with other exercises",
    ),
    "points below 0": (
        lambda root: edit(root / SOURCE, '"predict" points=2', '"predict" points=-2'),
        "points, a number above 0",
    ),
    "an exercise without a solution": (
        lambda root: edit(root / SOURCE, 'exercise="predict"', 'exercise="predicts"'),
        "predicts",
    ),
    "a solution that is no Python": (
        lambda root: edit(root / REFERENCE, "def predict(", "def predict(("),
        "reference.py",
    ),
    "a wrong quiz": (lambda root: edit(root / QUIZ, 'key = "B"', "key = 3"), "question 'q1'"),
    "no quiz": (lambda root: (root / QUIZ).unlink(), "quiz.toml is missing"),
    "no text": (lambda root: (root / SOURCE).unlink(), f"{NAME}.py is missing"),
    "no visible checks": (
        lambda root: [path.unlink() for path in (root / SOURCE).parent.glob("checks/*.py")],
        "is empty",
    ),
    "another list of stages": (
        lambda root: edit(root / "course_config.py", "= PREPROCESSORS", "= PREPROCESSORS[:3]"),
        "preprocessors must be",
    ),
    "a misspelt setting": (
        lambda root: edit(root / "course_config.py", "c.CourseWords.about", "c.CourseWords.abot"),
        "abot",
    ),
    "no solutions": (lambda root: shutil.rmtree(root / "solutions"), "solutions"),
    "a gradebook that is none": (
        lambda root: (root / "gradebook.db").write_text("no database" * 999),
        "not a database",
    ),
    "no place for locks": (
        lambda root: _file_for_folder(root / ".autograder"),
        "graders take turns by it",
    ),
    "no place for releases": (lambda root: _file_for_folder(root / "release"), "release"),
    "a file of somebody else where it is published": (
        lambda root: _published_elsewhere(
            root, f"{NAME}/extra.png", f"assignments/{NAME}/extra.png"
        ),
        "which this command did not write",
    ),
    "a folder of somebody else where it is published": (
        lambda root: (root / "public" / ".autograder-published").unlink(),
        "is not empty and was not published to before",
    ),
}


def _file_for_folder(place: Path) -> None:
    shutil.rmtree(place, ignore_errors=True)
    place.write_text("in the way")


def _published_elsewhere(root: Path, theirs: str, ours: str) -> None:
    for path in (root / "public" / theirs, root / ours):
        path.write_text(str(path))


@pytest.mark.parametrize("why", list(REFUSED))
def test_a_refused_release_changes_nothing_on_disk(
    released: Path, tmp_path: Path, why: str
) -> None:
    root = shutil.copytree(released, tmp_path / "course")
    spoil, said = REFUSED[why]
    spoil(root)
    before = tree(root)
    result = release(root, NAME, "--publish", root / "public")
    assert result.exit_code != 0
    assert isinstance(result.exception, TOLD)
    assert said in f"{result.output} {result.exception}"
    assert tree(root) == before


@pytest.mark.parametrize("why", ["a key", "no visible checks", "a wrong quiz"])
def test_a_first_release_that_is_refused_leaves_no_trace(
    make_line_fitting: Callable[[Path], Path], tmp_path: Path, why: str
) -> None:
    root = make_line_fitting(tmp_path / "course")
    spoil, _ = REFUSED[why]
    spoil(root)
    before = tree(root)
    assert release(root).exit_code != 0
    assert tree(root) == before


def test_of_two_assignments_the_one_that_is_refused_stays_as_it_was(
    released: Path, tmp_path: Path
) -> None:
    root = shutil.copytree(released, tmp_path / "course")
    (root / "assignments" / "02-empty").mkdir()
    edit(root / SOURCE, "# ## Walking down", LEAK)
    (root / "assignments/02-more").mkdir()
    (root / "assignments/02-more/02-more.py").write_text("# %% [markdown]\n# Nothing to do.\n")
    before = tree(root)
    result = release(root)
    assert result.exit_code == 1
    after = tree(root)
    ours = [path for path in before if "02-more" not in path and "README" not in path]
    assert [path for path in ours if after[path] != before[path]] == ["gradebook.db"]
    assert "release/02-more/02-more.ipynb" in after
