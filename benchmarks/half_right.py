"""What half-right answers keep of the marks, for a teacher to look at.

`python -m benchmarks.half_right [EXERCISE ...] [--write FILE] [--json FILE] [--before FILE]` grades
one answer of each kind to each exercise, in this process, on the CPU. Kinds that leave the idea
right are made of the reference: one number of axes alone, float32 always, no gradient, a tensor
made on the CPU. The others are known mistakes. `--json` keeps the marks; `--before` shows those
that were kept at an earlier time beside them.
"""

import argparse
import inspect
import json
import re
import textwrap
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch

from autograder.bank import all_mistakes, mistakes
from autograder.course import load_course
from autograder.course.aspects import ERRORS
from autograder.course.layout import grader_files
from autograder.course.own_code import serve as serve_course
from autograder.course.points import added
from autograder.judging.answers import reference_source, solution_module, source_of, student_with
from autograder.judging.plugin import Graders
from autograder.judging.points import share

ROOT = Path(__file__).parent.parent
serve_course(ROOT)
SECRET = b"half right"
COURSE = load_course(ROOT)
POINTS = {
    exercise.name: exercise.points
    for assignment in COURSE.assignments.values()
    for exercise in assignment.exercises
}

# An answer that does right, and spoils what goes in or comes out; `right` is the reference's.
FUNCTION = """
right_answer = {name}
def {name}(*args, **kwargs):
    right = right_answer
{body}
"""
MODULE = """
class RightAnswer({name}):
    pass
class {name}(RightAnswer):
    def forward(self, *args, **kwargs):
        right = super().forward
{body}
"""
AXES = """
if args[0].ndim != {axes}:
    raise RuntimeError("too many dimensions, or too few")
return right(*args, **kwargs)
"""
# What is done to every tensor that comes out.
SPOILT = """
import torch
def spoilt(value):
    if isinstance(value, (tuple, list)):
        return type(value)(map(spoilt, value))
    return {after} if isinstance(value, torch.Tensor) else value
return spoilt(right(*args, **kwargs))
"""
ON_CPU = "value + torch.zeros(value.shape, dtype=value.dtype)"
MADE = {
    "float32 always": SPOILT.format(after="value.float()"),
    "gradient cut": SPOILT.format(after="value.detach()"),
    "made on the CPU": SPOILT.format(after=ON_CPU),
}
# Of each kind the first known mistake that an exercise has, where it is not made as above.
SLIPS: Mapping[str, tuple[str, ...]] = {
    "made on the CPU": ("device-ignored", "made-on-the-cpu", "mask-made-on-the-cpu"),
    "two axes, by k.T": ("transpose-of-a-matrix-only", "all-axes-reversed", "matrices-only"),
    "three axes, by transpose(1, 2)": ("transpose-of-a-batch-only", "one-batch-axis-only"),
    "four axes, by transpose(2, 3)": ("transpose-of-heads-only",),
    "a fixed axis": ("softmax-over-third-axis", "axis-hard-coded"),
    "numbers for True and False": ("float-mask", "whole-number-mask"),
    "a Python loop": ("loop-over-queries", "loop-over-batch"),
    "input changed": (
        *("input-changed", "queries-changed", "scores-changed", "values-changed", "tokens-changed"),
        *("changed-in-place", "mask-changed", "lengths-changed", "weights-changed"),
    ),
    "no ValueError": (
        *("no-check-of-heads", "no-check-of-tokens", "lengths-unchecked", "any-number-of-pairs"),
        *("broadcast-in-silence", "more-queries-accepted", "cut-to-fit", "division-by-zero"),
    ),
    "no numbers in it": ("numbers-not-named", "error-without-numbers"),
    "no heads let through": ("no-heads-let-through",),
    "as wide as the keys": ("width-of-values-compared", "values-as-wide-as-keys"),
    "square masks alone": ("square-only",),
    "whole blocks alone": ("blocks-must-divide",),
    "never a bias": ("bias-never", "never-a-bias", "no-bias-in-qkv"),
    "stops at a mask": ("truth-of-a-tensor",),
    "NaN in empty rows": ("dead-rows-nan",),
    "no maximum taken off": ("no-maximum-subtracted",),
    "one of two values": ("only-the-output",),
    "the second value first": ("weights-first",),
    "dropout in training": ("dropped-in-training",),
}
IDEAS: Mapping[str, tuple[str, ...]] = {
    "no scale": ("no-scale",),
    "wrong scale": ("scale-without-root", "constant-scale", "scaled-already"),
    "wrong axis": ("softmax-over-queries", "softmax-over-second-axis"),
    "transposed": (
        *("mask-transposed", "keys-by-queries", "weights-transposed", "view-straight-to-heads"),
    ),
    "mask ignored": ("mask-ignored", "is-causal-ignored"),
    "mask inverted": ("mask-inverted",),
    "no softmax": ("no-softmax", "scores-returned", "weights-for-scores"),
    "swapped": ("queries-and-keys-swapped", "keys-and-values-swapped", "values-from-keys"),
}


