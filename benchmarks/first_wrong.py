"""What the first wrong answer to an exercise costs to explain, in a worker that has seen none.

`python -m benchmarks.first_wrong [EXERCISE ...] [--strangers] [--each N] [--slow 2] [--write FILE]`
grades each known mistake as a submission's cells, in the full sandbox, and with `--strangers` the
wrong answers of `benchmarks/strangers` too. A process is forked for each, as a grading process
forks a worker, so that nothing is known there of the known answers. Counted is the explaining
alone: from the failed tests to the words. Without exercises, those of 05 to 07.
"""

import argparse
import os
import pickle
import statistics
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from autograder.course import Assignment, load_course
from autograder.course.layout import grader_files
from autograder.course.own_code import serve as serve_course
from autograder.judging.library import library
from autograder.judging.plugin import Graders
from autograder.proof.known_answers import known_answers
from autograder.sandbox import Sandbox
from autograder.sandbox.inside.versions import importable
from autograder.student.session import Cell, Session
from autograder.verdicts import judge as judging
from benchmarks import machine

COURSE = load_course(machine.ROOT)
serve_course(machine.ROOT)
USUAL = ("05-fused-attention", "06-seeing-attention", "07-attention-vs-recurrence")


@dataclass(frozen=True)
class Wrong:
    """One wrong answer, in the notebook that it stands in.

    Attributes:
        assignment: its assignment.
        exercise: the exercise's name.
        name: what to call it.
        cells: the notebook's code cells: (exercise or None, source).
    """

    assignment: Assignment
    exercise: str
    name: str
    cells: Sequence[tuple[str | None, str]]


@dataclass(frozen=True)
class Cost:
    """What explaining an answer took: seconds by the clock, and of the processor.

    Those of the processor are of the grading worker and of the student's process together, which
    wait for each other: what the clock would say on a machine that does nothing else.
    """

    name: str
    seconds: float
    processor: float


def main() -> None:
    """Grade, and print or write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("exercises", nargs="*", metavar="EXERCISE")
    options.add_argument("--strangers", action="store_true")
    options.add_argument("--each", type=int, default=10**6, help="most known mistakes of each")
    options.add_argument("--slow", type=float, default=2.0, help="seconds: these stand alone")
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    answers = list(wrong_answers(chosen.exercises, chosen.each, chosen.strangers))
    costs: dict[str, list[Cost]] = {}

    def serve(graders: Graders) -> None:
        library().warm()
        limits, packages = COURSE.limits.limits(), importable(**COURSE.packages.names())
        with Sandbox(limits=limits, packages=packages) as sandbox:
            for place, answer in enumerate(answers):
                took = in_a_fork(sandbox, place, graders, answer)
                if took is not None:
                    cost = Cost(answer.name, *took)
                    print(f"{answer.exercise}, {cost.name}: {cost.processor:.2f}", file=sys.stderr)
                    costs.setdefault(answer.exercise, []).append(cost)

    names = dict.fromkeys(one.assignment.name for one in answers)
    files = [file for name in names for file in grader_files(machine.ROOT, name)]
    Graders(b"first wrong", "cpu", serve).start(files)
    text = report(costs, chosen.slow)
    print(text)
    if chosen.write:
        chosen.write.write_text(text, encoding="utf-8")


def wrong_answers(names: Sequence[str], each: int, strangers: bool) -> Iterator[Wrong]:
    """The wrong answers to these exercises, or to those of 05 to 07."""
    for assignment in COURSE.assignments.values():
        own = {one.name for one in assignment.exercises if one.kind == "code"}
        wanted = own & set(names) if names else own if assignment.name in USUAL else set()
        if not wanted:
            continue
        count = dict.fromkeys(wanted, 0)
        notebook: Sequence[tuple[str | None, str]] = ()
        for answer in known_answers(COURSE, assignment):
            name = answer.exercise.name
            notebook = notebook or answer.cells
            if answer.kind == "mistake" and name in wanted and count[name] < each:
                count[name] += 1
                yield Wrong(assignment, name, f"{answer.name} {count[name]}", answer.cells)
        if strangers:
            yield from _of_strangers(assignment, wanted, notebook)


def _of_strangers(
    assignment: Assignment, wanted: set[str], notebook: Sequence[tuple[str | None, str]]
) -> Iterator[Wrong]:
    from benchmarks.strangers.__main__ import verdicts

    for one in verdicts():
        if one.exercise in wanted and not one.right:
            source = one.file.read_text(encoding="utf-8")
            cells = [(own, source if own == one.exercise else text) for own, text in notebook]
            yield Wrong(assignment, one.exercise, f"a stranger's {one.file.stem}", cells)


def in_a_fork(
    sandbox: Sandbox, place: int, graders: Graders, answer: Wrong
) -> tuple[float, float] | None:
    """Seconds that explaining the answer took in a process of its own; None where nothing was."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writing, pickle.dumps(explained(sandbox, graders, answer)))
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        found = pipe.read()
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        raise RuntimeError(f"{answer.exercise}, {answer.name} could not be graded")
    took: tuple[float, float] | None = pickle.loads(found)
    return took


def explained(sandbox: Sandbox, graders: Graders, answer: Wrong) -> tuple[float, float] | None:
    """Grade the answer, and time its explanation."""
    took: list[tuple[float, float]] = []
    explain = judging.explain

    def timed(exercise: str, failed: Any, student: Any, hidden: Graders) -> Any:
        began = time.perf_counter(), time.process_time() + processor_of(student)
        found = explain(exercise, failed, student, hidden)
        ended = time.perf_counter(), time.process_time() + processor_of(student)
        took.append((ended[0] - began[0], ended[1] - began[1]))
        return found

    judging.explain = timed
    rules = judging.Rules(answer.assignment, {}, cuda_points=False)
    rules.load()
    cells = [
        Cell(own or f"cell {position}", source, own)
        for position, (own, source) in enumerate(answer.cells, 1)
    ]
    session = Session(sandbox.connect(), cells, {}, COURSE.limits.limits())
    judging.judge(rules, graders, session, [answer.exercise], set(), "ada")
    session.close()
    return took[0] if took else None


def processor_of(student: Any) -> float:
    """Seconds of the processor that a student's process has taken so far."""
    stat = Path(f"/proc/{student._worker._process._pid}/stat").read_text()
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def report(costs: dict[str, list[Cost]], slow: float) -> str:
    """The page: an exercise a row, and each answer that took long."""
    lines = [
        "# What a first wrong answer costs to explain",
        "",
        "`python -m benchmarks.first_wrong --write FILE`; seconds by the clock, and of the",
        "processor, of the worker and the student's process together, where nothing was told yet.",
        "",
        f"{machine.described()}.",
        "",
        "| exercise | wrong answers | median | slowest | processor: median | slowest |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for exercise, found in costs.items():
        clock, own = [one.seconds for one in found], [one.processor for one in found]
        figures = (statistics.median(clock), max(clock), statistics.median(own), max(own))
        columns = " | ".join(f"{one:.2f}" for one in figures)
        lines.append(f"| {exercise} | {len(found)} | {columns} |")
    late = [
        (one.processor, f"| {exercise} | {one.name} | {one.seconds:.2f} | {one.processor:.2f} |")
        for exercise, found in costs.items()
        for one in found
        if one.processor > slow
    ]
    if late:
        lines += ["", f"| above {slow:g} s of the processor | answer | clock | processor |"]
        lines += ["|---|---|--:|--:|", *(line for _, line in sorted(late, reverse=True))]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
