"""The table: who gave marks, and who let a secret, a connection or the home folder go."""

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table

from benchmarks.compare_security.catalogue import ATTACKS, HONEST, MAX_SCORE, TOOLS, Attack
from benchmarks.compare_security.outcome import Outcome

Outcomes = Mapping[tuple[str, str], Outcome]
REACHED = {
    "secret": ("shown", "kept"),
    "connection": ("connected", "refused"),
    "home": ("written", "untouched"),
}


def words(attack: Attack, outcome: Outcome) -> str:
    """One cell of the table: `2/2`, `0/2, kept`, `ungraded`."""
    said = "ungraded" if outcome.score is None else f"{outcome.score:g}/{MAX_SCORE:g}"
    if attack.goal in REACHED:
        said += ", " + REACHED[attack.goal][not outcome.reached]
    return said


def rows(outcomes: Outcomes) -> list[tuple[Attack, list[str]]]:
    """The table's rows: the honest answers, then the attacks."""
    return [
        (attack, [words(attack, outcomes[tool, attack.name]) for tool in TOOLS])
        for attack in (*HONEST, *ATTACKS)
    ]


def succeeded(outcomes: Outcomes, tool: str) -> list[str]:
    """The attacks that got from a grader what they were after."""
    return [attack.name for attack in ATTACKS if outcomes[tool, attack.name].succeeded]


def unfair(outcomes: Outcomes) -> list[str]:
    """What an honest answer should have got, and did not."""
    return [
        f"{attack.title} got {words(attack, outcomes[tool, attack.name])} from {tool}"
        for attack in HONEST
        for tool in TOOLS
        if outcomes[tool, attack.name].score != attack.deserves
    ]


def counts(outcomes: Outcomes, titles: Sequence[str]) -> str:
    """The last line."""
    said = [
        f"{title} {len(succeeded(outcomes, tool))}"
        for tool, title in zip(TOOLS, titles, strict=True)
    ]
    return f"Of {len(ATTACKS)} attacks succeeded: {', '.join(said)}."


def show(console: Console, outcomes: Outcomes, titles: Sequence[str]) -> None:
    """Print the table and why something is ungraded."""
    headings = [title.replace(" ", "\n") for title in titles]
    table = Table("Attack", *headings, box=None, header_style="bold", pad_edge=False)
    table.columns[0].no_wrap = True
    for attack, said in rows(outcomes):
        colours = [
            "" if attack in HONEST else "red" if outcomes[tool, attack.name].succeeded else "green"
            for tool in TOOLS
        ]
        styled = [
            f"[{colour}]{text}[/]" if colour else text
            for text, colour in zip(said, colours, strict=True)
        ]
        table.add_row(attack.title, *styled)
    console.print(table)
    for (tool, name), outcome in outcomes.items():
        if outcome.note:
            console.print(f"{name}, {tool}: {outcome.note}", markup=False, soft_wrap=True)


def markdown(outcomes: Outcomes, titles: Sequence[str]) -> str:
    """The same table for a document; what succeeded stands in bold."""
    lines = [f"| attack | {' | '.join(titles)} |", "|---" * (1 + len(titles)) + "|"]
    for attack, said in rows(outcomes):
        bold = [
            f"**{text}**" if attack in ATTACKS and outcomes[tool, attack.name].succeeded else text
            for tool, text in zip(TOOLS, said, strict=True)
        ]
        lines.append(f"| {attack.title} | {' | '.join(bold)} |")
    return "\n".join(lines)
