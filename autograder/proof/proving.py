"""Grades the known answers through the real path and says where a mark is not what it should be."""

import re
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import chain

from autograder.build.quiz_cells import REFERENCE_ID
from autograder.course import Assignment
from autograder.proof.known_answers import KnownAnswer, known_answers, mutant_answers
from autograder.verdicts import ExerciseVerdict, Grader, Submission
from autograder.verdicts.verdict import GRADER_ERROR

MISTAKEN = ("mistake", "remark")
# Numbers that a symptom may tell: dtypes have them in their names, weights sum to 1, and a
# forbidden one is 0.
ANYONES = re.compile(r"b?float\d+|u?int\d+|\b[01]\b")

PARTS = 4  # for each worker at least, so that none ends long before the others


@dataclass(frozen=True)
class Proof:
    """What grading one known answer showed.

    Attributes:
        assignment: the assignment's name.
        answer: the answer.
        verdict: its verdict.
        problem: what is wrong with the verdict, or None.
        failed_checks: the claims of the visible checks that the answer fails; None where none has
            looked at it.
    """

    assignment: str
    answer: KnownAnswer
    verdict: ExerciseVerdict
    problem: str | None
    failed_checks: tuple[str, ...] | None = None

    @property
    def absent(self) -> str | None:
        """Which package is missing here, so that nothing was judged; None where something was."""
        return absent(self.verdict)


def prove(
    grader: Grader,
    assignments: Iterable[Assignment],
    share: float = 0.0,
    graded: Callable[[Proof], None] = lambda proof: None,
) -> list[Proof]:
    """Grade every known answer to some assignments' exercises, and mutants of the references.

    Args:
        grader: grades them.
        assignments: the assignments.
        share: how many of the mutants, 0 to 1.
        graded: told of each proof as soon as it is there, in any order and by any thread.

    Returns:
        one proof an answer, in the order of the assignments: known answers, then mutants.
    """
    answers = [
        (assignment, answer)
        for assignment in assignments
        for answer in chain(
            known_answers(grader.course, assignment),
            mutant_answers(grader.course, assignment, share) if share else (),
        )
    ]
    proofs: dict[int, Proof] = {}
    stopped = threading.Event()

    def prove_each(places: Iterable[int]) -> None:
        for place in places:
            if stopped.is_set():
                return
            proofs[place] = _proof_of(grader, *answers[place])
            graded(proofs[place])

    parts = parts_of_work(answers, grader.workers)
    with ThreadPoolExecutor(grader.workers) as pool:
        try:
            for done in as_completed(pool.submit(prove_each, one) for one in parts):
                done.result()
        except BaseException:  # also Ctrl-C: what is being graded ends, and nothing else begins
            stopped.set()
            raise
    return [proofs[place] for place in range(len(answers))]


def parts_of_work(
    answers: Sequence[tuple[Assignment, KnownAnswer]], workers: int
) -> list[list[int]]:
    """The places of the answers, in parts that one worker grades after another.

    A worker keeps what it has seen the known mistakes of an exercise do, so an exercise is cut only
    where a part would be so long that the others have nothing left to do. The last assignments,
    whose answers take longest, come first.
    """
    longest = max(1, len(answers) // (PARTS * workers))
    together: dict[tuple[str, str], list[int]] = {}
    for place, (assignment, answer) in enumerate(answers):
        together.setdefault((assignment.name, answer.exercise.name), []).append(place)
    return [
        places[start : start + longest]
        for places in reversed(together.values())
        for start in range(0, len(places), longest)
    ]


def _proof_of(grader: Grader, assignment: Assignment, answer: KnownAnswer) -> Proof:
    submission = Submission(REFERENCE_ID, assignment.name, answer.cells, written=answer.written)
    try:
        verdict = grader.verdict(submission, only=answer.exercise.name)
    except Exception as fault:
        fault.add_note(f"That was over {answer.exercise.name}/{answer.name}.")
        raise
    if not verdict.exercises:
        raise RuntimeError(f"{answer.exercise.name}/{answer.name}: {verdict.detail}")
    one = verdict.exercises[0]
    return Proof(assignment.name, answer, one, problem_with(answer, one))


def problem_with(answer: KnownAnswer, verdict: ExerciseVerdict) -> str | None:
    """What is wrong with the verdict on a known answer; None when it is as it should be."""
    if verdict.reason == GRADER_ERROR:
        return f"a grader failed: {verdict.detail}"
    if absent(verdict) is not None:
        return None
    if answer.exercise.kind == "quiz" and verdict.pending_points:
        return f"the question waits for a person: {verdict.detail}"
    full = verdict.score == verdict.decided_points
    remarked = [remark.misconception for remark in verdict.remarks]
    match answer.kind:
        case "stub" if answer.exercise.kind == "written" and verdict.pending_points:
            return "an untouched cell is taken for an answer"
        case "stub" if verdict.score > 0:
            passed = [test.name for test in verdict.tests if test.outcome == "passed"]
            return f"the {answer.name} earns {verdict.score:g}: {', '.join(passed)}"
        case "mistake" if full:
            return "the mistake keeps full marks"
        case "mistake" if answer.name not in verdict.misconceptions:
            return f"named {', '.join(verdict.misconceptions) or 'nothing'}"
        case "remark" if not full or verdict.misconceptions:
            return "loses marks, or is called a mistake, though it is said to cost nothing"
        case "remark" if answer.name not in remarked:
            return f"remarked is {', '.join(remarked) or 'nothing'}"
        case "mutant" if full and answer.reason is None and not remarked:
            return "no test sees this change: add one, or say in equivalents.toml why it is none"
        case "mutant" if not full and answer.reason is not None:
            return f"loses marks, though equivalents.toml says of it: {answer.reason}"
        case "reference" | "variant" if remarked:
            return f"a right answer gets a remark: {', '.join(remarked)}"
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
        if proof.answer.kind not in MISTAKEN or proof.answer.exercise.kind != "code":
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
        if proof.answer.kind in MISTAKEN and proof.answer.exercise.kind == "code"
        for test in proof.verdict.tests
        if test.symptom is not None
    }
    return sorted(symptom for symptom in said if re.search(r"\d", ANYONES.sub("", symptom)))
