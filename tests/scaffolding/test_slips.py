"""A slip in a course's own Python is told in a sentence that says where it is."""

import subprocess
import sys
from pathlib import Path

from autograder.scaffolding import new_course

GROUP = "graders/first_steps/centred"
ASKS = """
import pathlib
from autograder.bank import all_mistakes, all_variants
from autograder.course import CourseError
from autograder.course.own_code import import_file, serve

root = pathlib.Path().resolve()
serve(root)
for ask in (all_mistakes, all_variants, lambda: import_file(root / "GROUP" / "hidden.py")):
    try:
        ask()
    except CourseError as error:
        print(str(error).splitlines()[0])
""".replace("GROUP", GROUP)


def test_each_slip_is_told_with_its_place(tmp_path: Path) -> None:
    new_course(tmp_path)
    slips = {
        "mistakes.py": ('"mean-of-everything",', ""),
        "variants.py": ("VARIANTS", "VARIANT"),
        "hidden.py": ("import numpy", "import numpee"),
    }
    for name, (old, new) in slips.items():
        path = tmp_path / GROUP / name
        path.write_text(path.read_text("utf-8").replace(old, new), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", ASKS], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    first, second, third = done.stdout.splitlines()
    assert "mistakes.py, line 10 cannot be imported: TypeError" in first
    assert "variants.py has no VARIANTS, which lists the variants there." in second
    assert "hidden.py, line 5 cannot be imported: ModuleNotFoundError" in third
