"""Sees whether an attack succeeded, and whether what happened to it is what must happen."""

import html.parser
import re
from collections.abc import Iterator
from typing import Any

from attack import Attack
from graded_class import GradedClass

SMALL = 1e-3  # marks are written with four decimals
KEPT = 8 << 20  # nothing kept about one student comes near this many characters
# Points of tests that need a GPU: so many may be pending, and no others.
NEED_A_GPU = {
    "causal_mask": 0.4,
    "MultiHeadAttention": 5 * 5 / 19.5,
    "FusedMultiHeadAttention": 6 * 12 / 44.5,
    "tiled_attention": 5 * 4 / 28,
    "decode_step": 4 * 4 / 15.5,
}
RUNS = {
    "script",
    "iframe",
    "object",
    "embed",
    "frame",
    "meta",
    "base",
    "link",
    "form",
    "svg",
    "math",
}


def gains(attack: Attack, graded: GradedClass) -> list[str]:
    """What an attacker got that was not theirs to have; empty when the attack failed."""
    return [
        *_marks_gained(attack, graded),
        *_words_seen(attack, graded),
        *_reached(attack, graded),
        *(
            f"runs in a page: {what}"
            for what in active(attack, graded.pages.get(attack.student, ""))
        ),
    ]


def _marks_gained(attack: Attack, graded: GradedClass) -> Iterator[str]:
    submission = graded.marks.get((attack.student, attack.assignment))
    exercises: dict[str, Any] = submission["exercises"] if submission else {}
    worth = {
        name: attack.earns if name == attack.exercise else points
        for name, points in _points(attack, graded).items()
        if name in exercises
    }
    for name, one in exercises.items():
        fair = worth.get(name, 0.0)
        if one["score"] > fair + SMALL:
            yield f"{one['score']} marks for {name}, which is worth {fair}"
    total = (submission["score"] or 0.0) if submission else 0.0
    if total > sum(worth.values()) + SMALL:
        yield f"{total} marks in all, where {sum(worth.values())} are possible"
    for (student, _, cell), score in graded.gradebook.items():
        fair = worth.get(cell.removeprefix("test_"), 0.0)
        if student == attack.student and (score or 0.0) > fair + SMALL:
            yield f"{score} in the gradebook for {cell}, which is worth {fair}"


def _points(attack: Attack, graded: GradedClass) -> dict[str, float]:
    """What the course says that each exercise is worth: the run itself may have been fooled."""
    exercises = graded.assignments[attack.assignment].exercises
    return {exercise.name: exercise.points for exercise in exercises}


def _words_seen(attack: Attack, graded: GradedClass) -> Iterator[str]:
    for texts in (graded.shown, graded.pages):
        text = texts.get(attack.student, "")
        for place in graded.canaries.seen_in(text, attack.student):
            yield f"shows what stands in {place}"
        if f"CARRIED-{attack.slug}" in text:
            yield "shows what the code said during hidden tests"
        if len(text) > KEPT:
            yield f"{len(text)} characters are kept"


def _reached(attack: Attack, graded: GradedClass) -> Iterator[str]:
    own = attack.slug.encode()
    for kind, said in graded.contacts:
        if own in said:
            yield f"reached a {kind} socket"
    for path, now in graded.changed.items():
        if own in now or _names(path, attack):
            yield f"changed {path}"


def _names(path: str, attack: Attack) -> bool:
    return re.search(rf"left-by-{re.escape(attack.slug)}(?![\w-])", path) is not None


def unmet(attack: Attack, graded: GradedClass) -> list[str]:
    """What should have happened to the submission and did not."""
    submission = graded.marks.get((attack.student, attack.assignment))
    if submission is None:
        return ["the submission is not listed"]
    why = f"{submission['reason']}: {submission['detail']}"
    if attack.ungraded is not None:
        fine = submission["status"] == "ungraded" and re.search(attack.ungraded, why)
        return [] if fine else [f"ungraded for {attack.ungraded!r} was wanted, not {why}"]
    if submission["status"] != "graded":
        return [f"it is not graded: {why}"]
    return [
        *_unlike_the_course(attack, graded, submission["exercises"]),
        *_unmet_marks(attack, graded, submission["exercises"]),
    ]


def _unlike_the_course(
    attack: Attack, graded: GradedClass, exercises: dict[str, Any]
) -> Iterator[str]:
    points = _points(attack, graded)
    if exercises.keys() != points.keys():
        yield f"{sorted(exercises)} were graded in place of {sorted(points)}"
    for name, one in exercises.items():
        pending = one["pending_points"]
        if pending > NEED_A_GPU.get(name, 0.0) + SMALL:
            yield f"{pending} points of {name} are pending, more than need a GPU"
        if abs(one["max_score"] + pending - points.get(name, 0.0)) > SMALL:
            yield f"{name} was graded as worth {one['max_score']} + {pending}"
    cells = {
        cell: worth
        for (student, assignment, cell), worth in graded.worth.items()
        if (student, assignment) == (attack.student, attack.assignment)
    }
    described = graded.assignments[attack.assignment].exercises
    wanted = {exercise.graded_cell: exercise.nbgrader_points for exercise in described}
    if cells != wanted:
        yield f"the gradebook holds the cells {cells} in place of {wanted}"


def _unmet_marks(attack: Attack, graded: GradedClass, exercises: dict[str, Any]) -> Iterator[str]:
    points = _points(attack, graded)
    for name, one in exercises.items():
        attacked = name == attack.exercise
        if attack.spoils_all and not attacked:
            continue
        pending = one["pending_points"]
        worth = attack.earns if attacked else points.get(name, 0.0) - pending
        if one["score"] < worth - SMALL:
            yield f"{one['score']} marks for {name}, which is worth {worth}: {one['message']}"
        why = f"{one['reason']}: {one['detail']}" if one["reason"] else ""
        wanted = attack.reason if attacked else None
        if not re.search("^$" if wanted is None else wanted, why):
            yield f"the reason {wanted!r} was wanted for {name}, not {why!r}"
        if one["score"] < one["max_score"] and not (one["message"] or one["reason"]):
            yield f"nothing is said about {name}"


class _Active(html.parser.HTMLParser):
    """Collects what a browser would run or load of what holds a word."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._word = word
        self._open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open = tag if tag in ("script", "style") else ""
        for name, value in attrs:
            runs = name.startswith("on") or tag in RUNS or name in ("style", "srcdoc")
            address = re.match(
                r"\s*(javascript|vbscript|data:(?!image/)|https?:|//)", value or "", re.I
            )
            loads = address and (name == "src" or not address[1].lower().startswith(("http", "//")))
            if self._word in (value or "") and (runs or loads):
                self.found.append(f"<{tag} {name}={value!r}>"[:200])

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open and self._word in data:
            self.found.append(f"<{self._open}>{data}"[:200])


def active(attack: Attack, page: str) -> list[str]:
    """What of a page would run or load, and bears the attack's name."""
    parser = _Active(f"run-{attack.slug}")
    parser.feed(page)
    return parser.found
