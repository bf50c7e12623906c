"""From whatever JSON a notebook holds to the little of it that grading uses.

Everything is looked at by its exact type and written anew, so that what comes out is a valid
notebook of nbformat 4.5 whatever went in. Outputs, widget states and metadata stay behind: nothing
depends on them, and they could hold anything. Of what is attached to text, pictures stay.
"""

import math
import re
from typing import Any

MOST_CELLS = 5000
# Colouring code takes pygments a time that grows with the square of a line's or a gap's length.
LONGEST_COLOURED = 30_000
LONGEST_GAP = 1000

# Pictures that a browser shows and never runs, and what their bytes are written with.
PICTURE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")

GAP = re.compile(r"\s\s++")
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


class Odd(Exception):
    """What was read is no notebook; the text says what is wrong."""


def reduced(parsed: dict[str, Any], major: int) -> dict[str, Any]:
    """A notebook of nbformat 4.5 with every cell's text, nbgrader mark and attached pictures.

    Args:
        parsed: a JSON object; anything may be in it.
        major: its nbformat, 3 or 4.

    Raises:
        Odd: it has no cells, too many, or one without text.
    """
    found = _cells_of_version_3(parsed) if major == 3 else _list(parsed.get("cells"), "cells")
    if len(found) > MOST_CELLS:
        raise Odd(f"it has {len(found)} cells; {MOST_CELLS} are allowed")
    cells = [_cell(cell, index) for index, cell in enumerate(found)]
    code = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    language = "python" if _can_be_coloured(code) else "text"
    metadata = {"kernelspec": dict(KERNEL), "language_info": {"name": language}}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}


def _cells_of_version_3(parsed: dict[str, Any]) -> list[Any]:
    """The cells of all worksheets, with the words that version 4 has for what they are."""
    cells: list[Any] = []
    for sheet in _list(parsed.get("worksheets"), "worksheets"):
        for cell in _list(_dict(sheet).get("cells"), "cells"):
            old = _dict(cell)
            kind, text = old.get("cell_type"), old.get("source")
            if kind == "code":
                text = old.get("input")
            elif kind in ("heading", "html"):
                mark = "# " if kind == "heading" else ""
                kind, text = "markdown", mark + _text(text, len(cells))
            cells.append(old | {"cell_type": kind, "source": text})
    return cells


def _cell(cell: Any, index: int) -> dict[str, Any]:
    if type(cell) is not dict or cell.get("cell_type") not in ("code", "markdown", "raw"):
        raise Odd(f"cell {index + 1} is neither code nor text")
    kind, text = cell["cell_type"], _text(cell.get("source"), index)
    mark = _mark(_dict(cell.get("metadata")).get("nbgrader"))
    made = {"id": f"cell-{index}", "cell_type": kind, "metadata": mark, "source": text}
    if kind == "code":
        return made | {"outputs": [], "execution_count": None}
    attached = _attached(_dict(cell.get("attachments"))) if kind == "markdown" else {}
    return made | {"attachments": attached} if attached else made


def _attached(attachments: dict[str, Any]) -> dict[str, dict[str, str]]:
    """The pictures among a cell's attachments, by their names and types."""
    found: dict[str, dict[str, str]] = {}
    for name, forms in attachments.items():
        for kind in PICTURE_TYPES:
            data = _base64(_dict(forms).get(kind))
            if data and _is_unicode(name):
                found.setdefault(name, {})[kind] = data
    return found


def _base64(data: Any) -> str:
    """The text of a picture, one string or a list of lines; nothing where it is none."""
    lines = data if type(data) is list else [data]
    text = "".join("".join(lines).split()) if all(type(line) is str for line in lines) else ""
    return text if BASE64.fullmatch(text) else ""


def _text(source: Any, index: int) -> str:
    """The text of a cell, one string or a list of lines, as valid Unicode."""
    lines = source if type(source) is list else [source]
    if not all(type(line) is str for line in lines):
        raise Odd(f"cell {index + 1} has no text")
    return "".join(lines).encode(errors="replace").decode()


def _mark(mark: Any) -> dict[str, Any]:
    """The cell's metadata with nbgrader's mark alone, and of that the plain values."""
    plain = {
        name: value
        for name, value in _dict(mark).items()
        if _is_unicode(name) and (_is_number(value) or _is_unicode(value))
    }
    return {"nbgrader": plain} if plain else {}


def _can_be_coloured(code: list[str]) -> bool:
    gaps = (len(gap[0]) for source in code for gap in GAP.finditer(source))
    return sum(map(len, code)) <= LONGEST_COLOURED and max(gaps, default=0) <= LONGEST_GAP


def _is_number(value: Any) -> bool:
    return type(value) in (int, bool) or (type(value) is float and math.isfinite(value))


def _is_unicode(value: Any) -> bool:
    return type(value) is str and value == value.encode(errors="replace").decode()


def _dict(value: Any) -> dict[str, Any]:
    """The value when it is a dict; else, as nothing in it counts, an empty one."""
    return value if type(value) is dict else {}


def _list(value: Any, name: str) -> list[Any]:
    if type(value) is not list:
        raise Odd(f"its {name} are no list")
    return value
