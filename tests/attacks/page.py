"""Writes docs/attacks.md, the catalogue for a reader; it says itself by which command."""

from collections.abc import Sequence
from pathlib import Path

from attack import Attack
from threats import THREATS

from autograder.course.own_code import serve

PAGE = Path(__file__).parent.parent.parent / "docs" / "attacks.md"
START = """# The attacks that are tried

Each is a small hostile submission in `tests/attacks/catalogue/`. A class of them, with honest
students before, between and after, is graded by the real `autograder grade`; afterwards the tests
look for marks gained, for words that were planted where no student may look, for files changed,
servers reached and processes left, and compare every honest mark with that of a class without
attackers. `tests/attacks/test_oracles.py` shows that all of this is seen where nothing holds the
code. `make attacks` tries every attack in both native sandbox modes, as root and as an unprivileged
user, and in Podman's containers; `make test-all` tries all of them in the first of these runs, and
in the others those that could differ there.

Row 28 is tried here with functions on the CPU;
`graders/fused_attention/tests/test_worth_on_gpu.py` has ten more ways to look fast. Row 30 is tried
on exercises here. On questions with numbers of one's own, the id under which a notebook was handed
in decides which numbers count; where the notebook says another id, or none, no mark is given and a
person decides. `tests/end_to_end/test_personal_questions.py` tries that in a class with somebody
else's work, a hostile id and no answer.

Row 38 is tried in `tests/disputes/test_explained.py`: answers that keep what they are given, and
raise, return or write it into their arguments, are explained with `--for-student`; none of the
hidden numbers stands in what their student is sent.

Rows 41 and 42 come before grading, in the zip of Canvas or Moodle:
`tests/end_to_end/test_zip_collect.py` takes names and breaks archives of others, and
`tests/gradebook/test_unpacking.py` tries every bound on them.

Rows 31 and 32 are tried in a class of their own, on exercises that build on earlier ones. Beside
each liar sits a student with the same wrong answer on honest parts, who earns as much.

Written by `PYTHONPATH=.:tests python tests/attacks/page.py` from {count} attacks.
"""


def page(attacks: Sequence[Attack]) -> str:
    """The page's Markdown."""
    parts = [START.format(count=len(attacks))]
    for row, threat in THREATS.items():
        parts.append(
            f"\n## {row}. {threat}\n\n| attack | what it does | what must happen |\n|---|---|---|\n"
        )
        parts += [
            f"| {attack.slug} | {_cell(attack.does)} | {_cell(attack.must)} |\n"
            for attack in attacks
            if attack.row == row
        ]
    return "".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    serve(PAGE.parents[1])  # parts that lie are made of its references
    from catalogue import ATTACKS, ON_PARTS

    PAGE.write_text(page((*ATTACKS, *ON_PARTS)), encoding="utf-8")
