"""One exercise's feedback: a verdict in, a piece of HTML out."""

import re
from dataclasses import dataclass, replace
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from autograder.course.questions import QUESTION_NAME
from autograder.course.reveal import Reveal
from autograder.feedback.cell_marks import CellMarks
from autograder.feedback.checklist import (
    Aspect,
    ChecklistRow,
    aspects,
    checklist,
    is_unrun,
    shared_symptom,
)
from autograder.feedback.palette import PALETTE
from autograder.feedback.picture import Table, draw
from autograder.feedback.reasons import Mood, Reason, cell_error_sentence, reason_of
from autograder.feedback.safe_markdown import markdown2html
from autograder.feedback.words import bounded, number, points, prose, sentence
from autograder.verdicts.attempted import is_attempted, is_left_out, is_unanswered
from autograder.verdicts.verdict import GRADER_ERROR, ExerciseVerdict

LONGEST_MESSAGE = 1100  # characters: several names, and the claims that they leave over
CENT = 0.005  # points below which two scores look the same to a reader

WORDS = {
    "passed": "passed",
    "failed": "not passed",
    "error": "not checked",
    "pending": "waits for a GPU",
    "absent": "not checked yet",
    "untried": "not tried",
    "unanswered": "no answer",
    "remark": "worth a remark",
}
SYMBOLS = {
    "passed": "✓",
    "failed": "✗",
    "error": "!",
    "pending": "…",
    "absent": "…",
    "untried": "–",
    "unanswered": "✗",
    "remark": "i",
    "part": "◐",
}


RULINGS = {
    "void": "This {what} is void: everyone who was asked gets its points, whatever the answer.",
    "accepted": "This question accepts more than one answer, and yours is one of them.",
}
AWAITED = {None: "a GPU", "person": "your instructor", "later": "a later grading"}


AT_ITS_CHECK = (
    "A cell further down changes something that this answer reads. It was judged as your notebook "
    "stands when its check is reached, so that this costs nothing."
)


@dataclass(frozen=True)
class View:
    """A verdict as the templates show it; every string is bounded, none is escaped yet.

    Attributes:
        name: the exercise.
        state: how it stands, in a few words.
        marks: what was earned and what waits; its mood is the state's colour and symbol.
        bonus: whether its points count on top of the maximum.
        awaited: what gives them.
        shares: the bar under the marks: (mood, percent) from left to right.
        reason: why checking stopped, or None.
        detail: more about the reason, such as "signal 11".
        asked: a personal question with its owner's numbers, in Markdown; else None.
        error_sentence: what the error of the exercise's own cell means, or None.
        error: that error.
        answered: the answer to a question, or None.
        ruling: what the course has ruled on a question, or None.
        judged_elsewhere: which definition was judged, where it is not that of its own cell.
        judged_with: what of the student's notebook was left out of account, or None.
        message: what the answer shows, or None.
        symptom: what every failed check saw, where they all saw the same; else None.
        remarks: what is told and costs nothing.
        hint: a pointer, or None.
        aspects: how the points earned are shared among aspects; empty when it is not shown.
        rows: what was checked; empty when it is not shown.
        unrun: how many checks did not run, and carry no points; 0 when it is not shown.
        drawing: the student's result, or None.
        right_drawing: a right one beside it, or None.
        printed: what the cell printed, or None.
    """

    name: str
    state: str
    marks: CellMarks
    bonus: bool
    awaited: str
    shares: tuple[tuple[str, float], ...]
    reason: Reason | None
    detail: str | None
    asked: str | None
    error_sentence: str | None
    error: str | None
    answered: str | None
    ruling: str | None
    judged_elsewhere: str | None
    judged_with: str | None
    message: str | None
    symptom: str | None
    remarks: tuple[str, ...]
    hint: str | None
    aspects: tuple[Aspect, ...]
    rows: tuple[ChecklistRow, ...]
    unrun: int
    drawing: Table | None
    right_drawing: Table | None
    printed: str | None


def render_exercise(
    verdict: ExerciseVerdict, *, reveal: Reveal, asked: str | None = None, styled: bool = True
) -> str:
    """Write what a student reads about one exercise.

    Args:
        verdict: what grading found.
        reveal: what is shown beside the marks.
        asked: a personal question with its owner's numbers, in Markdown; None where the notebook
            shows the whole question.
        styled: whether it brings the style sheet, which one fragment of a page does for all.

    Returns:
        a fragment of HTML without scripts, which loads nothing from elsewhere.
    """
    view = view_of(verdict, reveal, asked)
    return _template("exercise.html.j2").render(v=view, styled=styled).strip()


