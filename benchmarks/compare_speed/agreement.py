"""Do the graders agree? Who marked a right answer down, and who gave a wrong one full marks."""

from collections.abc import Iterable, Sequence

from benchmarks.compare_speed import floor, this_project
from benchmarks.compare_speed.handed_in import Submission
from benchmarks.compare_speed.measured import Measured

OURS = (*map(this_project.GRADE.format, this_project.WORKERS), this_project.AGAIN, floor.GRADERS)


def faults(handed_in: Sequence[Submission], measured: Iterable[Measured]) -> list[str]:
    """What no grader may do, and what graders of the same asserts may not differ in.

    Returns:
        a line for each: an answer without a mark; a right answer without full marks; a wrong one
        with full marks from this project, whose graders claim to know it; and a wrong one of which
        two graders that ran the same asserts think differently.
    """
    found: dict[str, None] = {}
    first: dict[tuple[str, str], tuple[str, bool]] = {}
    for one in (one for one in measured if one.marks):
        for submission in handed_in[: one.submissions]:
            for answer in submission.answers:
                key = submission.student, answer.exercise
                full, who = one.marks.get(key), f"{key[1]} of {key[0]}"
                if full is None:
                    found[f"{one.row}: no mark for {who}"] = None
                elif answer.right and not full:
                    found[f"{one.row}: {who} is right and lost marks"] = None
                elif one.row in OURS and not answer.right and full:
                    found[f"{one.row}: {who} is wrong and has full marks"] = None
                elif one.row not in OURS:
                    row, said = first.setdefault(key, (one.row, full))
                    if said != full:
                        found[f"{one.row} and {row} differ about {who}"] = None
    return list(found)


def missed(handed_in: Sequence[Submission], measured: Measured) -> tuple[int, int]:
    """How many wrong answers got full marks, and how many wrong ones there were."""
    wrong = [
        (submission.student, answer.exercise)
        for submission in handed_in[: measured.submissions]
        for answer in submission.answers
        if not answer.right
    ]
    return sum(measured.marks[key] for key in wrong), len(wrong)
