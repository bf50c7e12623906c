"""What one attack is: a hostile submission in a few words and lines, and what must come of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode

HEADS = "04-multi-head-attention"
# Points of `merge_heads` that a wrong answer earns honestly: for a right form, for slices that stay
# with their token, for a dtype that is kept and an input that is left, for staying on its device.
FORM, SLICES, KEPT, STAYS, NO_BIAS = 0.2, 0.4, 0.1, 0.1, 0.1

Edit = Callable[[NotebookNode], None]
Place = Callable[[Path], None]


@dataclass(frozen=True)
class Attack:
    """A submission that is right in all exercises but one, and hostile there.

    Every hostile notebook starts with the cell that `prelude.py` writes: it names the places that
    an attacker would look for, so that an attack fails by what holds it, not for want of a path.

    Attributes:
        slug: names the attack, and the student who hands it in.
        row: the number of its row in the table of threats.
        does: what the attack does; "The code ..." or "The notebook ...".
        must: what must come of it.
        cell: a code cell ahead of all exercises.
        parts: cells in the place of the right ones of earlier exercises, by exercise.
        answer: the cell of the attacked exercise; it prints all that was gained when None.
        assignment: which notebook it is.
        exercise: the attacked exercise.
        earns: points of the attacked exercise that the honest part of the answer is worth.
        reason: a pattern for "reason: detail" of the attacked exercise, which is "" without one;
            None: no reason is given.
        spoils_all: whether the other exercises of its own notebook suffer too.
        ungraded: a pattern for "reason: detail" of the submission; None: it is graded.
        beside: files beside the notebook, by relative path.
        edit: changes the filled notebook.
        place: changes what stands in the student's folder for the assignment, or the folder.
        folder: the name of the student's folder, where that is the attack.
    """

    slug: str
    row: int
    does: str
    must: str
    cell: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    answer: str | None = None
    assignment: str = HEADS
    exercise: str = "merge_heads"
    earns: float = 0.0
    reason: str | None = None
    spoils_all: bool = False
    ungraded: str | None = None
    beside: Mapping[str, str] = field(default_factory=dict)
    edit: Edit | None = None
    place: Place | None = None
    folder: str | None = None

    @property
    def student(self) -> str:
        """The name of the student's folder."""
        return self.folder if self.folder is not None else self.slug
