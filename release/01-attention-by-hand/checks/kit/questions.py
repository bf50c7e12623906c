"""The questions that are here: their form, and for personal ones text and possible sizes.

`questions.json` stands in `checks` in every release; the build writes it. It holds no answers, but
for those of predictions, which are encoded, and no secret.
In the repository itself there is none, since there all assignments' checks are together.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PATH = Path(__file__).resolve().parents[1] / "questions.json"


@dataclass(frozen=True)
class AskedQuestion:
    """What a student's notebook needs to know of a question.

    Attributes:
        name: the variable that the student binds, such as `k2`.
        kind: "choice", "choices", "number" or "shape".
        letters: the options, of the first two kinds.
        text: Markdown, with `{rows}` where a size of one's own stands; empty unless personal.
        sizes: what each size can be; empty unless personal.
        unit: what a number counts, or None.
        told: of a prediction, what its check tells, encoded; see predictions.py. Else empty.
    """

    name: str
    kind: str
    letters: tuple[str, ...] = ()
    text: str = ""
    sizes: dict[str, tuple[int, ...]] | None = None
    unit: str | None = None
    told: str = ""

    @property
    def is_personal(self) -> bool:
        """Whether its sizes come from the student's id."""
        return bool(self.sizes)


def questions_here() -> dict[str, AskedQuestion]:
    """The questions of this release by name, in the notebook's order; empty where none are."""
    if not PATH.is_file():
        return {}
    found = json.loads(PATH.read_text(encoding="utf-8"))
    return {fields["name"]: _question(fields) for fields in found}


def _question(fields: dict[str, Any]) -> AskedQuestion:
    return AskedQuestion(
        name=fields["name"],
        kind=fields["kind"],
        letters=tuple(fields.get("letters", ())),
        text=fields.get("text", ""),
        sizes={size: tuple(among) for size, among in fields.get("sizes", {}).items()},
        unit=fields.get("unit"),
        told=fields.get("told", ""),
    )
