"""Whose work it is does not stand in it, where nbgrader shows a submission without a name.

nbgrader hides the student's name above a submission until a grader asks for it. Below stands the
notebook, in which personal questions have the student write an id. It is covered there, in what
cells printed, and in what we say to graders; so are names and addresses that the roster knows.
"""

import builtins
import html
import keyword
import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode

from autograder.course import CourseError, load_course
from autograder.gradebook.formgrader_page import is_formgraders

COVER = "▒▒▒"
SHORTEST = 3  # letters of a word that is covered wherever it stands
SHORTEST_NUMBER = 6  # digits likewise
SAID = re.compile(r"""^\s*student_id\s*=\s*(["'])(.+?)\1""", re.MULTILINE)
QUOTED = re.compile(r'"""(?s:.*?)"""|\'\'\'(?s:.*?)\'\'\'|"[^"\n]*"|\'[^\'\n]*\'|#[^\n]*')
WORD = re.compile(r"\w+")
PYTHON = {*dir(builtins), *keyword.kwlist, *keyword.softkwlist}


class HideOwner(Preprocessor):
    """Covers ids and names in a notebook, where formgrader shows a submission; comes last."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, Any]:
        """Cover them; leave every page alone that is not formgrader's."""
        if is_formgraders(resources):
            root = Path(self.config.CourseDirectory.get("root", "."))
            code = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "code")
            said = {match[2] for match in SAID.finditer(code)}
            named = {str(resources[key]) for key in ("student",) if resources.get(key)}
            words = {*said, *named, *_known(root, named)}
            _cover(nb, covering(words, code))
        return nb, resources


def covering(words: Iterable[str], code: str) -> re.Pattern[str]:
    """What to cover: each word as a whole, in any case of its letters.

    An id may be a word of Python, or a name that the code uses, or very short: it is covered only
    where it stands alone between quotation marks.

    Args:
        words: ids, names and addresses.
        code: the notebook's code.
    """
    used = {one.casefold() for one in WORD.findall(QUOTED.sub(" ", code))} | PYTHON
    alone: list[str] = []
    for word in sorted({one.strip() for one in words} - {""}, key=len, reverse=True):
        shortest = SHORTEST_NUMBER if word.isdigit() else SHORTEST
        common = len(word) < shortest or word.casefold() in used
        for written in dict.fromkeys(_spellings(word)):
            text = re.escape(written)
            quoted = rf"""(?<=["']){text}(?=["'])"""
            alone.append(quoted if common else rf"(?<!\w){text}(?!\w)")
    return re.compile("|".join(alone) or r"(?!)", re.IGNORECASE)


def _spellings(word: str) -> Iterator[str]:
    """A word as code and pages may write it: accents composed or not, quotes escaped."""
    for form in (word, unicodedata.normalize("NFC", word), unicodedata.normalize("NFD", word)):
        yield from (form, html.escape(form), form.replace("'", r"\'"))


def _known(root: Path, students: Iterable[str]) -> set[str]:
    """What the roster knows of those who handed in; nothing where it cannot be read."""
    try:
        roster = load_course(root).roster
    except CourseError:
        return set()
    people = [one for student in students for one in roster.members(student)]
    found = {field for one in people for field in (one.id, one.name, one.email)}
    for one in people:
        last, comma, first = one.name.partition(",")
        first, last = (first, last) if comma else one.name.rpartition(" ")[::2]
        if first and last:
            found |= {f"{first.strip()} {last.strip()}", f"{last.strip()}, {first.strip()}"}
    return found


def _cover(nb: NotebookNode, pattern: re.Pattern[str]) -> None:
    for cell in nb.cells:
        cell.source = pattern.sub(COVER, cell.source)
        for output in cell.get("outputs", ()):
            for key in ("text", "ename", "evalue", "traceback"):
                if key in output:
                    output[key] = _covered(output[key], pattern)
            data = output.get("data", {})
            for kind in data:
                if not kind.startswith("image/") or kind == "image/svg+xml":
                    data[kind] = _covered(data[kind], pattern)


def _covered(value: Any, pattern: re.Pattern[str]) -> Any:
    """The same text, list or table of texts, covered."""
    if isinstance(value, str):
        return pattern.sub(COVER, value)
    if isinstance(value, list):
        return [_covered(one, pattern) for one in value]
    return value
