"""`autograder validate`: prove graders, notebooks and releases before students see them."""

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autograder.commands.options import course_option, device_option, sandbox_option, workers_option
from autograder.course import Course, load_course
from autograder.course.own_code import serve

# `all` takes half an hour on two cores.
SHARES = {"all": 1.0, "some": 0.05, "none": 0.0}
WIDE = 100
FURTHEST = 5
COLUMNS = ("Exercise", "Ref", "Stub", "Caught", "Named", "Seen", "Kept", "Killed", "Same", "CUDA")
LEGEND = (
    "Ref: marks of the reference. Stub: of an untouched stub, and of an answer that returns None. "
    "Caught, Named: known mistakes "
    "that lose marks, and that are called by their own slug. Seen: how many of them fail a "
    "visible check; pass all and cost less than a fifth of the marks; pass all and cost more. "
    "Kept: right variants with full marks. Killed: mutants of the reference that lose marks. "
    "Same: the other mutants, of which so many are known to do the same as the reference. CUDA: "
    "how many of the mistakes fail a test there, or how many such tests wait for a GPU."
)


@click.command("validate")
@click.argument("names", metavar="[NAME ...]", nargs=-1)
@click.option(
    "--mutants",
    type=click.Choice(list(SHARES)),
    default="all",
    show_default=True,
    help="How many automatic mutants of the references to grade; `some` is always the same part.",
)
@click.option("--no-notebooks", is_flag=True, help="Leave out running the released notebooks.")
@click.option(
    "--accept-claims",
    is_flag=True,
    help="Keep which mistakes fail which claims as it is now; read the difference afterwards.",
)
@device_option
@workers_option
@sandbox_option
@course_option
def command(
    names: tuple[str, ...],
    mutants: str,
    no_notebooks: bool,
    accept_claims: bool,
    device: str | None,
    workers: int | None,
    sandbox: str | None,
    root: Path,
) -> None:
    """Prove assignments, all or those named: their graders, notebooks and releases.

    References and right variants keep full marks, stubs get none, nor do answers that return None,
    every known mistake loses marks and is named by its own slug, every hidden test is failed by one
    of them, and no symptom tells a number. Right answers pass every visible check; a mistake that
    costs a fifth of the marks fails one, or the exercise says what no check looks at. Where graders
    have a table of prices, every known mistake has one; how many cost more or less than that is
    told. References changed by one slip at a time lose marks as well, all but those that do the
    same, which are listed with the reason. No right answer to an earlier exercise, where it takes
    the place of a wrong one, gives a later one away. Every released notebook runs from top to
    bottom with the reference pasted in, shows its pictures with words, and says of an untouched
    exercise that it is not written yet. No release holds a secret. What still says TODO is listed,
    and its assignment not proved. Which mistakes fail which claims is as it was kept under
    benchmarks/results/claims, where the course keeps it. Exits 1 when one of these fails.
    """
    from autograder.proof import (
        incomplete,
        leaks,
        oracles,
        outdated,
        prove,
        run_notebooks,
        todos,
        unwarned,
        with_checks,
    )
    from autograder.verdicts import Grader, default_workers

    course = load_course(root)
    serve(course.root)
    share = SHARES[mutants]
    chosen = [course.assignment(name) for name in names] or list(course.assignments.values())
    left = {assignment.name: todos(course, assignment) for assignment in chosen}
    written = [assignment for assignment in chosen if not left[assignment.name]]
    grader = Grader(course, workers or default_workers(), device, sandbox)
    console = _console()
    try:
        with _progress(console) as graded:
            proofs = prove(grader, written, share, graded)
    finally:
        grader.close()
    proofs = with_checks(course, proofs, grader.workers)
    wrong: list[str] = []
    try:
        wrong += _show_proofs(console, proofs) if proofs else []
        wrong += _claims_changed(console, course, proofs, accept_claims)
        wrong += unwarned(written, proofs)
        _show_prices(console, course, proofs)
        wrong += [line for one in written for line in incomplete(course.root, one)]
        wrong += [str(one) for assignment in written for one in oracles(assignment)]
        if share:
            _show_mutants(console, proofs)
            wrong += [
                f"equivalents.toml: {one.exercise}: no mutant is {one.becomes!r} any more"
                for assignment in written
                for one in outdated(course, assignment)
            ]
        if written and not no_notebooks:
            wrong += _show_runs(console, run_notebooks(course, written, grader.workers))
        if written:
            wrong += _show_leaks(console, leaks(course, written if names else None))
        unwritten = {name: lines for name, lines in left.items() if lines}
        for name, lines in unwritten.items():
            _show_todos(console, name, lines)
    finally:
        for one in wrong:
            console.print(f"[red]WRONG[/red]  {escape(one)}", soft_wrap=True)
    if wrong or unwritten:
        sys.exit(1)


