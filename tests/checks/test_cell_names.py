"""Which cells an exercise rests on is read off the notebook's text, without running it."""

import time

import pytest

from autograder.checks.kit.cell_names import (
    MOST_CODE,
    CodeCell,
    Names,
    cells_for,
    changed_below,
    code_cells,
    names_in,
    names_of,
    rest_on,
)
from autograder.checks.kit.notebook import read_cells

CHECK = 'from checks import check\n\ncheck("area")'


def needed(*sources: str, exercise: str = "area", also: tuple[str, ...] = ()) -> list[int]:
    """The numbers, from 0, of the cells that an exercise rests on; its check is no such cell."""
    cells = [CodeCell(number, source) for number, source in enumerate(sources) if source != CHECK]
    above = sources.index(CHECK) - 1 if CHECK in sources else len(sources)
    return [cell.number for cell in cells_for(cells, exercise, above, also)]


def test_a_cell_is_needed_whose_names_are_read_however_far_back():
    cells = ("import math", "unit = 2", "def side(): return unit", "x = 1")
    assert needed(*cells, "def area(): return side() * math.pi", CHECK) == [0, 1, 2, 4]


def test_other_checks_are_not_needed_nor_what_stands_below():
    other = CHECK.replace("area", "other")
    assert needed("def area(): return x", other, CHECK, "x = 2") == [0]


def test_a_definition_below_the_check_may_be_what_is_judged():
    cells = ("def area(): ...", CHECK, "unit = 1", "x = 1", "def area(): return unit", "unit = 2")
    assert needed(*cells) == [0, 2, 4]


def test_without_a_check_the_end_of_the_notebook_is_the_place():
    assert needed("def area(): return 1", "print(area())", "area = None") == [0, 2]


@pytest.mark.parametrize(
    "changes",
    [
        *("table[0] = 1", "table.kind = 1", "table += 1", "del table[0]", "table.append(1)"),
        *("for table in (1, 2): pass", "%time table = 1", "%%time\ntable = 1", "del table"),
    ],
)
def test_what_changes_a_name_in_place_is_needed(changes):
    assert needed("table = [1]", changes, "def area(): return table", CHECK) == [0, 1, 2]


@pytest.mark.parametrize(
    "does_not", ["print(table)", "rows = table", "def f(table): table[0] = 1", "# table = 2"]
)
def test_what_only_reads_a_name_is_not_needed(does_not):
    assert needed("table = [1]", does_not, "def area(): return table", CHECK) == [0, 2]


def test_a_setting_of_a_library_is_needed_and_a_drawing_is_not():
    drawing, setting = "import plt\nplt.show()", "np.set_printoptions(3)"
    cells = ("import np, plt", setting, "plt.plot([1])", "def area(): return np.pi + plt.x", CHECK)
    assert needed(*cells) == [0, 1, 3]
    assert needed("import np", drawing, "def area(): return np.pi", CHECK) == [0, 2]


@pytest.mark.parametrize("hidden", ["from math import *", "exec(text)", "globals()['unit'] = 1"])
def test_where_a_text_does_not_show_what_it_binds_it_and_all_above_are_needed(hidden):
    assert needed("a = 1", hidden, "b = 1", "def area(): return unit", CHECK) == [0, 1, 3]


def test_a_cell_that_is_no_python_binds_what_it_seems_to_bind():
    assert names_in("def area(:\n    return 1").binds == {"area"}
    assert names_in("area = (1").binds == {"area"}
    assert needed("unit = (", "def area(): return unit", CHECK) == [0, 1]


@pytest.mark.parametrize(
    ("source", "reads", "binds"),
    [
        ("rows = [row for row in table]", {"table"}, {"rows"}),
        ("rows = {row: unit for row in table}", {"table", "unit"}, {"rows"}),
        ("rows = {row for row in table if row}\nrow", {"table", "row"}, {"rows"}),
        ("def f(): return [row for row in table] + row", {"table", "row"}, {"f"}),
        ("def f(): return [[side for side in row] for row in table]", {"table"}, {"f"}),
        ("def f(): return [lambda: side + unit for side in table]", {"table", "unit"}, {"f"}),
        ("rows = [last := row for row in table]", {"table"}, {"rows", "last"}),
        ("class A:\n    unit = unit\n    rows = [row for row in table]", {"unit", "table"}, {"A"}),
        ("def f():\n    global unit\n    unit = side", {"side"}, {"f", "unit"}),
        ("del unit", {"unit"}, {"unit"}),
        ("unit += 1", {"unit"}, {"unit"}),
        ("%time unit = side", {"side"}, {"unit"}),
        ("%%time\nunit = side", {"side"}, {"unit"}),
        ("%timeit -n 10 -r3 f(side)", {"f", "side"}, set()),
        ("files = !ls\nunit = 1", set(), {"files", "unit"}),
        ("%matplotlib inline\nunit = 1", set(), {"unit"}),
        ("%%html\n<b>unit = 1</b>", set(), set()),
        ("f?", {"f"}, set()),
    ],
)
def test_what_a_cell_reads_and_binds_is_the_same_in_every_python(source, reads, binds):
    found = names_in(source)
    assert (found.reads, found.binds) == (reads, binds)


