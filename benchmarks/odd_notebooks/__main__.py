"""Grades a class of odd notebooks, and compares with what a fair person gives.

    python -m benchmarks.odd_notebooks --write benchmarks/results/odd_notebooks.md

`--before FILE` takes the marks of another version from what it wrote with `--json FILE`.
"""

import argparse
import json
import tempfile
from pathlib import Path

from benchmarks.odd_notebooks import KINDS
from benchmarks.odd_notebooks.grading import graded, hand_in, table, unfair

HEAD = """# Odd notebooks

Right answers of the second course, handed in as students hand them in without harm: {count} kinds,
a student each, in one run of `autograder grade`. Written by
`python -m benchmarks.odd_notebooks --write benchmarks/results/odd_notebooks.md`; `--json` keeps the
marks, and `--before` takes those of an earlier version. {fair} of {count} get what a fair person
gives{was}. Where the written answer w1 is there, its 3 points wait.

| kind | a fair person gives | before | now | what is told of lost points |
|---|---|---|---|---|
"""


def main() -> None:
    """Grade the class, print what is unfair, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, help="the table")
    parser.add_argument("--json", type=Path, help="the marks, to compare with later")
    parser.add_argument("--before", type=Path, help="marks of an earlier version")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        hand_in(Path(folder) / "course", KINDS)
        marks = graded(Path(folder) / "course")
    if given.json:
        given.json.write_text(json.dumps(marks), encoding="utf-8")
    why = {kind.name: unfair(kind, marks.get(kind.handed_in_by)) for kind in KINDS}
    for name, text in why.items():
        if text:
            print(f"{name}: {text}")
    before = json.loads(given.before.read_text(encoding="utf-8")) if given.before else {}
    fair_before = sum(not unfair(kind, before.get(kind.handed_in_by)) for kind in KINDS)
    head = HEAD.format(
        count=len(KINDS),
        fair=sum(not text for text in why.values()),
        was=f", and {fair_before} did before" if before else "",
    )
    print(f"{sum(not text for text in why.values())} of {len(KINDS)} as a fair person gives")
    if given.write:
        given.write.write_text(head + table(KINDS, marks, before), encoding="utf-8")


if __name__ == "__main__":
    main()
