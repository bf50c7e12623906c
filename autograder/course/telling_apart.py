"""Whether a question's key and its known wrong values differ, whatever sizes a student has."""

from collections.abc import Mapping

from autograder.course.expressions import Expression, Value, WrongExpression
from autograder.course.questions import Number, Question, Shape

MOST_COMBINATIONS = 20_000


def why_not_apart(question: Question) -> str | None:
    """The first combination of sizes for which an answer could be taken for another, in words.

    Every value must exist for every combination, of the right kind; None when all is well.
    """
    answer = question.answer
    if not isinstance(answer, Number | Shape):
        return None
    for sizes in question.all_sizes():
        try:
            problem = _problem(answer, sizes)
        except WrongExpression as error:
            problem = f"it cannot be computed: {error}"
        if problem is not None:
            return f"{problem}{_for(sizes)}."
    return None


def _problem(answer: Number | Shape, sizes: Mapping[str, int]) -> str | None:
    key = _value(answer, answer.key, sizes)
    accepted = [_value(answer, one, sizes) for one in answer.accept]
    for what, value in [("the key", key), *(("an accepted answer", one) for one in accepted)]:
        if isinstance(answer, Number) and not answer.tolerance and type(value) is not int:
            return f"{what} is {value!r}, no whole number, so it needs a tolerance"
    known = [("the key", key)]
    for wrong in answer.wrong:
        value = _value(answer, wrong.value, sizes)
        for what, other in known:
            if _taken_for(answer, value, other):
                return f"the wrong value {wrong.value.source} is taken for {what}"
        known.append((f"the wrong value {wrong.value.source}", value))
    return None


def _value(answer: Number | Shape, expression: Expression, sizes: Mapping[str, int]) -> Value:
    if isinstance(answer, Number):
        return expression.number(sizes)
    return expression.shape(sizes)


def _taken_for(answer: Number | Shape, value: Value, other: Value) -> bool:
    if isinstance(answer, Number):
        assert not isinstance(value, tuple)
        assert not isinstance(other, tuple)
        return answer.accepts(value, other)
    return value == other


def _for(sizes: Mapping[str, int]) -> str:
    listed = ", ".join(f"{name} {size}" for name, size in sizes.items())
    return f" for {listed}" if listed else ""
