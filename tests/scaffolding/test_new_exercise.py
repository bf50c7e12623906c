"""A new exercise is whole at once: it imports, is formatted, says what is left, and then passes."""

import os
import re
import subprocess
import sys

import pytest
from small_kit import KIT, NAME, make_kit

MODULE = "small_things"
FILES = {
    "cell": f"assignments/{NAME}/{NAME}.py",
    "solution": f"solutions/{MODULE}.py",
    "graders": f"autograder/hidden/{MODULE}/centred.py",
    "checks": f"autograder/checks/{MODULE}.py",
    "hints": f"autograder/checks/hints/{MODULE}.toml",
    "mistakes": f"autograder/misconceptions/{MODULE}/centred.py",
    "variants": f"autograder/variants/{MODULE}/centred.py",
    "reference test": "tests/solutions/test_centred_reference.py",
}
MORE_MISTAKES = '''\
    Mistake(
        exercise="centred",
        slug="divided-by-nothing",
        diagnosis="You divide by the sum of what is left, which is 0.",
        hint="What do the numbers of a centred row sum to?",
        code="""
def centred(x):
    return (x - x.mean(-1, keepdim=True)) / (x - x).sum(-1, keepdim=True)
""",
    ),
    Mistake(
        exercise="centred",
        slug="input-changed",
        diagnosis="You change the tensor that you were given.",
        hint="What does -= do to a tensor that others hold, too?",
        code="""
def centred(x):
    x -= x.mean(-1, keepdim=True)
    return x
""",
    ),
'''
# What an instructor would write for an exercise that takes a row's mean off the row.
WRITTEN = {
    "solution": [
        (r"raise NotImplementedError\(.*\)", "return x - x.mean(-1, keepdim=True)"),
        (r"\n    Raises:\n.*\n", "\n"),
    ],
    "checks": [
        (r"\[0\.5, 3\.0, -1\.0\]", "[3.0, 3.0, 0.0]"),
        (r"wanted = _X .*", "wanted = torch.tensor([[0.0, -1.0, 1.0], [1.0, 1.0, -2.0]])"),
    ],
    "mistakes": [
        ("todo-name-of-the-mistake", "mean-over-queries"),
        (r"return x .*", "return x - x.mean(-2, keepdim=True)"),
        (r"\n\)\n$", "\n" + MORE_MISTAKES + ")\n"),
    ],
    "variants": [
        (r"return x .*", 'return x - torch.einsum("...d->...", x)[..., None] / x.shape[-1]'),
    ],
    "reference test": [
        (
            r"independent = x .*",
            "independent = (x.double() @ (torch.eye(6).double() - 1 / 6)).to(dtype)",
        ),
    ],
}


@pytest.fixture
def kit(tmp_path):
    return make_kit(tmp_path / "kit")


@pytest.fixture
def autograder(kit):
    """Run the kit's own command in its folder."""

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "autograder", *arguments],
            cwd=kit,
            env=os.environ | {"PYTHONPATH": str(kit), "COLUMNS": "200"},
            capture_output=True,
            text=True,
            timeout=300,
        )

    return run


def assert_tidy(kit):
    """Every Python file that was made is as the linter and the formatter want it."""
    rooms = [f"autograder/{room}" for room in ("hidden", "misconceptions", "variants")]
    checks = [path for path in kit.glob("autograder/checks/*.py") if not _is_old(path)]
    assert checks
    for command in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "ruff",
                *command,
                "--no-cache",
                "assignments",
                "solutions",
                "tests",
                *rooms,
                *checks,
            ],
            cwd=kit,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout


def _is_old(path):
    return (KIT / "checks" / path.name).is_file()


def write(kit, what):
    """Do as the TODOs of one file say."""
    path = kit / FILES[what]
    text = path.read_text(encoding="utf-8")
    for old, new in WRITTEN.get(what, []):
        text, count = re.subn(old, new, text)
        assert count == 1, (what, old)
    path.write_text(text.replace("TODO", "Here"), encoding="utf-8")


def test_a_new_exercise_is_proved_once_its_todos_are_written(kit, autograder):
    made = autograder("new", "exercise", "centred", "--assignment", NAME, "--points", "1.5")
    assert made.returncode == 0, made.stderr
    for path in FILES.values():
        assert path in made.stdout
        assert "TODO" in (kit / path).read_text()

    assert_tidy(kit)

    left = autograder("validate", NAME)
    assert left.returncode == 1
    assert "Traceback" not in left.stderr
    for path in FILES.values():
        assert f"{path}, line" in left.stdout

    for what in FILES:
        write(kit, what)
    released = autograder("release", NAME)
    assert "1 exercise, 1.5 points" in released.stdout, released.stderr
    proved = autograder("validate", NAME)
    assert proved.returncode == 0, proved.stdout + proved.stderr
    assert "0 judged wrongly" in proved.stdout
    assert "0 problems" in proved.stdout

    mistakes = kit / FILES["mistakes"]
    mistakes.write_text(mistakes.read_text(encoding="utf-8").replace(MORE_MISTAKES, ""))
    unproved = autograder("validate", NAME, "--no-notebooks")
    assert unproved.returncode == 1
    assert "the_input_is_left_alone: no known mistake fails this test" in unproved.stdout
    assert "0 secrets" in proved.stdout
    tests = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", FILES["reference test"]],
        cwd=kit,
        env=os.environ | {"PYTHONPATH": str(kit)},
        capture_output=True,
        text=True,
    )
    assert tests.returncode == 0, tests.stdout


