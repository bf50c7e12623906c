"""One submission's life in the sandbox: its cells run in order, and again when its process dies."""

from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType

from autograder.checks.kit.cell_names import changed_below, is_long, names_of
from autograder.checks.kit.errors import StudentDied
from autograder.checks.kit.judged import Where
from autograder.course.data_files import laid_over
from autograder.course.limits import Limits
from autograder.sandbox.budget import Budget
from autograder.sandbox.connection import Connection
from autograder.sandbox.dialogue import Answerer
from autograder.sandbox.outcomes import CellOutcome
from autograder.sandbox.worker import Place, Worker
from autograder.student.remote import RemoteStudent
from autograder.student.stops import Stops

MOST_FATAL_CELLS = 20  # each costs a fresh process and all the other cells again


@dataclass(frozen=True)
class Cell:
    """A code cell to run.

    Attributes:
        id: names the cell in `outcomes` and `deaths`.
        source: its code, magics and all.
        exercise: the exercise whose solution cell it is, or None.
        checks: the exercises whose checks stand right below it; an exercise's own cell has its own
            there, where no cell says otherwise.
    """

    id: str
    source: str
    exercise: str | None = None
    checks: tuple[str, ...] = ()


@dataclass(frozen=True)
class JudgedCell:
    """Where the definition stands that is judged of an exercise.

    Attributes:
        where: whether it is what the name stands for at its check, its own cell's, or the last.
        cell: the cell that bound it.
    """

    where: Where
    cell: Cell


@dataclass(frozen=True)
class StandIns:
    """What takes the place of earlier exercises.

    Attributes:
        kinds: by exercise, as `sandbox.inside.stand_ins` has them.
        answerer: answers what they ask.
    """

    kinds: Mapping[str, str]
    answerer: Answerer


