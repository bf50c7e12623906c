"""How long a report takes: what is measured is a class whose copies are whole submissions."""

import json
from pathlib import Path

import pytest

from autograder.course import load_course
from autograder.marks import standing_of
from benchmarks.report import measured, table

pytestmark = pytest.mark.slow

NAME = "01-attention-by-hand"


def test_copies_are_reported_on_like_those_that_were_graded(tmp_path: Path) -> None:
    runs = measured(tmp_path, NAME, [2, 5])
    assert [(one.students, one.run) for one in runs] == [
        (2, "nothing kept"),
        (2, "kept"),
        (5, "nothing kept"),
        (5, "kept"),
    ]
    assert all(one.processor > 0 and one.memory > 2**20 for one in runs)
    assert len(table(runs).splitlines()) == 6
    told = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert told["assignments"][0]["turnout"]["graded"] == 5
    found = {one.student: one for one in standing_of(load_course(tmp_path), [NAME])}
    first, copy = found["student0000"], found["student0002"]
    assert first.findings == copy.findings
    assert first.total == copy.total
    assert set((first.verdicts or {}).values()).isdisjoint((copy.verdicts or {}).values())
