"""Answers that stand elsewhere, are bound in another way, or read what a later cell changes."""

import copy

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from benchmarks.odd_notebooks.kinds import LINE, PERSONAL, HandIn, each, odd

CHECK = 'from checks import check\n\ncheck("predict")'


def own(given: HandIn, source: str) -> None:
    """Another text in the cell of `predict`."""
    given.cell("predict").source = source


# The cell of `predict` holds this, and is right.
each(
    {
        "answered by a lambda": "predict = lambda x, slope, intercept: slope * x + intercept",
        "answered by a partial": "from functools import partial\n"
        "def line(more, x, slope, intercept):\n    return slope * x + intercept + more\n"
        "predict = partial(line, 0)",
        "answered by an object that can be called": "class Line:\n"
        "    def __call__(self, x, slope, intercept):\n        return slope * x + intercept\n"
        "predict = Line()",
        "answered under another name, then bound": LINE.replace("predict", "mine")
        + "\npredict = mine",
        "decorated": "def same(f):\n    return lambda *a, **k: f(*a, **k)\n\n@same\n" + LINE,
        "inside an if": "if True:\n    def predict(x, slope, intercept):\n"
        "        return slope * x + intercept",
        "inside a try": "try:\n    def predict(x, slope, intercept):\n"
        "        return slope * x + intercept\nexcept Exception:\n    pass",
        "by exec": f"exec({LINE!r})",
        "defined twice, the last right": "def predict(x, slope, intercept):\n    return x\n\n"
        + LINE,
        "more arguments than asked": "def predict(x, slope, intercept=0.0, *more, **named):\n"
        "    return slope * x + intercept",
        "printed while defined": f'print("hello")\n{LINE}\nprint(predict(hours, 1.0, 2.0))',
        "an error below the answer": f"{LINE}\nprint(1 / 0)",
        "annotations from the future": f"from __future__ import annotations\n{LINE}",
        "names in Greek": "def predict(x, slope, intercept):\n    α, β = slope, intercept\n"
        "    return α * x + β",
        "an emoji in a comment": f"# 🎉 done\n{LINE}",
        "tabs": LINE.replace("    ", "\t"),
        "a walrus and a match": "def predict(x, slope, intercept):\n    match (y := slope * x):\n"
        "        case _:\n            return y + intercept",
        "a counter that is global": "calls = 0\ndef predict(x, slope, intercept):\n"
        "    global calls\n    calls += 1\n    return slope * x + intercept",
    },
    own,
)
# And this is not.
each(
    {
        "named otherwise": LINE.replace("predict", "predictt"),
        "named with a capital": LINE.replace("predict", "Predict"),
        "a method of a class": "class Mine:\n    def predict(self, x, slope, intercept):\n"
        "        return slope * x + intercept",
        "defined twice, the last wrong": f"{LINE}\n\n"
        "def predict(x, slope, intercept):\n    return x",
        "quotation marks of a word processor": f"{LINE}\nprint(“done”)",
        "a bracket that is missing": "def predict(x, slope, intercept:\n    return slope * x",
        "spaces that break no line": "def predict(x, slope, intercept):\n"
        "\u00a0\u00a0return slope * x + intercept",
        "an f-string of Python 3.12": "def predict(x, slope, intercept):\n"
        '    print(f"{", ".join(["a"])}")\n    return slope * x + intercept',
        "type parameters of Python 3.12": "def predict[T](x: T, slope, intercept) -> T:\n"
        "    return slope * x + intercept",
        "an error above the answer": f"print(1 / 0)\n{LINE}",
        "a helper whose cell is gone": "def predict(x, slope, intercept):\n"
        "    return my_line(x, slope, intercept)",
        "half done": "def predict(x, slope, intercept):\n    return slope * x",
    },
    own,
    "predict",
)


@odd("nothing odd")
def _nothing(given: HandIn) -> None:
    """A right notebook."""


@odd("in a cell below, its own a stub")
def _below(given: HandIn) -> None:
    given.stub()
    given.after("predict", LINE)


@odd("in a cell below its check, its own a stub")
def _below_the_check(given: HandIn) -> None:
    given.stub()
    given.after("test_predict", LINE)


@odd("in a cell above, its own a stub")
def _above(given: HandIn) -> None:
    given.stub()
    given.before("predict", LINE)


