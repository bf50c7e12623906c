"""What the proofs come to, exercise by exercise: counts of answers and of what became of them."""

from collections.abc import Iterable
from dataclasses import dataclass

from autograder.proof.known_values import Kind
from autograder.proof.proving import Proof
from autograder.proof.visible import is_dear, is_green

# What is not code shares a row, below the code.
QUESTIONS = {"quiz": "questions", "written": "written, for a person"}


@dataclass(frozen=True)
class MatrixRow:
    """How graders did on the answers to some exercises, on the devices that are here.

    Attributes:
        name: what the row is about.
        proofs: the graded answers.
    """

    name: str
    proofs: tuple[Proof, ...]

    def share(self, kind: Kind) -> float | None:
        """The share of the marks that references or stubs get; None where all marks wait."""
        verdicts = [proof.verdict for proof in self._of(kind)]
        most = sum(verdict.decided_points for verdict in verdicts)
        return sum(verdict.score for verdict in verdicts) / most if most else None

    def count(self, kind: Kind) -> int:
        """How many answers of a kind there are."""
        return len(self._of(kind))

    def full(self, kind: Kind) -> int:
        """How many answers of a kind have full marks."""
        return sum(_is_full(proof) for proof in self._of(kind))

    @property
    def named(self) -> int:
        """How many mistakes lose marks and are called by their own slug."""
        mistakes = [proof for proof in self._of("mistake") if not _is_full(proof)]
        return sum(proof.answer.name in proof.verdict.misconceptions for proof in mistakes)

    @property
    def remarked(self) -> int:
        """How many mistakes that cost nothing are told by their own slug."""
        return sum(
            proof.answer.name in [remark.misconception for remark in proof.verdict.remarks]
            for proof in self._of("remark")
        )

    @property
    def seen(self) -> tuple[int, int, int]:
        """How many mistakes fail a visible check; pass all and cost little; pass all and cost much.

        Those that no check has looked at are in none of the three.
        """
        looked_at = [one for one in self._of("mistake") if one.failed_checks is not None]
        green = [proof for proof in looked_at if is_green(proof)]
        dear = sum(map(is_dear, green))
        return len(looked_at) - len(green), len(green) - dear, dear

    @property
    def excused(self) -> int:
        """How many mutants have full marks, and a reason for it."""
        return sum(_is_full(proof) and bool(proof.answer.reason) for proof in self._of("mutant"))

    def tests_on(self, device: str) -> int:
        """How many tests of the references are for a device."""
        return sum(len(_tests_on(device, proof)) for proof in self._of("reference"))

    def waiting_for(self, device: str) -> int:
        """How many of them wait for it."""
        return sum(_tests_on(device, one).count("pending") for one in self._of("reference"))

    def caught_on(self, device: str) -> int:
        """How many mistakes fail a test on a device."""
        return sum("failed" in _tests_on(device, proof) for proof in self._of("mistake"))

    def _of(self, kind: Kind) -> list[Proof]:
        return [proof for proof in self.proofs if proof.answer.kind == kind]


def rows(proofs: Iterable[Proof]) -> list[MatrixRow]:
    """A row for each code exercise of an assignment, one for its questions, one for written ones.

    Args:
        proofs: those of one assignment.
    """
    together: dict[str, list[Proof]] = {}
    for proof in proofs:
        exercise = proof.answer.exercise
        name = QUESTIONS.get(exercise.kind, exercise.name)
        together.setdefault(name, []).append(proof)
    last = [name for name in QUESTIONS.values() if name in together]
    first = [name for name in together if name not in last]
    return [MatrixRow(name, tuple(together[name])) for name in first + last]


def _tests_on(device: str, proof: Proof) -> list[str]:
    """How the tests for a device came out."""
    return [test.outcome for test in proof.verdict.tests if test.device == device]


def _is_full(proof: Proof) -> bool:
    """Whether an answer keeps every mark; a mutant that gets a remark is seen, and so caught."""
    told = proof.answer.kind == "mutant" and bool(proof.verdict.remarks)
    return proof.verdict.score == proof.verdict.decided_points and not told
