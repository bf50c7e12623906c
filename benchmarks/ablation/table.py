"""The ablation as a Markdown table, and its place in a page."""

import platform
from itertools import groupby
from pathlib import Path

from autograder.sandbox.inside import linux
from benchmarks.ablation.attacks import Attack
from benchmarks.ablation.columns import IN_ORDER
from benchmarks.ablation.outcome import Outcome

HEADING = "### What gets through when the grader is "
START, END = "<!-- ablation: start -->", "<!-- ablation: end -->"
SIGNS = {Outcome.STOPPED: "·", Outcome.CONTAINED: "○", Outcome.THROUGH: "**✗**"}
MEANING = "· stopped; ○ hurts only the submission that does it, within bounds; **✗** gets through."


def as_markdown(results: dict[str, dict[str, Outcome] | str], attacks: list[Attack]) -> str:
    """The table, what its signs mean, and where it was made."""
    columns = [name for name, found in results.items() if not isinstance(found, str)]
    lines = [
        "| attack | " + " | ".join(_heading(name) for name in columns) + " |",
        "|---|" + ":-:|" * len(columns),
    ]
    for kind, members in groupby(attacks, key=lambda attack: attack.kind):
        lines.append(f"| **{kind}** |" + " |" * len(columns))
        for attack in members:
            signs = [SIGNS[Outcome(results[name][attack.name])] for name in columns]
            lines.append(f"| {attack.name} | " + " | ".join(signs) + " |")
    counts = [
        str(sum(outcome == Outcome.THROUGH for outcome in results[name].values()))
        for name in columns
    ]
    lines.append(f"| *{len(attacks)} attacks, of which get through* | " + " | ".join(counts) + " |")
    made = (
        f"{MEANING} Full less namespaces is the fallback. Made by `make ablation` on Linux "
        f"{'.'.join(platform.release().split('.')[:2])} ({platform.machine()}) with Landlock "
        f"{linux.landlock_version()}."
    )
    missing = [f"{name}: {why}" for name, why in results.items() if isinstance(why, str)]
    blind = _blind(results, attacks)
    notes = [f"Not started here: {one}" for one in missing]
    notes += [f"Not possible here even without a sandbox: {'; '.join(blind)}."] if blind else []
    return "\n".join([*lines, "", made, *notes])


def _heading(name: str) -> str:
    if name in IN_ORDER:
        return f"{name} alone"
    return name.replace("-", " less ")


def _blind(results: dict[str, dict[str, Outcome] | str], attacks: list[Attack]) -> list[str]:
    """Attacks that nothing stops and that fail all the same, so that they show nothing."""
    bare = results.get("nothing", "")
    if isinstance(bare, str):
        return []
    return [one.name for one in attacks if bare[one.name] == Outcome.STOPPED]


def replace_section(page: Path, user: str, text: str) -> None:
    """Put this user's table between the page's markers, beside that of another kind of user.

    Args:
        page: a page that is not there yet will hold nothing else.
        user: who the grader was.
        text: the table.
    """
    old = page.read_text(encoding="utf-8") if page.is_file() else f"{START}\n{END}\n"
    before, _, rest = old.partition(START)
    inside, marker, after = rest.partition(END)
    if not marker:
        raise SystemExit(f"{page} has no {START} with an {END} after it")
    pieces = [piece.partition("\n") for piece in inside.split(HEADING)[1:]]
    tables = {whose: table.strip() for whose, _, table in pieces} | {user: text}
    sections = "\n".join(f"{HEADING}{whose}\n\n{tables[whose]}\n" for whose in sorted(tables))
    page.write_text(f"{before}{START}\n\n{sections}\n{END}{after}", encoding="utf-8")
