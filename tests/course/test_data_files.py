"""What stands beside a notebook goes with it, and in place of what a student put there."""

from pathlib import Path

import pytest

from autograder.course.data_files import data_files, in_the_way, laid_over


def test_all_but_prose_checks_and_clutter_goes_with_an_assignment(tmp_path: Path) -> None:
    folder = tmp_path / "06-seeing"
    for name in (
        *("06-seeing.py", "06-seeing.ipynb", "other.ipynb", "bert.py", "tiny/model.bin"),
        *("hints.toml", "checks/seeing.py", "checks/table.csv"),
        *("__pycache__/bert.pyc", ".ipynb_checkpoints/old.py", "old.pyc"),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    assert data_files(folder) == {"bert.py": b"bert.py", "tiny/model.bin": b"tiny/model.bin"}
    assert data_files(tmp_path / "none") == {}


def test_ours_take_the_place_of_whatever_stands_there() -> None:
    theirs = {"bert.py": b"1", "tiny": b"2", "data/a/b": b"3", "mine.py": b"4", "bert.pyi": b"5"}
    ours = {"bert.py": b"6", "tiny/model.bin": b"7", "data/a": b"8"}
    assert laid_over(theirs, ours) == ours | {"mine.py": b"4", "bert.pyi": b"5"}


@pytest.mark.parametrize("name", ["a/b", "a", "a/b/c", "./a/b", "a//b"])
def test_one_path_written_in_another_way_is_in_the_way_too(name: str) -> None:
    assert in_the_way(name, {"a/b"})
    assert not in_the_way("b", {"a/b"})
