"""The sample class, released, graded and given feedback by the real commands."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep these tests in one process of `pytest -n`: they share a graded class."""
    for item in items:
        if "graded" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("graded"))


@pytest.fixture(scope="session")
def graded(
    course_root: Path,
    run: Any,
    make_course: Callable[[Path], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, dict[str, Any], subprocess.CompletedProcess[str]]:
    """The course after `autograder release` and `autograder grade`; its marks; what was said."""
    folder = make_course(tmp_path_factory.mktemp("graded") / "course")
    shutil.copytree(course_root / "examples" / "submitted", folder / "submitted", symlinks=True)
    released = run("autograder", "release", cwd=folder)
    assert released.returncode == 0, released.stderr
    done = run("autograder", "grade", "--json", "marks.json", cwd=folder)
    assert (folder / "marks.json").is_file(), done.stderr
    return folder, json.loads((folder / "marks.json").read_text()), done
