"""A cell to paste below a student's code: it makes the inputs, calls, and shows what differs.

It imports nothing of ours, and binds one name, so that nothing of the student's is hidden by it.
"""

import ast
import copy
import inspect
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from autograder.checks.kit.errors import StudentDied
from autograder.checks.kit.local_student import LocalModule
from autograder.checks.kit.values import values
from autograder.disputes import cell_parts
from autograder.disputes.literals import is_large, literal
from autograder.disputes.recording import Recorded
from autograder.disputes.replay import Right
from autograder.disputes.witness import allowed
from autograder.judging.parts import right_answer
from autograder.judging.tolerance import largest
from autograder.sandbox.worker import Method
from autograder.student import Gradients, RemoteModule
from autograder.student.remote import RemoteAxes

LONGEST = 200_000
"""Characters; what is longer cannot be pasted with any pleasure."""

PARTS = {
    node.name: node
    for node in ast.parse(inspect.getsource(cell_parts)).body
    if isinstance(node, ast.FunctionDef)
}
MODULES = {"base64": "base64", "math": "math", "np": "numpy", "re": "re", "signal": "signal"}
MODULES |= {"zlib": "zlib", "torch": "torch"}
"""What parts and calls name, and the module that each is."""


class NoCell(Exception):
    """No cell can be written; the text says why."""


def names_of(exercise: str, one: Recorded) -> list[str]:
    """What the arguments of a call are called, those by position."""
    names: list[str] = []
    try:
        if isinstance(one.target, str):
            names = list(inspect.signature(right_answer(one.target)).parameters)
        elif one.target.name is None:
            names = list(inspect.signature(right_answer(exercise).forward).parameters)[1:]
    except (AttributeError, LookupError, ImportError, TypeError, ValueError):
        pass
    return [*names, *(f"argument_{n}" for n in range(len(names) + 1, len(one.args) + 1))]


def cell_for(
    exercise: str,
    asked: Sequence[Recorded],
    right: Right | None,
    words: Sequence[str],
    seconds: float,
) -> str:
    """The cell's text.

    Args:
        exercise: the exercise's name.
        asked: what the test asked up to the call that shows what is wrong, that one last.
        right: what the reference gives for it; None where it was not asked.
        words: what is said above the code, a comment a line.
        seconds: how long one call may take.

    Raises:
        NoCell: it cannot be written.
    """
    writer = _Writer(exercise, seconds)
    needed = needed_for(asked)
    try:
        for one in needed[:-1]:
            writer.ask(one)
        writer.show(needed[-1], right)
    except ValueError as error:
        raise NoCell(str(error)) from error
    text = writer.text(words)
    if len(text) > LONGEST:
        raise NoCell(f"its inputs are {len(text) // 1000} thousand characters of numbers")
    return text


def needed_for(asked: Sequence[Recorded]) -> list[Recorded]:
    """The last call, and before it the modules that it uses and all that was done to them."""
    *before, last = asked
    handles, kept = _handles(last), [last]
    for one in reversed(before):
        mine = _handles(one)
        made = {one.gave.handle} if isinstance(one.gave, RemoteModule | RemoteAxes) else set()
        if one.way in ("seed", "place"):
            kept.append(one)
        elif handles & (made | _own(one)) and one.raised is None:
            handles |= mine | made
            kept.append(one)
    return kept[::-1]


def _own(one: Recorded) -> set[Any]:
    return {one.target.module} if isinstance(one.target, Method) else set()


def _handles(one: Recorded) -> set[Any]:
    found = _own(one)
    waiting = [*one.args, *one.kwargs.values()]
    while waiting:
        value = waiting.pop()
        if isinstance(value, RemoteModule | RemoteAxes):
            found.add(value.handle)
        elif isinstance(value, tuple | list):
            waiting += value
        elif isinstance(value, dict):
            waiting += value.values()
    return found