def test_more_exercises_stand_beside_the_first(kit, autograder):
    long = "a_name_that_says_all_there_is_to_say"
    for name in ("centred", "row_sums", long):
        made = autograder("new", "exercise", name, "--assignment", NAME)
        assert made.returncode == 0, made.stderr
    assert_tidy(kit)
    rooms = kit / "autograder"
    gathered = (rooms / "misconceptions" / "small_things" / "__init__.py").read_text()
    parts = re.findall(r"\*(\w+)\.MISTAKES", gathered)
    assert parts == ["centred", "row_sums", long]
    for room in ("checks", "hidden/small_things", "variants/small_things"):
        assert (rooms / room / "row_sums.py").is_file()
    cells = re.findall('exercise="(.*)"', (kit / FILES["cell"]).read_text())
    assert cells == ["centred", "row_sums", long]
    left = autograder("validate", NAME, "--no-notebooks")
    assert "hidden/small_things/row_sums.py, line" in left.stdout
    assert "Traceback" not in left.stderr


def test_a_cell_comes_after_the_last_exercise_and_before_the_questions(kit, autograder):
    percent = kit / FILES["cell"]
    percent.write_text(
        percent.read_text() + '\n# %% exercise="f" points=1\n\n# %% [markdown]\n# ## Questions\n'
    )
    autograder("new", "exercise", "centred", "--assignment", NAME)
    text = percent.read_text()
    assert text.index('"f"') < text.index('"centred"') < text.index("## Questions")


REFUSED = {
    ("a b", NAME): "cannot be what students write",
    ("class", NAME): "cannot be what students write",
    ("q1", NAME): "what a question is called",
    ("grad", NAME): "the graders' own",
    ("f", "08-small-thing"): f"Did you mean '{NAME}'?",
    ("running", NAME): "is there already",
    ("centred", NAME): "has an exercise 'centred' already",
    ("old", NAME): "defines 'old' already",
    ("GatedBlock", NAME): "is a class's name",
}
ASKS = """
import pathlib, sys
from autograder.course import CourseError, load_course
from autograder.scaffolding import new_exercise

course = load_course(pathlib.Path())
new_exercise(course, "08-small-things", "centred")
for asked in sys.argv[1:]:
    try:
        new_exercise(load_course(pathlib.Path()), *reversed(asked.split("/")))
    except CourseError as error:
        print(error)
"""


def test_what_cannot_be_is_refused_in_a_sentence_and_changes_nothing(kit):
    old = kit / "solutions" / "old.py"
    old.write_text("def old():\n    pass\n")
    done = subprocess.run(
        [sys.executable, "-c", ASKS, *map("/".join, REFUSED)],
        cwd=kit,
        env=os.environ | {"PYTHONPATH": str(kit)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    for line, told in zip(done.stdout.splitlines(), REFUSED.values(), strict=True):
        assert told in line
    made = {path.name for path in (kit / "autograder" / "hidden" / "small_things").iterdir()}
    assert made - {"__pycache__"} == {"__init__.py", "centred.py"}


def test_the_command_names_the_nearest_assignment_and_fails(autograder):
    done = autograder("new", "exercise", "f", "--assignment", "08-small-thing")
    assert done.returncode == 2
    assert f"Did you mean '{NAME}'?" in done.stderr
    assert "Missing option '--assignment'" in autograder("new", "exercise", "f").stderr


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        ("variants/small_things.py", "VARIANTS = ()\n", "Make it a folder"),
        ("misconceptions/small_things/__init__.py", "MISTAKES = tuple([])\n", "more than gather"),
    ],
)
def test_a_room_that_is_laid_out_otherwise_is_left_alone(kit, autograder, path, text, told):
    odd = kit / "autograder" / path
    odd.parent.mkdir(exist_ok=True)
    odd.write_text(text)
    done = autograder("new", "exercise", "centred", "--assignment", NAME)
    assert done.returncode == 2
    assert told in " ".join(done.stderr.split())
    assert odd.read_text() == text
    assert not (kit / "solutions" / "small_things.py").exists()
