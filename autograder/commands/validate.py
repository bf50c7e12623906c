"""`autograder validate`: prove graders, notebooks and releases before students see them."""

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autograder.commands.options import course_option, sandbox_option, workers_option
from autograder.course import load_course


@click.command("validate")
@click.argument("names", metavar="[NAME ...]", nargs=-1)
@click.option("--no-notebooks", is_flag=True, help="Leave out running the released notebooks.")
@workers_option
@sandbox_option
@course_option
def command(
    names: tuple[str, ...],
    no_notebooks: bool,
    workers: int | None,
    sandbox: str | None,
    root: Path,
) -> None:
    """Prove assignments, all or those named: their graders, notebooks and releases.

    References and right variants keep full marks, stubs get none, every known mistake loses marks
    and is named by its own slug. Every released notebook runs from top to bottom with the reference
    pasted in, shows its pictures with words, and says of an untouched exercise that it is not
    written yet. No release holds a secret. What still says TODO is listed, and its assignment not
    proved. Exits 1 when one of these fails.
    """
    from autograder.proof import leaks, prove, run_notebooks, todos
    from autograder.verdicts import Grader, default_workers

    course = load_course(root)
    chosen = [course.assignment(name) for name in names] or list(course.assignments.values())
    left = {assignment.name: todos(course, assignment) for assignment in chosen}
    written = [assignment for assignment in chosen if not left[assignment.name]]
    grader = Grader(course, workers or default_workers(), policy=sandbox)
    try:
        proofs = [proof for assignment in written for proof in prove(grader, assignment)]
    finally:
        grader.close()
    console = Console(highlight=False)
    fine = [_show_proofs(console, proofs)] if proofs else []
    if written and not no_notebooks:
        fine.append(_show_runs(console, run_notebooks(course, written, grader.workers)))
    if written:
        fine.append(_show_leaks(console, leaks(course, written if names else None)))
    fine += [_show_todos(console, name, lines) for name, lines in left.items() if lines]
    if not all(fine):
        sys.exit(1)


def _show_proofs(console: Console, proofs: list) -> bool:
    """A table of the graders' proofs; gives whether all are as they should be."""
    table = _table("Exercise", "Reference", "Stub", "Caught", "Named", "Accepted", "Pending")
    for exercise in dict.fromkeys(proof.answer.exercise.name for proof in proofs):
        own = [proof for proof in proofs if proof.answer.exercise.name == exercise]
        table.add_row(exercise, *_row(own))
    console.print(table)
    for proof in proofs:
        if proof.problem:
            answer = proof.answer
            _wrong(console, f"{answer.exercise.name}: {answer.kind} {answer.name}: {proof.problem}")
    wrong = sum(proof.problem is not None for proof in proofs)
    held = ", ".join(sorted({proof.verdict.sandbox for proof in proofs} - {""}))
    console.print(f"{len(proofs)} answers graded in {held}; {wrong} judged wrongly\n")
    return not wrong


def _show_runs(console: Console, runs: Iterable) -> bool:
    """A table of the notebooks, as each is done; gives whether all are as they should be."""
    table = _table("Notebook", "Cells", "Pictures", "Seconds", "Untouched")
    done: dict[tuple[str, str], Any] = {(run.assignment, run.state): run for run in runs}
    for (name, state), run in done.items():
        if state == "solved":
            untouched = done[name, "untouched"]
            seconds = [f"{one.seconds:.1f}" for one in (run, untouched)]
            table.add_row(name, str(run.cells), str(run.pictures), *seconds)
    console.print(table)
    problems = [
        f"{run.assignment}, {run.state}: {problem}"
        for run in done.values()
        for problem in run.problems
    ]
    for problem in problems:
        _wrong(console, problem)
    count = len(done)
    console.print(f"{count} notebooks run, each released one solved and untouched; ", end="")
    console.print(f"{len(problems)} problems\n")
    return not problems


def _show_leaks(console: Console, found: list) -> bool:
    """What releases hold that they must not; gives whether that is nothing."""
    for leak in found:
        _wrong(console, f"release: {leak}")
    console.print(f"release/ searched by content; {len(found)} secrets found")
    return not found


def _show_todos(console: Console, name: str, lines: list) -> bool:
    """What is left to write in an assignment, which is therefore not proved."""
    console.print(f"\n[yellow]TODO[/yellow]  {name} is not proved until these are written:")
    for line in lines:
        console.print(f"    {escape(str(line))}", soft_wrap=True)
    return False


def _wrong(console: Console, text: str) -> None:
    console.print(f"[red]WRONG[/red]  {escape(text)}")


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 0))
    table.add_column(first, no_wrap=True)
    for column in others:
        table.add_column(column, justify="right", no_wrap=True)
    return table


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
