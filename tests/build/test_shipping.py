"""Which files of the visible checks go with which assignment."""

from pathlib import Path

import pytest

from autograder.build.shipping import files_to_ship

FILES = {
    "__init__.py": "from .checking import check",
    "__main__.py": "from .checking import check",
    "checking.py": "def check(): from .running import run_checks",
    "running.py": "",
    "quiz.py": "@exercise('[kq][0-9]*')\ndef test_form(): from .forms import form",
    "forms.py": "",
    "masking.py": "from . import pictures\n@exercise('mask')\ndef test_mask(): ...",
    "pictures.py": "",
    "padding.py": "@example('pad', picture=None)\ndef pad(): ...",
    "heads.py": "from .head_pictures import draw\n@exercise('split')\ndef test_split(): ...",
    "head_pictures.py": "from .pictures import draw",
    "hints/masking.toml": "",
    "hints/heads.toml": "",
    "style.css": "",
}
COMMON = {"__init__.py", "__main__.py", "checking.py", "running.py", "style.css"}


@pytest.fixture
def shipped(tmp_path: Path):
    """What ships from a small package `checks`, by path."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    def shipped(module: str, *exercises: str) -> set[str]:
        found = files_to_ship(tmp_path, module, exercises)
        return {path.relative_to(tmp_path).as_posix() for path in found}

    return shipped


def test_a_module_goes_with_its_assignment_and_takes_along_what_it_imports(shipped):
    assert shipped("heads", "split", "merge") == COMMON | {
        *("heads.py", "head_pictures.py", "pictures.py", "hints/heads.toml"),
    }


def test_checks_in_a_file_of_their_own_go_with_their_exercise(shipped):
    found = shipped("masking", "mask", "pad")
    assert found == COMMON | {"masking.py", "padding.py", "pictures.py", "hints/masking.toml"}


def test_the_quiz_goes_where_a_question_is(shipped):
    assert shipped("masking", "mask", "k1") - shipped("masking", "mask") == {"quiz.py", "forms.py"}
