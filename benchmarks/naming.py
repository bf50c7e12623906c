"""How often wrong answers are called by the right name, by a wrong one, or told by a symptom.

`python -m benchmarks.naming [EXERCISE ...] [--each 40] [--seed 1] [--kind KIND] [--processes 2]
[--list] [--write FILE]` grades, some exercises at a time, each in one process: every known mistake;
the same, named by a bank that does not know it; right answers with one known mistake made in them;
two known mistakes made at once, in the reference and in other right answers; and single ones
rewritten as strangers write, with up to three habits and slips. A name is wrong where that mistake
was not made and, on inputs that no probe has, the answer does not behave as it does; what a slip
brought is no wrong name. Answers without a name in which the mistake turns out not to be made are
counted by themselves. Where no kind is chosen, it also grades right answers rewritten by habits,
which are to keep all marks, and times right answers against as many wrong ones.
"""

import argparse
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import torch

from autograder.bank import Mistake, all_mistakes, mistakes, variants
from autograder.course import load_course
from autograder.course.layout import grader_files
from autograder.course.own_code import serve as serve_course
from autograder.judging.answers import reference_source, source_of, student_with
from autograder.judging.bank import bank_of
from autograder.judging.behaviour import observe
from autograder.judging.diagnosis import named_from
from autograder.judging.explaining import explain
from autograder.judging.plugin import Found, Graders
from autograder.judging.symptoms import of_error
from benchmarks.machine import described
from benchmarks.names_counted import Tally, added, is_bad, report
from benchmarks.names_judged import earns_all, is_made, judged
from benchmarks.wrong_answers import (
    KINDS,
    LEFT_OUT,
    WrongAnswer,
    made,
    right_answers,
    wrong_answers,
)

ROOT = Path(__file__).parent.parent
serve_course(ROOT)
SECRET = b"naming"
TIMED = 12
NO_NAME = of_error("NameError")


def main() -> None:
    """Measure, print and write; exit with 1 where too many names are wrong or a right one fails."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("exercises", nargs="*", metavar="EXERCISE")
    options.add_argument("--each", type=int, default=40, help="answers of a kind and exercise")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--kind", action="append", choices=KINDS, help="only answers of this kind")
    options.add_argument("--processes", type=int, default=2)
    options.add_argument("--list", action="store_true", help="show what has no name")
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    names = chosen.exercises or list(dict.fromkeys(entry.exercise for entry in all_mistakes()))
    kinds = tuple(chosen.kind or KINDS)
    pool = ProcessPoolExecutor(chosen.processes, get_context("spawn"), prepare)
    # The last exercises train models and take longest: first, so that no process waits for them.
    running = {
        pool.submit(measured, name, chosen.each, chosen.seed, kinds): name for name in names[::-1]
    }
    found: dict[str, Tally] = {}
    for done in as_completed(running):
        found[running[done]] = done.result()
        print(f"{len(found)} of {len(names)}: {running[done]}", file=sys.stderr, flush=True)
        tallies = {name: found[name] for name in names if name in found}
        text = report(tallies, kinds)
        if chosen.write:  # after each exercise, so that a run that is cut off leaves what it knows
            chosen.write.write_text(f"{described()}\n\n{text}", encoding="utf-8")
    print(text)
    for answer, said in added(tallies.values()).said if chosen.list else ():
        print(f"{answer}: {said}")
    sys.exit(is_bad(added(tallies.values())))


def prepare() -> None:
    """Make a process that measures ready."""
    torch.set_num_threads(1)  # as on a grading machine; tiny tensors are faster so
    warnings.simplefilter("ignore")  # mistakes overflow and deprecate: that is their job


def measured(exercise: str, each: int, seed: int, kinds: Sequence[str]) -> Tally:
    """What becomes of answers of these kinds to an exercise; of all kinds, and of right ones.

    Raises:
        RuntimeError: grading stopped before the end.
    """
    tallies: list[Tally] = []

    def serve(graders: Graders) -> None:
        tally = measure(graders, wrong_answers(exercise, each, seed, kinds))
        if set(kinds) == set(KINDS):
            right = right_answers(exercise, each, seed)
            tally.marked_down = marked_down(graders, exercise, right)
            tally.right_ms, tally.wrong_ms = timed(graders, exercise)
        tallies.append(tally)

    start(serve)
    if not tallies:
        raise RuntimeError(f"grading {exercise} stopped before the end; the error is above")
    return tallies[0]


def start(serve: Callable[[Graders], None]) -> None:
    """Collect all hidden graders and hand them over."""
    assignments = load_course(ROOT).assignments.values()
    files = [file for one in assignments for file in grader_files(ROOT, one.name)]
    Graders(SECRET, "cpu", serve).start(files)


def measure(graders: Graders, answers: Iterable[WrongAnswer]) -> Tally:
    """Grade wrong answers to one exercise, and see what they are called."""
    tally = Tally()
    for answer in answers:
        found = tuple(graders.run(answer.exercise, partial(made, answer)))
        if earns_all(found) or any(one.symptom == NO_NAME for one in found):
            continue  # what was changed is no mistake here, or lost what it builds on
        if answer.kind == LEFT_OUT:
            named, told = named_without(answer, found), None
        else:
            explained = explain(answer.exercise, found, made(answer), graders)
            named, told = list(explained.mistakes), explained.told
        tally.add(answer, judged(answer, named, is_made(graders, answer)), named, told)
    return tally


def marked_down(graders: Graders, exercise: str, sources: Iterable[str]) -> list[str]:
    """The right answers among these that lose marks, and by which test."""
    lost = []
    for source in sources:
        found = graders.run(exercise, partial(student_with, exercise, source))
        lost += [f"{exercise}, {one.name}:\n{source}" for one in found if one.outcome == "failed"]
    return lost


def named_without(answer: WrongAnswer, found: Iterable[Found]) -> list[Mistake]:
    """What a known mistake would be called if it were not known."""
    known = bank_of(answer.exercise).without(answer.made[0].slug)
    claimed = [one.misconception for one in found if one.misconception]
    return named_from(known, observe(answer.exercise, made(answer)), claimed)


def timed(graders: Graders, exercise: str) -> tuple[float, float]:
    """Milliseconds of the processor to grade a right answer and a wrong one, when all is warm."""
    right = [reference_source(exercise), *(source_of(one) for one in variants(exercise))]
    wrong = [source_of(one) for one in mistakes(exercise)]
    spent: list[float] = []
    for sources in (right, wrong):
        took = []
        for number in range(TIMED):
            student = partial(student_with, exercise, sources[number % len(sources)])
            started = time.process_time()
            found = tuple(graders.run(exercise, student))
            if not earns_all(found):
                explain(exercise, found, student(), graders)
            took.append(1000 * (time.process_time() - started))
        spent.append(statistics.mean(took))
    return spent[0], spent[1]


if __name__ == "__main__":
    main()