class Session:
    """A submission's process, its cells run, whatever they do.

    When the process dies over a cell, a fresh one runs the others without it. The time for all of
    it together is `limits.submission_seconds`, and runs only while student code is waited for. As
    much again, once, is there for all second runs together.

    Args:
        connection: where processes come from.
        cells: the notebook's code cells, in order.
        files: what lies beside the notebook, by relative path.
        limits: bounds on the submission.
        stand_ins: what takes the place of earlier exercises, whatever cells bind to their names.
        fatal: by the cell's id, how a process of this submission has died over it before.
        budget: the time that it shares with other sessions of the same submission.
        stops: what stopped the notebook where nothing stood in: an error of a cell that has asked
            stand-ins may hold what they gave, which no student may see.
        student_class: what calls the student's code.

    Attributes:
        cells: the notebook's code cells, in order.
        fatal: ids of the cells over which its process died, and which are not run again.
        outcomes: what each cell gave that ran, by its id; what it printed only for exercises.
        deaths: by the cell's id, how the process died over it, or what it was refused before it had
            bound its exercise; or why the cell was not run at all.
        judged: by exercise, which definition is judged, where there is one.
    """

    def __init__(
        self,
        connection: Connection,
        cells: Sequence[Cell],
        files: Mapping[str, bytes],
        limits: Limits,
        stand_ins: StandIns | None = None,
        fatal: Mapping[str, StudentDied] = MappingProxyType({}),
        student_class: type[RemoteStudent] = RemoteStudent,
        budget: Budget | None = None,
        stops: Stops | None = None,
    ) -> None:
        self._connection = connection
        self._student_class = student_class
        self.cells = _with_checks(cells)
        self._files = self._handed_in = files
        self._limits = limits
        self._budget = budget or Budget(limits.submission_seconds)
        self._further = Budget(limits.submission_seconds)
        self._stand_ins = stand_ins
        self._stops = stops
        self.fatal = set(fatal)
        self._worker: Worker | None = None
        self._student: RemoteStudent | None = None
        self._others: dict[str, Worker] = {}
        self.outcomes: dict[str, CellOutcome] = {}
        self.deaths = dict(fatal)
        self.judged: dict[str, JudgedCell] = {}
        try:
            self._revive()
        except StudentDied as died:
            for cell in self.cells:
                if cell.id not in self.outcomes:
                    self.deaths.setdefault(cell.id, died)

    @property
    def student(self) -> RemoteStudent:
        """The student's process, with the cells run; a fresh one when the last has died.

        Raises:
            StudentDied: the submission's time is used up.
        """
        if self._student is None or self._worker is None or self._worker.death is not None:
            self._revive()
        assert self._student is not None
        return self._student

    @property
    def is_out_of_time(self) -> bool:
        """Whether the time that it runs on is used up."""
        return self._budget.left <= 0

    @property
    def has_further_time(self) -> bool:
        """Whether some of the time that all second runs share is left."""
        return self._further.left > 0

    @property
    def stops(self) -> Stops:
        """What stopped the notebook: errors of its cells, and imports that are not there."""
        if self._stops is not None:
            return self._stops
        ids = [cell.id for cell in self.cells]
        outcomes = {n: self.outcomes[one] for n, one in enumerate(ids) if one in self.outcomes}
        deaths = {n: self.deaths[one] for n, one in enumerate(ids) if one in self.deaths}
        return Stops([cell.source for cell in self.cells], outcomes, deaths)

    def is_changed_below(self, exercise: str) -> bool:
        """Whether cells below an exercise's check may change what it reads, through helpers too.

        They may where the notebook is too long to tell.
        """
        sources, end = [cell.source for cell in self.cells], self._end_of(exercise)
        if is_long(sources):
            return end < len(sources)
        return bool(changed_below(names_of(sources), end, {exercise}))

    def up_to_check(self, exercise: str, stand_ins: StandIns | None = None) -> "Session":
        """The same cells up to an exercise's check, within the time that such runs share.

        This session's process ends; it starts anew when it is used again.

        Args:
            exercise: the exercise's name.
            stand_ins: what takes the place of earlier exercises then; None where they stay.
        """
        self._end_worker()
        cells = self.cells[: self._end_of(exercise)]
        fatal = {cell: self.deaths[cell] for cell in self.fatal}
        return Session(
            self._connection,
            cells,
            self._handed_in,
            self._limits,
            stand_ins,
            fatal,
            self._student_class,
            self._further,
            self.stops,
        )

    def forget(self) -> None:
        """End the process; the next has time of its own, and knows of nothing asked before."""
        self._end_worker()
        self._files = self._handed_in
        self._budget = Budget(self._limits.submission_seconds)

    def _end_of(self, exercise: str) -> int:
        """How many cells stand above an exercise's check, or up to what is judged below it."""
        judged = self.judged.get(exercise)
        needed = [
            place
            for place, cell in enumerate(self.cells, 1)
            if exercise in (cell.exercise, *cell.checks) or (judged and cell.id == judged.cell.id)
        ]
        return max(needed, default=len(self.cells))

    def close(self) -> None:
        """End the submission's process, and those of ours beside it."""
        self._end_worker()
        while self._others:
            self._others.popitem()[1].close()

    def _end_worker(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = self._student = None

    def _run_ours(self, source: str) -> RemoteStudent:
        """A cell of ours in a process of its own, which has its own time."""
        if source not in self._others or self._others[source].death is not None:
            worker = self._others[source] = self._connection.start_worker(limits=self._limits)
            error = worker.run_cell(source).error
            if error is not None:
                worker.close()
                raise RuntimeError(f"a cell of ours stops: {error}")
        return RemoteStudent(self._others[source])

    def _place(self, files: Mapping[str, bytes]) -> RemoteStudent:
        """The student of a process that has these files, too.

        Where Landlock alone holds a process, nothing can be written into its directory once it
        runs: so that it is the same everywhere, the cells run again beside the files.
        """
        if any(self._files.get(path) != content for path, content in files.items()):
            self._files = laid_over(self._files, files)
            self._revive()
        return self.student

    def _revive(self) -> None:
        """Start processes until one has run every cell that it can.

        Raises:
            StudentDied: the time is used up.
        """
        while True:
            self._check_budget()
            self._end_worker()
            answerer = self._stand_ins.answerer if self._stand_ins is not None else None
            worker = self._connection.start_worker(
                self._files, self._limits, self._budget, answerer
            )
            self._worker = worker
            if self._run_cells(worker):
                dead = self._dead_exercises()
                self._student = self._student_class(worker, dead, self._place, self._run_ours)
                self._student.stops = self.stops
                self._student.cells = {
                    name: self.judged[name].cell.source if name in self.judged else cell.source
                    for cell in self.cells
                    if (name := cell.exercise) is not None
                }
                return
            if len(self.fatal) >= MOST_FATAL_CELLS:
                raise StudentDied("crashed", f"the process ended over {len(self.fatal)} cells")

    def _dead_exercises(self) -> dict[str, StudentDied]:
        dead = {cell.exercise: self.deaths.get(cell.id) for cell in self.cells}
        return {
            name: died
            for name, died in dead.items()
            if name is not None
            and died is not None
            and name not in self._kinds
            and name not in self.judged
        }

    def _run_cells(self, worker: Worker) -> bool:
        """Run the cells that are not known to be fatal; False when one more turns out to be."""
        cells = _without(self.fatal, self.cells)
        follow = tuple(cell.exercise for cell in self.cells if cell.exercise is not None)
        places = [Place(cell.exercise, cell.checks, follow) for cell in cells]
        if self._stand_ins is None:  # an answer would come after cells that were sent ahead
            sources = (cell.source for cell in cells)
            worker.expect_cells(zip(sources, places, strict=True))
        own = max((n for n, cell in enumerate(cells) if cell.exercise), default=len(cells) - 1)
        for number, (cell, place) in enumerate(zip(cells, places, strict=True)):
            try:
                if number == own:
                    self._stand_in(worker, self._kinds)
                outcome = worker.run_cell(cell.source, cell.id, place)
                if cell.exercise is not None and cell.exercise in self._kinds:
                    self._stand_in(worker, [cell.exercise])
            except StudentDied as died:
                self.deaths.setdefault(cell.id, died)
                self.fatal.add(cell.id)
                return False
            if cell.exercise is None:
                outcome = replace(outcome, printed="")  # thousands of cells may print
            self.outcomes.setdefault(cell.id, outcome)
            refused = outcome.error.as_death(self._limits) if outcome.error is not None else None
            if refused is not None and not outcome.bound:
                self.deaths.setdefault(cell.id, refused)
        if follow:
            with suppress(StudentDied):  # which is told of each call
                told = worker.judged(follow, len(cells))
                # What it says beside files of ours could tell of what is in them.
                if self._files is self._handed_in:
                    self.judged = {
                        name: JudgedCell(how, cells[at]) for name, (how, at) in told.items()
                    }
        return True

    @property
    def _kinds(self) -> Mapping[str, str]:
        return self._stand_ins.kinds if self._stand_ins is not None else {}

    def _stand_in(self, worker: Worker, names: Iterable[str]) -> None:
        """Bind the stand-ins of these names, whatever the cells so far have bound them to."""
        for name in names:
            worker.stand_in(name, self._kinds[name])

    def _check_budget(self) -> None:
        if self.is_out_of_time:
            seconds = f"{self._budget.total:g}"
            raise StudentDied("timeout", f"the submission's {seconds} seconds are used up")


def _with_checks(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells, each exercise's check right below its own cell where none says otherwise."""
    placed = {name for cell in cells for name in cell.checks}
    return tuple(
        replace(cell, checks=(*cell.checks, cell.exercise))
        if cell.exercise is not None and cell.exercise not in placed
        else cell
        for cell in cells
    )


def _without(fatal: Container[str], cells: Sequence[Cell]) -> list[Cell]:
    """The cells that run; the checks below one that does not are below the one before it."""
    left: list[Cell] = []
    for cell in cells:
        if cell.id not in fatal:
            left.append(cell)
        elif left:
            left[-1] = replace(left[-1], checks=(*left[-1].checks, *cell.checks))
    return left
