"""What a student is told on every platform: paragraphs, which become HTML or plain lines.

They are what the course's FeedbackPolicy leaves, as on the feedback page.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from autograder.feedback.reasons import reason_of
from autograder.feedback.words import bounded, number, points, prose, sentence

Json = dict[str, Any]
LONGEST_DETAIL = 300


@dataclass(frozen=True)
class Paragraph:
    """A paragraph.

    Attributes:
        text: sentences, where what stands between backticks is code; or code as it is.
        head: a few words in front of it; empty where there are none.
        is_code: whether all of the text is the student's own, and shown as it is.
    """

    text: str
    head: str = ""
    is_code: bool = False


def told_of(exercise: Json) -> list[Paragraph]:
    """What is told of an exercise beside its claims; nothing at full marks.

    Args:
        exercise: its entry in the JSON of `autograder grade`, with its feedback.
    """
    told = exercise["feedback"]
    found = [Paragraph(f"{told['reason']} {told['advice']}")] if told["reason"] else []
    if told["error"]:
        found.append(Paragraph(told["error"], is_code=True))
    if told["answered"]:
        found.append(Paragraph(told["answered"], "Your answer:", is_code=True))
    found += [Paragraph(sentence(told[one])) for one in ("message", "symptom") if told[one]]
    if told["hint"]:
        found.append(Paragraph(told["hint"], "Hint."))
    costless = "A remark, which costs nothing."
    return found + [Paragraph(sentence(one), costless) for one in told["remarks"]]


def not_passed(exercise: Json) -> list[Paragraph]:
    """The claims of an exercise that do not hold, for platforms that have no test for each."""
    failed = (row for row in exercise["feedback"]["checks"] if row["outcome"] == "failed")
    texts = ([row["claim"], row["symptom"]] for row in failed)
    return [Paragraph(" ".join(map(sentence, filter(None, one))), "Not passed:") for one in texts]


def waits(exercise: Json, worth: float) -> Paragraph:
    """That so many points of an exercise are not given yet, and by whom they will be."""
    giver = exercise["feedback"]["waits_for"] or "a later grading"
    return Paragraph(
        f"Not graded yet: {points(worth, bonus=exercise['bonus'])}, from {giver}. "
        "They are not in this total, neither as earned nor as lost."
    )


def total(submission: Json) -> str:
    """The marks of a submission, in a few words."""
    marks = f"{number(submission['score'])} of {points(submission['max_score'])}"
    waiting = submission["pending_points"]
    return f"{marks}, and {number(waiting)} still open" if waiting else marks


def not_a_notebook(submission: Json) -> list[Paragraph]:
    """Why what was handed in could not be graded, and what to do."""
    why = reason_of(submission["reason"])
    detail = bounded(submission["detail"] or "", LONGEST_DETAIL)
    notebook = f"{submission['assignment']}.ipynb"
    return [
        Paragraph(f"{why.sentence} ({detail})" if detail else why.sentence, "Nothing was graded."),
        Paragraph(f"{why.advice} The notebook is {notebook}."),
    ]


def as_html(paragraphs: Iterable[Paragraph]) -> Markup:
    """The paragraphs as HTML, everything in them escaped."""
    return Markup("").join(map(_html, paragraphs))


def as_lines(paragraphs: Iterable[Paragraph]) -> list[str]:
    """The paragraphs as plain text."""
    return [f"{one.head} {one.text}".strip() for one in paragraphs]


def _html(one: Paragraph) -> Markup:
    if one.is_code and not one.head:
        return Markup("<pre>{}</pre>").format(one.text)
    head = Markup("<b>{}</b> ").format(one.head) if one.head else Markup("")
    text = Markup("<code>{}</code>").format(one.text) if one.is_code else prose(one.text)
    return Markup("<p>{}{}</p>").format(head, text)