@odd("a lambda that is used up before its check")
def _lambda_used_up(given: HandIn) -> None:
    given.cell("predict").source = "predict = lambda x, slope, intercept: slope * x + intercept"
    given.after("predict", "predict = predict(1.0, 2.0, 3.0)")


@odd("a lambda, and something wrong below its check")
def _lambda_wrong_below(given: HandIn) -> None:
    given.cell("predict").source = "predict = lambda x, slope, intercept: slope * x + intercept"
    given.after("test_predict", "def predict(x, slope, intercept):\n    return x")


@odd("in a cell at the end")
def _at_the_end(given: HandIn) -> None:
    given.stub()
    given.last(LINE)


@odd("in a cell at the beginning")
def _at_the_beginning(given: HandIn) -> None:
    given.stub()
    given.first(f"import numpy as np\n{LINE}")


@odd("its own cell empty, the answer below")
def _own_empty(given: HandIn) -> None:
    given.cell("predict").source = ""
    given.after("predict", LINE)


@odd("its own cell deleted, the answer at the end")
def _own_deleted(given: HandIn) -> None:
    given.remove("predict")
    given.last(LINE)


@odd("split, the lower half without metadata")
def _split(given: HandIn) -> None:
    given.cell("predict").source = "# a line"
    given.after("predict", LINE)


@odd("split, a helper above and the answer below")
def _split_helper(given: HandIn) -> None:
    given.cell("predict").source = "def times(a, b):\n    return a * b"
    given.after(
        "predict", "def predict(x, slope, intercept):\n    return times(slope, x) + intercept"
    )


@odd("all answers in one cell at the end")
def _all_in_one(given: HandIn) -> None:
    names = ("predict", "mean_squared_error", "gradient", "fit", "normal_equation")
    sources = [given.cell(name).source for name in names]
    for name in names:
        given.stub(name)
    given.last("\n\n".join(sources))


@odd("two answers in the cell of the first")
def _merged(given: HandIn) -> None:
    given.cell("predict").source += f"\n\n{given.cell('mean_squared_error').source}"
    given.remove("mean_squared_error")


@odd("answer and check merged")
def _merged_with_check(given: HandIn) -> None:
    given.cell("predict").source += f"\n\n{CHECK}"
    given.remove("test_predict")


@odd("check deleted")
def _no_check(given: HandIn) -> None:
    given.remove("test_predict")


@odd("check deleted, the answer in a cell below")
def _no_check_below(given: HandIn) -> None:
    given.stub()
    given.remove("test_predict")
    given.after("predict", LINE)


@odd("all checks deleted")
def _no_checks(given: HandIn) -> None:
    cells = given.notebook.cells
    given.notebook.cells = [one for one in cells if not one.source.startswith("from checks")]


@odd("check above the answer")
def _check_above(given: HandIn) -> None:
    check = given.cell("test_predict")
    given.remove("test_predict")
    given.notebook.cells.insert(given.notebook.cells.index(given.cell("predict")), check)


@odd("all checks at the end")
def _checks_last(given: HandIn) -> None:
    given.notebook.cells.sort(key=lambda one: one.source.startswith("from checks import check"))


@odd("a second check at the end")
def _second_check(given: HandIn) -> None:
    given.last(CHECK)


@odd("its own cell copied below")
def _copied(given: HandIn) -> None:
    given.notebook.cells.append(copy.deepcopy(given.cell("predict")))


@odd("its own cell copied, the copy a stub")
def _copy_is_stub(given: HandIn) -> None:
    cell = given.cell("predict")
    again = copy.deepcopy(cell)
    right = cell.source
    again.source, cell.source = given.stub(), right
    given.notebook.cells.insert(given.notebook.cells.index(cell) + 1, again)


@odd("its own cell copied, the first a stub")
def _first_is_stub(given: HandIn) -> None:
    cell = given.cell("predict")
    again = copy.deepcopy(cell)
    given.stub()
    given.notebook.cells.insert(given.notebook.cells.index(cell) + 1, again)


@odd("the whole notebook again below, as it was released", waits=PERSONAL)
def _released_below(given: HandIn) -> None:
    given.notebook.cells += copy.deepcopy(given.released.cells)


@odd("a wrong draft above")
def _draft_above(given: HandIn) -> None:
    given.before("predict", "def predict(x, slope, intercept):\n    return x")


@odd("a wrong draft below the check")
def _draft_below(given: HandIn) -> None:
    given.after("test_predict", "def predict(x, slope, intercept):\n    return x")


