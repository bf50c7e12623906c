"""Which demonstrations of a notebook grading leaves out."""

import pytest

from autograder.course.demonstrations import demonstration
from autograder.notebooks.demonstrations import without_demonstrations

SHOWN = demonstration("scores = train()\nplot(scores)\n")
ANSWER = ("softmax", "def softmax(x):\n    return x")


def test_one_that_nothing_reads_is_left_out() -> None:
    assert without_demonstrations([(None, SHOWN.source + "\n"), ANSWER], [SHOWN]) == (ANSWER,)


@pytest.mark.parametrize("reads", ["x = scores", "def f():\n    return scores[0]", "# scores"])
def test_one_whose_name_stands_in_a_cell_that_runs_is_run(reads: str) -> None:
    cells = ((None, SHOWN.source), ("softmax", reads))

    assert without_demonstrations(cells, [SHOWN]) == cells


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
