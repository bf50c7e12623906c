"""Which mistakes fail which claims: a table that changes only where somebody reads it."""

from collections.abc import Iterable
from typing import Any

from autograder.course import Exercise
from autograder.proof import KnownAnswer, Proof
from autograder.proof.claims import changes, fingerprint, table
from autograder.verdicts import ExerciseVerdict, TestResult

EXERCISE = Exercise("f", 2.0, "code")
SECRET, OTHER = b"one secret", b"another secret"


def proof(slug: str, *failed: str, kind: Any = "mistake") -> Proof:
    """A known mistake that fails these of two claims, and waits for a GPU."""
    tests = [
        TestResult(name, f"{name}.", "failed" if name in failed else "passed", 1.0, "cpu")
        for name in ("Values", "Form")
    ]
    waits = TestResult("Fused", "Fused.", "pending", 0.0, "cuda")
    verdict = ExerciseVerdict("f", 2.0, (*tests, waits))
    return Proof("01-x", KnownAnswer(EXERCISE, kind, slug, ()), verdict, None)


PROOFS = (proof("turned", "Values"), proof("cut", "Values", "Form"), proof("turned"))


def rows(proofs: Iterable[Proof]) -> list[str]:
    return table(proofs, SECRET).splitlines()[1:]


def test_mistakes_stand_under_each_claim_that_they_fail() -> None:
    assert rows(PROOFS) == [
        *("", "f", "  Values.", "    cut", "    turned (1 of 2)"),
        *("  Form.", "    cut"),
    ]


def test_the_order_in_which_mistakes_were_graded_changes_nothing() -> None:
    assert rows(PROOFS) == rows(reversed(PROOFS))


def test_right_answers_and_mutants_have_no_place_there() -> None:
    others = [proof(kind, "Form", kind=kind) for kind in ("variant", "mutant", "stub")]
    assert rows([*PROOFS, *others]) == rows(PROOFS)


def test_a_remark_is_a_mistake_that_fails_a_claim() -> None:
    assert "    small" in rows([*PROOFS, proof("small", "Form", kind="remark")])


def test_a_change_is_told_with_its_exercise_and_claim() -> None:
    kept, now = table(PROOFS, SECRET), table([*PROOFS, proof("new", "Form")], SECRET)
    assert changes(kept, kept) == []
    assert changes(kept, now) == ["+ f: Form. new"]
    assert changes(now, kept) == ["- f: Form. new"]


def test_tables_of_other_secrets_are_not_compared() -> None:
    more = [*PROOFS, proof("new", "Form")]
    assert changes(table(PROOFS, SECRET), table(more, OTHER)) == []
    assert fingerprint(SECRET) != fingerprint(OTHER)
    assert SECRET.decode() not in table(PROOFS, SECRET)
