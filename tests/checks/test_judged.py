"""One definition of an exercise is judged: at its check, else its own cell's, else the last."""

import functools
import types

import numpy as np
import pytest
import torch

from autograder.checks.kit.cell_names import check_place
from autograder.checks.kit.judged import Definitions, is_stub, judged_now

OWN, GRADED = "area", "test_area"
SAYS = 'raise NotImplementedError("area is not written yet: replace this line, run the cell")'
STUB = f"def area(x):\n    {SAYS}"
RIGHT, OTHER = "def area(x):\n    return 'right'", "def area(x):\n    return 'other'"
PARTIAL = "import functools\narea = functools.partial(lambda text, x: text, 'right')"
CACHED = ("at its check", 1, "right")


def judged(*cells: str, own: int | None = 0, above: int = 1, name: str = OWN):
    """What is judged of cells, by its place; what it gives, or None; and which of the three."""
    namespace = {"__name__": "__main__"}
    definitions = Definitions(namespace)
    for place, cell in enumerate(cells):
        if place == above:
            definitions.reached(name)
        exec(cell, namespace)
        definitions.ran(place, {name: None}, name if place == own else None, cell)
    if above == len(cells):
        definitions.reached(name)
    found = definitions.judged(name)
    if found is None:
        return None
    try:
        return found.where, found.cell, found.value(1) if callable(found.value) else found.value
    except NotImplementedError:
        return found.where, found.cell, "stub"


@pytest.mark.parametrize(
    ("cells", "where", "expected"),
    [
        ((RIGHT,), {}, ("at its check", 0, "right")),
        ((STUB,), {}, ("own", 0, "stub")),
        ((STUB, RIGHT), {}, ("last", 1, "right")),
        ((STUB, RIGHT), {"above": 2}, ("at its check", 1, "right")),
        ((RIGHT, STUB), {"own": 1, "above": 2}, ("last", 0, "right")),
        ((OTHER, RIGHT, STUB), {"own": 2, "above": 3}, ("last", 1, "right")),
        ((RIGHT, OTHER), {}, ("at its check", 0, "right")),
        ((OTHER, RIGHT), {}, ("at its check", 0, "other")),
        ((RIGHT, "del area"), {}, ("at its check", 0, "right")),
        ((RIGHT, "area = area(5)"), {"above": 2}, ("own", 0, "right")),
        (("area = area = 5", RIGHT), {}, ("last", 1, "right")),
        (("area = 5",), {}, ("own", 0, 5)),
        ((f"{RIGHT}\narea = area(5)",), {}, ("own", 0, "right")),
        ((f"{RIGHT}\ndel area", OTHER), {}, ("own", 0, "right")),
        ((f"{OTHER}\n{STUB}", RIGHT), {}, ("own", 0, "other")),
        ((STUB, f"{RIGHT}\narea = 5"), {}, ("last", 1, "right")),
        (("x = 1",), {}, None),
        (("x = 1", RIGHT), {}, ("last", 1, "right")),
        (("x = 1", RIGHT), {"above": 2}, ("at its check", 1, "right")),
        (("area = lambda x: 'right'",), {}, ("at its check", 0, "right")),
        ((PARTIAL,), {}, ("at its check", 0, "right")),
        ((RIGHT, "import functools\narea = functools.cache(area)"), {"above": 2}, CACHED),
    ],
)
def test_one_definition_is_judged(cells, where, expected):
    assert judged(*cells, **where) == expected


def test_what_a_class_of_the_notebook_has_made_is_no_definition():
    layer = "class area:\n    def __init__(self, x): self.x = x\n    def __call__(self): return 1"
    where, cell, made = judged(layer, "area = area(5)", above=2)
    assert (where, cell, made.x) == ("own", 0, 1)


def test_a_question_is_judged_by_the_answer_in_place_of_the_dots():
    assert judged("q1 = ...", "q1 = 'B'", name="q1") == ("last", 1, "B")
    assert judged("q1 = 'A'", "q1 = 'B'", name="q1") == ("at its check", 0, "A")
    assert judged("q1 = ...", "q1 = print", name="q1") == ("own", 0, ...)


def made(source: str, name: str = OWN):
    """What a cell binds to a name."""
    namespace = {"torch": torch, "functools": functools}
    exec(source, namespace)
    return namespace[name]


