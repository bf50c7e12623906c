"""Which demonstrations of a notebook grading leaves out."""

import pytest

from autograder.course.demonstrations import demonstration
from autograder.notebooks.demonstrations import places_to_run

SHOWN = demonstration("scores = train()\nplot(scores)\n")


def without_demonstrations(cells, demonstrations):
    return tuple(cells[place] for place in places_to_run(cells, demonstrations))


ANSWER = ("softmax", "def softmax(x):\n    return x")


def test_one_that_nothing_reads_is_left_out() -> None:
    assert without_demonstrations([(None, SHOWN.source + "\n"), ANSWER], [SHOWN]) == (ANSWER,)


@pytest.mark.parametrize(
    "reads",
    [
        "x = scores",
        "scores += 1",
        "del scores",
        "import torch as scores",
        "def f():\n    return scores[0]",
        "def f():\n    global scores\n    scores = 1",
        "def f(x=scores):\n    return x",
        "class A:\n    best = scores",
        "class A:\n    scores = scores",
        "f = lambda: [scores for _ in range(3)]",
        "print(f'{scores}')",
        "@scores\ndef f(): ...",
        "eval('scores')",
        "def f():\n    return globals()['scores']",
        "%time scores",
        "print(scores",
    ],
)
def test_one_whose_name_a_cell_reads_is_run(reads: str) -> None:
    cells = ((None, SHOWN.source), ("softmax", reads))

    assert without_demonstrations(cells, [SHOWN]) == cells


@pytest.mark.parametrize(
    "own",
    [
        "def f(scores):\n    return scores[0]",
        "def f(x):\n    scores = x @ x.T\n    return scores",
        "def f(x):\n    def g():\n        return scores\n    scores = x\n    return g()",
        "f = lambda scores: scores",
        "f = [scores for scores in range(3)]",
        "def f(x):\n    'The scores.'  # of x\n    return x",
        "f = table.scores",
        "f = dict(scores=1)",
    ],
)
def test_names_of_a_functions_own_are_not_read(own: str) -> None:
    cells = ((None, SHOWN.source), ("softmax", own))

    assert without_demonstrations(cells, [SHOWN]) == cells[1:]


def test_one_that_the_student_changed_is_run() -> None:
    cells = ((None, SHOWN.source + "\nprint(1)"), ANSWER)

    assert without_demonstrations(cells, [SHOWN]) == cells


def test_one_that_a_needed_demonstration_reads_is_run() -> None:
    first, second = demonstration("data = [1]"), demonstration("total = sum(data)")
    cells = ((None, first.source), (None, second.source), (None, "print(total)"))

    assert without_demonstrations(cells, [first, second]) == cells
    assert without_demonstrations(cells[:2], [first, second]) == ()


def test_an_exercise_that_is_written_like_a_demonstration_is_run() -> None:
    cells = (("softmax", SHOWN.source),)

    assert without_demonstrations(cells, [SHOWN]) == cells


def test_names_bound_in_every_way_are_known() -> None:
    source = (
        "import numpy as np, torch.nn\nfrom math import pi as circle\n"
        "a, (b, *c) = 1, (2, 3)\nfor d in []:\n    with open(e) as f:\n        g: int = 1\n"
        "def h(inner):\n    local = 1\nclass I:\n    pass\nif (j := 1):\n    k += 1\n"
    )

    assert demonstration(source).binds == set("abcdfghIjk") | {"np", "torch", "circle"}
