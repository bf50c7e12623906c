"""Writes docs/attacks.md, the catalogue for a reader: `python tests/attacks/page.py`."""

from pathlib import Path

from catalogue import ATTACKS
from threats import THREATS

PAGE = Path(__file__).parent.parent.parent / "docs" / "attacks.md"
START = """# The attacks that are tried

Each is a small hostile submission in `tests/attacks/catalogue/`. A class of them, with honest
students before, between and after, is graded by the real `autograder grade`; afterwards the tests
look for marks gained, for words that were planted where no student may look, for files changed,
servers reached and processes left, and compare every honest mark with that of a class without
attackers. `tests/attacks/test_oracles.py` shows that all of this is seen where nothing holds the
code. `make attacks` tries every attack in both sandbox modes, as root and as an unprivileged user;
`make test` tries all of them in the first of these runs, and in the others those that could differ
there.

Two rows have stand-ins only, because what they threaten is not built yet: row 28, whose kernels
belong on a GPU, is tried with functions on the CPU, and row 30, personal questions, with what says
whose a notebook is so far.

Written by `python tests/attacks/page.py` from {count} attacks.
"""


def page() -> str:
    """The page's Markdown."""
    parts = [START.format(count=len(ATTACKS))]
    for row, threat in THREATS.items():
        parts.append(
            f"\n## {row}. {threat}\n\n| attack | what it does | what must happen |\n|---|---|---|\n"
        )
        parts += [
            f"| {attack.slug} | {_cell(attack.does)} | {_cell(attack.must)} |\n"
            for attack in ATTACKS
            if attack.row == row
        ]
    return "".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
