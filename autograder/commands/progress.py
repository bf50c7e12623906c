"""A bar on the terminal: how many are done, how fast, how long it takes yet, what it waits for."""

from collections.abc import Collection, Iterable, Iterator

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from autograder.checks.kit.plain_text import plain
from autograder.notebooks.submitted import Submitted
from autograder.verdicts import SubmissionVerdict

FEW = 3  # submissions that are named once no others are left


class Rate(ProgressColumn):
    """Submissions a second."""

    def render(self, task: Task) -> Text:
        """The speed of late; nothing before there is one."""
        return Text(f"{task.speed:.1f}/s" if task.speed else "")


def with_bar(
    verdicts: Iterable[SubmissionVerdict], submitted: Collection[Submitted]
) -> Iterator[SubmissionVerdict]:
    """Pass verdicts on as they come, with a bar while standard error is a terminal.

    Beside the bar stands the last submission that was not graded; at the end, who is waited for.

    Args:
        verdicts: what is being graded.
        submitted: the submissions that they will be on.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield from verdicts
        return
    columns = (
        TextColumn("Grading"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[told]}"),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("", total=len(submitted), told="")
        left = {(one.student, one.assignment) for one in submitted}
        for verdict in verdicts:
            left.discard((verdict.student, verdict.assignment))
            told = f"{verdict.student}: {verdict.reason}" if verdict.reason else None
            if 0 < len(left) <= FEW:
                told = "waiting for " + ", ".join(" ".join(one) for one in sorted(left))
            if told:
                progress.update(bar, told=escape(plain(told)))
            progress.advance(bar)
            yield verdict
