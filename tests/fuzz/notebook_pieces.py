"""Strategies for notebooks from strange hands: cells changed, JSON changed, any file at all."""

import json
from typing import Any

from hypothesis import strategies as st
from json_pieces import JUNK, RAW, TEXT, as_bytes, mangled, mutated
from nbformat import v3, v4
from seeds import example_notebook

WHOLE = json.loads(json.dumps(example_notebook()))
OLD = json.loads(v3.writes_json(v4.downgrade(example_notebook())))

NAMES = st.sampled_from(["f", "test_f", "q1", "test_q1", "F", "test_f ", "bonus"])
MARKS = st.fixed_dictionaries(
    {"grade_id": NAMES | JUNK},
    optional={
        "points": JUNK,
        "grade": JUNK,
        "solution": JUNK,
        "locked": JUNK,
        "task": JUNK,
        "schema_version": st.integers(-1, 9) | JUNK,
        "cell_type": JUNK,
    },
)
METADATA = st.builds(lambda mark: {"nbgrader": mark}, MARKS | JUNK)
PICTURES = {"a.png": {"image/png": "AAAA"}, "b": {"text/html": "<script>"}, "": {}}
CELLS = st.fixed_dictionaries(
    {
        "cell_type": st.sampled_from(["code", "markdown", "raw", "heading", "html", "odd"]),
        "metadata": METADATA | JUNK,
        "source": TEXT | st.lists(TEXT, max_size=3) | JUNK,
    },
    optional={
        "outputs": JUNK | st.just([{"output_type": "execute_result", "data": {"text/plain": "9"}}]),
        "execution_count": JUNK,
        "attachments": JUNK | st.just(PICTURES),
        "id": JUNK | st.just("same"),
        "level": JUNK,
        "input": TEXT | JUNK,
    },
)


@st.composite
def edited(draw: Any) -> dict[str, Any]:
    """The example notebook, its cells added to, dropped, copied, moved and marked anew."""
    notebook = json.loads(json.dumps(draw(st.sampled_from([WHOLE, WHOLE, OLD]))))
    cells = notebook["cells"] if "cells" in notebook else notebook["worksheets"][0]["cells"]
    for _ in range(draw(st.integers(1, 6))):
        here = draw(st.integers(0, max(0, len(cells) - 1)))
        change = draw(st.sampled_from(["add", "drop", "copy", "mark", "type", "text"]))
        if change == "add" or not cells:
            cells.insert(here, draw(CELLS | CELLS | JUNK))
        elif change == "drop":
            del cells[here]
        elif change == "copy":
            cells.append(json.loads(json.dumps(cells[here])))
        elif type(cells[here]) is not dict:
            continue
        elif change == "mark":
            cells[here]["metadata"] = draw(METADATA)
        elif change == "type":
            cells[here]["cell_type"] = draw(st.sampled_from(["code", "markdown", "raw", "x"]))
        else:
            cells[here]["source"] = draw(TEXT | st.lists(TEXT, max_size=3))
    return notebook


TREES = mutated(WHOLE, JUNK | CELLS) | mutated(OLD, JUNK | CELLS) | JUNK
TREES |= edited().flatmap(lambda notebook: mutated(notebook, JUNK, 1))
FILES = TREES.map(as_bytes) | TREES.map(as_bytes) | st.binary(max_size=200) | st.sampled_from(RAW)
FILES |= st.sampled_from([as_bytes(WHOLE), as_bytes(OLD)]).flatmap(mangled)
FILES |= st.builds(
    lambda encoding, tree: json.dumps(tree, ensure_ascii=False).encode(encoding, "surrogatepass"),
    st.sampled_from(["utf-8-sig", "utf-8", "utf-16", "utf-32-le", "utf-7"]),
    edited(),
)
