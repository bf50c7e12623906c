"""A `student` that remembers its last call, so that a report can say what it was and gave."""

from collections.abc import Callable
from typing import Any

from .describing import argument_text, call_text
from .errors import StudentError
from .local_student import LocalModule, LocalStudent
from .values import values


class RecordingStudent(LocalStudent):
    """A LocalStudent that remembers.

    Attributes:
        called: the last call in words, or the variable that was read; empty before the first.
        came_back: what the last call returned, or the StudentError that it raised.
        asked: the names of the functions and classes that were asked for.
    """

    def __init__(self, namespace: dict[str, Any]) -> None:
        super().__init__(namespace)
        self.called = ""
        self.came_back: Any = None
        self.asked: set[str] = set()
        self._names: dict[int, str] = {}  # what functions are called, and how modules were made

    def value(self, name: str) -> Any:
        """What a variable holds; a report names it where a call would stand."""
        found = super().value(name)
        self.called, self.came_back = name, found
        return found

    def _function(self, name: str) -> Callable[..., Any]:
        self.asked.add(name)
        found = super()._function(name)
        self._names[id(found)] = name
        return found

    def _words_for(self, function: Callable[..., Any]) -> str:
        """What is called, as one would type it; of a module, how it was made."""
        name = self._names.get(id(function), "")
        if not values().is_module(function):
            return name
        made = name or argument_text(LocalModule(self, function))
        return made if getattr(function, "training", True) else f"{made}.eval()"

    def _call(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        as_sent: bool = True,
    ) -> Any:
        of_module = values().is_module(getattr(function, "__self__", None))
        if not of_module:  # eval(), load_state_dict() and the like only prepare a call
            self.called = call_text(self._words_for(function), args, kwargs)
            self.came_back = None
        try:
            result = super()._call(function, args, kwargs, as_sent)
        except StudentError as error:
            self.came_back = error
            raise
        if not of_module:
            self.came_back = result
            if isinstance(result, LocalModule):
                self._names[id(result.module)] = self.called
        return result
