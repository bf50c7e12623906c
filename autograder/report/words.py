"""How a report says what it has counted."""

from datetime import datetime

from autograder.course.moments import in_words

FLAGS = {
    "hard": "hard",
    "easy": "easy",
    "tells_nothing_apart": "unrelated to the rest",
}
KINDS = {"code": "", "quiz": "question", "written": "written"}
OUTCOMES = {
    "right": "full marks",
    "partly": "a part of the marks",
    "wrong": "no marks",
    "mixed": "different marks",
    "no marks": "not graded",
}
REASONS = {
    "not_graded": "not graded since it was handed in",
    "bad_notebook": "the notebook cannot be read",
    "bad_name": "the folder's name is no student's",
    "not_written": "its marks could not be written",
    "grader_crashed": "grading it ended the grader",
    "grader_error": "judging failed by itself",
    "timeout": "it took too long",
    "out_of_memory": "it took too much memory",
    "crashed": "its process ended",
}
WAITS = {"person": "a person", "cuda": "a GPU"}


def percent(part: float | None) -> str:
    """A part as a person reads it: `34%`."""
    if part is None:
        return "–"
    rounded = round(100 * part)
    if rounded == 0 and part > 0:
        return "under 1%"
    if rounded == 100 and part < 1:
        return "over 99%"
    return f"{rounded}%"


def counted(many: int, one: str, several: str = "") -> str:
    """`1 student`, `2 students`."""
    return f"{many} {one if many == 1 else several or one + 's'}"


def day(moment: datetime) -> str:
    """A moment, with its time zone."""
    return in_words(moment, moment.tzinfo)


def claim(test: str) -> str:
    """A hidden test's name as words."""
    return test.replace("_", " ")


def reason_told(code: str) -> str:
    """Why something is ungraded, in words; the code itself where there are none."""
    return REASONS.get(code, code.replace("_", " "))


def waits_told(what: str) -> str:
    """What points wait for, in words."""
    return WAITS.get(what, what)
