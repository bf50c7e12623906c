"""Why a mark is as it is, in a terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.checks.kit.plain_text import plain_lines
from autograder.checks.kit.showing import without_marks
from autograder.disputes.account import Account, Dispute, Shown
from autograder.disputes.telling import in_short, marks, nothing_lost, reasons, title
from autograder.feedback.words import CODE, points

FOR_INSTRUCTOR = "For you alone: this may have numbers of hidden tests, and keys, in it."
FIRST_SHOWN = 7
"""Exercises whose reason stands on the first screen."""


def show(dispute: Dispute, console: Console | None = None) -> None:
    """Print it: first the answer, on a screen, then what shows it."""
    console = console or Console(highlight=False)
    console.print(Text(title(dispute), style="bold"))
    for sentence in dispute.state:
        console.print(_prose(sentence))
    if dispute.marks:
        _show_at_once(console, dispute.accounts, dispute.for_student)
        for line in nothing_lost(dispute):
            console.print(_plain(line))
    if dispute.accounts and not dispute.for_student:
        console.print(Text(FOR_INSTRUCTOR, style="yellow"))
    for account in dispute.accounts:
        _show_exercise(console, account, dispute.for_student)


def _show_at_once(console: Console, accounts: Sequence[Account], for_student: bool) -> None:
    """Marks by exercise, what cost most first, and of the first ones why."""
    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    table.add_column(overflow="fold", ratio=1)
    for account in accounts[:FIRST_SHOWN]:
        why = _prose(in_short(account, for_student))
        table.add_row(account.exercise.name, marks(account), why)
    console.print(table)
    if rest := accounts[FIRST_SHOWN:]:
        listed = ", ".join(f"{one.exercise.name} {marks(one)}" for one in rest)
        console.print(_plain(f"Also: {listed}."))


def _show_exercise(console: Console, account: Account, for_student: bool) -> None:
    console.print()
    console.print(Text(f"{account.exercise.name}: {marks(account)}", style="bold"))
    asked = account.asked
    if asked is not None:
        options = [f"{letter}: {text}" for letter, text in asked.options.items()]
        for text in (f"Asked: {asked.text}", *options):
            console.print(Padding(_prose(text), (0, 0, 0, 2)))
    for text in reasons(account, for_student):
        console.print(Padding(_prose(text), (0, 0, 0, 2)))
    rule = ""
    for one in account.shown:
        console.print()
        _show_test(console, one, one.rule != rule)
        rule = one.rule


def _show_test(console: Console, one: Shown, with_rule: bool) -> None:
    console.print(Padding(_prose(f"✗ {one.claim}  ({points(one.points)})"), (0, 0, 0, 2)))
    where = f"{one.test}, {one.place}" if one.test else ""
    rows = [("test", _plain(where)), ("", _prose(one.note))]
    if not one.failed_again:
        rows.append(("but", _plain("it passed when it ran once more for this")))
    rows += [("seen", _prose(one.symptom or "")), ("call", _plain(one.call))]
    rows += [(name, _plain(text)) for name, text in one.inputs if text not in one.call]
    rows += [("it gave", _plain(one.gave)), ("expected", _plain(one.right))]
    rows.append(("differs", _plain(one.difference)))
    if one.line is not None:
        rows.append((f"line {one.line}", _plain(one.line_text)))
    if with_rule:
        rows.append(("rule", _prose(one.rule)))
    table = Table.grid(padding=(0, 1))
    table.add_column(min_width=8, overflow="fold")
    table.add_column(overflow="fold")
    for name, shown in rows:
        if shown:
            table.add_row(_plain(name), shown)
    console.print(Padding(table, (0, 0, 0, 4)))


def _prose(text: str) -> Text:
    """What a course says, whose Markdown a terminal shows as bold and without its marks."""
    parts = CODE.split(without_marks(text))
    styled = [(_plain(part).plain, "bold" if place % 2 else "") for place, part in enumerate(parts)]
    return Text.assemble(*styled)


def _plain(text: str) -> Text:
    """Text of unknown origin: no control character and no markup gets through."""
    return Text(plain_lines(text))
