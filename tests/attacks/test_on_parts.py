"""Attacks on how exercises are judged that build on earlier ones, done to the real command."""

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from catalogue import ON_PARTS
from catalogue.lying_parts import LIARS, RECALL, WRONG, honest_twin
from classroom import Honest
from graded_class import FULL, QUICK, GradedClass, User, grade, open_folder
from oracles import gains, unmet
from runs import MODES
from small_curriculum import BUILT_ON_OTHERS, shrink

pytestmark = pytest.mark.slow

TWINS = {liar.exercise: honest_twin(liar) for liar in LIARS}
FIRST, LAST = "0-first", "zz-last"
# Training takes its time: some 400 questions a call, and ten seconds in all.
PATIENT = f"""{QUICK}
c.SubmissionLimits.call_seconds = 4
c.SubmissionLimits.submission_seconds = 60
"""
LARGEST_BYTES = 2 << 30  # a grading worker and what one answer may take beyond it

MODE = [pytest.param(mode, marks=pytest.mark.xdist_group(f"parts {mode}")) for mode in MODES]
each_mode = pytest.mark.parametrize("mode", MODE)


@pytest.fixture(scope="session")
def graded_on_parts(
    run: Any,
    make_course: Callable[[Path], Path],
    myself: User,
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[str], GradedClass]]:
    """Gives the class as it was graded in a mode, each once."""
    course = make_course(tmp_path_factory.mktemp("parts") / "course")
    shrink(course, BUILT_ON_OTHERS)
    done = run("autograder", "release", cwd=course)
    assert done.returncode == 0, done.stderr
    honest = [Honest(FIRST, one, {}) for one in BUILT_ON_OTHERS]
    honest += [Honest(LAST, one, {}) for one in BUILT_ON_OTHERS if one != RECALL]  # it trains
    found: dict[str, GradedClass] = {}
    with ExitStack() as stack:

        def graded(mode: str) -> GradedClass:
            if mode != MODES[0] and not request.config.getoption("--all-attacks"):
                pytest.skip(
                    "who answers is held alike in every mode: `make attacks` tries this one"
                )
            if mode not in found:
                folder = stack.enter_context(open_folder())
                attacks = (*ON_PARTS, *TWINS.values())
                found[mode] = grade(folder, course, attacks, honest, mode, myself, False, PATIENT)
            if mode == MODES[0] and (note := found[mode].why_not_full):
                pytest.skip(note)
            return found[mode]

        yield graded


def earned(graded: GradedClass, exercise: str) -> float:
    """What the wrong answer to an exercise earns on honest parts."""
    twin = TWINS[exercise]
    return graded.marks[twin.student, twin.assignment]["exercises"][exercise]["score"]


@each_mode
@pytest.mark.parametrize("attack", ON_PARTS, ids=lambda attack: attack.slug)
def test_the_attack_fails(attack, mode, graded_on_parts):
    found = graded_on_parts(mode)
    if attack in LIARS:
        attack = dataclasses.replace(attack, earns=earned(found, attack.exercise))
    assert not gains(attack, found), f"row {attack.row}: {attack.does} {attack.must}"
    assert not unmet(attack, found), attack.must


@each_mode
@pytest.mark.parametrize("exercise", WRONG)
def test_the_wrong_answer_loses_marks_on_honest_parts(exercise, mode, graded_on_parts):
    found = graded_on_parts(mode)
    twin = TWINS[exercise]
    one = found.marks[twin.student, twin.assignment]["exercises"][exercise]
    assert one["reason"] is None
    assert one["score"] < one["max_score"]


@each_mode
def test_everybody_honest_is_graded_and_has_full_marks(mode, graded_on_parts):
    found = graded_on_parts(mode)
    lost = [
        (one.student, name, test["name"], exercise["reason"])
        for one in found.honest
        for name, exercise in found.marks[one.student, one.assignment]["exercises"].items()
        for test in exercise["tests"]
        if test["outcome"] not in ("passed", "pending")
    ]
    assert lost == []
    assert {one["status"] for one in found.marks.values()} == {"graded"}
    assert "grader_error" not in found.said + str(found.marks)


@each_mode
def test_the_machine_is_as_it_was_and_no_process_grew_large(mode, graded_on_parts):
    found = graded_on_parts(mode)
    assert found.isolation == (FULL if mode == MODES[0] else "landlock+seccomp")
    assert (found.contacts, found.changed, found.processes) == ([], {}, [])
    assert found.largest_bytes < LARGEST_BYTES
