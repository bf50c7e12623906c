"""What a feedback page says of each exercise before it shows any: marks, what to mend, what waits.

nbgrader's score counts, since an instructor may have changed it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from nbformat import NotebookNode

from autograder.feedback.cell_marks import KEY, CellMarks, marks_beside
from autograder.feedback.right_answer import RightAnswer
from autograder.feedback.words import bounded, points

CENT = 0.005
STATES = {
    "full": "Full marks",
    "part": "Part of the marks",
    "none": "No marks",
    "waiting": "Waits for your instructor",
    "untried": "Not attempted yet",
}


HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
PLACE = "autograder_section"
"""Where in a cell's metadata the page finds the anchor of a section."""


@dataclass(frozen=True)
class Section:
    """A part of the notebook, from one heading to the next.

    Attributes:
        title: its heading.
        anchor: where the page has it.
    """

    title: str
    anchor: str


@dataclass(frozen=True)
class Entry:
    """An exercise, a question or a written answer on the page.

    Attributes:
        cell: the name of the cell that carries its marks.
        name: its own name, which is that of the cell with the answer.
        score: points that count.
        available: points that there are.
        bonus: whether they count on top of the maximum.
        pending: points that a device or a later grading gives.
        waits: what gives them, in words.
        waiting: whether its mark waits for a person.
        differs: whether a person gave another mark than grading.
        mood: how it stands.
        state: the same in a few words.
        told: what cost points; None where nothing did.
        hint: a pointer beside it, or None.
        feedback: the HTML that grading wrote, or None.
        comments: what an instructor wrote about it.
        right: a right answer, where it is time to show one.
        stopped: what stopped the notebook above, where the answer fails for that.
        section: the part of the notebook that it stands in; None where no heading is above it.
    """

    cell: str
    name: str
    score: float
    available: float
    bonus: bool
    pending: float
    waits: str
    waiting: bool
    differs: bool
    mood: str
    state: str
    told: str | None
    hint: str | None
    feedback: str | None
    comments: tuple[str, ...]
    right: RightAnswer | None = None
    stopped: tuple[str, ...] = ()
    section: Section | None = None

    @property
    def is_lost(self) -> bool:
        """Whether points were lost that nothing can give any more, on an answer that was tried."""
        return self.told is not None and self.mood != "untried"

    @property
    def is_untried(self) -> bool:
        """Whether there is no answer, where one was wanted."""
        return self.mood == "untried" and not self.bonus

    @property
    def waits_in_words(self) -> str | None:
        """How many points wait, and for what; None where none do."""
        if self.waiting:
            return f"{points(self.available, bonus=self.bonus)}, from your instructor"
        if self.pending:
            return f"{points(self.pending, bonus=self.bonus)}, from {self.waits}"
        return None


@dataclass(frozen=True)
class Overview:
    """All entries of a page, in the notebook's order."""

    entries: tuple[Entry, ...]

    @cached_property
    def lost(self) -> Sequence[Entry]:
        """Those to mend."""
        return [one for one in self.entries if one.is_lost]

    @cached_property
    def stopped(self) -> dict[str, list[Entry]]:
        """What stopped the notebook, and those that fail for it."""
        found: dict[str, list[Entry]] = {}
        for one in self.lost:
            for stop in one.stopped:
                found.setdefault(stop, []).append(one)
        return found

    @cached_property
    def untried(self) -> Sequence[Entry]:
        """Those that were not tried."""
        return [one for one in self.entries if one.is_untried]

    @property
    def is_unanswered(self) -> bool:
        """Whether nothing was answered at all: no code, no choice, no sentence."""
        return bool(self.untried) and all(one.mood == "untried" for one in self.entries)

    @cached_property
    def waiting(self) -> Sequence[Entry]:
        """Those with points that wait."""
        return [one for one in self.entries if one.waits_in_words]

    @cached_property
    def commented(self) -> Sequence[Entry]:
        """Those that an instructor commented on."""
        return [one for one in self.entries if one.comments]

    @property
    def still_open(self) -> float:
        """Points that no mark is given for yet, beside nbgrader's total."""
        unread = [one.available - one.score for one in self.entries if one.waiting]
        return float(sum(one.pending for one in self.entries) + sum(unread))

    @property
    def bonus(self) -> float:
        """Points earned on top of nbgrader's maximum."""
        return float(sum(one.score for one in self.entries if one.bonus))

    def owner(self, cell: str) -> Entry | None:
        """The entry that a cell belongs to: its answer, or what carries its marks."""
        return next((one for one in self.entries if cell in (one.cell, one.name)), None)


