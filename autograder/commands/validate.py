"""`autograder validate`: prove the graders on every answer whose marks are known."""

import sys
from collections import Counter
from pathlib import Path

import click

from autograder.commands.options import course_option, sandbox_option, workers_option
from autograder.course import load_course


@click.command("validate")
@click.argument("names", metavar="[NAME ...]", nargs=-1)
@workers_option
@sandbox_option
@course_option
def command(names: tuple[str, ...], workers: int | None, sandbox: str | None, root: Path) -> None:
    """Prove the graders of assignments, all or those named.

    References and right variants keep full marks, stubs get none, every known mistake loses marks
    and is named by its own slug. Exits 1 when one of these fails.
    """
    from autograder.proof import prove
    from autograder.verdicts import Grader, default_workers

    course = load_course(root)
    chosen = [course.assignment(name) for name in names] or list(course.assignments.values())
    grader = Grader(course, workers or default_workers(), policy=sandbox)
    try:
        proofs = [proof for assignment in chosen for proof in prove(grader, assignment)]
    finally:
        grader.close()
    _show(proofs)
    if any(proof.problem for proof in proofs):
        sys.exit(1)


def _show(proofs: list) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False)
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 0))
    table.add_column("Exercise", no_wrap=True)
    for column in ("Reference", "Stub", "Caught", "Named", "Accepted", "Pending"):
        table.add_column(column, justify="right", no_wrap=True)
    exercises = dict.fromkeys(proof.answer.exercise.name for proof in proofs)
    for exercise in exercises:
        own = [proof for proof in proofs if proof.answer.exercise.name == exercise]
        table.add_row(exercise, *_row(own))
    console.print(table)
    for proof in proofs:
        if proof.problem:
            answer = proof.answer
            name = f"{answer.exercise.name}: {answer.kind} {answer.name}: {proof.problem}"
            console.print(f"[red]WRONG[/red]  {escape(name)}")
    wrong = sum(proof.problem is not None for proof in proofs)
    held = ", ".join(sorted({proof.verdict.sandbox for proof in proofs}))
    console.print(f"{len(proofs)} answers graded in {held}; {wrong} judged wrongly")


def _row(proofs: list) -> list[str]:
    total = Counter(proof.answer.kind for proof in proofs)
    by_kind = {kind: [p for p in proofs if p.answer.kind == kind] for kind in total}
    caught = [p for p in by_kind.get("mistake", []) if p.verdict.score < p.verdict.max_score]
    named = [p for p in caught if p.answer.name in p.verdict.misconceptions]
    kept = [p for p in by_kind.get("variant", []) if p.verdict.score == p.verdict.max_score]
    reference, stub = by_kind["reference"][0].verdict, by_kind["stub"][0].verdict
    return [
        f"{reference.score:.3g} / {reference.max_score:.3g}",
        f"{stub.score:.3g}",
        f"{len(caught)} / {total['mistake']}",
        f"{len(named)} / {total['mistake']}",
        f"{len(kept)} / {total['variant']}",
        f"{reference.pending_points:.3g}" if reference.pending_points else "",
    ]