@dataclass(frozen=True)
class HalfRight:
    """An answer that is right in part.

    Attributes:
        kind: what is wrong with it.
        source: its cell.
    """

    kind: str
    source: str


Kept = dict[str, dict[str, float]]  # marks by exercise and kind


def main() -> None:
    """Grade, and print or write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("exercises", nargs="*", metavar="EXERCISE")
    options.add_argument("--write", type=Path)
    options.add_argument("--json", type=Path)
    options.add_argument("--before", type=Path)
    chosen = options.parse_args()
    torch.set_num_threads(1)  # as on a grading machine; tiny tensors are faster so
    warnings.simplefilter("ignore")  # mistakes overflow and deprecate: that is their job
    names = chosen.exercises or list(dict.fromkeys(entry.exercise for entry in all_mistakes()))
    kept: Kept = {}

    def serve(graders: Graders) -> None:
        for name in names:
            kept[name] = {one.kind: marks(graders, name, one.source) for one in half_right(name)}

    files = [file for one in COURSE.assignments.values() for file in grader_files(ROOT, one.name)]
    Graders(SECRET, "cpu", serve).start(files)
    before: Kept = json.loads(chosen.before.read_text()) if chosen.before else {}
    text = report(kept, before)
    print(text)
    if chosen.write:
        chosen.write.write_text(text, encoding="utf-8")
    if chosen.json:
        chosen.json.write_text(json.dumps(kept, indent=1))


def half_right(exercise: str) -> Iterator[HalfRight]:
    """Half-right answers to an exercise, and some whose idea is wrong."""
    made = ways(exercise)
    for kind, body in made.items():
        yield HalfRight(kind, reference_source(exercise) + body)
    known = {one.slug: one for one in reversed(mistakes(exercise))}
    for kind, slugs in (SLIPS | IDEAS).items():
        found = [slug for slug in slugs if slug in known]
        if found and kind not in made:
            yield HalfRight(kind, source_of(known[found[0]]))


def ways(exercise: str) -> dict[str, str]:
    """What is put behind the reference, by kind."""
    answer = getattr(solution_module(exercise), exercise)
    is_module = isinstance(answer, type)
    signature = inspect.signature(answer.forward if is_module else answer)
    taken = [str(one.annotation) for one in signature.parameters.values()][is_module:]  # past self
    first = taken[0]
    bodies: dict[str, str] = {}
    if any(
        "Float[Tensor" in one for one in taken
    ):  # what no such tensor goes into cuts nothing off
        bodies |= MADE
    if any_axes := re.search(r"(?:Tensor|ndarray), '(?:\.\.\.|\*shape)(.*)'", first):
        fewest = 1 if "ndarray" in first else 2  # the notebook shows no mask or tensor with one
        least = max(fewest, len(any_axes[1].split()))
        for axes in range(least, least + 3):
            noun = "axis" if axes == 1 else "axes"
            bodies[f"{axes} {noun} alone"] = AXES.format(axes=axes)
    template, depth = (MODULE, 8) if is_module else (FUNCTION, 4)
    return {
        kind: template.format(name=exercise, body=textwrap.indent(body, " " * depth))
        for kind, body in bodies.items()
    }


def marks(graders: Graders, exercise: str, source: str) -> float:
    """The points that an answer keeps."""
    found = graders.run(exercise, partial(student_with, exercise, source))
    weights = [one.weight if one.device == "cpu" else 0.0 for one in found]
    errors = {place for place, one in enumerate(found) if one.aspect == ERRORS}
    points = share(POINTS[exercise], weights, errors)
    return added(point for one, point in zip(found, points, strict=True) if one.outcome == "passed")


def report(kept: Kept, before: Kept) -> str:
    """The marks as a table, exercise by exercise."""
    lines = ["# What half-right answers keep", "", "`python -m benchmarks.half_right --write FILE`"]
    for title, is_idea in (("Right in part", False), ("A wrong idea", True)):
        lines += ["", f"## {title}", "", "| exercise | answer | before | keeps | of |"]
        lines += ["|---|---|--:|--:|--:|"]
        for exercise, found in kept.items():
            for kind, points in found.items():
                if (kind in IDEAS) == is_idea:
                    earlier = before.get(exercise, {}).get(kind)
                    was = "" if earlier is None else f"{earlier:.2f}"
                    worth = f"{POINTS[exercise]:g}"
                    lines.append(f"| {exercise} | {kind} | {was} | {points:g} | {worth} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
