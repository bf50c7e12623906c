"""One hidden test, called with what it asks for: what it raises, or nothing."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from autograder.checks.kit.errors import Stop
from autograder.judging.assertions import Wrong
from autograder.judging.draw import Draw
from autograder.judging.given import given
from autograder.judging.looking import looking
from autograder.judging.symptoms import NOT_WRITTEN, of_error
from autograder.judging.undefined import undefined_name
from autograder.sandbox import SandboxLost
from autograder.student import MissingName, StudentError
from autograder.student.asked import Asked

MOST_LINES = 99
"""The last line of a cell that is told: which line it is could tell a hidden input, if of many."""

LEADS = ((2,), (), (2, 3))
"""Leading dimensions of inputs. A test that asks for `lead` is passed where it passes with one of
them: how many dimensions an answer takes has a test of its own, and costs nothing elsewhere. Marked
`every_lead`, it is passed where nothing is wrong with any that the answer takes."""


class Stopped(Exception):
    """A student's code stopped with an error.

    Attributes:
        error: the nearest of Python's own errors.
        symptom: which error, and for what kind of input.
        bare: the symptom without the input.
        asked: the call; None where it is not known, or has nothing to do with the error.
        line: of the student's cell; None where it is not known, or not told.
        stop: what stopped the notebook above and is behind the error; None where it is its own.
    """

    def __init__(
        self,
        error: StudentError,
        given_what: str,
        cell: str = "",
        stop: Stop | None = None,
        asked: Asked | None = None,
    ) -> None:
        super().__init__(str(error))
        self.error = error.builtin
        self.bare = told = of_error(error.builtin, error.message)
        self.asked: Asked | None = None
        known = isinstance(error.line, int) and 1 <= error.line <= MOST_LINES
        self.line = error.line if known else None
        self.stop = stop
        if stop is not None:
            self.symptom = f"your code uses {stop.of}"
            return
        undefined = undefined_name(error, cell) if self.line is not None else None
        if undefined is not None:
            self.symptom = f"{told}: the name `{undefined}` is not defined"
        else:
            # Which names there are has nothing to do with what a call was given.
            is_given = given_what and told != NOT_WRITTEN and error.builtin != "NameError"
            self.symptom = f"{told} {given_what}" if is_given else told
            self.asked = asked if is_given else None


def raised_by(
    item: pytest.Function, student_of: Callable[[], Any], secret: bytes
) -> BaseException | None:
    """Run a hidden test; what it raised, or None.

    Args:
        item: the test.
        student_of: gives the student; may raise StudentDied.
        secret: decides the hidden inputs: the same for every student and every device.

    Raises:
        SandboxLost: the sandbox is gone, which says nothing about the exercise.
    """
    if "lead" not in item.fixturenames:
        return raised_once(item, student_of, secret)
    every = item.get_closest_marker("every_lead") is not None
    found: list[BaseException | None] = []
    for lead in LEADS:
        one = raised_once(item, student_of, secret, lead=lead)
        if not isinstance(one, Wrong | Stopped | None):  # ended in a way that is final
            return one
        if one is None and not every:
            return None
        found.append(one)
    # What is wrong with a result tells more than that other dimensions stop the code.
    wrong = [one for one in found if isinstance(one, Wrong)]
    if wrong or None not in found:
        return next(iter(wrong), found[0])
    return None


def raised_once(
    item: pytest.Function, student_of: Callable[[], Any], secret: bytes, **more: Any
) -> BaseException | None:
    """The same with one of the leading dimensions that a test asks for, given in `more`."""
    asked = dict(parameters_of(item)) | more
    try:
        if "student" in item.fixturenames:
            asked["student"] = student_of()
        if "draw" in item.fixturenames:
            asked["draw"] = Draw(secret, f"{exercise_of(item)}::{item.originalname}")
        with looking(asked.get("student")):
            item.obj(**asked)
    except (SandboxLost, KeyboardInterrupt):
        raise
    except MissingName as raised:
        return raised
    except StudentError as error:
        exercise, one = exercise_of(item), asked.get("student")
        cell = getattr(one, "cells", {}).get(exercise, "")
        stops = getattr(one, "stops", None)
        stop = stops.behind(error.builtin, error.message) if stops is not None else None
        call = getattr(one, "asked", None)
        return Stopped(error, given(exercise, call), cell, stop, call)
    except BaseException as raised:  # also what is no Exception, such as what pytest.fail raises
        return raised
    return None


def exercise_of(item: pytest.Function) -> str:
    """The exercise that a test belongs to."""
    marker = item.get_closest_marker("exercise")
    assert marker is not None  # collecting refuses it
    return str(marker.args[0])


def parameters_of(item: pytest.Function) -> Mapping[str, Any]:
    """What a test is parametrized by; its device among it, where it asks for one."""
    return item.callspec.params if hasattr(item, "callspec") else {}
