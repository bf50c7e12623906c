"""Grades a submission in full where it was handed in: by choice, since all of it can be read there.

Points become whole hundredths, so that halves and tenths lose nothing. Points that wait are in no
maximum; those of a bonus are in it, as tests of their own.
"""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from autograder.feedback.words import points
from autograder.harness.grading import grade_here
from autograder.harness.marked_exercises import (
    MarkedExercise,
    NoMark,
    NotGradable,
    hundredths,
    marked_exercises,
)
from autograder.harness.on_classroom50.result import (
    LEFT_OUT,
    Outcome,
    Row,
    fenced,
    owner_in,
    publish,
    where_handed_in,
)
from autograder.harness.told import total

UNIT = "hundredths of a point"


def main(here: Path, checkout: Path, given: dict[str, str]) -> int:
    """Grade what lies in a checkout; gives the exit status.

    Args:
        here: the folder that the harness wrote: `settings.json`, and a parcel.
        checkout: the student's repository; the result is written there.
        given: the runner's variables.
    """
    name = json.loads((here / "settings.json").read_text(encoding="utf-8"))["assignment"]
    with tempfile.TemporaryDirectory(prefix="graded-") as scratch:
        files = Path(scratch) / "files"
        shutil.copytree(where_handed_in(checkout, name), files, ignore=LEFT_OUT, symlinks=True)
        student = owner_in(given)
        handed = grade_here(here, Path(scratch), name, student, files, with_page=False)
    try:
        if handed.submission is None:
            raise NoMark(f"Grading failed by itself: {handed.fault}")
        outcome = outcome_of(handed.submission)
    except NoMark as fault:
        sys.stdout.write(f"::error::There is no mark, through no fault of the student's. {fault}\n")
        return 1
    publish(outcome, checkout, given)
    sys.stdout.write(outcome.page)
    return 0


def outcome_of(submission: dict[str, Any]) -> Outcome:
    """What Classroom 50 is told of a submission.

    Args:
        submission: its entry in the JSON of `autograder grade`.
    Raises:
        NoMark: there is none, through a fault of ours.
    """
    try:
        exercises = marked_exercises(submission)
    except NotGradable as why:
        row = Row("notebook", 0, 0, False, str(why))
        return Outcome([row], "not graded", f"### Not graded\n\n{fenced(str(why))}\n", False)
    rows = [row_of(one) for one in exercises]
    if sum(row.score for row in rows) != hundredths(submission["score"]):
        raise NoMark("The points of the exercises do not add up to those of the submission.")
    bonus = sum(one.decided for one in exercises if one.bonus)
    summary = total(submission)
    scale = f"The scores of Classroom 50 are in {UNIT}: 150 stands for 1.5 points."
    if bonus:
        scale += (
            f" Its maximum counts {points(bonus)} that are a bonus; "
            "the mark is out of the maximum without them."
        )
    told = [f"{row.name}: {row.told}" for row in rows if row.told]
    page = f"### {summary}\n\n{scale}\n" + (f"\n{fenced(chr(10).join(told))}\n" if told else "")
    full = all(one.is_full for one in exercises if one.decided and not one.bonus)
    return Outcome(rows, summary, page, full)


def row_of(exercise: MarkedExercise) -> Row:
    """One exercise as a test; the words beside its name say what its numbers do not."""
    beside = ["bonus"] if exercise.bonus else []
    if exercise.waiting:
        beside.append(f"{points(exercise.waiting)} wait")
    name = f"{exercise.name} ({', '.join(beside)})" if beside else exercise.name
    return Row(
        name=name,
        score=hundredths(exercise.score),
        most=hundredths(exercise.decided),
        passed=exercise.is_full,
        told="\n".join(exercise.told),
        more={
            "unit": UNIT,
            "points": exercise.score,
            "max-points": exercise.decided,
            "waiting-points": exercise.waiting,
            "bonus": exercise.bonus,
        },
    )


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path.cwd(), dict(os.environ)))
