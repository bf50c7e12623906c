"""Reading a notebook that may be anything: half of one, of another version, or none at all."""

import json
import re
from itertools import islice
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from autograder.notebooks.plain_file import BadNotebook, read_regular_file
from autograder.notebooks.reduce import Odd, reduced

DEEPEST = 50
MOST_VALUES = 500_000
LONGEST_REASON = 160

# A string (closed or not), a bracket that opens, or a number or name. Possessive: whatever the text
# is, this walks through it once.
VALUE = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[{\[]|[^\s"{}\[\]:,]++', re.DOTALL)


def read_notebook(path: Path, max_bytes: int) -> NotebookNode:
    """Read what grading uses of a notebook, as nbformat 4.5.

    That is every cell's text, nbgrader's mark and the pictures attached to it. Outputs and other
    metadata stay behind unread, so that nothing in them can be wrong.

    Args:
        path: where it should be.
        max_bytes: larger files are refused before they are parsed.

    Raises:
        BadNotebook: it is not a valid notebook; the text names what is wrong and where.
    """
    data = read_regular_file(path, max_bytes)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadNotebook(f"line {line} is not UTF-8 text") from error
    _refuse_crowd(text)
    try:
        # NaN is no JSON, but what other programs write into outputs.
        parsed = json.loads(text, parse_constant=lambda name: None, object_hook=_without_outputs)
    except json.JSONDecodeError as error:
        raise BadNotebook(f"line {error.lineno} is not JSON ({error.msg})") from error
    except (RecursionError, ValueError) as error:
        raise BadNotebook(f"its JSON cannot be read ({error})") from error
    if not isinstance(parsed, dict) or ("cells" not in parsed and "worksheets" not in parsed):
        raise BadNotebook("it is JSON, but not a notebook: it has no cells")
    _refuse_depth(parsed)
    return _as_version_4(parsed)


def _as_version_4(parsed: dict) -> NotebookNode:
    major = parsed.get("nbformat")
    if type(major) is not int or major not in (3, 4):
        raise BadNotebook(f"its nbformat is {_shortened(repr(major))}; 4 is wanted")
    try:
        return nbformat.from_dict(reduced(parsed, major))
    except Odd as error:
        raise BadNotebook(f"it is not a valid notebook: {error}") from error


def _refuse_crowd(text: str) -> None:
    """Refuse what would take too much memory once parsed: 20 MB of `{"":0},` make a gigabyte."""
    if next(islice(VALUE.finditer(text), MOST_VALUES, None), None) is not None:
        raise BadNotebook(f"it holds more than {MOST_VALUES} values; clear its outputs")


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_REASON else text[: LONGEST_REASON - 1] + "…"


def _without_outputs(found: dict[str, Any]) -> dict[str, Any]:
    found.pop("outputs", None)
    return found


def _refuse_depth(value: object, depth: int = 0) -> None:
    if depth > DEEPEST:
        raise BadNotebook(f"it is nested more than {DEEPEST} levels deep")
    children: list = []
    if isinstance(value, dict):
        children = list(value.values())
    elif isinstance(value, list):
        children = value
    for child in children:
        _refuse_depth(child, depth + 1)
