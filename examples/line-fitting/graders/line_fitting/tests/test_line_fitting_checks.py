"""The visible checks of 01 pass on right answers, and see the known mistakes."""

from pathlib import Path

import pytest

from autograder.course.own_code import serve

serve(Path(__file__).parents[3])

from autograder.bank import all_mistakes, all_variants  # noqa: E402 - they are the course's
from autograder.checks.kit.discovery import module_of  # noqa: E402
from autograder.checks.kit.running import run_checks  # noqa: E402
from autograder.judging.answers import source_of, student_with  # noqa: E402


@pytest.mark.parametrize("known", all_variants(), ids=lambda one: f"{one.exercise}: {one.name}")
def test_right_answers_pass(known):
    assert [one.says for one in findings(known) if not one.passed] == []


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # some divide by 0
@pytest.mark.parametrize("known", all_mistakes(), ids=lambda one: f"{one.exercise}: {one.slug}")
def test_a_known_mistake_fails_a_check(known):
    assert any(not one.passed for one in findings(known))


def findings(known):
    namespace = student_with(known.exercise, source_of(known))._namespace
    module = module_of(known.exercise)
    assert module is not None
    return run_checks(known.exercise, module, namespace)