class _Writer:
    """Writes the lines of a cell one after the other."""

    def __init__(self, exercise: str, seconds: float) -> None:
        self._exercise, self._seconds = exercise, seconds
        self._lines: list[str] = []
        self._names: dict[Any, str] = {}
        self._used = {"found", "right", "leaves", "before", exercise, *PARTS, *MODULES}

    def text(self, words: Sequence[str]) -> str:
        """The whole cell: one function of that name, and its call."""
        body = ast.parse("\n".join(self._lines))
        parts = _parts_for(body)
        named = {node.id for one in (body, *parts) for node in ast.walk(one) if _is_name(node)}
        imports = sorted(f"import {MODULES[name]}" for name in named & MODULES.keys())
        imports = [line + (" as np" if line == "import numpy" else "") for line in imports]
        pieces = ["\n".join(imports), *map(ast.unparse, parts), "\n".join(self._lines)]
        inner = "\n\n".join(filter(None, pieces)).replace("\n", "\n    ")
        inner = "\n".join(line.rstrip() for line in inner.splitlines())
        comments = "".join(f"# {line}\n" for line in words)
        name = f"why_{self._exercise}"
        return f"{comments}def {name}():\n    {inner}\n\n\n{name}()\n"

    def ask(self, one: Recorded) -> None:
        """Write a call that leads up to the one that matters."""
        if one.way == "place":
            raise ValueError("the test puts files beside the notebook")
        call = self._call(one)
        made = isinstance(one.gave, RemoteModule | RemoteAxes)
        if made and one.gave.handle not in self._names:
            kind = "module" if one.way == "call" else one.way
            name = self._names[one.gave.handle] = self._free(kind)
            call = f"{name} = {call}"
        self._line(call)

    def show(self, one: Recorded, right: Right | None) -> None:
        """Write the call that matters, and what compares it with what is right."""
        timed = isinstance(one.raised, StudentDied) and one.raised.reason == "timeout"
        if timed:
            self._line(f"stopping_after({self._seconds:g})")
        if one.way == "grad":
            self._gradients(one, right)
            return
        args, kwargs = self._arguments(one)
        if one.changed:
            self._line(f"before = [kept(one) for one in [{', '.join(args)}]]")
        self._caught(self._written(one, args, kwargs))
        if timed:
            self._line("stopping_after(0)")
        if right is None:
            self._line("print('It gave:', found, sep='\\n')")
        elif right.raised is not None:
            self._line(f"show_refusal(found, {right.raised.builtin}, {right.raised.message!r})")
        elif one.changed and one.raised is None:
            self._line(f"show_changes(found, [{', '.join(args)}], before)")
        elif isinstance(right.gave, LocalModule):
            self._line("show(found, None, None)")
        else:
            self._line(f"right = {literal(_plain(right.gave), {})}")
            self._line(f"show(found, right, {literal(_allowed(right.gave), {})})")

    def _caught(self, call: str) -> None:
        self._line("try:")
        self._line(f"    found = {call}")
        self._line("except Exception as error:")
        self._line("    found = error")

    def _gradients(self, one: Recorded, right: Right | None) -> None:
        if right is None or not isinstance(right.gave, Gradients):
            raise ValueError("the reference has no gradients for it")
        if isinstance(one.target, Method) and one.target.name is not None:
            raise ValueError("the gradients are those of a method")
        args, kwargs = self._arguments(one)
        module = self._names[one.target.module] if isinstance(one.target, Method) else None
        upstream = literal(one.upstream, {})
        self._line(f"leaves = [leaf(one) for one in [{', '.join(args)}]]")
        call = f"{module or one.name}({', '.join(['*leaves', *kwargs])})"
        self._caught(f"gradients({self._under(one, call)}, {upstream}, leaves, {module})")
        expected = (tuple(right.gave.inputs), right.gave.parameters)
        self._line(f"right = {literal(expected, {})}")
        self._line(f"show(found, right, {literal(gradients_allowed(right.gave), {})})")

    def _call(self, one: Recorded) -> str:
        return self._written(one, *self._arguments(one))

    def _written(self, one: Recorded, args: list[str], kwargs: list[str]) -> str:
        inner = ", ".join([*args, *kwargs])
        match one.way:
            case "value":
                return one.name
            case "seed":
                return f"torch.manual_seed({inner})"
            case "axes":
                return "__import__('matplotlib.pyplot').pyplot.subplots()[1]"
            case "linear":
                return self._linear(*args)
            case "fresh":
                raise ValueError("the test runs the code in a way of its own")
        if isinstance(one.target, str):
            return self._under(one, f"{one.target}({inner})")
        module, name = self._names[one.target.module], one.target.name
        return self._under(
            one, f"{module}({inner})" if name is None else f"{module}.{name}({inner})"
        )

    def _under(self, one: Recorded, call: str) -> str:
        if one.autocast:
            raise ValueError("the test calls under autocast")
        return call

    def _linear(self, weight: str, bias: str) -> str:
        name = self._free("linear")
        self._line(
            f"{name} = torch.nn.Linear({weight}.shape[1], {weight}.shape[0], {bias != 'None'})"
        )
        self._line(f"{name}.weight.data = {weight}")
        if bias != "None":
            self._line(f"{name}.bias.data = {bias}")
        return name

    def _arguments(self, one: Recorded) -> tuple[list[str], list[str]]:
        """The arguments as they stand in the call; what is large gets a line before it."""
        names = names_of(self._exercise, one)
        args = [self._argument(name, value) for name, value in zip(names, one.args, strict=False)]
        kwargs = [f"{name}={self._argument(name, value)}" for name, value in one.kwargs.items()]
        return args, kwargs

    def _argument(self, name: str, value: Any) -> str:
        text = literal(value, self._names)
        if not is_large(value):
            return text
        name = self._free(name)
        self._line(f"{name} = {text}")
        return name

    def _free(self, name: str) -> str:
        free, number = name, 1
        while free in self._used:
            number += 1
            free = f"{name}_{number}"
        self._used.add(free)
        return free

    def _line(self, text: str) -> None:
        self._lines.append(text)


