"""Inputs of the same kind as a hidden test's, with other sizes and other numbers.

What a student is shown has no number that anything was graded with, and comes from a process that
was given none: an answer may remember what it was asked before. Sizes that are equal stay equal,
and products of sizes may stay products; whether the reference takes the new inputs, and whether the
answer fails on them as it did, is tried, not assumed.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.checks.kit.errors import Gradients, StudentDied, StudentError
from autograder.checks.kit.values import values
from autograder.disputes.recording import Recorded, recording
from autograder.disputes.replay import Replay, Right, replayed
from autograder.disputes.witness import Witness, witness_of
from autograder.judging.library import library
from autograder.judging.looking import looking
from autograder.student import RemoteStudent

TRIES = 120
SIZES = range(2, 24)
"""Sizes that new inputs have, where no product asks for more; the smallest that are free."""

COMMON = 4  # sizes up to it are in any inputs
ROOM = 3  # sizes more than are needed, to choose among


Made = tuple[list[Recorded], list[Right | None], Witness]
"""Calls as they were made, what the reference gives for each, and what the last of them shows."""


class NotFresh(Exception):
    """There are no other inputs of this kind; the text says why."""


def kind_of(one: Recorded, right: Right | None) -> str:
    """In which way a call fails, so that two failures can be told to be alike."""
    if isinstance(one.raised, StudentDied):
        return f"died, {one.raised.reason}"
    if isinstance(one.raised, StudentError):
        expected = right.raised.builtin if right is not None and right.raised else "a result"
        return f"raised {one.raised.type_name}, expected {expected}"
    if right is not None and right.raised is not None:
        return f"returned, expected {right.raised.builtin}"
    if one.changed:
        return "changed its inputs"
    found: Any = one.gave
    wanted: Any = None if right is None else right.gave
    if isinstance(found, Gradients) and isinstance(wanted, Gradients):
        return "gradients"
    if values().is_array(found) and values().is_array(wanted):
        if len(found.shape) != len(wanted.shape):
            return "another number of axes"
        return "values" if tuple(found.shape) == tuple(wanted.shape) else "another shape"
    return f"a {type(found).__name__}"


def fresh_call(
    exercise: str,
    needed: Sequence[Recorded],
    right: Right | None,
    student: Any,
    seed: int,
    graded: Sequence[Recorded],
) -> Made:
    """Calls like a hidden test's that fail alike, on sizes and numbers that nobody was graded with.

    Args:
        exercise: the exercise's name.
        needed: the call that failed, and those that it rests on before it.
        right: what the reference gives for it.
        student: the student's code, a RecordedStudent whose process was asked nothing before.
        seed: where the new numbers come from.
        graded: calls that something was graded with. Of their sizes none is used again, or where
            that leads nowhere none above 4, or none in the same shape.

    Raises:
        NotFresh: none was found.
    """
    if _texts_in(needed):  # of which there are no others to make
        raise NotFresh("it reads a text or files of the hidden test")
    kind = kind_of(needed[-1], right)
    tries = 1 if kind.startswith("died") else TRIES
    sizes_graded, forms_graded = set(sizes_in(graded)), forms_in(graded)
    taken = [sizes_graded, {size for size in sizes_graded if size > COMMON}, set[int]()]
    for number in range(tries):
        rng = np.random.default_rng((seed, number))
        choose = _products if number % 2 else _any_sizes
        sizes = choose(sizes_in(needed), rng, taken[3 * number // tries])
        if sizes is None:
            continue
        calls = _freshened(needed, rng, sizes)
        if forms_in(calls) & forms_graded:
            continue
        made = made_again(exercise, calls, student)
        if made is None or not made[2].difference:
            continue
        if kind_of(made[0][-1], made[1][-1]) == kind:
            return made
    raise NotFresh("no other inputs of this kind were found on which it fails in the same way")


def made_again(exercise: str, calls: Sequence[Recorded], student: Any) -> Made | None:
    """The calls made of the student's code; None where they cannot all be made.

    Args:
        exercise: the exercise's name.
        calls: the last of them is the one that shows what is wrong.
        student: the student's code, a RecordedStudent.
    """
    asked = _asked(student, calls)
    if len(asked) != len(calls):
        return None
    answers = replayed(exercise, asked)
    witness = witness_of(asked, answers)
    return (asked, answers, witness) if witness and witness.place == len(asked) - 1 else None


def shares_inputs(fresh: Sequence[Recorded], graded: Sequence[Recorded]) -> bool:
    """Whether calls hold a text, or a number that is no size, of others: then they are not fresh.

    Zeros, ones, infinities and what has no fraction are in any inputs, and tell nothing; a whole
    number that is an argument by itself may have been drawn, and tells.
    """
    texts, numbers = _texts_in(fresh) & _texts_in(graded), _numbers_in(fresh) & _numbers_in(graded)
    return bool(texts or numbers)


def _texts_in(calls: Sequence[Recorded]) -> set[str]:
    """Sentences, words in a list, and files; a word by itself is an option, such as "cpu"."""
    found: set[str] = set()
    for one in calls:
        for value in [*one.args, *one.kwargs.values()]:
            texts = [text for text in _walked(value) if isinstance(text, str | bytes)]
            if one.way == "place" or isinstance(value, list | tuple):
                found |= {repr(text) for text in texts}
            else:
                found |= {repr(text) for text in texts if len(text.split()) > 1}
    return found


def _numbers_in(calls: Sequence[Recorded]) -> set[float]:
    found: set[float] = set()
    for one in calls:
        for value in _walked([*one.args, *one.kwargs.values(), one.upstream]):
            if values().is_array(value):
                numbers = values().numbers_of(value)
                if numbers is not None and numbers.dtype.kind == "f":
                    broken = np.isfinite(numbers) & (numbers != numbers.round())
                    found |= set(numbers[broken].tolist())
            elif type(value) in (int, float) and value not in (0, 1, -1):
                found.add(float(value))
    return found


def _asked(student: Any, calls: Sequence[Recorded]) -> list[Recorded]:
    """The calls made of the student's code; as far as they could be made."""
    assert isinstance(student, RemoteStudent)
    replay = Replay(student)
    with recording() as asked, looking(student):
        for one in calls:
            if replay.answer(one) is None:
                break
    return asked


