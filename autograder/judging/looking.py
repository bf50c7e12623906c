"""Looks at what a student's code gives back before a grader computes with it.

The wire lets plain data of exact types through, of any dtype, device, shape and size. Here each
value is held to the form that its call promises. A value that no grader can compute with is handed
on as a `Refused`, which tells its form and fails the claim that computes with it. Forms that differ
otherwise are handed on as they are, since tests of values may overlook what a test of form charges;
where a hidden test stumbles over such a value, the claim fails with what is odd about its form.
"""

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, repeat
from typing import Any

import numpy as np

from autograder.checks.kit.errors import Gradients, StudentDied, StudentError
from autograder.checks.kit.values import Array, values
from autograder.judging.assertions import Wrong
from autograder.judging.forms import Form, ModuleForm, Several, form_of
from autograder.judging.library import library
from autograder.judging.promises import Promise, promise_of
from autograder.judging.symptoms import capitalized, of_form, of_type, places
from autograder.judging.tolerance import LONGEST, number_of
from autograder.sandbox import SandboxLost
from autograder.sandbox.worker import ModuleHandle
from autograder.student import RemoteModule, RemoteStudent
from autograder.student.remote import Call

FEW = 1 << 12
"""Numbers in a result of another shape than promised: two of them broadcast to 16 million."""

MANY = 1 << 22
"""Numbers in a result of which no shape is promised."""

MOVES = frozenset("to double float half bfloat16".split())  # noqa: SIM905
"""Methods of a module after which what it gives has another dtype or device."""


@contextmanager
def looking(student: Any, few: int = FEW, anywhere: bool = False) -> Iterator[None]:
    """Every value that a student's process gives inside is looked at first.

    Args:
        student: the student's code; trusted answers in this very process are not looked at.
        few: how many numbers a result of another shape than promised may hold.
        anywhere: whether tensors of any device are let through.

    Raises:
        Wrong: whoever computes inside stumbles, over a value of another form than promised.
    """
    if not isinstance(student, RemoteStudent):
        yield
        return
    look = student.reception = _Look(few, anywhere)
    try:
        yield
    except (Wrong, StudentError, StudentDied, SandboxLost):
        raise
    except Exception as stumbled:
        if look.odd is None:
            raise
        raise Wrong(look.odd) from stumbled
    finally:
        student.reception = None


