"""Notebooks are read safely: whatever the file is, the answer is a notebook or a reason."""

import json
import os
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell

from autograder.notebooks.plain_file import BadNotebook
from autograder.notebooks.reading import read_notebook

LIMIT = 2_000_000


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def as_text(**changes: object) -> str:
    notebook = new_notebook(cells=[new_code_cell("x = 1")])
    return json.dumps(dict(notebook, **changes))


def test_a_notebook_is_read(tmp_path: Path) -> None:
    notebook = read_notebook(write(tmp_path / "a.ipynb", as_text()), LIMIT)
    assert notebook.cells[0].source == "x = 1"


def test_source_as_a_list_of_lines_is_joined(tmp_path: Path) -> None:
    cell = dict(new_code_cell(""), source=["a = 1\n", "b = 2"])
    notebook = read_notebook(write(tmp_path / "a.ipynb", as_text(cells=[cell])), LIMIT)
    assert notebook.cells[0].source == "a = 1\nb = 2"


def test_copied_cell_ids_are_no_reason_to_refuse(tmp_path: Path) -> None:
    cell = dict(new_code_cell("x"), id="same")
    notebook = read_notebook(write(tmp_path / "a.ipynb", as_text(cells=[cell, cell])), LIMIT)
    assert len({one.id for one in notebook.cells}) == 2


@pytest.mark.parametrize("minor", [0, 2, 4])
def test_notebooks_without_cell_ids_are_brought_up_to_date(tmp_path: Path, minor: int) -> None:
    cell = dict(new_code_cell("x = 1"))
    del cell["id"]
    text = as_text(cells=[cell], nbformat_minor=minor)
    notebook = read_notebook(write(tmp_path / "a.ipynb", text), LIMIT)
    assert notebook.nbformat_minor == 5
    nbformat.validate(notebook)


def test_what_grading_does_not_use_is_left_behind(tmp_path: Path) -> None:
    cell = dict(new_code_cell("x"), outputs=["no output"], execution_count="no number")
    cell["metadata"] = {
        "tags": "no list",
        "nbgrader": {"grade_id": "f", "points": [], "task": False},
    }
    text = as_text(cells=[cell], metadata={"kernelspec": "none", "widgets": {"state": "<script>"}})
    notebook = read_notebook(write(tmp_path / "a.ipynb", text), LIMIT)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    assert "widgets" not in notebook.metadata
    assert notebook.cells[0].metadata == {"nbgrader": {"grade_id": "f", "task": False}}
    assert notebook.cells[0].outputs == []


def test_of_what_is_attached_to_text_pictures_stay(tmp_path: Path) -> None:
    attached = {
        "lines.png": {"image/png": ["AA\n", "AA\n"], "text/plain": "x"},
        "drawn.svg": {"image/svg+xml": "<svg/>"},
        "broken.png": {"image/png": '"><script>'},
        "odd.png": {"image/png": ["AA", 1]},
        "\ud800": {"image/png": "AAAA"},
        "list": [],
    }
    cells = [dict(new(""), attachments=attached) for new in (new_markdown_cell, new_raw_cell)]
    cells.append(dict(new_markdown_cell(""), attachments=["a list"]))
    notebook = read_notebook(write(tmp_path / "a.ipynb", as_text(cells=cells)), LIMIT)
    nbformat.validate(notebook)
    assert notebook.cells[0].attachments == {"lines.png": {"image/png": "AAAA"}}
    assert not any("attachments" in cell for cell in notebook.cells[1:])


def test_half_a_surrogate_pair_becomes_a_character_that_can_be_written(tmp_path: Path) -> None:
    text = as_text(cells=[dict(new_code_cell(""), source="x = '\ud800'")])
    notebook = read_notebook(write(tmp_path / "a.ipynb", text), LIMIT)
    assert notebook.cells[0].source == "x = '?'"


@pytest.mark.parametrize("code", ["x = 1\n" * 9000, "x = 1" + "  \n" * 9000])
def test_code_that_would_take_minutes_to_colour_is_shown_plain(tmp_path: Path, code: str) -> None:
    text = as_text(cells=[new_code_cell("x = 1"), new_code_cell(code)])
    notebook = read_notebook(write(tmp_path / "a.ipynb", text), LIMIT)
    assert notebook.metadata.language_info.name == "text"
    short = read_notebook(write(tmp_path / "b.ipynb", as_text()), LIMIT)
    assert short.metadata.language_info.name == "python"


def test_an_older_notebook_is_brought_up_to_date(tmp_path: Path) -> None:
    old = nbformat.v4.downgrade(new_notebook(cells=[new_code_cell("x = 1")]))
    path = write(tmp_path / "a.ipynb", nbformat.v3.writes_json(old))
    assert read_notebook(path, LIMIT).cells[0].source == "x = 1"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "line 1 is not JSON"),
        ('{\n"cells": [\n', "line 3 is not JSON"),
        (as_text()[:-30], "is not JSON"),
        ("[1, 2]", "not a notebook"),
        ("{}", "has no cells"),
        (as_text(nbformat=99), "nbformat is 99"),
        (as_text(nbformat=4.0), "nbformat is 4.0"),
        (as_text(nbformat="x" * 9000), "nbformat is 'x{150,160}…; 4 is wanted$"),
        (as_text(cells=[new_code_cell("")] * 600 * 9), "5400 cells; 5000 are allowed"),
        (as_text(metadata={"x": [0] * 500_000}), "more than 500000 values; clear its outputs"),
        (as_text(cells=[{"cell_type": "code"}]), "not a valid notebook"),
        (as_text(cells="none"), "not a valid notebook"),
        (as_text(cells=[None]), "not a valid notebook"),
        (b"\xff\xfe\x00binary", "line 1 is not UTF-8"),
        ("[" * 99_000, "cannot be read"),
        ("x" * (LIMIT + 1), "MB are allowed"),
    ],
)
def test_a_bad_file_is_refused_with_its_reason(
    tmp_path: Path, content: str | bytes, told: str
) -> None:
    with pytest.raises(BadNotebook, match=told):
        read_notebook(write(tmp_path / "a.ipynb", content), LIMIT)


def test_nothing_in_an_output_makes_a_bad_notebook(tmp_path: Path) -> None:
    data = {"application/json": {"loss": float("nan"), "best": float("-inf"), "deep": nested(80)}}
    cell = new_code_cell("x = 1")
    cell.outputs = [{"output_type": "display_data", "metadata": {}, "data": data}]
    read = read_notebook(write(tmp_path / "a.ipynb", as_text(cells=[cell])), LIMIT)
    assert (read.cells[0].source, read.cells[0].outputs) == ("x = 1", [])


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadNotebook, match="nested more than"):
        read_notebook(write(tmp_path / "a.ipynb", as_text(metadata=nested(80))), LIMIT)


def nested(levels: int) -> dict:
    value: dict = {}
    for _ in range(levels):
        value = {"deeper": value}
    return value


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    target = write(tmp_path / "real.ipynb", as_text())
    (tmp_path / "a.ipynb").symlink_to(target)
    with pytest.raises(BadNotebook, match="symbolic link"):
        read_notebook(tmp_path / "a.ipynb", LIMIT)


def test_a_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.ipynb")
    with pytest.raises(BadNotebook, match="not a regular file"):
        read_notebook(tmp_path / "a.ipynb", LIMIT)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").mkdir()
    with pytest.raises(BadNotebook):
        read_notebook(tmp_path / "a.ipynb", LIMIT)
