"""Whether a student began an exercise at all."""

from autograder.verdicts.verdict import ExerciseVerdict

UNWRITTEN = "NotImplementedError"


def is_attempted(verdict: ExerciseVerdict) -> bool:
    """Whether the student changed the placeholder, which raises NotImplementedError."""
    if verdict.reason:
        return verdict.reason != "not_attempted"
    if (verdict.error or "").startswith(UNWRITTEN):
        return False
    answered = [test for test in verdict.tests if test.outcome != "pending"]
    unwritten = [UNWRITTEN in (test.symptom or "") for test in answered]
    return not answered or not all(unwritten)


def is_left_out(verdict: ExerciseVerdict) -> bool:
    """Whether it is a bonus that the student did not try: as the notebook came, or deleted."""
    return verdict.bonus and (verdict.reason == "missing_cell" or not is_attempted(verdict))
