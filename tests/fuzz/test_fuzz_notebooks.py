"""Whatever a submitted file holds, it is refused in a few words, or graded as if never touched."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from json_pieces import JUNK, TEXT, as_bytes
from nbformat.v4 import new_code_cell, new_notebook
from notebook_pieces import FILES, WHOLE, edited
from restored import ASSIGNMENT, check_restored
from trying import cases

from autograder.notebooks.plain_file import BadNotebook
from autograder.notebooks.reading import read_notebook
from autograder.notebooks.reduce import MOST_CELLS

pytestmark = pytest.mark.slow

LIMIT = 20 * 2**20


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzzed") / "a.ipynb"


def check(place: Path, data: bytes) -> str | None:
    """Read the file; the reason why it is refused, or None when it can be graded."""
    place.write_bytes(data)
    try:
        notebook = read_notebook(place, LIMIT)
    except BadNotebook as refused:
        told = str(refused)
    else:
        check_restored(notebook, ASSIGNMENT)
        return None
    assert 0 < len(told.encode()) < 800
    return told


@cases(1200)
@given(data=FILES)
@example(data=as_bytes(WHOLE | {"nbformat": "x" * 10**6}))
@example(data=as_bytes(WHOLE | {"nbformat": 4.0}))
@example(data=as_bytes(WHOLE | {"cells": [None]}))
@example(data=as_bytes(WHOLE | {"cells": {"0": []}}))
@example(data=as_bytes({"nbformat": 3, "worksheets": [1, {"cells": [[]]}]}))
@example(data=as_bytes(WHOLE | {"nbformat_minor": 10**4000}))
@example(data=as_bytes(WHOLE | {"metadata": {"x" * 10**5: 1}}))
@example(data=as_bytes(WHOLE | {"cells": [{"cell_type": "code", "source": "\ud800"}]}))
def test_any_file_is_refused_or_graded(place: Path, data: bytes) -> None:
    check(place, data)


@cases(400)
@given(notebook=edited())
def test_cells_that_were_moved_copied_and_marked_anew_are_put_back(
    place: Path, notebook: dict[str, Any]
) -> None:
    told = check(place, as_bytes(notebook)) or ""
    reasons = ("no text", "neither code nor text", "levels deep", "JSON cannot be read")
    assert not told or any(reason in told for reason in reasons)


@cases(300)
@given(metadata=JUNK, outputs=JUNK, attachments=JUNK, extra=st.dictionaries(TEXT, JUNK, max_size=2))
def test_what_grading_does_not_use_never_stops_it(
    place: Path, metadata: Any, outputs: Any, attachments: Any, extra: dict[str, Any]
) -> None:
    cell = {"cell_type": "code", "source": "x = 1", "metadata": metadata, "outputs": outputs}
    text = {"cell_type": "markdown", "source": "y", "attachments": attachments}
    told = check(place, as_bytes(extra | WHOLE | {"cells": [cell, text], "metadata": metadata}))
    # Only JSON that is none, or that is too deep, may be at fault.
    assert told is None or "JSON cannot be read" in told or "levels deep" in told


def repeated(unit: str, before: str = "", after: str = "") -> Callable[[int], bytes]:
    """JSON of a notebook with a unit repeated until it is as large as asked."""

    def make(size: int) -> bytes:
        start = '{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[' + before
        end = after + "]}"
        count = (size - len(start) - len(end) - 9) // (len(unit) + 1)
        return (start + ",".join([unit] * count) + end).encode()

    return make


RAW_CELL = '{"cell_type":"raw","metadata":{},"source":""}'
IN_METADATA = ('{"cell_type":"raw","source":"","metadata":{"tags":[', "]}}")
IN_OUTPUTS = ('{"cell_type":"code","source":"","metadata":{},"outputs":[', "]}")
CROWDS: dict[str, Callable[[int], bytes]] = {
    "cells": repeated(RAW_CELL),
    "copied graded cells": repeated(RAW_CELL.replace("{}", '{"nbgrader":{"grade_id":"test_f"}}')),
    "no cells": repeated("1"),
    "lists": repeated("[]", *IN_METADATA),
    "dicts": repeated('{"":0}', *IN_METADATA),
    "tags that differ in type": repeated('[0,"0"],0', *IN_METADATA),
    "outputs": repeated('{"output_type":"stream","name":"stdout","text":""}', *IN_OUTPUTS),
    "lines": repeated('"ab"', '{"cell_type":"raw","metadata":{},"source":[', "]}"),
    "quotes": repeated('\\"', '{"cell_type":"raw","metadata":{},"source":"', '"}'),
    "open quotes": repeated('\\"', '"'),
    "backslashes": repeated("\\\\", '{"cell_type":"code","metadata":{},"source":"', '"}'),
    "brackets in text": repeated("[{", '{"cell_type":"code","metadata":{},"source":"', '"}'),
    "digits": repeated("1" * 4000, *IN_METADATA),
    "a long number": repeated("1" * 10_000_000, *IN_METADATA),
    "a long fraction": repeated("0." + "1" * 10_000_000, *IN_METADATA),
}


@pytest.mark.parametrize("crowd", CROWDS.values(), ids=list(CROWDS))
def test_twenty_megabytes_of_anything_are_read_or_refused_in_seconds(
    place: Path, crowd: Callable[[int], bytes]
) -> None:
    data = crowd(LIMIT)
    start = time.monotonic()
    check(place, data)
    assert time.monotonic() - start < 20  # seconds on any machine; it took minutes, or gigabytes


def test_five_hundred_megabytes_are_refused_unread(place: Path) -> None:
    with place.open("wb") as file:
        file.truncate(500 * 2**20)  # of nothing: it takes no room on the disk
    with pytest.raises(BadNotebook, match=r"500\.0 MB large; 20 MB are allowed"):
        read_notebook(place, LIMIT)


def test_a_notebook_of_too_many_cells_is_refused(place: Path) -> None:
    cells = [new_code_cell("x", id=f"c{number}") for number in range(MOST_CELLS + 1)]
    assert check(place, json.dumps(new_notebook(cells=cells[:-1])).encode()) is None
    told = check(place, json.dumps(new_notebook(cells=cells)).encode())
    assert told == "it is not a valid notebook: it has 5001 cells; 5000 are allowed"
