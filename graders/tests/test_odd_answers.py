"""Right answers given back oddly, through the sandbox: no grader stumbles over any of them."""

import re

import pytest
from course_packages import PACKAGES
from grading import ROOT
from odd_returns import HARMLESS, KINDS, giving

from autograder.course import load_course
from autograder.course.layout import grader_files
from autograder.course.limits import Limits
from autograder.judging.answers import solution_file
from autograder.judging.plugin import Graders
from autograder.sandbox import Sandbox
from autograder.student.session import Cell, Session
from autograder.tensors.inside.dynamo import leave_out_compiler

pytestmark = pytest.mark.slow

LIMITS = Limits()
COURSE = load_course(ROOT)
WAYS = [(kind, way) for kind, (ways, _) in KINDS.items() for way in ways]

# Exercises whose results hold no tensor and no array, and those whose results hold others, too.
NUMBERS = [
    *("attention_cost", "strongest_links", "classify_pattern", "train_recall", "recall_by_length")
]
PICTURES = ["plot_attention", "compare_attention"]
MIXED = ["load_attention"]

# Of so many ways, an assignment's exercises are given back in one, another than the next one's, so
# that each way is tried; in the others by `--in-full`. Numbers are in two assignments alone.
OFTEN = {"arrays": 6, "numbers": 2, "wholes": 6}
# A kernel that is interpreted, and models that are trained, take a second each time: half of those.
SLOW = {"triton_attention", "train_recall", "recall_by_length"}

ODDLY = "kept = {name}\n{name} = oddly({name}, give)\n"
AGAIN = "{name} = kept\n"  # so that each exercise builds on right ones


@pytest.fixture(scope="module")
def connection():
    with Sandbox(limits=LIMITS, packages=PACKAGES) as sandbox:
        yield sandbox.connect()


def code_of(assignment):
    return [one.name for one in assignment.exercises if one.kind == "code"]


def applies(kind, name):
    if kind == "arrays":
        return name not in NUMBERS + PICTURES
    return kind == "wholes" or name in NUMBERS + MIXED


def asked():
    """What is given back how, for each assignment: a share of it, and the rest by `--in-full`."""
    for number, assignment in enumerate(COURSE.assignments.values()):
        chosen, rest = [], []
        for place, (kind, way) in enumerate(WAYS, start=number):
            names = [name for name in code_of(assignment) if applies(kind, name)]
            now = [one for one in names if place % (OFTEN[kind] * (1 + (one in SLOW))) == 0]
            for ways, given in ((chosen, now), (rest, [one for one in names if one not in now])):
                if given:
                    ways.append((kind, way, given))
        name = assignment.name
        yield pytest.param(assignment, chosen, id=name, marks=pytest.mark.xdist_group(name))
        marks = [pytest.mark.in_full, pytest.mark.xdist_group(f"{name}, the rest")]
        yield pytest.param(assignment, rest, id=f"{name}, the rest", marks=marks)


def cells_of(assignment, kind, way):
    files = dict.fromkeys(map(solution_file, code_of(assignment)))
    for file in files:
        yield Cell(file.stem, file.read_text(encoding="utf-8"))
    yield Cell("odd", giving(kind, way))
    for name in code_of(assignment):
        yield Cell(name, ODDLY.format(name=name), name)
        yield Cell(f"{name} again", AGAIN.format(name=name))


def graded(connection, assignment, ways):
    """What the hidden tests find, by exercise, kind and way."""
    beside = ROOT / "assignments" / assignment.name / "bert.py"
    files = {"bert.py": beside.read_bytes()} if beside.exists() else {}
    found = {}

    def serve(graders):
        for kind, way, names in ways:
            session = Session(connection, list(cells_of(assignment, kind, way)), files, LIMITS)
            assert [one.error for one in session.outcomes.values() if one.error is not None] == []
            for name in names:
                found[name, kind, way] = graders.run(name, lambda: session.student)  # noqa: B023
            session.close()

    leave_out_compiler()
    Graders(b"secret", "cpu", serve).start(grader_files(ROOT, assignment.name))
    return found


@pytest.mark.parametrize(("assignment", "ways"), list(asked()))
def test_no_grader_stumbles_and_what_is_harmless_costs_nothing(connection, assignment, ways):
    found = graded(connection, assignment, ways)
    faults = {
        (*key, one.name): one.fault
        for key, tests in found.items()
        for one in tests
        if one.outcome == "error"
    }
    lost = {
        (name, kind, way, one.name): one.symptom or one.died
        for (name, kind, way), tests in found.items()
        for one in tests
        if way in HARMLESS and one.outcome == "failed" and not harmless(way, one.symptom)
    }
    assert (faults, lost) == ({}, {})


def harmless(way, symptom):
    return HARMLESS[way] != "" and re.search(HARMLESS[way], symptom or "") is not None


def test_each_way_is_tried_on_some_assignment_every_time():
    marks = {param.id: {mark.name for mark in param.marks} for param in asked()}
    tried = {
        (kind, way)
        for param in asked()
        if "in_full" not in marks[param.id]
        for kind, way, _ in param.values[1]
    }
    assert tried == set(WAYS)


def test_every_code_exercise_is_given_back_in_at_least_twenty_five_odd_ways():
    odd = {name: 0 for one in COURSE.assignments.values() for name in code_of(one)}
    for param in asked():
        for _, _, names in param.values[1]:
            for name in names:
                odd[name] += 1
    assert {name: count for name, count in odd.items() if count < 25} == {}


EARLIER = """
import numpy as np
import torch

def dot_product_scores(q, k):
    return {gives}
"""
LATER = """
def scaled_scores(q, k):
    return dot_product_scores(q, k) / k.shape[-1] ** 0.5
"""


@pytest.mark.parametrize(
    "gives",
    ["(q @ k.mT).numpy()", "(q @ k.mT).to(torch.float8_e5m2)", "None", "(q @ k.mT).tolist()"],
)
def test_an_odd_part_stops_no_grader_of_what_builds_on_it(connection, gives):
    names = ["dot_product_scores", "scaled_scores"]
    sources = EARLIER.format(gives=gives), LATER
    cells = [Cell(name, source, name) for name, source in zip(names, sources, strict=True)]
    session, found = Session(connection, cells, {}, LIMITS), {}

    def serve(graders):
        for name in names:
            found[name] = graders.run(name, lambda: session.student)

    Graders(b"secret", "cpu", serve).start(grader_files(ROOT, "01-attention-by-hand"))
    session.close()
    faults = [one.fault for tests in found.values() for one in tests if one.outcome == "error"]
    assert faults == []
    outcomes = {one.outcome for one in found["dot_product_scores"] if one.aspect == "values"}
    assert outcomes == {"failed"}