@pytest.mark.parametrize(
    "source", ["vars()['unit']", "f.__globals__['unit']", "import inspect  # unit"]
)
def test_where_names_are_looked_up_by_their_text_every_word_may_be_one(source):
    assert "unit" in names_in(source).reads
    assert "unit" not in names_in('"Inspect the sys of unit."').reads


@pytest.mark.parametrize(
    ("below", "changed"),
    [
        ("unit = 2", {"unit"}),
        ("cfg['unit'] = 2", {"cfg"}),
        ("rows.append(1)", {"rows"}),
        ("def side(): return 2", {"side"}),
        ("area = None", {"area"}),
        ("import math\nx = math.pi", set()),
        ("x = side()", {"unit", "cfg", "rows"}),
        ("other = cfg\nother['unit'] = 2", {"cfg"}),
        ("old = cfg.pop('unit')", {"cfg"}),
        ("put(cfg)", {"cfg"}),
        ("bump()", {"unit"}),
        ("def other(unit): return [rows for rows in unit]", set()),
        ("exec(text)", {"unit", "cfg", "rows", "side", "area", "math"}),
    ],
)
def test_what_changes_below_of_all_that_an_answer_rests_on(below, changed):
    moves = "def bump():\n    global unit\n    unit = 2"
    helper = "import math\ndef side(): return unit * cfg['unit'] * len(rows)"
    above = ["unit, cfg, rows = 1, {}, []", helper, "def area(): return side() * math.pi"]
    cells = names_of([*above, moves, CHECK, below])
    assert changed_below(cells, 5, {"area"}) - {"len"} == changed


@pytest.mark.parametrize(
    "text",
    [
        *("\n" * 199_990 + "a b", " " * 199_990 + "= !", "%a\n" * 60_000, "a = %b\n" * 25_000),
        *("a" * 100_000 + " " * 90_000 + "b", "x = [" * 900 + "]" * 900, "-" * 99_000 + "x"),
        *("x" + ".y" * 90_000 + "\n(", "[x for x in " * 300 + "y" + "]" * 300, "unit " * 39_000),
        *("%time " * 30_000, "%time" + " -a" * 60_000 + "\n(", "%%time\n" * 28_000),
    ],
)
def test_a_hostile_text_is_read_in_little_time(text):
    begun = time.process_time()
    names_of([text])
    assert time.process_time() - begun < 10


def test_of_a_long_notebook_every_word_is_taken_for_a_name():
    (found,) = names_of([f"def f(unit): return unit\n#{'x' * MOST_CODE}"])
    assert {"unit", "return"} <= found.reads & found.binds


def test_names_that_checks_ask_for_are_needed_too():
    assert needed("student_id = 'ada'", "x = 1", "area = 1", CHECK) == [2]
    assert needed("student_id = 'ada'", "x = 1", "area = 1", CHECK, also=("student_id",)) == [0, 2]


def test_no_exercise_of_the_course_needs_a_demonstration_that_trains(course_root):
    name = "07-attention-vs-recurrence"
    cells = code_cells(read_cells(course_root / "release" / name / f"{name}.ipynb"))
    slow = [cell.number for cell in cells if "time.perf_counter()" in cell.source]
    assert slow
    for exercise in ("train_recall", "recall_by_length"):
        found = cells_for(cells, exercise, len(cells) * 9)
        assert any(f"def {exercise}(" in cell.source for cell in found)
        assert not {cell.number for cell in found} & {*slow}


def test_a_long_chain_of_cells_is_followed_at_once() -> None:
    count = 20_000
    chain = [Names(frozenset({f"x{n + 1}"}), frozenset({f"x{n}"})) for n in reversed(range(count))]
    start = time.process_time()
    assert len(rest_on(chain, count, {"x0"})) == count
    assert rest_on(chain, count, {"x19998"}) == {0, 1}
    assert rest_on(chain, count, (), {count - 1, 7}) == {*range(8), *range(8, count)}
    assert time.process_time() - start < 10, "a stranger's notebook is read while a class waits"


@pytest.mark.parametrize("source", ["%reset -f", "a = 1\n  %reset_selective -f a", "%xdel a"])
def test_what_forgets_names_may_change_any(source: str) -> None:
    assert names_in(source).is_opaque
