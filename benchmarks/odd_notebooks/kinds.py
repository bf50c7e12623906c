"""What a kind of odd hand-in is: what makes it of a right one, and what a fair person gives."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

NAME = "01-line-fitting"
CODE = ("predict", "mean_squared_error", "gradient", "fit", "normal_equation")
PERSONAL = ("k1", "k2", "k3")  # a person decides where the notebook does not say whose they are
WAITS = "w1"  # its points wait for a person, wherever it is answered
LINE = "def predict(x, slope, intercept):\n    return slope * x + intercept"


@dataclass
class HandIn:
    """What one student hands in: at first a notebook that is right, under its name.

    Attributes:
        notebook: all is answered.
        released: the same as it was released.
        name: under which it is handed in; None where `files` holds all there is.
        files: what lies beside it, or in its place.
    """

    notebook: NotebookNode
    released: NotebookNode
    name: str | None = f"{NAME}.ipynb"
    files: dict[str, bytes] = field(default_factory=dict)

    def cell(self, name: str) -> NotebookNode:
        """The cell that nbgrader knows by a name."""
        return _cell_of(self.notebook, name)

    def stub(self, name: str = "predict") -> str:
        """What an exercise's cell was released with; it stands there now."""
        source: str = _cell_of(self.released, name).source
        self.cell(name).source = source
        return source

    def after(self, name: str, *sources: str) -> None:
        """Code cells of the student's own below a cell."""
        place = self.notebook.cells.index(self.cell(name)) + 1
        self.notebook.cells[place:place] = map(new_code_cell, sources)

    def before(self, name: str, *sources: str) -> None:
        """The same above it."""
        place = self.notebook.cells.index(self.cell(name))
        self.notebook.cells[place:place] = map(new_code_cell, sources)

    def first(self, *sources: str) -> None:
        """The same above all others."""
        self.notebook.cells[:0] = map(new_code_cell, sources)

    def last(self, *sources: str) -> None:
        """The same below all others."""
        self.notebook.cells += map(new_code_cell, sources)

    def remove(self, *names: str) -> None:
        """Delete cells."""
        for name in names:
            self.notebook.cells.remove(self.cell(name))

    def written(self) -> bytes:
        """The notebook as a file."""
        return json.dumps(self.notebook, ensure_ascii=False).encode()

    def all_files(self) -> dict[str, bytes]:
        """All that is handed in."""
        return self.files | ({} if self.name is None else {self.name: self.written()})

    def instead(self, content: bytes) -> None:
        """Hand in other bytes under the notebook's name."""
        self.name, self.files[f"{NAME}.ipynb"] = None, content

    def edit(self, change: Callable[[dict], None]) -> None:
        """Hand in what changes in the notebook's own JSON."""
        data = json.loads(self.written())
        change(data)
        self.instead(json.dumps(data, ensure_ascii=False).encode())


Make = Callable[[HandIn], None]


@dataclass(frozen=True)
class Kind:
    """One kind of odd hand-in.

    Attributes:
        name: what is odd; the student's id is made of it.
        make: makes it of a right one.
        loses: exercises for which a fair person gives less than all.
        waits: exercises whose points a fair person has to give.
        reason: the code with which it stays ungraded; None where it is graded.
        student: the id, where that is what is odd.
    """

    name: str
    make: Make
    loses: tuple[str, ...] = ()
    waits: tuple[str, ...] = (WAITS,)
    reason: str | None = None
    student: str | None = None

    @property
    def fair(self) -> str:
        """What a fair person gives, in words."""
        if self.reason:
            return f"ungraded: {self.reason}"
        told = "all" if not self.loses else f"all but {', '.join(self.loses)}"
        asked = [one for one in self.waits if one != WAITS]
        return f"{told}; {', '.join(asked)} waits" if asked else told

    @property
    def handed_in_by(self) -> str:
        """The student's id."""
        return self.student or "".join(c if c.isalnum() else "-" for c in self.name.lower())


KINDS: list[Kind] = []


def odd(
    name: str, *loses: str, waits: tuple[str, ...] = (), reason: str | None = None
) -> Callable[[Make], Make]:
    """Declare the kind that a function makes."""

    def declare(make: Make) -> Make:
        KINDS.append(Kind(name, make, loses, (WAITS, *waits), reason))
        return make

    return declare


def each(table: Mapping[str, str], make: Callable[[HandIn, str], None], *loses: str) -> None:
    """Declare a kind for each text that something is done with."""
    for name, text in table.items():
        KINDS.append(Kind(name, lambda given, text=text: make(given, text), loses))


def _cell_of(notebook: NotebookNode, name: str) -> NotebookNode:
    named: Iterable[NotebookNode] = (
        cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == name
    )
    return next(iter(named))