@contextmanager
def _progress(console: Console) -> Iterator[Callable[[Any], None]]:
    """Takes proofs, which it counts on a terminal while a person waits for them."""
    if not console.is_terminal:
        yield lambda proof: None
        return
    count = itertools.count(1)
    with console.status("") as status:
        yield lambda proof: status.update(f"{proof.assignment}: {next(count)} answers graded")


def _console() -> Console:
    """Where to print; what is kept in a file has room for every column."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=WIDE)


def _show_proofs(console: Console, proofs: list) -> list[str]:
    """A table of the graders' proofs; gives what is wrong with them."""
    from autograder.proof import idle_tests, matrix, telling_symptoms

    missing = {proof.answer.exercise.name: proof.absent for proof in proofs if proof.absent}
    proofs = [proof for proof in proofs if not proof.absent]
    table = _table(*COLUMNS)
    for assignment in dict.fromkeys(proof.assignment for proof in proofs):
        table.add_row(f"[bold]{assignment}[/bold]")
        for row in matrix.rows(proof for proof in proofs if proof.assignment == assignment):
            table.add_row(f" {row.name}", *_cells(row))
    console.print(table)
    console.print(LEGEND)
    for exercise, why in missing.items():
        console.print(f"{exercise} is not proved here: {why}")
    console.print(f"\n{_sums(matrix.MatrixRow('all', tuple(proofs)))}")
    wrong = [
        f"{proof.answer.exercise.name}: {proof.answer.kind} {proof.answer.name}: {proof.problem}"
        for proof in proofs
        if proof.problem
    ]
    held = ", ".join(sorted({proof.verdict.sandbox for proof in proofs} - {""}))
    console.print(f"{len(proofs)} answers graded in {held}; {len(wrong)} judged wrongly\n")
    wrong += [f"{test}: no known mistake fails this test" for test in idle_tests(proofs)]
    told = "a symptom tells a number that may be hidden"
    return wrong + [f"{told}: {symptom}" for symptom in telling_symptoms(proofs)]


def _show_prices(console: Console, course: Course, proofs: list) -> None:
    """How far marks are from what a teacher takes; nothing where no exercise has prices."""
    from autograder.proof import off_price

    count, off = off_price(course.root, proofs)
    if not count:
        return
    console.print(f"{count - len(off)} of {count} known mistakes cost their price, within a tenth.")
    for name, (taken, price) in list(off.items())[:FURTHEST]:
        console.print(f"  {name} costs {taken:.2f} of the marks, and a teacher takes {price:g}")


def _cells(row: Any) -> list[str]:
    """A row of the matrix, as its columns show it."""
    mistakes, variants, mutants = (row.count(kind) for kind in ("mistake", "variant", "mutant"))
    marks = [row.share("reference"), row.share("stub")]
    same = row.full("mutant")
    return [
        *("" if share is None else f"{share:.0%}" for share in marks),
        f"{mistakes - row.full('mistake')}/{mistakes}" if mistakes else "",
        f"{row.named}/{mistakes}" if mistakes else "",
        "/".join(map(str, row.seen)) if any(row.seen) else "",
        f"{row.full('variant')}/{variants}" if variants else "",
        f"{mutants - same}/{mutants}" if mutants else "",
        f"{row.excused}/{same}" if same else "",
        _on_cuda(row, mistakes),
    ]


