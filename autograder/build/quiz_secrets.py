"""What a quiz keeps secret: keys, in each form in which they could be written, and reasons."""

import ast
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from autograder.build.secret import Secret, count_tokens, place_of, squeeze
from autograder.checks.kit.answer_forms import letters_of, number_of, shape_of
from autograder.course.expressions import Expression
from autograder.course.questions import Choice, Choices, Number, Question, Shape
from autograder.course.quiz import read_quiz

# Longer formulas stand nowhere by chance. A tuple of names does: it says which axes a tensor has.
FORMULA_TOKENS = 8
LITERAL = r"(\[[^\[\]]*\]|\([^()]*\)|[-+]?[\d._]+(?:[eE][-+]?\d+)?)"


def quiz_secrets(root: Path, path: Path, told: Collection[str] = ()) -> Iterator[Secret]:
    """The secrets of one assignment's quiz.

    Args:
        root: the course's.
        path: the quiz, a file under it.
        told: the names of predictions, whose keys and reasons are no secrets.
    """
    place = place_of(root, path)
    for question in read_quiz(path).values():
        if question.name in told:
            continue
        key = f"the key of {question.name}, from {place}"
        yield Secret(key, *_given_key(question))
        if isinstance(question.answer, Number | Shape):
            for right in (question.answer.key, *question.answer.accept):
                yield from _expression_secrets(question.name, right, key)
        for which, why in _reasons(question):
            what = f"the reason for {which} of {question.name}, from {place}"
            yield Secret(what, squeezed=squeeze(why))


def _given_key(question: Question) -> tuple[str, re.Pattern[str], Callable[[str], bool] | None]:
    """How the key, or what is accepted, is found where it is given to the name, as a literal."""
    given = rf"""\b{question.name}\b["']?\s*(?:==?|:)\s*"""
    match question.answer:
        case Choice(key=key, accept=accept):
            letters = "".join(sorted({key, *accept}))
            return "", re.compile(rf"""{given}["']\s*((?i:[{letters}]))\s*["']"""), None
        case _:
            return "", re.compile(given + LITERAL), lambda written: _is_key(question, written)


def _is_key(question: Question, written: str) -> bool:
    """Whether a literal is the key, or accepted, for whatever sizes."""
    try:
        value = ast.literal_eval(written)
    except (ValueError, SyntaxError):
        return False
    match question.answer:
        case Choices() as answer:
            return letters_of(value, answer.options) in (answer.key, *answer.accept)
        case Number() as answer:
            number = number_of(value)
            return number is not None and any(
                answer.accepts(number, right.number(sizes))
                for sizes in question.all_sizes()
                for right in (answer.key, *answer.accept)
            )
        case Shape() as answer:
            shape = shape_of(value)
            return any(
                right.shape(sizes) == shape
                for sizes in question.all_sizes()
                for right in (answer.key, *answer.accept)
            )
    return False


def _expression_secrets(name: str, key: Expression, what: str) -> Iterator[Secret]:
    """The key's formula: given to the question's name or called a key, or by itself if long."""
    tree = ast.parse(key.source.strip(), mode="eval")
    if isinstance(tree.body, ast.Constant | ast.UnaryOp):
        return  # a plain number, which is found as a literal
    spelled = r"\s*".join(map(re.escape, squeeze(key.source)))
    for called in (name, "key"):
        given = rf"""\b{called}\b["']?\s*(?:==?|:)\s*["']?({spelled})(?![ \t]*[\w.*/(])"""
        yield Secret(what, pattern=re.compile(given))
    computes = any(isinstance(node, ast.BinOp | ast.Call) for node in ast.walk(tree))
    if computes and count_tokens(key.source.strip()) >= FORMULA_TOKENS:
        yield Secret(what, squeezed=squeeze(key.source))


def _reasons(question: Question) -> Iterator[tuple[str, str]]:
    """Every reason, and what it is for."""
    answer = question.answer
    if isinstance(answer, Choice | Choices):
        yield from ((f"option {letter}", option.why) for letter, option in answer.options.items())
        return
    yield "the answer", answer.why
    yield from (
        (f"wrong value {number}", wrong.why) for number, wrong in enumerate(answer.wrong, start=1)
    )