class _Look:
    """Looks at the values of one hidden test.

    Attributes:
        odd: how the first value of another form than promised differs from it; None without one.
    """

    def __init__(self, few: int, anywhere: bool) -> None:
        self.odd: str | None = None
        self._few, self._anywhere = few, anywhere
        self._modules: dict[ModuleHandle, ModuleForm] = {}

    def value(self, call: Call, value: Any) -> Any:
        """The value of a call, as graders get it."""
        args = tuple(form_of(arg, self._modules) for arg in call.args)
        kwargs = tuple((name, form_of(arg, self._modules)) for name, arg in call.kwargs.items())
        if isinstance(call.target, str):
            promise = promise_of(call.target, args, kwargs)
            if isinstance(value, RemoteModule):
                self._modules[value.handle] = ModuleForm(call.target, args, kwargs)
        else:
            module, method = self._modules.get(call.target.module), call.target.name
            promise = promise_of(module if method is None else None, args, kwargs)
            if module is not None and method in MOVES:
                moved = module._replace(moves=(*module.moves, (method, args, kwargs)))
                self._modules[call.target.module] = moved
        return self._looked_at(value, promise, "your result")

    def gradients(self, call: Call, found: Gradients) -> Gradients:
        """The gradients of a call, as graders get them: each has the form of its argument."""
        pairs = zip(call.args, found.inputs, strict=True)
        inputs = tuple(
            None
            if one is None
            else self._looked_at(one, Promise(form_of(arg), form_of(one).device), "a gradient")
            for arg, one in pairs
        )
        return Gradients(self.value(call, found.value), inputs, found.parameters)

    def _looked_at(self, value: Any, promise: Promise, what: str) -> Any:
        if values().is_array(value):
            return self._numbers(value, promise, what)
        self._note(_other_kind(value, promise.form, what))
        if isinstance(value, tuple | list):
            return type(value)(
                self._looked_at(one, promise._replace(form=form), place)
                for one, form, place in zip(value, _parts(promise.form), places(), strict=False)
            )
        if isinstance(value, dict):
            forms = _named_parts(promise.form)
            return {
                name: self._looked_at(one, promise._replace(form=forms.get(name)), what)
                for name, one in value.items()
            }
        return value

    def _numbers(self, value: Array, promise: Promise, what: str) -> Any:
        """A tensor or an array, or what stands in for one that cannot be computed with."""
        form = _nearest(value, promise.form)
        differs = of_form(value, form, what) if isinstance(form, Form) else None
        if isinstance(form, Form) and differs is None:
            return value
        self._note(differs or _other_kind(value, promise.form, what))
        fault = self._too_large(value, form, what)
        if fault is None and not self._anywhere:
            fault = _elsewhere(value, promise.device, what)
        self._note(fault or _of_rare_dtype(value, what))
        return value if fault is None else library().refused(value, differs or fault)

    def _too_large(self, value: Array, form: Any, what: str) -> str | None:
        most = MANY
        if isinstance(form, Form):
            lead = len(value.shape) - len(form.shape)
            alike = tuple(value.shape) == (1,) * lead + form.shape
            most = math.prod(form.shape) if alike else self._few
        if math.prod(value.shape) <= most:
            return None
        return f"{capitalized(what)} holds far more numbers than were asked for."

    def _note(self, differs: str | None) -> None:
        self.odd = self.odd or differs


def _other_kind(value: Any, form: Any, what: str) -> str | None:
    """How a value is of another kind than promised; None where nothing else was promised."""
    if isinstance(value, int) and value.bit_length() > LONGEST:
        return f"{capitalized(what)} is a number of hundreds of digits."
    match form:
        case None:
            return None
        case Form():
            return of_form(value, form, what)
        case Several():
            kinds: Any = dict if form.kind is dict else tuple | list
            promised, example = isinstance(value, kinds), form.kind()
            if promised and form.kind is tuple and len(value) != len(form.parts):
                return f"{capitalized(what)} holds another number of values than was promised."
        case float():
            promised, example = number_of(value) is not None, form
        case _:
            promised, example = isinstance(value, type(form)), form
    if promised:
        return None
    return f"{capitalized(what)} is {of_type(value)}; {of_type(example)} was promised."


def _parts(form: Any) -> Iterable[Any]:
    """The forms of the values in a tuple or a list, as far as something is promised of them."""
    if isinstance(form, Several) and form.kind is not dict:
        return chain(form.parts, repeat(None))
    return repeat(form if isinstance(form, Form) else None)


def _named_parts(form: Any) -> dict[Any, Any]:
    if isinstance(form, Several) and form.kind is dict:
        return dict(zip(form.keys, form.parts, strict=True))
    return {}


def _nearest(value: Array, form: Any) -> Any:
    """The form that was promised of a tensor or an array; of several, the one that it has."""
    if not isinstance(form, Several):
        return form
    arrays = [part for part in form.parts if isinstance(part, Form)]
    return next((part for part in arrays if part == form_of(value)), (*arrays, None)[0])


def _elsewhere(value: Array, device: str, what: str) -> str | None:
    found = form_of(value).device
    if isinstance(value, np.ndarray) or found == device:
        return None
    return f"{capitalized(what)} is on the {found} device; {device} was asked for."


def _of_rare_dtype(value: Array, what: str) -> str | None:
    if library().is_computable(value):
        return None
    return f"{capitalized(what)} holds {values().dtype_text(value)} values, which cannot be graded."
