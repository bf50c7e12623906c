"""Which column of another system's file is which assignment's."""

import re
import shlex
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autograder.course.errors import CourseError, did_you_mean
from autograder.export.table import Table
from autograder.export.wording import listed


@dataclass(frozen=True)
class Titled:
    """A column that an assignment's marks could go into.

    Attributes:
        header: its whole first cell.
        title: the assignment's title there.
        id: the assignment's id there; empty where the file has none.
        at: its place in a row.
    """

    header: str
    title: str
    id: str
    at: int


def find_column(
    table: Table, name: str, columns: Sequence[Titled], wanted: Mapping[str, str]
) -> Titled:
    """The one column of an assignment.

    Args:
        table: the file.
        name: the assignment's name here, such as `01-first-steps`.
        columns: those that could be meant.
        wanted: what an instructor said, by the assignment's name: a whole first cell, a title or
            an id; else the title must be the name, with or without its number, however written.

    Raises:
        CourseError: there is none, or several could be meant.
    """
    if name in wanted:
        said = wanted[name].strip()
        ways = [
            [one for one in columns if one.header == said],
            [one for one in columns if said in (one.title, one.id)],
        ]
        found = next((fitting for fitting in ways if fitting), [])
    else:
        said = name
        plain = {_plain(name), _plain(name.partition("-")[2])}
        found = [one for one in columns if _plain(one.title) in plain]
    if len(found) == 1:
        return found[0]
    if found:
        several = listed([repr(one.header) for one in found], " and ")
        raise CourseError(
            f"{table.path}: {name} could go into {several}. Say which, by its whole first cell: "
            f"--column {shlex.quote(f'{name}={found[0].header}')}."
        )
    headers = [one.header for one in columns]
    raise CourseError(
        f"{table.path} has no column for {name}: none is called {said!r}."
        f"{did_you_mean(said, headers)} Its columns: {listed(headers, ', ') or 'none'}. Say which "
        f"it is with --column {name}=TITLE, or choose other assignments with --assignment."
    )


def _plain(title: str) -> str:
    """A title without what differs between ways of writing it: case, hyphens, blanks."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    return " ".join(re.findall(r"\w+", folded.replace("_", " ")))
