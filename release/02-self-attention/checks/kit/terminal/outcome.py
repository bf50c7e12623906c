"""What came of a check, as plain data: it crosses from the process that ran it to the terminal."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

PASSED, FAILED, NOT_BEGUN, NOT_CHECKED = "passed", "failed", "not begun", "not checked"


@dataclass(frozen=True)
class Told:
    """What one check found, in words; the fields are those of `running.Finding`."""

    claim: str
    passed: bool
    called: str = ""
    came_back: str = ""
    expected: str = ""
    says: str = ""
    only_form: bool = False


@dataclass(frozen=True)
class Outcome:
    """How one exercise or question stands.

    Attributes:
        exercise: its name.
        state: PASSED; FAILED; NOT_BEGUN, where a stub or open dots still stand, or a name that is
            needed is not there; NOT_CHECKED, where a package is missing for it.
        is_question: whether it is a question, whose answer is looked at and not its code.
        heading: the same in a sentence.
        told: one a check; empty where none could run.
        picture: the picture of the student's own result in words; empty where there is none.
        missing: a name that its checks asked for and did not find; empty where none was.
        is_right: of a prediction, whether it is right; None where nothing tells that here.
    """

    exercise: str
    state: str
    is_question: bool
    heading: str
    told: tuple[Told, ...] = ()
    picture: str = ""
    missing: str = ""
    is_right: bool | None = None

    @property
    def is_done(self) -> bool:
        """Whether its checks pass; of a question, whether it is answered."""
        return self.state == PASSED

    @property
    def is_open(self) -> bool:
        """Whether something is left to do for it; what cannot be checked here is optional."""
        return self.state not in (PASSED, NOT_CHECKED)

    @property
    def first_failure(self) -> Told | None:
        """The first check that does not pass; None where all pass or none ran."""
        return next((one for one in self.told if not one.passed), None)

    @property
    def why(self) -> str:
        """Why a prediction is right or not; empty where nothing tells that here."""
        return self.told[0].says if self.is_right is not None else ""

    def as_json(self) -> dict[str, Any]:
        """As what JSON can hold."""
        return asdict(self)

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Outcome:
        """Back from what `as_json` gave."""
        return cls(**fields | {"told": tuple(Told(**one) for one in fields["told"])})