def _parts_for(body: ast.AST) -> list[ast.FunctionDef]:
    """The parts that a cell uses, and those that these use, without their types and texts."""
    found: dict[str, ast.FunctionDef] = {}
    waiting = [body]
    while waiting:
        for node in ast.walk(waiting.pop()):
            if _is_name(node) and node.id in PARTS and node.id not in found:
                found[node.id] = _bare(PARTS[node.id])
                waiting.append(found[node.id])
    return [found[name] for name in PARTS if name in found]


def _is_name(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)


def _bare(part: ast.FunctionDef) -> ast.FunctionDef:
    bare = copy.deepcopy(part)
    for node in ast.walk(bare):
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            node.body = node.body[1:] if ast.get_docstring(node) else node.body
    return bare


def _plain(value: Any) -> Any:
    """The reference's value as it can be written."""
    if isinstance(value, LocalModule):
        raise ValueError("a module is expected")
    if isinstance(value, tuple | list):
        return type(value)(map(_plain, value))
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return value


def _allowed(value: Any) -> Any:
    """How far each number of a value may lie from the reference's; of the same structure."""
    if values().is_array(value):
        return allowed(value)
    if isinstance(value, tuple | list):
        return tuple(map(_allowed, value))
    if isinstance(value, Mapping):
        return {key: _allowed(one) for key, one in value.items()}
    return 1e-5 * abs(value) if isinstance(value, float) else 0.0


def gradients_allowed(right: Gradients) -> Any:
    """How far gradients may lie from the reference's: one scale for all of them."""
    everything = [one for one in (*right.inputs, *right.parameters.values()) if one is not None]
    scale = max(map(largest, everything), default=0.0)

    def of(gradient: Any) -> float:
        return 0.0 if gradient is None else allowed(gradient, scale)

    return tuple(map(of, right.inputs)), {name: of(one) for name, one in right.parameters.items()}
