"""What is changed in nbgrader is there, and every gradebook in SQLite is waited for."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STOCK = [
    "nbgrader.apps.nbgraderapp",
    "nbgrader.apps.api",
    "nbgrader.server_extensions.formgrader",
    "nbgrader.server_extensions.assignment_list",
]
OPENING = sorted(
    f"autograder.gradebook.{path.stem}"
    for path in (ROOT / "autograder" / "gradebook").glob("*.py")
    if "Gradebook(" in path.read_text(encoding="utf-8")
)
ASK = """
import sys
from sqlalchemy import event
from sqlalchemy.engine import Engine
patches = sys.modules.get("autograder.gradebook.nbgrader_patches")
print(patches is not None and event.contains(Engine, "connect", patches._wait))
"""


def asked(code: str) -> str:
    """What a fresh interpreter says, once it has run the code, of whether it waits."""
    done = subprocess.run(
        [sys.executable, "-c", code + ASK], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


SAME = """
import inspect
from nbgrader import api
from nbgrader.converters import Autograde, base
from nbgrader.apps import ZipCollectApp
from nbgrader.coursedir import CourseDirectory
def signatures():
    return [
        len(inspect.signature(one).parameters)
        for one in (
            api.get_alembic_version,
            base.find_all_files,
            CourseDirectory.get_existing_timestamp,
            Autograde.init_notebooks,
            Autograde.init_assignment,
            Autograde.init_destination,
            Autograde.convert_notebooks,
            ZipCollectApp.start,
        )
    ]
before = signatures()
from autograder.gradebook import nbgrader_patches
nbgrader_patches.patch_gradebook()
nbgrader_patches.patch_autograde()
nbgrader_patches.tell_what_is_not_collected()
print(before, signatures())
"""


def test_nbgrader_has_what_is_patched_in_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SAME], cwd=ROOT, capture_output=True, text=True, check=True
    )
    before, _, after = done.stdout.strip().partition("] ")
    assert f"{before}]" == after


@pytest.mark.parametrize("module", STOCK)
def test_stock_nbgrader_waits_once_it_has_read_the_settings(module: str) -> None:
    read = "from pathlib import Path\nfrom autograder.course import load_course\n"
    assert asked(f"import {module}\n{read}load_course(Path('.'))") == "True"


@pytest.mark.parametrize("module", OPENING)
def test_what_opens_a_gradebook_waits(module: str) -> None:
    assert asked(f"import {module}") == "True"


def test_what_opens_gradebooks_is_known() -> None:
    assert "autograder.gradebook.scores" in OPENING
    assert asked("") == "False"
