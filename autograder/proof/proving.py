"""Grades the known answers through the real path and says where a mark is not what it should be."""

import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain

from autograder.build.quiz_cells import REFERENCE_ID
from autograder.course import Assignment
from autograder.proof.known_answers import KnownAnswer, known_answers, mutant_answers
from autograder.verdicts import ExerciseVerdict, Grader, Submission
from autograder.verdicts.verdict import GRADER_ERROR

# Numbers that a symptom may tell: dtypes have them in their names, weights sum to 1, and a
# forbidden one is 0.
ANYONES = re.compile(r"b?float\d+|u?int\d+|\b[01]\b")


@dataclass(frozen=True)
class Proof:
    """What grading one known answer showed.

    Attributes:
        assignment: the assignment's name.
        answer: the answer.
        verdict: its verdict.
        problem: what is wrong with the verdict, or None.
    """

    assignment: str
    answer: KnownAnswer
    verdict: ExerciseVerdict
    problem: str | None

    @property
    def absent(self) -> str | None:
        """Which package is missing here, so that nothing was judged; None where something was."""
        return absent(self.verdict)


def prove(grader: Grader, assignment: Assignment, share: float = 0.0) -> Iterator[Proof]:
    """Grade every known answer to an assignment's exercises, and mutants of the references.

    Args:
        grader: grades them.
        assignment: the assignment.
        share: how many of the mutants, 0 to 1.
    Yields:
        one proof an answer, in order.
    """

    def proof_of(answer: KnownAnswer) -> Proof:
        submission = Submission(REFERENCE_ID, assignment.name, answer.cells, written=answer.written)
        verdict = grader.verdict(submission, only=answer.exercise.name)
        if not verdict.exercises:
            raise RuntimeError(f"{answer.exercise.name}/{answer.name}: {verdict.detail}")
        one = verdict.exercises[0]
        return Proof(assignment.name, answer, one, problem_with(answer, one))

    answers = chain(
        known_answers(grader.course, assignment),
        mutant_answers(grader.course, assignment, share) if share else (),
    )
    with ThreadPoolExecutor(grader.workers) as pool:
        yield from pool.map(proof_of, answers)


def problem_with(answer: KnownAnswer, verdict: ExerciseVerdict) -> str | None:
    """What is wrong with the verdict on a known answer; None when it is as it should be."""
    if verdict.reason == GRADER_ERROR:
        return f"a grader failed: {verdict.detail}"
    if absent(verdict) is not None:
        return None
    if answer.exercise.kind == "quiz" and verdict.pending_points:
        return f"the question waits for a person: {verdict.detail}"
    full = verdict.score == verdict.decided_points
    match answer.kind:
        case "stub" if answer.exercise.kind == "written" and verdict.pending_points:
            return "an untouched cell is taken for an answer"
        case "stub" if verdict.score > 0:
            passed = [test.name for test in verdict.tests if test.outcome == "passed"]
            return f"the stub earns {verdict.score:g}: {', '.join(passed)}"
        case "mistake" if full:
            return "the mistake keeps full marks"
        case "mistake" if answer.name not in verdict.misconceptions:
            return f"named {', '.join(verdict.misconceptions) or 'nothing'}"
        case "mutant" if full and answer.reason is None:
            return "no test sees this change: add one, or say in equivalents.toml why it is none"
        case "mutant" if not full and answer.reason is not None:
            return f"loses marks, though equivalents.toml says of it: {answer.reason}"
        case "reference" | "variant" if not full:
            lost = [f"{t.name} ({t.symptom})" for t in verdict.tests if t.outcome == "failed"]
            return f"a right answer loses marks: {', '.join(lost)}"
    return None


def absent(verdict: ExerciseVerdict) -> str | None:
    """Which package all tests of an exercise wait for, in words; None where one does not."""
    missing = {test.symptom if test.outcome == "pending" else None for test in verdict.tests}
    return missing.pop() if len(missing) == 1 else None


def idle_tests(proofs: Iterable[Proof]) -> list[str]:
    """The hidden tests of code that no known mistake fails: they prove nothing, or lack a mistake.

    Tests that wait for a device are left out; so are exercises without a known mistake.
    """
    caught: dict[tuple[str, str], bool] = {}
    for proof in proofs:
        if proof.answer.kind != "mistake" or proof.answer.exercise.kind != "code":
            continue
        for test in proof.verdict.tests:
            if test.outcome != "pending":
                place = proof.answer.exercise.name, test.name
                caught[place] = caught.get(place, False) or test.outcome == "failed"
    return [f"{exercise}: {name}" for (exercise, name), catches in caught.items() if not catches]


def telling_symptoms(proofs: Iterable[Proof]) -> list[str]:
    """Symptoms of known mistakes that tell a number, which may be a hidden one."""
    said = {
        test.symptom
        for proof in proofs
        if proof.answer.kind == "mistake" and proof.answer.exercise.kind == "code"
        for test in proof.verdict.tests
        if test.symptom is not None
    }
    return sorted(symptom for symptom in said if re.search(r"\d", ANYONES.sub("", symptom)))
