"""Hand-ins as they are kept: whole or not at all, in the order of time, and none lost."""

import os
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from autograder.notebooks.hand_ins import content_of, keep, kept, who_handed_in
from autograder.notebooks.plain_file import BadNotebook

NAME = "01-a"
NOON = datetime(2026, 11, 26, 12, tzinfo=UTC)
MOST = 1000


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    (folder / "data").mkdir(parents=True)
    (folder / f"{NAME}.ipynb").write_text("{}")
    (folder / "data" / "zoé.csv").write_text("1,2")
    return folder


def hand_in(root: Path, source: Path, moment: datetime, text: str = "{}"):
    (source / f"{NAME}.ipynb").write_text(text)
    return keep(root, "ada", NAME, source, moment, MOST)


def test_what_was_handed_in_is_there_again_without_what_is_no_work(
    tmp_path: Path, source: Path
) -> None:
    (source / ".hidden").write_text("x")
    (source / "checks").mkdir()
    (source / "checks" / "x.py").write_text("x")
    os.symlink("/etc/passwd", source / "link")
    os.mkfifo(source / "pipe")
    one = hand_in(tmp_path, source, NOON)
    found = {path.relative_to(one.folder).as_posix() for path in one.folder.rglob("*.*")}
    assert found == {f"{NAME}.ipynb", "data/zoé.csv"}
    assert not list((tmp_path / "hand_ins" / ".arriving").iterdir())
    assert who_handed_in(tmp_path, NAME) == ["ada"]
    assert who_handed_in(tmp_path, "02-b") == []


def test_names_sort_by_time_in_any_time_zone(tmp_path: Path, source: Path) -> None:
    earlier = NOON.astimezone(timezone(timedelta(hours=9))) - timedelta(microseconds=1)
    made = [hand_in(tmp_path, source, one, str(one)) for one in (NOON, earlier)]
    assert [one.name for one in kept(tmp_path, "ada", NAME)] == [made[1].name, made[0].name]
    assert [one.moment for one in kept(tmp_path, "ada", NAME)] == [earlier, NOON]


def test_the_same_once_more_is_the_same_whatever_time_it_says(tmp_path: Path, source: Path) -> None:
    first = hand_in(tmp_path, source, NOON)
    (source / "timestamp.txt").write_text("later")
    assert content_of(source, MOST) == first.content
    assert hand_in(tmp_path, source, NOON).name == first.name
    assert len(kept(tmp_path, "ada", NAME)) == 1


def test_what_is_half_way_or_somebody_elses_is_no_hand_in(tmp_path: Path, source: Path) -> None:
    one = hand_in(tmp_path, source, NOON)
    (one.folder.parent / "notes").mkdir()
    (tmp_path / "hand_ins" / ".arriving" / "tmpabc").mkdir()
    assert [found.name for found in kept(tmp_path, "ada", NAME)] == [one.name]
    assert who_handed_in(tmp_path, NAME) == ["ada"]


def test_what_is_too_large_is_refused_and_leaves_nothing(tmp_path: Path, source: Path) -> None:
    with pytest.raises(BadNotebook):
        hand_in(tmp_path, source, NOON, "x" * (MOST + 1))
    assert kept(tmp_path, "ada", NAME) == []