def marks_of(verdict: ExerciseVerdict, reveal: Reveal) -> CellMarks:
    """The marks that the fragment shows, and what it says, in short and as data."""
    view = view_of(verdict, reveal)
    told, hint = in_short(view)
    stopped = tuple(sentence(stop.in_short) for stop in verdict.stops)
    return replace(view.marks, state=view.state, told=told, hint=hint, stopped=stopped)


def _numbers(verdict: ExerciseVerdict) -> CellMarks:
    _, mood = _state(verdict, _reason(verdict))
    pending = 0.0 if is_left_out(verdict) else verdict.pending_points
    return CellMarks(verdict.score, verdict.max_points, pending, _waits(verdict), mood)


def in_short(view: View) -> tuple[str | None, str | None]:
    """What cost points first of all, and what to do about it; nothing where nothing did."""
    marks = view.marks
    settled = marks.earned + marks.pending > marks.available - CENT
    if settled or marks.mood in ("untried", "waiting"):
        return None, None
    if view.reason:
        return view.reason.sentence, view.reason.advice
    if view.error:
        quoted = " ".join(bounded(view.error.replace("`", "'"), 160).split())
        return f"{view.error_sentence} `{quoted}`", view.hint
    failed = [row for row in view.rows if row.outcome in ("failed", "unanswered", "error")]
    told = view.message or view.symptom
    if told is None and failed:
        claim, seen = sentence(failed[0].claim), failed[0].symptom
        told = f'{sentence(seen)} This fails: "{claim}"' if seen else f"Not passed: {claim}"
    if told is None and view.answered:
        told = f"`{bounded(view.answered.replace('`', ''), 60)}` is not the answer."
    return sentence(told or "Your course shows no more than the marks here."), view.hint


def view_of(verdict: ExerciseVerdict, reveal: Reveal, asked: str | None = None) -> View:
    """What a student reads about one exercise, under what is shown beside the marks."""
    left_out = is_left_out(verdict)
    attempted = is_attempted(verdict) and not left_out
    reason = _reason(verdict)
    # What stopped above is behind an error of the cell's own, and the message tells it.
    error = verdict.error if attempted and not verdict.stops else None
    is_question = bool(QUESTION_NAME.fullmatch(verdict.exercise)) and len(verdict.tests) <= 1
    what = "question" if QUESTION_NAME.fullmatch(verdict.exercise) else "exercise"
    # Where judging failed by itself, what some checks saw earns nothing and would read as marks.
    rows = () if verdict.reason == GRADER_ERROR else checklist(verdict, attempted=attempted)
    message = verdict.message if attempted and (reveal.symptoms or verdict.stops) else None
    symptom = shared_symptom(rows) if reveal.symptoms else None
    marks = _numbers(verdict)
    tells_aspects = attempted and not reason and reveal.tests
    return View(
        name=bounded(verdict.exercise, 80),
        state=_state(verdict, reason)[0],
        marks=marks,
        bonus=verdict.bonus,
        awaited=AWAITED[marks.waits],
        shares=() if is_question or left_out else _shares(verdict),
        reason=reason,
        detail=_bounded(verdict.detail if reason and reason.tells_detail else None, 160),
        asked=_bounded(asked, 4000),
        error_sentence=cell_error_sentence(error) if error else None,
        error=_bounded(error, 400),
        answered=_bounded(verdict.answered, 120),
        ruling=RULINGS[verdict.ruling].format(what=what) if verdict.ruling else None,
        judged_elsewhere=verdict.judged_elsewhere,
        judged_with=_judged_with(verdict) if attempted else None,
        # The cell's error stands above already, and explains why all checks failed in one way.
        message=None if _repeats(error, message) else _bounded(message, LONGEST_MESSAGE),
        symptom=None if error or _repeats(symptom, message) else _bounded(symptom, 400),
        remarks=tuple(
            bounded(remark.text, 800) for remark in verdict.remarks if attempted and reveal.symptoms
        ),
        hint=_bounded(verdict.hint if reveal.hints and attempted else None, 800),
        aspects=aspects(verdict, reveal.aspects) if tells_aspects else (),
        rows=_shown(rows, message, symptom, reveal) if not is_question else (),
        unrun=sum(map(is_unrun, verdict.tests)) if rows and reveal.tests else 0,
        drawing=draw(verdict.picture)
        if verdict.picture and reveal.pictures and attempted
        else None,
        right_drawing=draw(verdict.right_picture)
        if verdict.right_picture and reveal.pictures and attempted
        else None,
        printed=_bounded(verdict.printed if reveal.printed else None, 2000),
    )