CLOSES = "def timed(f):\n    def run(*args): return f(*args)\n    return run\n"
WRAPS = "import functools\n" + CLOSES.replace("    def run", "    @functools.wraps(f)\n    def run")
MODULE = "class area(torch.nn.Module):\n    def __init__(self): super().__init__()\n"


@pytest.mark.parametrize(
    "stub",
    [
        STUB,
        f"def area(x):\n    '''Words.'''\n    if x < 0:\n        raise ValueError\n    {SAYS}",
        "def area(x):\n    raise NotImplementedError",
        "def area(x):\n    print(x)\n    raise NotImplementedError('later')",
        f"{MODULE}    def forward(self, x):\n        {SAYS}",
        f"{WRAPS}@timed\n{STUB}",
        f"{CLOSES}@timed\n{STUB}",
        f"{STUB}\narea = functools.partial(area, 1)",
        f"def area(x):\n    for one in x:\n        {SAYS}",
    ],
)
def test_what_can_only_say_that_it_is_not_written_is_a_stub(stub):
    assert is_stub(made(stub))


@pytest.mark.parametrize(
    "answer",
    [
        RIGHT,
        f"def area(x):\n    return x\n    {SAYS}",
        "def area(x):\n    raise ValueError(x)",
        "def area(x):\n    if x:\n        return x\n    raise NotImplementedError('no zero')",
        f"{CLOSES}@timed\n{RIGHT}",
        "area = torch.softmax",
        "class area(torch.nn.Linear):\n    pass",
        "area = functools.partial(max, 1)",
        "area = 5",
    ],
)
def test_what_answers_something_is_none(answer):
    assert not is_stub(made(answer))


@pytest.mark.parametrize(
    ("ids", "above"),
    [
        ([None, OWN, None, GRADED, None], 3),
        ([None, OWN, None], 2),
        ([GRADED, None, OWN, None], 3),
        ([None, GRADED, None], 1),
        ([None, None], 2),
        ([OWN, None, OWN, GRADED], 3),
        ([OWN, GRADED, None, OWN], 4),
        ([OWN, None, GRADED, None, GRADED], 2),
    ],
)
def test_where_a_check_stands(ids, above):
    assert check_place(ids, OWN) == above


def test_where_a_stub_has_taken_a_name_what_calls_it_is_given_what_is_judged():
    namespace = {}
    definitions = Definitions(namespace)
    for place, (cell, own) in enumerate(((RIGHT, None), (STUB, OWN))):
        exec(cell, namespace)
        definitions.ran(place, {OWN: None}, own)
    assert definitions.mended()[OWN](1) == "right"
    namespace[OWN] = 5  # what somebody has meant to bind stays
    assert definitions.mended() == {}


def test_in_a_notebook_the_definition_is_found_among_the_cells_that_were_run():
    used_up = {OWN: np.zeros(3), "unit": "right"}
    ran = ["", OTHER, "unit = 1\ndef area(x):\n    return unit\nprint(1 / 0)", "area = area(5)"]
    assert judged_now(OWN, used_up, ran).value(1) == "right"
    assert judged_now(OWN, used_up, [STUB, "area = area(5)"]) is None
    assert judged_now(OWN, {}, [f"1 / 0\n{RIGHT}"]) is None
    assert judged_now(OWN, {}, [RIGHT, "del area"]).value(1) == "right"
    assert judged_now(OWN, {OWN: made(RIGHT)}, ran) is None
    assert judged_now(OWN, {OWN: made(STUB)}, [OTHER, STUB]).value(1) == "other"
    cells = [OTHER, RIGHT, "check", RIGHT + "\n", OTHER + "\n"]
    saved = [{"source": one, "metadata": {}} for one in cells]
    for place, name in ((1, OWN), (2, GRADED)):
        saved[place]["metadata"] = {"nbgrader": {"grade_id": name}}
    ran = ["", OTHER, RIGHT, OTHER + "\n"]  # the last one stands below the check
    assert judged_now(OWN, {OWN: made(OTHER)}, ran, saved).value(1) == "right"
    ran[2] = saved[1]["source"] = STUB
    assert judged_now(OWN, {OWN: made(OTHER)}, ran[2:], saved).where == "last"
    assert judged_now(OWN, {OWN: made(RIGHT)}, [*ran, RIGHT], saved) is None
    assert isinstance(used_up[OWN], np.ndarray)
    assert not isinstance(used_up[OWN], types.FunctionType)
