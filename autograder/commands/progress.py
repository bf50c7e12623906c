"""A bar on the terminal: how many are done, how fast, how long it takes yet, the last problem."""

from collections.abc import Iterable, Iterator

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
from autograder.verdicts import SubmissionVerdict


class Rate(ProgressColumn):
    """Submissions a second."""

    def render(self, task: Task) -> Text:
        """The speed of late; nothing before there is one."""
        return Text(f"{task.speed:.1f}/s" if task.speed else "")


def with_bar(verdicts: Iterable[SubmissionVerdict], total: int) -> Iterator[SubmissionVerdict]:
    """Pass verdicts on as they come, with a bar while standard error is a terminal.

    Args:
        verdicts: what is being graded.
        total: how many will come.
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
        TextColumn("{task.fields[problem]}"),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("", total=total, problem="")
        for verdict in verdicts:
            if verdict.reason:
                problem = escape(plain(f"{verdict.student}: {verdict.reason}"))
                progress.update(bar, problem=problem)
            progress.advance(bar)
            yield verdict