def _freshened(
    needed: Sequence[Recorded], rng: np.random.Generator, sizes: Mapping[int, int]
) -> list[Recorded]:
    made = _Maker(rng, sizes)
    return [
        replace(
            one,
            args=tuple(made.like(value) for value in one.args),
            kwargs={name: made.like(value) for name, value in one.kwargs.items()},
            upstream=made.like(one.upstream),
        )
        for one in needed
    ]


def sizes_in(needed: Sequence[Recorded]) -> list[int]:
    """Every size of an axis, and every whole number above 1, each once."""
    found: dict[int, None] = {}
    for one in needed:
        for value in _walked([*one.args, *one.kwargs.values(), one.upstream]):
            if values().is_array(value):
                found |= dict.fromkeys(int(size) for size in value.shape if size > 1)
            elif type(value) is int and value > 1:
                found[value] = None
    return list(found)


def forms_in(calls: Sequence[Recorded]) -> set[tuple[object, ...]]:
    """The shapes of arrays with axes, and the whole numbers of each call."""
    found: set[tuple[object, ...]] = set()
    for one in calls:
        given = list(_walked([*one.args, *one.kwargs.values(), one.upstream]))
        found |= {tuple(value.shape) for value in given if values().is_array(value) and value.shape}
        whole = tuple(value for value in given if type(value) is int)
        found |= {(one.name, *whole)} if whole else set()
    return found


def _walked(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for one in value:
            yield from _walked(one)
    elif isinstance(value, dict):
        yield from _walked(list(value.values()))
    else:
        yield value.item() if isinstance(value, np.generic) else value


def _any_sizes(
    old: Sequence[int], rng: np.random.Generator, graded: Collection[int]
) -> dict[int, int] | None:
    """Another size for each, all different; None where there are too few."""
    free = [size for size in SIZES if size not in graded][: len(old) + ROOM]
    rng.shuffle(free)
    return dict(zip(old, free, strict=False)) if len(free) >= len(old) else None


def _products(
    old: Sequence[int], rng: np.random.Generator, graded: Collection[int]
) -> dict[int, int] | None:
    """Another size for each, such that a product of two sizes is the product of their new ones.

    None where that meets a size that something was graded with.
    """
    primes = sorted({prime for size in old for prime in _factors(size)})
    images = [2, 3, 4, 5, 6, 7, 8, 9][: len(primes) + ROOM]
    rng.shuffle(images)
    image = dict(zip(primes, images, strict=False))
    kept = int(rng.integers(1, 4))  # three projections in one, or two halves, stay so many
    if kept in image and kept > 1:
        image[kept] = kept
    found = {size: int(np.prod([image.get(one, one) for one in _factors(size)])) for size in old}
    return None if set(found.values()) & set(graded) else found


def _factors(number: int) -> list[int]:
    found, prime = [], 2
    while number > 1:
        while number % prime == 0:
            found.append(prime)
            number //= prime
        prime += 1
    return found


class _Maker:
    """Makes values like others."""

    def __init__(self, rng: np.random.Generator, sizes: Mapping[int, int]) -> None:
        self._rng, self._sizes = rng, sizes

    def like(self, value: Any) -> Any:
        """A value of the same kind, with other sizes and numbers."""
        if values().is_array(value):
            return self._array(value)
        if type(value) in (list, tuple):
            return type(value)(self.like(one) for one in value)
        if type(value) is dict:
            return {key: self.like(one) for key, one in value.items()}
        if isinstance(value, np.generic):
            return type(value)(self.like(value.item()))
        if type(value) is int:
            return self._sizes.get(value, value)
        if type(value) is float and np.isfinite(value) and value:
            return float(f"{value * self._rng.uniform(0.5, 1.5):.3g}")
        return value

    def _array(self, array: Any) -> Any:
        shape = tuple(self._sizes.get(int(size), int(size)) for size in array.shape)
        is_tensor, dtype = not isinstance(array, np.ndarray), array.dtype
        if values().device_text(array) != "cpu":
            return array.new_empty(shape)
        old = values().numbers_of(array)
        assert old is not None
        numbers = self._numbers(old, shape)
        if is_tensor:
            return library().drawn(np.asarray(numbers), dtype, "cpu")
        return numbers.astype(dtype)

    def _numbers(self, old: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
        if old.dtype.kind == "b":
            drawn = self._rng.random(shape) < 0.6
            if drawn.ndim and drawn.shape[-1]:
                drawn[..., 0] = True
            return np.asarray(drawn)
        finite = old[np.isfinite(old)]
        if finite.size and (finite == finite.round()).all():
            low, high = int(finite.min()), int(finite.max())
            if high < 2**31:
                high = self._sizes.get(high, high)
                return np.asarray(self._rng.integers(min(low, high), high + 1, shape), np.float64)
        scale = float(np.median(np.abs(finite))) if finite.size else 1.0
        # Few digits, so that a student can read and type them.
        return np.asarray((self._rng.standard_normal(shape) * (scale or 1.0)).round(2))
