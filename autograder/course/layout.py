"""Where all of a course stands under its root: an assignment has a folder in each of three places.

`assignments/<name>` is what students read and get, `solutions/<module>` what full marks look like,
`graders/<module>` how answers are judged.
"""

from pathlib import Path

from autograder.course.errors import CourseError

KNOWN_ANSWERS = ("mistakes", "variants")
"""How the names of files begin that hold no hidden tests, in a folder of `graders/<module>`."""


def module_of(name: str) -> str:
    """The name of an assignment's folders of Python: `first_steps` for `01-first-steps`."""
    return name.split("-", 1)[1].replace("-", "_")


def checks_folder(root: Path, name: str) -> Path:
    """The visible checks of an assignment."""
    return root / "assignments" / name / "checks"


def hints_file(root: Path, name: str) -> Path:
    """The hints of an assignment."""
    return root / "assignments" / name / "hints.toml"


def solutions_folder(root: Path) -> Path:
    """What full marks look like, of every assignment.

    Raises:
        CourseError: the course has none.
    """
    folder = root / "solutions"
    if not (folder / "__init__.py").is_file():
        raise CourseError(f"{folder} is missing: it holds the solutions that answers are held to.")
    return folder


def reference_file(root: Path, name: str, exercise: str = "") -> Path:
    """The module that holds an exercise's solution: its own, or that of its assignment.

    An exercise has one of its own where its solution imports what may be missing on a machine.
    """
    folder = root / "solutions" / module_of(name)
    alone = folder / f"{exercise}.py"
    return alone if alone.is_file() else folder / "reference.py"


def broken_file(root: Path, name: str) -> Path:
    """What students of an assignment are given to repair, where there is such."""
    return root / "solutions" / module_of(name) / "broken.py"


def quiz_file(root: Path, name: str) -> Path:
    """An assignment's quiz, keys included."""
    return root / "solutions" / module_of(name) / "quiz.toml"


def written_file(root: Path, name: str) -> Path:
    """An assignment's written questions, rubrics included."""
    return root / "solutions" / module_of(name) / "written.toml"


def why_file(root: Path, name: str) -> Path:
    """Why an assignment's solutions are right, in the course's words, by exercise."""
    return root / "solutions" / module_of(name) / "why.toml"


def graders_folder(root: Path, name: str) -> Path:
    """How answers to an assignment are judged."""
    return root / "graders" / module_of(name)


def grader_files(root: Path, name: str) -> list[Path]:
    """The files that hold an assignment's hidden tests and probes, and what these share.

    Returns:
        them in the order in which they run; none where there are no graders. Known answers and the
        course's own tests (`tests/`) are left out.
    """
    folder = graders_folder(root, name)
    return [
        path
        for path in sorted(folder.rglob("*.py"))
        if path.name != "__init__.py"
        and not path.stem.startswith(KNOWN_ANSWERS)
        and "tests" not in path.relative_to(folder).parts
    ]
