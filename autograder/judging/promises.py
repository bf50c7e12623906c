"""What form a call promises: that of what the reference gives for arguments of the same form.

The reference runs on the meta device, where a tensor has a form and no content, so that it costs
little however large its arguments are. It runs once for each form of arguments: hidden inputs are
the same for every student. Nothing is promised where it cannot run so, as when it reads a value.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from autograder.checks.kit.drawn import closing_figures
from autograder.judging.answers import solution_module
from autograder.judging.forms import Form, ModuleForm, Named, Several, devices_of, form_of
from autograder.judging.library import library

MOST_KEPT = 4096  # forms of arguments


class Promise(NamedTuple):
    """What is known of a result before it comes.

    Attributes:
        form: as of `form_of`; None where nothing is known.
        device: the type of the device that its tensors belong on.
    """

    form: Any
    device: str


@lru_cache(MOST_KEPT)
def promise_of(target: str | ModuleForm | None, args: tuple[Any, ...], kwargs: Named) -> Promise:
    """What a call promises.

    Args:
        target: an exercise, or the module that is called; None for what the reference lacks.
        args: forms of the arguments.
        kwargs: names and forms of the keyword arguments.
    """
    given = (target, *args, *(form for _, form in kwargs))
    named = set[str]().union(*map(devices_of, given)) - {"cpu"}
    device = named.pop() if named else "cpu"
    if target is None:
        return Promise(None, device)
    try:
        with library().without_content(), closing_figures():
            function = _module(target) if isinstance(target, ModuleForm) else _reference(target)
            found = form_of(function(*map(_made, args), **_named(kwargs)))
    except Exception:  # whatever stops the reference here: nothing can be said
        return Promise(None, device)
    return Promise(_on(device, found), device)


def _on(device: str, form: Any) -> Any:
    """The form with its tensors on a device."""
    match form:
        case Form() if form.kind is not np.ndarray:
            return form._replace(device=device)
        case Several():
            return form._replace(parts=tuple(_on(device, part) for part in form.parts))
    return form


def _reference(name: str) -> Any:
    return getattr(solution_module(name), name)


@lru_cache(64)
def _module(form: ModuleForm) -> Any:
    """The reference's module of this form."""
    module = _reference(form.name)(*map(_made, form.args), **_named(form.kwargs))
    for method, args, kwargs in form.moves:
        getattr(module, method)(*map(_made, args), **_named(kwargs))
    return module


def _named(kwargs: Named) -> dict[str, Any]:
    return {name: _made(form) for name, form in kwargs}


def _made(form: Any) -> Any:
    """Something of a form, on the meta device."""
    match form:
        case Form() if form.kind is np.ndarray:
            return np.ones(form.shape, form.dtype)
        case Several():
            parts = tuple(map(_made, form.parts))
            return dict(zip(form.keys, parts, strict=True)) if form.keys else form.kind(parts)
        case ModuleForm():
            return _module(form)
        case str():
            return "meta" if devices_of(form) else form
    return library().made(form)
