"""Known answers through their exercise's visible checks: what a student sees of a mistake.

Students whose checks all pass believe that they are done. So a known mistake that costs a fifth of
the marks fails a check, or its exercise says what no check looks at (`not_checked`); and a right
answer passes them all.
"""

import os
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from warnings import catch_warnings, simplefilter

from autograder.checks.kit.discovery import module_of
from autograder.checks.kit.packages import absent
from autograder.checks.kit.running import run_checks
from autograder.course import Assignment, Course
from autograder.course.own_code import serve, served
from autograder.judging.answers import namespace_with, reference_source
from autograder.proof.proving import Proof

DEAR = 0.2
"""The share of an exercise's marks that no student should lose unwarned."""

SECONDS = 60.0
"""How long an answer's checks may take: some mistakes never end."""

ROUNDING = 1e-9

NEVER_ENDS = "the checks come to no end"
DIES = "the process of the notebook ends"
LOOKED_AT = ("reference", "variant", "mistake")


@dataclass(frozen=True)
class Question:
    """One answer to check.

    Attributes:
        assignment: the assignment's name.
        exercise: the exercise's name.
        source: the answer's cell.
    """

    assignment: str
    exercise: str
    source: str


def with_checks(course: Course, proofs: Iterable[Proof], workers: int) -> list[Proof]:
    """The proofs, each of right answers and known mistakes with the visible checks that it fails.

    Args:
        course: the course.
        proofs: of any assignments.
        workers: how many processes check at a time.
    """
    proofs = list(proofs)
    asked = list(dict.fromkeys(one for one in map(_question, proofs) if one is not None))
    found: Mapping[Question | None, tuple[str, ...] | None] = {}
    if asked:
        spawned = get_context("spawn")  # this process has threads, which a fork would not survive
        with ProcessPoolExecutor(workers, spawned, _prepare, (course.root,)) as pool:
            found = dict(zip(asked, pool.map(_checked, asked), strict=True))
    return [replace(proof, failed_checks=found.get(_question(proof))) for proof in proofs]


def is_green(proof: Proof) -> bool:
    """Whether an answer passes every visible check."""
    return proof.failed_checks == ()


def is_dear(proof: Proof) -> bool:
    """Whether an answer loses a fifth of its exercise's marks or more."""
    most = proof.verdict.decided_points
    return most - proof.verdict.score >= DEAR * most - ROUNDING


def unwarned(assignments: Iterable[Assignment], proofs: Iterable[Proof]) -> list[str]:
    """What is wrong with visible checks: whom they mislead, and what is said of them in vain."""
    proofs = list(proofs)
    left_open = {
        (one.exercise, slug)
        for assignment in assignments
        for one in assignment.not_checked
        for slug in one.mistakes
    }
    green = [proof for proof in proofs if proof.answer.kind == "mistake" and is_green(proof)]
    dear = {_place(proof): proof.verdict for proof in green if is_dear(proof)}
    misled = [
        f"{exercise}: mistake {slug}: passes every visible check, and loses "
        f"{verdict.decided_points - verdict.score:.2f} of {verdict.decided_points:g} points"
        for (exercise, slug), verdict in dear.items()
        if (exercise, slug) not in left_open
    ]
    checked = {_place(proof) for proof in proofs if proof.failed_checks is not None}
    in_vain = [
        f"{exercise}: not_checked names {slug} in vain: no known mistake of this name passes every "
        "visible check and loses a fifth of the marks"
        for exercise, slug in sorted(left_open)
        if any(exercise == place[0] for place in checked) and (exercise, slug) not in dear
    ]
    refused = [
        f"{exercise}: {proof.answer.kind} {slug}: is right, and fails the visible check "
        f"{proof.failed_checks[0]!r}"
        for proof in proofs
        if proof.answer.kind in ("reference", "variant") and proof.failed_checks
        for exercise, slug in [_place(proof)]
    ]
    return [*misled, *in_vain, *refused]


def _place(proof: Proof) -> tuple[str, str]:
    return proof.answer.exercise.name, proof.answer.name


def _question(proof: Proof) -> Question | None:
    """What is to be checked; None of an answer that has no checks, or none that can run here."""
    answer = proof.answer
    cells = dict(answer.cells)
    if answer.exercise.kind != "code" or answer.kind not in LOOKED_AT or proof.absent:
        return None
    if answer.exercise.name not in cells:
        return None
    return Question(proof.assignment, answer.exercise.name, cells[answer.exercise.name])


def _prepare(root: Path) -> None:
    os.environ["MPLBACKEND"] = "Agg"
    os.environ["OMP_NUM_THREADS"] = "1"  # read by torch as it loads; threads do not survive a fork
    serve(root)


@cache
def _warm(assignment: str, exercise: str) -> None:
    """Check the reference, so that children find loaded what its checks load: seconds for each."""
    folder = served() / "assignments" / assignment
    sys.path.insert(0, str(folder))
    with chdir(folder):
        _failed(Question(assignment, exercise, reference_source(exercise)))


def _checked(question: Question) -> tuple[str, ...] | None:
    """The claims that an answer fails, found by a child: nothing of one answer meets the next."""
    _warm(question.assignment, question.exercise)
    forked = get_context("fork")
    ours, theirs = forked.Pipe(duplex=False)
    child = forked.Process(target=_tell, args=(theirs, question))
    child.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(SECONDS) else (NEVER_ENDS,)
    except EOFError:
        return (DIES,)
    finally:
        child.kill()
        child.join()
        ours.close()


def _tell(to: Connection, question: Question) -> None:
    """Run the checks beside the assignment's own files, as in a release."""
    os.chdir(served() / "assignments" / question.assignment)
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        to.send(_failed(question))


def _failed(question: Question) -> tuple[str, ...] | None:
    module = module_of(question.exercise)
    if module is None or absent(question.exercise) is not None:
        return None
    try:
        namespace = namespace_with(question.exercise, question.source)
    except Exception as error:  # a student sees it before any check
        return (f"the cell stops with {type(error).__name__}",)
    with catch_warnings():
        simplefilter("ignore")  # mistakes overflow and deprecate, as they should
        findings = run_checks(question.exercise, module, namespace)
    return tuple(finding.claim for finding in findings if not finding.passed)
