"""Whether a student began an exercise, or answered a question, at all."""

from autograder.verdicts.verdict import ExerciseVerdict

UNWRITTEN = "NotImplementedError"
NO_CHOICE, NO_TEXT = "You have not answered this question yet.", "There is no answer in this cell."


def is_attempted(verdict: ExerciseVerdict) -> bool:
    """Whether the student changed the placeholder, which raises NotImplementedError."""
    if verdict.reason:
        return verdict.reason != "not_attempted"
    if (verdict.error or "").startswith(UNWRITTEN):
        return False
    answered = [test for test in verdict.tests if test.outcome != "pending"]
    if not answered or any(test.outcome == "passed" for test in answered):
        return True
    # As judging has it: what comes first tells, since a placeholder refuses nothing rightly either.
    return UNWRITTEN not in next((test.symptom for test in answered if test.symptom), "")


def is_unanswered(verdict: ExerciseVerdict) -> bool:
    """Whether it is a question whose answer is still what the notebook came with."""
    return verdict.message in (NO_CHOICE, NO_TEXT)


def is_untouched(verdict: ExerciseVerdict) -> bool:
    """Whether nothing was handed in for it: no code, no choice, no sentence."""
    return is_unanswered(verdict) or not is_attempted(verdict)


def is_left_out(verdict: ExerciseVerdict) -> bool:
    """Whether it is a bonus that the student did not try: as the notebook came, or deleted."""
    return verdict.bonus and (verdict.reason == "missing_cell" or not is_attempted(verdict))