def _reason(verdict: ExerciseVerdict) -> Reason | None:
    """Why there is nothing more to tell, where there is a reason."""
    if is_left_out(verdict):
        return reason_of("left_out")
    code = verdict.reason if is_attempted(verdict) else "not_attempted"
    return reason_of(code) if code else None


def _judged_with(verdict: ExerciseVerdict) -> str | None:
    """Which earlier answers, or cells below, were left out of account, in a sentence."""
    if verdict.at_its_check:
        return AT_ITS_CHECK
    if not verdict.judged_with:
        return None
    *others, last = (f"`{part}`" for part in verdict.judged_with)
    named = f"right {', '.join(others)} and {last}" if others else f"a right {last}"
    return (
        f"Your own was left out of account: this was judged with {named} in its place, so that a "
        "mistake there costs once."
    )


def _state(verdict: ExerciseVerdict, reason: Reason | None) -> tuple[str, Mood]:
    """How the exercise stands: words and mood."""
    is_question = bool(QUESTION_NAME.fullmatch(verdict.exercise))
    if reason:
        return reason.state, reason.mood
    if verdict.ruling == "void":
        return "Void, with all points", "full"
    if verdict.score > verdict.max_points - CENT:
        return ("Right" if is_question else "Full marks"), "full"
    if is_unanswered(verdict):
        return "No answer yet", "untried"
    if verdict.pending_points and verdict.score > verdict.decided_points - CENT:
        return (
            "Right so far" if verdict.score else f"Waits for {AWAITED[_waits(verdict)]}"
        ), "waiting"
    if verdict.score > CENT:
        return "Partly right", "part"
    if verdict.stops:
        return "Needs what is not there", "none"
    return ("Stopped by an error" if verdict.error else "Not right yet"), "none"


def _waits(verdict: ExerciseVerdict) -> str | None:
    """A person, a GPU, which is the usual, or a grader that has what is missing here."""
    if verdict.waits_for("person"):
        return "person"
    waiting = [test for test in verdict.tests if test.outcome == "pending"]
    return "later" if any(test.symptom for test in waiting) else None


def _shares(verdict: ExerciseVerdict) -> tuple[tuple[str, float], ...]:
    whole = verdict.max_points or 1.0
    shares = (("full", verdict.score), ("waiting", verdict.pending_points))
    return tuple((mood, round(100 * part / whole, 2)) for mood, part in shares if part > 0)


def _bounded(text: str | None, limit: int) -> str | None:
    return bounded(text, limit) if text else None


def _repeats(part: str | None, message: str | None) -> bool:
    """Whether the message says what `part` says."""
    return bool(part and message) and sentence(part or "").rstrip(".") in (message or "")


def _shown(
    rows: tuple[ChecklistRow, ...], message: str | None, symptom: str | None, reveal: Reveal
) -> tuple[ChecklistRow, ...]:
    """The rows that are shown, with the symptoms that are not told elsewhere."""
    if not reveal.tests:
        return ()
    return tuple(
        _bounded_row(
            row,
            keep_symptom=reveal.symptoms
            and row.symptom != symptom
            and not _repeats(row.symptom, message),
        )
        for row in rows
    )


def _bounded_row(row: ChecklistRow, keep_symptom: bool) -> ChecklistRow:
    symptom = _bounded(row.symptom if keep_symptom else None, 400)
    claim, device = bounded(row.claim, 240), _bounded(row.device, 40)
    return ChecklistRow(claim, row.outcome, row.earned, row.points, symptom, device)


@cache
def _template(name: str) -> Template:
    return _templates().get_template(name)


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("autograder.feedback"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= {
        "markdown": _markdown,
        "number": number,
        "points": points,
        "prose": prose,
        "sentence": sentence,
    }
    environment.globals |= {"words": WORDS, "symbols": SYMBOLS, "style": _style()}
    return environment


def _markdown(text: str) -> Markup:
    """The course's own text as the notebook shows it, with nothing that runs or loads."""
    return Markup(markdown2html({}, text))


def _style() -> Markup:
    """The fragment's style sheet on one line, colours filled in."""
    source = Environment(loader=PackageLoader("autograder.feedback")).get_template(
        "exercise.css.j2"
    )
    return Markup(re.sub(r"\s*\n\s*", "", source.render(c=PALETTE)))
