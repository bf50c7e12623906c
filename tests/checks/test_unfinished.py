"""A cell that needs what is not written yet names the exercise in one line; no other cell does."""

import pytest

from autograder.checks.kit.unfinished import Unfinished

EXERCISES = ("scores", "weights")


def stub(name: str) -> NotImplementedError:
    return NotImplementedError(f"{name} is not written yet: replace this line")


def missing(name: str) -> NameError:
    return NameError(f"name {name!r} is not defined", name=name)


@pytest.fixture
def unfinished() -> Unfinished:
    return Unfinished()


def test_a_stub_is_named(unfinished):
    told = unfinished.explain(stub("scores"), "scores(3)", EXERCISES)
    assert told == "this cell needs scores, which is not written yet."


def test_a_name_that_a_stopped_cell_would_have_made_is_traced_to_its_exercise(unfinished):
    unfinished.explain(stub("scores"), "table, rest = scores(3), 1", EXERCISES)
    told = unfinished.explain(missing("table"), "made = table + 1", EXERCISES)
    assert "table, which a cell above makes with scores" in told
    assert "makes with scores" in unfinished.explain(missing("made"), "print(made)", EXERCISES)


def test_an_exercise_whose_cell_was_not_run_is_named(unfinished):
    told = unfinished.explain(missing("weights"), "weights(2)", EXERCISES)
    assert told == "this cell needs weights. Run the cell that defines it first."


def test_a_demonstration_that_stops_on_a_wrong_result_names_the_exercise_and_the_error(unfinished):
    error = TypeError("'NoneType' object is not subscriptable\nmore")
    told = unfinished.explain(error, "print(scores(3)[0])", EXERCISES, failing=["scores"])
    assert "needs scores, whose check does not pass yet" in told
    assert told.endswith("TypeError: 'NoneType' object is not subscriptable")


@pytest.mark.parametrize(
    ("error", "source", "failing"),
    [
        (NotImplementedError("no kernel for this dtype"), "scores(3)", ()),
        (stub("my_own"), "my_own(3)", ()),
        (missing("typo"), "print(typo)", ()),
        (ValueError("wrong shape"), "scores(3)", ()),
        (ValueError("wrong shape"), "print(3)", ("scores",)),
        (ValueError("wrong shape"), "print(", ("scores",)),
    ],
    ids=["torch's own", "no exercise", "typo", "not failing", "not used", "no Python"],
)
def test_any_other_error_keeps_its_traceback(error, source, failing, unfinished):
    assert unfinished.explain(error, source, EXERCISES, failing) is None