def _on_cuda(row: Any, mistakes: int) -> str:
    if waiting := row.waiting_for("cuda"):
        return f"{waiting} wait"
    return f"{row.caught_on('cuda')}/{mistakes}" if row.tests_on("cuda") else ""


def _sums(row: Any) -> str:
    """What all rows come to, in a sentence."""
    mistakes, variants, mutants = (row.count(kind) for kind in ("mistake", "variant", "mutant"))
    same = row.full("mutant")
    warned, cheap, dear = row.seen
    return (
        f"{mistakes} mistakes: {mistakes - row.full('mistake')} caught, {row.named} named by their "
        f"own slug; {warned} fail a visible check, {cheap} pass all and cost less than a fifth of "
        f"the marks, {dear} pass all and cost more.{_remarks(row)} {variants} variants: "
        f"{row.full('variant')} kept full marks. {mutants} mutants: {mutants - same} killed, "
        f"{same} left, {row.excused} of them known to do the same."
    )


def _remarks(row: Any) -> str:
    remarks = row.count("remark")
    return f" {remarks} that cost nothing: {row.remarked} told." if remarks else ""


def _claims_changed(console: Console, course: Course, proofs: list, accept: bool) -> list[str]:
    """Keep which mistakes fail which claims, or say how that differs from what is kept."""
    from autograder.proof import claims

    wrong: list[str] = []
    for name in dict.fromkeys(proof.assignment for proof in proofs):
        own = [proof for proof in proofs if proof.assignment == name]
        now, path = claims.table(own, course.secret), claims.claims_file(course.root, name)
        if accept:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(now, encoding="utf-8")
            console.print(f"{path}: which mistakes fail which claims, as it is now")
        elif path.exists():
            changed = claims.changes(path.read_text(encoding="utf-8"), now)
            wrong += [f"a mistake fails other claims than it did: {line}" for line in changed]
    if wrong:
        wrong.append("read these, mend claims that are not true, and run with --accept-claims")
    return wrong


def _show_mutants(console: Console, proofs: list) -> None:
    """The mutants that do the same as the reference, by reason."""
    same: dict[tuple[str, str, str], list[str]] = {}
    for proof in proofs:
        answer = proof.answer
        if answer.reason and proof.problem is None:
            place = (proof.assignment, answer.exercise.name, answer.reason)
            same.setdefault(place, []).append(answer.name)
    if same:
        console.print("Mutants that do the same as the reference:")
    for (_, exercise, reason), changes in same.items():
        console.print(f"  [bold]{exercise}[/bold]: {escape(reason)}", soft_wrap=True)
        for change in changes:
            console.print(f"    {escape(change)}", soft_wrap=True)
    console.print()


def _show_runs(console: Console, runs: Iterable) -> list[str]:
    """A table of the notebooks, as each is done; gives what is wrong with them."""
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
    count = len(done)
    console.print(f"{count} notebooks run, each released one solved and untouched; ", end="")
    console.print(f"{len(problems)} problems\n")
    return problems


def _show_leaks(console: Console, found: list) -> list[str]:
    """How many secrets releases hold; gives which."""
    console.print(f"release/ searched by content; {len(found)} secrets found")
    return [f"release: {leak}" for leak in found]


def _show_todos(console: Console, name: str, lines: list) -> None:
    """What is left to write in an assignment, which is therefore not proved."""
    console.print(f"\n[yellow]TODO[/yellow]  {name} is not proved until these are written:")
    for line in lines:
        console.print(f"    {escape(str(line))}", soft_wrap=True)


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(first, overflow="ellipsis")  # the one that gives way where lines are short
    for column in others:
        table.add_column(column, justify="right", no_wrap=True)
    return table
