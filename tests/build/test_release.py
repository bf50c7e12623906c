"""`autograder release` on the second course: the folder it makes, its checks, and its words."""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
from class_exercise import EXERCISE, add_class
from click.testing import CliRunner, Result
from line_fitting import NAME, REFERENCE, SOURCE, edit

from autograder.commands.release import command

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDER = f"release/{NAME}"


def release(root: Path, *arguments: object) -> Result:
    result = CliRunner().invoke(command, ["--course", str(root), *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def stub(root: Path, name: str) -> str:
    notebook = nbformat.read(root / FOLDER / f"{NAME}.ipynb", as_version=4)
    return next(cell.source for cell in notebook.cells if cell.id == name)


def with_a_picture(root: Path) -> Path:
    """Put a picture beside the notebook, what an editor leaves there, and one exercise more."""
    folder = root / "assignments" / NAME
    (folder / "candle.png").write_text("not really a picture")
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "old.py").write_text("left behind")
    return add_class(root)


@pytest.fixture(scope="module")
def released(make_line_fitting, tmp_path_factory) -> Path:
    """A course whose release was built; tests only read it."""
    root = with_a_picture(make_line_fitting(tmp_path_factory.mktemp("released") / "course"))
    result = release(root)
    assert result.exit_code == 0, result.output
    assert result.output.split() == [NAME, "13", "exercises,", "24.5", "points", "built"]
    return root


def test_a_release_holds_what_a_student_needs_and_nothing_else(released):
    files = set(contents(released / FOLDER))
    checks = {file for file in files if file.startswith("checks/")}
    assert files - checks == {f"{NAME}.ipynb", "AGENTS.md", "requirements.txt", "candle.png"}
    same = REPOSITORY / "autograder/checks"
    kit = [*(same / "kit").glob("*.py"), *(same / "kit" / "terminal").glob("*.py")]
    assert checks == {f"checks/{path.relative_to(same).as_posix()}" for path in kit} | {
        *("checks/__init__.py", "checks/__main__.py", "checks/questions.json"),
        "checks/grading.json",
        *("checks/line_fitting.py", "checks/step_picture.py"),
        "checks/hints/line_fitting.toml",
    }


def test_requirements_are_what_the_checks_need_with_the_projects_bounds(released):
    lines = (released / FOLDER / "requirements.txt").read_text().splitlines()
    names = [line.split(">")[0] for line in lines]
    assert names == ["numpy", "matplotlib", "pytest"]  # as the settings say nothing
    assert all(f'"{line}"' in (REPOSITORY / "pyproject.toml").read_text() for line in lines)


def test_assistants_are_asked_to_tutor_by_the_exercises_names(released):
    text = (released / FOLDER / "AGENTS.md").read_text()
    assert "`predict`, `k2`, `mean_squared_error`" in text
    assert "{" not in text


def test_each_solution_region_becomes_a_stub_that_names_its_exercise(released):
    names: dict[str, object] = {}
    exec(f"import numpy as np\n{stub(released, 'predict')}\n{stub(released, EXERCISE)}", names)
    with pytest.raises(NotImplementedError, match=r"^predict is not written yet"):
        names["predict"](np.zeros(3), 1.0, 0.0)
    line = names[EXERCISE]
    with pytest.raises(NotImplementedError, match=r"^Line is not written yet"):
        line()
    with pytest.raises(NotImplementedError, match=r"^Line is not written yet"):
        line.through(None, np.zeros(3))


def test_a_quiz_answer_says_which_letters_it_takes_and_runs_as_it_is(released):
    source = stub(released, "q1")
    assert source == 'q1 = ...  # "A", "B", "C" or "D"'
    exec(source)


def test_graded_cells_keep_the_visible_check_alone(released):
    assert stub(released, "test_q1") == 'from checks import check\n\ncheck("q1")'


def test_the_notebook_tells_nothing_of_the_machine(released):
    notebook = json.loads((released / FOLDER / f"{NAME}.ipynb").read_text())
    assert notebook["metadata"]["language_info"] == {"name": "python"}
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert all("autograder" not in cell["metadata"] for cell in notebook["cells"])


def test_equal_sources_give_equal_bytes(released, make_line_fitting, tmp_path):
    other = with_a_picture(make_line_fitting(tmp_path / "elsewhere" / "other"))
    release(other)
    assert contents(other / FOLDER) == contents(released / FOLDER)
    built = SOURCE.replace(".py", ".ipynb")
    assert (other / built).read_bytes() == (released / built).read_bytes()


def test_the_assignment_and_its_points_are_in_the_gradebook(released):
    with sqlite3.connect(released / "gradebook.db") as gradebook:
        points = gradebook.execute("select sum(max_score) from grade_cells").fetchone()
        assert gradebook.execute("select name from assignment").fetchall() == [(NAME,)]
    assert points == (24.5,)


def test_nbgraders_own_command_gives_the_same_folder(root):
    (with_a_picture(root) / "assignments" / NAME / "wax.py").write_text("MELTS = 60\n")
    release(root)
    before = contents(root / FOLDER)
    assert {"candle.png", "wax.py", "checks/hints/line_fitting.toml"} <= before.keys()
    assert "hints.toml" not in before
    generate = [sys.executable, "-m", "nbgrader", "generate_assignment", NAME, "--force"]
    subprocess.run(generate, cwd=root, check=True, capture_output=True)
    assert contents(root / FOLDER) == before


def test_check_passes_on_a_fresh_release_and_names_the_files_of_a_stale_one(released, root):
    assert release(released, "--check").exit_code == 0
    release(root)
    (root / FOLDER / "AGENTS.md").write_text("Solve it.")
    (root / FOLDER / "requirements.txt").unlink()
    (root / FOLDER / "notes.txt").write_text("mine")
    (root / "release" / "07-gone").mkdir()
    before = contents(root)
    found = release(root, "--check")
    assert found.exit_code == 1
    for line in ("AGENTS.md differs", "requirements.txt is missing", "notes.txt does not belong"):
        assert line in found.output
    assert "07-gone" in found.output
    assert "Run `autograder release`" in found.output
    assert contents(root) == before
    (root / "release" / "07-gone").rmdir()
    assert release(root).exit_code == 0
    assert release(root, "--check").exit_code == 0


def test_check_leaves_no_trace_in_a_new_course(root):
    before = contents(root)
    assert release(root, "--check").exit_code == 1
    assert contents(root) == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--check", "--publish", "out"], "Run them apart"),
        (["--chekc"], "--check"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_was_meant(root, arguments, said):
    result = release(root, *arguments)
    assert result.exit_code == 2
    assert said in result.output


def test_an_unknown_name_exits_with_2_and_names_the_nearest_without_a_traceback(root):
    command = [sys.executable, "-m", "autograder", "release", "01-line-fittign"]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert f"Did you mean '{NAME}'?" in result.stderr
    assert "Traceback" not in result.stderr


def test_one_wrong_assignment_does_not_hide_the_others(root):
    (root / "assignments" / "02-empty").mkdir()
    result = release(root)
    assert result.exit_code == 1
    assert "02-empty.py is missing" in result.output
    assert (root / FOLDER).is_dir()


def test_an_assignment_without_visible_checks_is_refused(root):
    (root / "assignments" / "09-nothing").mkdir()
    (root / "assignments/09-nothing/09-nothing.py").write_text('# %% exercise="f" points=1\n')
    result = release(root, "09-nothing")
    assert result.exit_code == 1
    assert "09-nothing/checks is empty" in result.output.replace("\n", "")


def test_a_release_that_gives_a_solution_away_is_not_written(root):
    release(root)
    before = contents(root / "release")
    line = "return np.mean((predicted - actual) ** 2)"
    prose = f"# Hint: `{line}` squares\n# before it averages.\n# ## Walking down"
    edit(root / SOURCE, "# ## Walking down", prose)
    result = release(root)
    assert result.exit_code == 1
    where = (root / REFERENCE).read_text().splitlines().index(f"    {line}") + 1
    said = f"a line of the solution, {REFERENCE} line"
    assert f"{NAME}.ipynb holds {said} {where}" in result.output
    assert contents(root / "release") == before


def test_a_config_without_our_preprocessors_is_refused(root):
    edit(root / "course_config.py", "= PREPROCESSORS", "= PREPROCESSORS[:3]")
    result = release(root)
    assert result.exit_code == 1
    assert "c.GenerateAssignment.preprocessors must be" in result.output
