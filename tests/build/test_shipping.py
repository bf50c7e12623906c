"""Which files of visible checks go with which assignment."""

from pathlib import Path

import pytest

from autograder.build.shipping import SAME_FOR_ALL, files_to_ship
from autograder.course.data_files import files_under

FILES = {
    "03-masks/checks/masks.py": "from checks import pictures\nfrom checks.kit.errors import X",
    "03-masks/checks/padding.py": "def later(): from checks.pictures import draw",
    "03-masks/checks/table.csv": "1,2",
    "03-masks/checks/__pycache__/masks.pyc": "",
    "03-masks/hints.toml": "[mask]",
    "04-heads/checks/heads.py": "from checks.head_pictures import draw",
    "04-heads/checks/head_pictures.py": "import checks.pictures",
    "04-heads/checks/unread.csv": "3,4",
    "06-seeing/checks/pictures.py": "from .shades import grey\nimport torch.nn",
    "06-seeing/checks/shades.py": "",
    "07-none/07-none.py": "",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course's folder that has these visible checks."""
    for name, text in FILES.items():
        path = tmp_path / "assignments" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def own_files(root: Path, assignment: str) -> dict[str, str]:
    """What goes with one assignment beside what goes with all, by path: where it stands."""
    common = {path.relative_to(SAME_FOR_ALL).as_posix() for path in files_under(SAME_FOR_ALL)}
    shipped = files_to_ship(root, assignment, has_torch=True)
    assert common <= shipped.keys()
    folder = root / "assignments"
    own = {name: path for name, path in shipped.items() if name not in common}
    return {name: path.relative_to(folder).as_posix() for name, path in own.items()}


def test_an_assignment_with_no_checks_of_its_own_has_what_all_have(root):
    assert own_files(root, "07-none") == {}
    shipped = files_to_ship(root, "07-none", has_torch=True)
    assert {"__init__.py", "__main__.py", "kit/checking.py"} <= shipped.keys()


def test_what_knows_tensors_goes_to_students_who_have_torch_alone(root):
    with_torch, without = (
        files_to_ship(root, "07-none", has_torch=has_torch).keys() for has_torch in (True, False)
    )
    more = with_torch - without
    assert {"kit/tensors/__init__.py", "kit/tensors/gradients.py"} <= more
    assert all(name.startswith("kit/tensors/") for name in more)


def test_all_that_stands_with_the_checks_goes_and_hints_by_the_modules_name(root):
    found = own_files(root, "03-masks")
    assert {name for name, place in found.items() if place.startswith("03-masks")} == {
        *("masks.py", "padding.py", "table.csv", "hints/masks.toml"),
    }


@pytest.mark.parametrize("assignment", ["03-masks", "04-heads"])
def test_what_is_imported_of_another_assignment_comes_with_what_that_imports(root, assignment):
    found = own_files(root, assignment)
    assert {name: place for name, place in found.items() if not place.startswith(assignment)} == {
        "pictures.py": "06-seeing/checks/pictures.py",
        "shades.py": "06-seeing/checks/shades.py",
    }


def test_an_assignments_own_checks_come_before_others_of_their_name(root):
    (root / "assignments/06-seeing/checks/masks.py").write_text("raise SystemExit")
    assert own_files(root, "03-masks")["masks.py"] == "03-masks/checks/masks.py"
