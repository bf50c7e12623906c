"""Why a mark is as it is, in a terminal."""

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.disputes.account import Account, Dispute, Shown
from autograder.disputes.telling import marks, reasons, title
from autograder.feedback.words import points

FOR_INSTRUCTOR = "For you alone: what follows may have numbers of hidden tests, and keys, in it."


def show(dispute: Dispute, console: Console | None = None) -> None:
    """Print it."""
    console = console or Console(highlight=False)
    console.print(Text(title(dispute), style="bold"))
    for sentence in dispute.state:
        console.print(_plain(sentence))
    if not dispute.for_student:
        console.print(Text(FOR_INSTRUCTOR, style="yellow"))
    for account in dispute.accounts:
        _show_exercise(console, account, dispute.for_student)


def _show_exercise(console: Console, account: Account, for_student: bool) -> None:
    console.print()
    console.print(Text(f"{account.exercise.name}: {marks(account)}", style="bold"))
    for text in reasons(account, for_student):
        console.print(Padding(_plain(text), (0, 0, 0, 2)))
    rule = ""
    for one in account.shown:
        console.print()
        _show_test(console, one, one.rule != rule)
        rule = one.rule


def _show_test(console: Console, one: Shown, with_rule: bool) -> None:
    console.print(Padding(_plain(f"✗ {one.claim}  ({points(one.points)})"), (0, 0, 0, 2)))
    rows = [("test", f"{one.test}, {one.place}" if one.test else ""), ("", one.note)]
    if not one.failed_again:
        rows.append(("but", "it passed when it ran once more for this"))
    rows += [("seen", one.symptom or ""), ("call", one.call)]
    rows += [(name, text) for name, text in one.inputs if text not in one.call]
    rows += [("it gave", one.gave), ("expected", one.right), ("differs", one.difference)]
    if one.line is not None:
        rows.append((f"line {one.line}", one.line_text))
    if with_rule:
        rows.append(("rule", one.rule))
    table = Table.grid(padding=(0, 1))
    table.add_column(min_width=8, no_wrap=True)
    table.add_column(overflow="fold")
    for name, text in rows:
        if text:
            table.add_row(_plain(name), _plain(text))
    console.print(Padding(table, (0, 0, 0, 4)))


def _plain(text: str) -> Text:
    """Text of unknown origin: no control character and no markup gets through."""
    kept = "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)
    return Text(kept)
