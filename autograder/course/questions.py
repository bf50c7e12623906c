"""Quiz questions and what is right about their answers, as plain data."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import ClassVar

from autograder.checks.kit.personal import sizes_of
from autograder.course.expressions import Expression

QUESTION_NAME = re.compile(r"[qk][0-9]+")
"""Names of questions: `k1` stands within the text, `q1` at its end."""


PROGRESS_CELL = "from checks import progress\n\nprogress()"
"""The cell that shows how the notebook stands."""
HOW_IT_STANDS = """\
## How your notebook stands

The cell below says what is done, what is not yet, and what is next, by the checks that have run.
*Restart kernel and run all cells* runs them all: a cell that needs what is not written yet says so,
and the run goes on."""
"""Stands above it; grading leaves both out, as it does a demonstration."""


def check_cell(name: str) -> str:
    """The cell that runs the visible check of an exercise or a question."""
    return f'from checks import check\n\ncheck("{name}")'


def ask_cell(name: str) -> str:
    """The cell that shows a personal question with the student's own numbers."""
    return f'from checks import ask\n\nask("{name}", student_id)'


@dataclass(frozen=True)
class Option:
    """One answer to choose.

    Attributes:
        text: the answer, in Markdown.
        why: why it is right, or what misunderstanding it shows; one sentence to the student.
        misconception: the slug of what a wrong decision about it shows; None on the right answer
            where only one can be chosen.
    """

    text: str
    why: str
    misconception: str | None


@dataclass(frozen=True)
class WrongValue:
    """A wrong value that shows a known misunderstanding.

    Attributes:
        value: the value.
        why: what misunderstanding it shows, to the student.
        misconception: the misunderstanding's slug.
    """

    value: Expression
    why: str
    misconception: str


@dataclass(frozen=True)
class Choice:
    """One option is right: `q1 = "B"`.

    Attributes:
        options: by letter, in order.
        key: the letter of the right one.
        accept: letters that earn the points, too.
    """

    kind: ClassVar[str] = "choice"

    options: dict[str, Option]
    key: str
    accept: tuple[str, ...] = ()


@dataclass(frozen=True)
class Choices:
    """Several options may be right: `q1 = ["A", "C"]`.

    Attributes:
        options: by letter, in order.
        key: the letters of the right ones, in order.
        accept: other sets of letters that earn the points, too, each in order.
    """

    kind: ClassVar[str] = "choices"

    options: dict[str, Option]
    key: tuple[str, ...]
    accept: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Number:
    """A number: `k1 = 22.6`.

    Attributes:
        key: the right number.
        why: what to understand, for answers that show no known misunderstanding.
        wrong: numbers that show one.
        tolerance: how far from the key an answer may lie.
        relative: whether the tolerance is a part of the key, 0.01 for one in a hundred.
        unit: what the number counts, or None.
        accept: numbers that earn the points, too.
    """

    kind: ClassVar[str] = "number"

    key: Expression
    why: str
    wrong: tuple[WrongValue, ...]
    tolerance: float
    relative: bool
    unit: str | None = None
    accept: tuple[Expression, ...] = ()

    def accepts(self, answer: int | float, target: int | float) -> bool:
        """Whether an answer is as near to a target, the key or a wrong value, as is asked for."""
        return abs(answer - target) <= self.within(target)

    def within(self, target: int | float) -> float:
        """How far from a target an answer may lie."""
        allowed = self.tolerance * abs(target) if self.relative else self.tolerance
        # A hair more, so that an answer on the very edge is in whatever its last bit rounded to.
        return allowed * (1 + 1e-9)


@dataclass(frozen=True)
class Shape:
    """A tensor's shape: `k1 = (2, 3)`.

    Attributes:
        key: the right shape.
        why: what to understand, for answers that show no known misunderstanding.
        wrong: shapes that show one.
        accept: shapes that earn the points, too.
    """

    kind: ClassVar[str] = "shape"

    key: Expression
    why: str
    wrong: tuple[WrongValue, ...]
    accept: tuple[Expression, ...] = ()


@dataclass(frozen=True)
class Question:
    """One quiz question.

    Attributes:
        name: the variable that the student binds, such as `q1`.
        text: the question, in Markdown; a personal one has `{rows}` where a size stands.
        answer: its kind, and what is right.
        sizes: what each of its sizes can be, where they come from the student's id; else empty.
        void: whether it counts against nobody: everyone who was asked gets its points.
    """

    name: str
    text: str
    answer: Choice | Choices | Number | Shape
    sizes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    void: bool = False

    @property
    def is_personal(self) -> bool:
        """Whether everyone has sizes of their own."""
        return bool(self.sizes)

    def sizes_of(self, student: str) -> dict[str, int]:
        """The sizes that a student is asked about; empty where all are asked the same."""
        return sizes_of(self.name, student, self.sizes)

    def all_sizes(self) -> Iterator[Mapping[str, int]]:
        """Every combination of sizes that some student may have."""
        for combination in product(*self.sizes.values()):
            yield dict(zip(self.sizes, combination, strict=True))