def overview(cells: Iterable[NotebookNode]) -> Overview:
    """What the cells of a notebook with marks come to."""
    cells = list(cells)
    sections = _sections(cells)
    named = {grading(cell).get("grade_id", ""): cell for cell in cells if grading(cell)}
    comments = {name: grading(cell).get("comment") for name, cell in named.items()}
    marked = [cell for cell in named.values() if carries_marks(cell)]
    entries = (_entry(cell, comments) for cell in marked)
    return Overview(tuple(replace(one, section=sections.get(one.name)) for one in entries))


def _sections(cells: Sequence[NotebookNode]) -> dict[str, Section]:
    """The section that each named cell stands in; their anchors are put into the cells."""
    found: dict[str, Section] = {}
    section = None
    for place, cell in enumerate(cells):
        cell.metadata.pop(PLACE, None)  # a student's own would be an anchor of theirs
        text = FENCED.sub("", cell.source) if cell.cell_type == "markdown" else ""
        headings = HEADING.findall(text)
        if headings and not grading(cell):
            section = Section(bounded(headings[-1], 80), f"section-{place}")
            cell.metadata[PLACE] = section.anchor
        if section is not None and grading(cell):
            found[grading(cell).get("grade_id", "")] = section
    return found


def grading(cell: NotebookNode) -> dict:
    """What nbgrader says of a cell; empty where it is none of its own."""
    return cell.metadata.get("nbgrader") or {}


def carries_marks(cell: NotebookNode) -> bool:
    """Whether a cell has a mark: of an exercise, of a written answer, of a task."""
    return bool(grading(cell).get("grade") or grading(cell).get("task"))


def waits_for_person(cell: NotebookNode) -> bool:
    """Whether the cell's feedback left its points to a person."""
    found = marks_beside(cell)
    return found is not None and found.waits == "person"


def _entry(cell: NotebookNode, comments: dict[str, str | None]) -> Entry:
    mark = grading(cell)
    # Only grading writes into a cell that is graded and locked; any other output is the student's.
    found = None if mark.get("solution") else marks_beside(cell)
    named = str(mark.get("grade_id", ""))
    name = named.removeprefix("test_")
    score, available = float(mark.get("score") or 0), float(mark.get("points") or 0)
    waiting = bool(mark.get("waiting"))  # an answer that no person has looked at yet
    earned, pending = (found.earned, found.pending) if found else (score, 0.0)
    bonus = available == 0
    if bonus:
        available = found.available if found else score
    differs = not waiting and (abs(score - earned) > CENT or waits_for_person(cell))
    mood = "waiting" if waiting else "untried" if mark.get("blank") else _mood(score, available)
    if found and not differs and not waiting:
        mood = found.mood
    said = [comments.get(each) for each in dict.fromkeys((name, named))]
    pending = 0.0 if differs or waiting else pending
    is_lost = not waiting and score + pending < available - CENT
    told, hint = _told(found, differs, any(said)) if is_lost else (None, None)
    return Entry(
        cell=named,
        name=name,
        score=score,
        available=available,
        bonus=bonus,
        pending=pending,
        waits="a GPU" if found and found.waits is None else "a later grading",
        waiting=waiting,
        differs=differs and found is not None,
        mood=mood,
        state=found.state if found and found.state and not differs else STATES[mood],
        told=told,
        hint=hint,
        feedback=_feedback(cell) if found else None,
        comments=tuple(one for one in said if one),
        right=RightAnswer(**mark["right_answer"]) if mark.get("right_answer") else None,
        stopped=tuple(found.stopped) if found and not differs else (),
    )


def _told(found: CellMarks | None, differs: bool, is_commented: bool) -> tuple[str, str | None]:
    if found and found.told:
        return found.told, found.hint
    if found and not differs:
        return "What was checked stands below.", None
    if is_commented:
        return "Your instructor's comment says why.", None
    return "No more is told about these marks.", None


def _feedback(cell: NotebookNode) -> str | None:
    shown = (output for output in cell.outputs if KEY in output.get("metadata", {}))
    return next((output.data["text/html"] for output in shown), None)


def _mood(score: float, available: float) -> str:
    if not available:
        return "untried"
    if score > available - CENT:
        return "full"
    return "part" if score > 0 else "none"
