"""Stand-ins for earlier exercises: they look like right answers, and ask for what those give.

They hold nothing of a solution. A function asks what comes back; a picture comes as what it shows,
and is drawn here, in the Axes given, if any. Modules, and gradients that flow through functions,
are in `autograder.tensors.inside.stand_ins`.
"""

from collections.abc import Callable
from typing import Any

from autograder.checks.kit.values import values

from .asking import ask
from .redrawing import redraw


def stand_in(name: str, kind: str) -> Any:
    """What stands for an earlier exercise.

    Args:
        name: the exercise.
        kind: `function` or `picture`.
    """
    return {"function": _function, "picture": _picture}[kind](name)


def _function(name: str) -> Callable[..., Any]:
    def asked(*args: Any, **kwargs: Any) -> Any:
        return ask(name, "call", [[{}, list(args), kwargs], []], module=None)

    asked.__name__ = asked.__qualname__ = name
    return asked


def _picture(name: str) -> Callable[..., Any]:
    def drawn(*args: Any, ax: Any = None, **kwargs: Any) -> Any:
        axes = next((one for one in (*args, ax) if hasattr(one, "get_figure")), None)
        table = [values().as_sent(one) for one in args if one is not axes]
        named = {key: values().as_sent(value) for key, value in kwargs.items()}
        return redraw(ask(name, "draw", [table, named], drawing_of=lambda shown: shown), axes)

    drawn.__name__ = drawn.__qualname__ = name
    return drawn
