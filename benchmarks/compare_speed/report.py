"""The table: what a submission costs with each grader, and which wrong answers got full marks."""

import statistics
from collections.abc import Sequence

from benchmarks.compare_speed import agreement, stock_nbgrader, this_project
from benchmarks.compare_speed.handed_in import EXERCISES, Submission
from benchmarks.compare_speed.measured import Measured

BASE = this_project.GRADE.format(1)
FEEDBACK = (stock_nbgrader.FEEDBACK, this_project.FEEDBACK)
HEADING = """\
| grader | submissions | ms a submission | spread | times ours | wrong answers with full marks |
|---|--:|--:|--:|--:|--:|"""
HOW = """\
{count} submissions of {exercises} exercises, all different; {wrong} of {answers} answers are wrong.
A row says the median of {repeats} runs of the whole command, start-up included, and their lowest
and highest figure. In *times ours*, {base} is 1,
and of feedback {feedback}. All rows of a round were measured one after the other.
Where a row has fewer submissions, they are the first of the class, and fewer share the command's
start-up.

- Stock nbgrader: its own defaults, hidden tests in graded cells, one command for the class.
- otter-grader: exception-based hidden tests, one command and one process for each submission.
- Both run the same ordinary asserts, so that marks are all or nothing for an exercise.
- This project: its own hidden tests, student code held by {isolation}.
- In one process: what is left of it without sandbox, gradebook and files, when all is warm."""


def table(handed_in: Sequence[Submission], measured: Sequence[Measured]) -> str:
    """The rows, in the order in which they were first measured."""
    rows = {one.row: [same for same in measured if same.row == one.row] for one in measured}
    middles = {row: statistics.median(map(milliseconds, runs)) for row, runs in rows.items()}
    lines = [HEADING]
    for row, runs in rows.items():
        figures, middle = sorted(map(milliseconds, runs)), middles[row]
        base = middles[this_project.FEEDBACK if row in FEEDBACK else BASE]
        cells = [
            row,
            str(runs[0].submissions),
            short(middle),
            f"{short(figures[0])} to {short(figures[-1])}",
            short(middle / base),
            "{} of {}".format(*agreement.missed(handed_in, runs[0])) if runs[0].marks else "",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def milliseconds(one: Measured) -> float:
    """What a submission took in one run."""
    return 1000 * one.seconds / one.submissions


def short(figure: float) -> str:
    """A figure in three digits, or as many as it has before its point."""
    return f"{figure:.0f}" if figure >= 100 else f"{figure:.3g}"


def how(handed_in: Sequence[Submission], repeats: int, isolation: str) -> str:
    """What the table does not say by itself."""
    answers = [answer for one in handed_in for answer in one.answers]
    return HOW.format(
        count=len(handed_in),
        exercises=len(EXERCISES),
        wrong=sum(not answer.right for answer in answers),
        answers=len(answers),
        repeats=repeats,
        base=BASE,
        feedback=this_project.FEEDBACK,
        isolation=isolation,
    )