@odd("mended between its cell and its check")
def _mended(given: HandIn) -> None:
    given.cell("predict").source = "def predict(x, slope, intercept):\n    return x"
    given.after("predict", LINE)


@odd("its name taken by a result, above the check")
def _name_taken(given: HandIn) -> None:
    given.after("predict", "predict = predict(hours, -2.0, 20.0)")


@odd("its name taken by a result, below the check")
def _name_taken_below(given: HandIn) -> None:
    given.last("predict = predict(hours, -2.0, 20.0)")


@odd("its name deleted above the check")
def _name_deleted(given: HandIn) -> None:
    given.after("predict", "del predict")


@odd("its name deleted at the end")
def _name_deleted_last(given: HandIn) -> None:
    given.last("del predict")


@odd("a class of its name at the end")
def _class_of_the_name(given: HandIn) -> None:
    given.last("class predict:\n    pass")


@odd("in a module beside the notebook")
def _in_a_module(given: HandIn) -> None:
    given.files["mine.py"] = LINE.encode()
    given.cell("predict").source = "from mine import predict"


@odd("in a module beside it, all of it imported")
def _in_a_module_star(given: HandIn) -> None:
    given.files["mine.py"] = LINE.encode()
    given.cell("predict").source = "from mine import *"


@odd("its cell turned into text")
def _as_text(given: HandIn) -> None:
    _retyped(given, "markdown")


@odd("its cell turned into a raw one")
def _as_raw(given: HandIn) -> None:
    _retyped(given, "raw")


@odd("its cell turned into text, the answer below")
def _as_text_and_below(given: HandIn) -> None:
    _retyped(given, "markdown")
    given.after("predict", LINE)


@odd("an answer taken away", "predict")
def _deleted(given: HandIn) -> None:
    given.remove("predict")


@odd("an exercise not begun", "predict")
def _untouched(given: HandIn) -> None:
    given.stub()


@odd("answers in another order")
def _another_order(given: HandIn) -> None:
    one, other = given.cell("predict"), given.cell("gradient")
    cells = given.notebook.cells
    here, there = cells.index(one), cells.index(other)
    cells[here], cells[there] = other, one


@odd("all text deleted")
def _no_text(given: HandIn) -> None:
    kept = given.cell("w1")
    cells = given.notebook.cells
    given.notebook.cells = [one for one in cells if one.cell_type == "code" or one is kept]


@odd("two hundred empty cells")
def _empty_cells(given: HandIn) -> None:
    given.notebook.cells += [new_code_cell("") for _ in range(200)]


def reads(given: HandIn, later: str) -> None:
    """An answer that reads what a cell further down changes."""
    above, below = later.split("\n---\n")
    given.before("predict", above)
    given.cell(
        "predict"
    ).source = "def predict(x, slope, intercept):\n    return slope * x + intercept + offset()"
    given.last(below)


each(
    {
        "a number that is bound anew further down": "n = 0\n"
        "def offset():\n    return n\n---\nn = 1",
        "a dict that is changed further down": 'cfg = {"n": 0}\n'
        'def offset():\n    return cfg["n"]\n---\ncfg["n"] = 1',
        "a list that grows further down": "all_of = [0]\n"
        "def offset():\n    return sum(all_of)\n---\nall_of.append(1)",
        "a helper that is wrong further down": "def offset():\n    return 0\n---\n"
        "def offset():\n    return 1",
        "a helper that is deleted further down": "def offset():\n    return 0\n---\ndel offset",
        "an attribute that is changed further down": "class Box:\n    n = 0\n"
        "def offset():\n    return Box.n\n---\nBox.n = 1",
        "a name that a loop further down binds": "i = 0\ndef offset():\n    return i\n---\n"
        "for i in range(3):\n    pass",
        "a name that a with further down binds": "f = 0\ndef offset():\n    return f\n---\n"
        'with open("checks/hints.toml") as f:\n    pass',
        "a builtin that is hidden further down": "def offset():\n    return sum([0])\n---\nsum = 3",
    },
    reads,
)


def _retyped(given: HandIn, kind: str) -> None:
    cells = given.notebook.cells
    cell = given.cell("predict")
    kept = {"id": cell.id, "metadata": cell.metadata, "source": cell.source}
    cells[cells.index(cell)] = NotebookNode(cell_type=kind, **kept)
