"""Which known mistakes fail which claims, kept in a file that people read when it changes.

A claim is what a student is told of a hidden test. It must be true of every answer that fails the
test: an answer with the right form and wrong values fails no claim about form. No program can see
that, so the table stands in a file under `benchmarks/results/claims/`, one an assignment, and a
change of it is read in a diff. Other hidden inputs may move a mistake that lies near a bound, so
the table is that of one course secret.
"""

import difflib
import hashlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from autograder.proof.proving import MISTAKEN, Proof

FOLDER = Path("benchmarks", "results", "claims")

Failing = dict[str, dict[str, Counter[str]]]
"""By exercise and claim, how many known mistakes of each slug fail it."""


def claims_file(root: Path, assignment: str) -> Path:
    """Where the table of an assignment is kept, under the course's root."""
    return root / FOLDER / f"{assignment}.txt"


def table(proofs: Iterable[Proof], secret: bytes) -> str:
    """The table as text: exercise, claim, and the mistakes that fail it, one a line.

    Args:
        proofs: those of one assignment; tests that wait for a device are left out.
        secret: the course secret, of which a fingerprint stands in the first line.
    """
    known: dict[str, Counter[str]] = {}
    failing: Failing = {}
    for proof in proofs:
        if proof.answer.kind in MISTAKEN and proof.answer.exercise.kind == "code":
            exercise, slug = proof.answer.exercise.name, proof.answer.name
            known.setdefault(exercise, Counter())[slug] += 1
            for test in proof.verdict.tests:
                if test.outcome != "pending":
                    claims = failing.setdefault(exercise, {})
                    claims.setdefault(test.claim, Counter())[slug] += test.outcome == "failed"
    lines = [f"Mistakes that fail each claim, under the course secret {fingerprint(secret)}."]
    for exercise, claims in failing.items():
        lines += ["", exercise]
        for claim, slugs in claims.items():
            lines.append(f"  {claim}")
            lines += [
                f"    {slug}{_of_several(count, known[exercise][slug])}"
                for slug, count in sorted(slugs.items())
                if count
            ]
    return "\n".join(lines) + "\n"


def changes(kept: str, now: str) -> list[str]:
    """How a table differs from the kept one, line by line with its exercise and claim.

    A table of another secret is not compared: it may differ for no reason of the course's.
    """
    if kept.splitlines()[:1] != now.splitlines()[:1]:
        return []
    before, after = _in_full(kept), _in_full(now)
    found = difflib.ndiff(before, after)
    return [line for line in found if line.startswith(("+", "-"))]


def fingerprint(secret: bytes) -> str:
    """A few digits that tell secrets apart, and tell nothing of them."""
    return hashlib.sha256(b"claims " + secret).hexdigest()[:8]


def _of_several(count: int, known: int) -> str:
    return "" if count == known else f" ({count} of {known})"


def _in_full(text: str) -> list[str]:
    """Each mistake of a table with its exercise and claim before it."""
    exercise = claim = ""
    lines = []
    for line in text.splitlines()[1:]:
        if line.startswith("    "):
            lines.append(f"{exercise}: {claim} {line.strip()}")
        elif line.startswith("  "):
            claim = line.strip()
        else:
            exercise = line
    return lines
