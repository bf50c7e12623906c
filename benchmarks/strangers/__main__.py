"""What answers get that were written by people who had the release alone, and judged by hand first.

`python -m benchmarks.strangers [EXERCISE ...] [--list] [--write FILE] [--answers FOLDER]` grades
the answers under `answers/`, or another folder, in this process: a cell each, with its verdict in
the `verdicts.toml` beside it. Whether a name that an answer gets is true of it, as a person judged,
stands in `names.toml`. It ends with 1 where a right answer loses marks, a wrong one keeps all of
them, or more than one name in a hundred is false.
"""

import argparse
import sys
import tomllib
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache, partial
from io import StringIO
from pathlib import Path

import nbformat
import torch

from autograder.checks.kit.local_student import LocalStudent
from autograder.judging.answers import student_with
from autograder.judging.explaining import explain
from autograder.judging.plugin import Graders
from benchmarks.machine import ROOT, described
from benchmarks.naming import earns_all, start

ANSWERS = Path(__file__).parent / "answers"
NAMES = Path(__file__).parent / "names.toml"
MOST_FALSE = 0.01
COLUMNS = ("kept", "marked down", "full marks", "named", "symptom")


@dataclass(frozen=True)
class Verdict:
    """What a person said of an answer before it was graded.

    Attributes:
        exercise: the exercise that it answers.
        file: its cell.
        right: whether it keeps all that the notebook promises.
        ideas: what is wrong in what it computes, in words.
        slips: what is wrong beside that.
        marks: the share of the marks that a fair teacher would leave, 0 to 1.
    """

    exercise: str
    file: Path
    right: bool
    ideas: tuple[str, ...] = ()
    slips: tuple[str, ...] = ()
    marks: float = 1.0


@dataclass(frozen=True)
class Graded:
    """What grading gave: the share of the marks, the names, and what is said."""

    share: float
    names: tuple[str, ...] = ()
    told: str = ""

    def outcome(self, verdict: Verdict) -> str:
        """Which of COLUMNS this is."""
        if verdict.right:
            return "kept" if self.share == 1 else "marked down"
        if self.share == 1:
            return "full marks"
        return "named" if self.names else "symptom"


def main() -> None:
    """Grade, and print or write the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("exercises", nargs="*", metavar="EXERCISE")
    options.add_argument(
        "--list", action="store_true", help="show each wrong answer's name or symptom"
    )
    options.add_argument("--write", type=Path)
    options.add_argument(
        "--answers", type=Path, default=ANSWERS, help="others', which are not kept here"
    )
    chosen = options.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    found: list[tuple[Verdict, Graded]] = []

    def serve(graders: Graders) -> None:
        for verdict in verdicts(chosen.answers):
            if not chosen.exercises or verdict.exercise in chosen.exercises:
                found.append((verdict, graded(graders, verdict)))

    start(serve)
    for verdict, got in found:
        outcome = got.outcome(verdict)
        if chosen.list or outcome in ("marked down", "full marks"):
            print(line(verdict, got))
    judged = names_judged(found)
    text = f"{table(found)}\n\n{told_of_names(judged)}"
    print(text)
    if chosen.write:
        chosen.write.write_text(f"{described()}\n\n{text}\n", encoding="utf-8")
    outcomes = Counter(got.outcome(verdict) for verdict, got in found)
    lies = judged["false"] > MOST_FALSE * judged.total()
    sys.exit(bool(outcomes["marked down"] or outcomes["full marks"] or lies))


def verdicts(folder: Path = ANSWERS) -> Iterator[Verdict]:
    """All answers, in the order of their names."""
    for path in sorted(folder.glob("*/*/verdicts.toml")):
        for name, said in tomllib.loads(path.read_text(encoding="utf-8")).items():
            yield Verdict(
                path.parent.name,
                path.parent / name,
                said["right"],
                tuple(said.get("ideas", ())),
                tuple(said.get("slips", ())),
                said.get("marks", 1.0),
            )


def graded(graders: Graders, verdict: Verdict) -> Graded:
    """The marks and the explanation of one answer."""
    student = partial(student_of, verdict)
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        try:
            found = graders.run(verdict.exercise, student)
        except Exception as error:
            return Graded(0.0, told=f"the cell raises {type(error).__name__}: {error}")
        if earns_all(found):
            return Graded(1.0)
        explained = explain(verdict.exercise, found, student(), graders)
    judged = [one for one in found if one.outcome != "pending"]
    passed = sum(one.weight for one in judged if one.outcome == "passed")
    return Graded(
        min(passed / sum(one.weight for one in judged), 0.999), explained.slugs, explained.told
    )


def student_of(verdict: Verdict) -> LocalStudent:
    """Who wrote the answer."""
    source = imports_of(verdict.file.parents[1].name) + verdict.file.read_text(encoding="utf-8")
    return student_with(verdict.exercise, source)


@cache
def imports_of(assignment: str) -> str:
    """What the notebook imports before its first exercise, as a cell's text."""
    release = ROOT / "release" / assignment / f"{assignment}.ipynb"
    cells = nbformat.read(release, as_version=4).cells
    first = next(one.source for one in cells if one.cell_type == "code" and "import" in one.source)
    plain = [text for text in first.splitlines() if text.startswith(("import ", "from "))]
    return "\n".join(text for text in plain if "checks" not in text) + "\n"


def line(verdict: Verdict, got: Graded) -> str:
    """What a person said of an answer, and what grading says."""
    said = "; ".join((*verdict.ideas, *(f"({slip})" for slip in verdict.slips))) or "right"
    names = " + ".join(got.names) or "-"
    marks = f"{verdict.marks:.2f} {got.share:.2f}"
    return f"{verdict.exercise} {verdict.file.name} | {marks} | {said} | {names} | {got.told}"


def names_judged(found: list[tuple[Verdict, Graded]]) -> Counter[str]:
    """How many of the names that answers get are true of them, false, or judged by nobody."""
    read = tomllib.loads(NAMES.read_text(encoding="utf-8"))
    judged: Counter[str] = Counter()
    for verdict, got in found:
        said = read.get(verdict.exercise, {}).get(verdict.file.name, {})
        for name in got.names:
            kinds = [kind for kind in ("true", "false") if name in said.get(kind, ())]
            judged[kinds[0] if kinds else "not judged"] += 1
            if not kinds or kinds == ["false"]:
                said_so = " ".join(kinds) or "not judged"
                print(f"{verdict.exercise} {verdict.file.name}: {name} is {said_so}")
    return judged


def told_of_names(judged: Counter[str]) -> str:
    """What people found of the names, in a sentence."""
    return (
        f"Of {judged.total()} names, {judged['true']} are true of the answers that get them, "
        f"{judged['false']} false, and {judged['not judged']} were judged by nobody yet."
    )


def table(found: list[tuple[Verdict, Graded]]) -> str:
    """Counts by exercise."""
    counts = Counter((verdict.exercise, got.outcome(verdict)) for verdict, got in found)
    lines = [f"| exercise | {' | '.join(COLUMNS)} |", f"|---|{'---|' * len(COLUMNS)}"]
    for exercise in dict.fromkeys(verdict.exercise for verdict, _ in found):
        cells = " | ".join(str(counts[exercise, column]) for column in COLUMNS)
        lines.append(f"| {exercise} | {cells} |")
    total = (str(sum(counts[key] for key in counts if key[1] == column)) for column in COLUMNS)
    return "\n".join([*lines, f"| **all** | {' | '.join(total)} |"])


if __name__ == "__main__":
    main()
