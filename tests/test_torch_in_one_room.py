"""Every room but one is there without torch, and what a course of NumPy does needs none."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "autograder"
WITH_TORCH = (ENGINE / "tensors", ENGINE / "checks" / "kit" / "tensors")
# Runs in a process of its own, in which torch cannot be imported.
IMPORTS = """
import importlib, sys
from importlib.abc import MetaPathFinder


class Blocked(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "triton"):
            raise ModuleNotFoundError(f"{name} is kept away", name=name)


sys.meta_path.insert(0, Blocked())
for name in sys.argv[1:]:
    importlib.import_module(name)
"""


def modules() -> list[str]:
    """The engine's modules but those that use torch, and those that run as they are imported."""
    paths = [
        path.relative_to(ROOT).with_suffix("")
        for path in sorted(ENGINE.rglob("*.py"))
        if not {*path.parents} & {*WITH_TORCH} and path.stem != "__main__"
    ]
    return [".".join(path.parts).removesuffix(".__init__") for path in paths]


def run(code: str, *arguments: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_all_but_the_room_of_tensors_imports_without_torch() -> None:
    names = modules()
    assert len(names) > 250
    run(IMPORTS, *names)


@pytest.mark.parametrize("name", ["autograder.checks.kit.tensors", "autograder.tensors.library"])
def test_torch_is_kept_away_there(name: str) -> None:
    with pytest.raises(AssertionError, match="torch is kept away"):
        run(IMPORTS, name)


def test_a_tensor_is_refused_where_nobody_knows_it() -> None:
    code = """
from autograder.sandbox.inside.decoding import Decoder
from autograder.sandbox.inside.frames import Violation
for record, value in (
    (["float32", [2], "cpu", None, False], {"tensor": 0}),
    (["float32", [2], "meta", None, True], {"array": 0}),
    (["bfloat16", [4], "cpu", None, False], {"array": 0}),
):
    size = 0 if record[2] == "meta" else 64
    try:
        print(Decoder([record], memoryview(bytes(size)), print).decode(value))
    except Violation as refused:
        print(refused)
"""
    assert run(code) == ["a value of no known form", "an array", "a tensor record"]


@pytest.mark.slow
def test_a_course_of_numpy_is_graded_where_torch_cannot_be_imported(tmp_path: Path) -> None:
    root = tmp_path / "line-fitting"
    shutil.copytree(ROOT / "examples" / "line-fitting", root)
    handed_in = root / "submitted" / "ada"
    shutil.copytree(root / "release" / "01-line-fitting", handed_in / "01-line-fitting")
    kept_away = tmp_path / "kept_away"
    kept_away.mkdir()
    for name in ("torch", "triton"):
        (kept_away / f"{name}.py").write_text(f"raise ModuleNotFoundError({name!r})\n")
    path = os.pathsep.join([str(kept_away), str(ROOT)])
    for command in (["grade", "--json", "marks.json"], ["feedback"], ["release", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "autograder", *command],
            cwd=root,
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": path},
        )
        assert done.returncode == 0, done.stdout + done.stderr
    (graded,) = json.loads((root / "marks.json").read_text())["submissions"]
    assert (graded["status"], graded["score"]) == ("graded", 0)


def test_what_knows_tensors_is_found_once_torch_is_there() -> None:
    code = """
import sys
from autograder.checks.kit.values import values
from autograder.judging.library import library
print(type(values()).__name__, type(library()).__name__, "torch" in sys.modules)
import torch
print(type(values()).__name__, type(library()).__name__, "torch" in sys.modules)
"""
    assert run(code) == ["Values Library False", "TensorValues TorchLibrary True"]
