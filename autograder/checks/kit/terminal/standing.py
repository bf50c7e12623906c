"""How the exercises of a notebook stand, and which results belong to an older text of it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ..cell_names import GRADED, CodeCell, cells_for, check_place, code_cells, grade_id
from ..imports import warnings_of
from ..notebook import FOLDER, CellError
from ..written import written_answers
from .outcome import FAILED, NOT_BEGUN, NOT_CHECKED, Outcome


class Standing:
    """What is known of a notebook's exercises, as it was last read.

    A result holds as long as no cell changes that its exercise rests on.

    Args:
        exercises: the exercises and questions that have checks here.
        personal: questions whose numbers follow from the student's id.

    Attributes:
        cells: the notebook's code cells, but for graded ones: grading runs none of these either.
        order: the exercises and questions, as the notebook checks them.
        above: by exercise, the number of the last cell above its check.
        written: the answers that a person will read, and whether something is written there.
        errors: what cells raised when they last ran, by their text.
    """

    def __init__(self, exercises: Sequence[str], personal: Sequence[str]) -> None:
        self.cells: tuple[CodeCell, ...] = ()
        self.order: list[str] = []
        self.above: dict[str, int] = {}
        self.written: dict[str, bool] = {}
        self.errors: dict[str, CellError] = {}
        self._exercises = exercises
        self._asked_for: dict[str, set[str]] = {name: {"student_id"} for name in personal}
        self._rests_on: dict[str, tuple[CodeCell, ...]] = {}
        self._outcomes: dict[str, tuple[Outcome, tuple[str, ...]]] = {}
        self._endless_cells: set[str] = set()
        self._endless_checks: dict[str, tuple[str, ...]] = {}
        self._apart: set[str] = set()  # done on their own cells, and not in the whole notebook

    def read(self, cells: Sequence[dict[str, Any]]) -> list[str]:
        """Take in the notebook's text; give the exercises whose own cells are new."""
        before = {cell.source for cell in self.cells}
        ids, code = [grade_id(cell) for cell in cells], code_cells(cells)
        graded = {GRADED + name for name in self._exercises}
        self.cells = tuple(cell for cell in code if cell.id not in graded)
        self.written = written_answers(cells)
        self.above = {name: check_place(ids, name) for name in self._exercises}
        checked = [name for cell in code for name in cell.names.checks]
        bound = [name for cell in code for name in cell.names.binds]
        named = dict.fromkeys([*checked, *bound, *self._exercises])
        here = [name for name in named if name in self.above]
        self.order = sorted(here, key=lambda name: self.above[name])
        for name in self.order:
            self._find_cells(name)
        if not before:
            return []
        new = [cell for cell in self.cells if cell.source not in before]
        changed = {name for cell in new for name in cell.names.binds}
        return [name for name in self.stale() if name in changed]

    def forget(self) -> None:
        """Take every result for one of an older text."""
        self._outcomes = {name: (outcome, ("",)) for name, (outcome, _) in self._outcomes.items()}
        self._endless_cells.clear()
        self._endless_checks.clear()

    def stale(self) -> list[str]:
        """The exercises of which nothing is known, or only of an older text."""
        return [name for name in self.order if self.is_stale(name)]

    def is_stale(self, name: str) -> bool:
        """Whether what is known of it, if anything, belongs to an older text."""
        return name not in self._outcomes or self._outcomes[name][1] != self._text(name)

    def needed(self, names: Iterable[str]) -> tuple[CodeCell, ...]:
        """The cells that these exercises rest on; without those that did not end."""
        numbers = {cell.number for name in names for cell in self._rests_on[name]}
        return self.without_endless(cell for cell in self.cells if cell.number in numbers)

    def places(self, names: Iterable[str]) -> dict[str, int]:
        """Of exercises the number of the last cell above their checks."""
        return {name: self.above[name] for name in names}

    def without_endless(self, cells: Iterable[CodeCell]) -> tuple[CodeCell, ...]:
        """The cells that are not known to run for ever."""
        return tuple(cell for cell in cells if cell.source not in self._endless_cells)

    def can_end(self, name: str) -> bool:
        """Whether a check may be run: it is not known to run for ever on this text."""
        return self._endless_checks.get(name) != self._text(name)

    def ran(self, number: int) -> None:
        """A cell runs: what it raised before says nothing now."""
        self.errors.pop(self._source(number), None)

    def stopped(self, error: CellError) -> None:
        """A cell has stopped with an error."""
        self.errors[self._source(error.cell)] = error

    def take(self, outcome: Outcome) -> bool:
        """Take in what came of a check; False where it has to run again, with more cells."""
        name, missing = outcome.exercise, outcome.missing
        if missing in self.order and missing != name:
            outcome = replace(outcome, state=NOT_BEGUN, told=())
        if missing and self._find_cells(name, missing):
            return False
        self._apart.discard(name)
        self._outcomes[name] = outcome, self._text(name)
        return True

    def never_ended(self, step: int | str, error: CellError) -> None:
        """A cell, or an exercise's check, ran for ever or took its process along."""
        if isinstance(step, int):
            self._endless_cells.add(self._source(step))
            self.stopped(replace(error, cell=step))
            return
        self._endless_checks[step] = self._text(step)
        heading = f"{step}: {error if error.cell else error.says}"
        self._outcomes[step] = Outcome(step, FAILED, False, heading), self._text(step)

    def only_apart(self, name: str) -> bool:
        """Whether it passed on its own cells, and then not where the whole notebook ran."""
        return name in self._apart

    def compare(self, before: dict[str, Outcome]) -> None:
        """Note which exercises passed before the whole notebook ran, and do not pass now."""
        self._apart = {
            name
            for name, outcome in before.items()
            if outcome.is_done and (now := self.outcome(name)) is not None and not now.is_done
        }

    def tally(self, names: Iterable[str] | None = None) -> tuple[int, int]:
        """How many exercises are done, and of how many; what cannot be checked here is left out.

        Args:
            names: of these alone; when not given, of all, and of the answers that a person reads.
        """
        known = self.outcomes()
        wanted = list(self.order if names is None else names)
        wanted = [n for n in wanted if n not in known or known[n].state != NOT_CHECKED]
        done = sum(n in known and known[n].is_done and not self.is_stale(n) for n in wanted)
        written = self.written if names is None else {}
        return done + sum(written.values()), len(wanted) + len(written)

    def outcomes(self) -> dict[str, Outcome]:
        """What is known of each exercise, in order, stale or not."""
        found = ((name, self.outcome(name)) for name in self.order)
        return {name: outcome for name, outcome in found if outcome is not None}

    def outcome(self, name: str) -> Outcome | None:
        """What is known of an exercise; where its own cell stops, that is what is wrong."""
        outcome = self._outcomes[name][0] if name in self._outcomes else None
        if outcome is not None and outcome.state == NOT_BEGUN and self.own_errors(name):
            return replace(outcome, state=FAILED)
        return outcome

    def own_errors(self, name: str) -> list[CellError]:
        """What the cells raised that bind the exercise's name."""
        own = [cell for cell in self.cells if name in cell.names.binds]
        return [self._error(cell) for cell in own if cell.source in self.errors]

    def cell_errors(self) -> list[CellError]:
        """What the cells of the notebook raised when they last ran, in its order."""
        return [self._error(cell) for cell in self.cells if cell.source in self.errors]

    def warnings(self) -> list[str]:
        """Imports that grading will not have: they work here, and so nothing else tells."""
        numbers, sources = [c.number for c in self.cells], [c.source for c in self.cells]
        return warnings_of(sources, FOLDER, numbers)

    def is_untouched(self, name: str) -> bool:
        """Whether the cell for its answer is as it was released, such as code to be repaired."""
        return any(cell.is_untouched for cell in self.cells if cell.id == name)

    def cell_of(self, name: str) -> int | None:
        """The number of the cell that binds an exercise's name, the last of several."""
        own = [cell.number for cell in self.cells if name in cell.names.binds]
        return own[-1] if own else None

    def _error(self, cell: CodeCell) -> CellError:
        return replace(self.errors[cell.source], cell=cell.number)

    def _find_cells(self, name: str, also: str = "") -> bool:
        """Find what it rests on; give whether a name that its checks ask for adds to that."""
        asked_for = self._asked_for.setdefault(name, set())
        before = self._rests_on.get(name)
        self._rests_on[name] = cells_for(
            self.cells, name, self.above[name], {*asked_for, also} - {""}
        )
        if also and self._rests_on[name] != before:
            asked_for.add(also)
            return True
        return False

    def _text(self, name: str) -> tuple[str, ...]:
        return tuple(cell.source for cell in self._rests_on.get(name, ()))

    def _source(self, number: int) -> str:
        return next((cell.source for cell in self.cells if cell.number == number), "")
