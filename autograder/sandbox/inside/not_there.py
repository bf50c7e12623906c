"""An import that is not there costs only what uses it.

Its names stand for an object that says so when it is used. A statement that fails only because of
that is left out, and the cell goes on; any other error stops it, as in Jupyter. What catches
ImportError itself runs as in Python: imports within functions, `try` and `with` are left to it.
"""

import __future__

import ast
import builtins
import re
import sys
from collections.abc import Iterator
from typing import Any, NoReturn

from autograder.checks.kit.magics import RUNS_CODE

NOT_THERE = "`{}` is not there when your notebook is graded"
NAME = re.compile(r"[\w.]{1,80}")
MOST_NOTICED = 20  # imports that are told of one cell
ANNOTATIONS_AS_TEXT = __future__.annotations.compiler_flag

_UNKNOWN_NAME = re.compile(r"cannot import name '(\w+)'")
_IMPORT = (ast.Import, ast.ImportFrom)
_LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, *_DEFINITION)
_USES = """
    call copy deepcopy reduce_ex iter next reversed len contains getitem setitem delitem enter exit
    aenter aiter await bool int float complex index round format lt le gt ge neg pos abs invert
    setattr delattr mro_entries instancecheck subclasscheck add sub mul matmul truediv floordiv mod
    divmod pow lshift rshift and or xor radd rsub rmul rmatmul rtruediv rfloordiv rmod rdivmod rpow
    rlshift rrshift rand ror rxor
""".split()  # noqa: SIM905 - a list of them would take 60 lines


class NotThere(ModuleNotFoundError):
    """What stands for a missing import was used."""


class StandsForMissing:
    """What a name is bound to whose import is not there: every use of it says so.

    Args:
        module: what is missing, such as "pandas".
    """

    __slots__ = ("_module",)
    is_no_answer = True  # see `checks.kit.judged`

    def __init__(self, module: str) -> None:
        object.__setattr__(self, "_module", module)

    def __getattr__(self, name: str) -> Any:
        # What libraries ask any object for it has not; a cell that asks for it uses the import.
        asking = sys._getframe(1).f_globals.get("__name__")
        if name.startswith("_") and asking not in ("__main__", "importlib"):
            raise AttributeError(name)
        self.use()

    def __repr__(self) -> str:
        return f"<{object.__getattribute__(self, '_module')}, which is not there>"

    def use(self, *_: Any, **__: Any) -> NoReturn:
        """Say that it is not there.

        Raises:
            NotThere: always.
        """
        module = object.__getattribute__(self, "_module")
        raise NotThere(NOT_THERE.format(module), name=module)


for _use in _USES:
    setattr(StandsForMissing, f"__{_use}__", StandsForMissing.use)


def missing_in(error: BaseException) -> str | None:
    """What an error says is missing, such as "pandas" or "torch.zeroz"; None for other errors."""
    try:
        if not isinstance(error, ImportError) or type(error.name) is not str:
            return None
        unknown = _UNKNOWN_NAME.match(str(error.msg))
        name = f"{error.name}.{unknown[1]}" if unknown else error.name
        return name if NAME.fullmatch(name) else None
    except BaseException:  # a student's own class may do anything
        return None


def single_imports(node: ast.stmt) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports of a statement that run with it, one a name."""
    waiting: list[ast.AST] = [node]
    while waiting:
        found = waiting.pop(0)
        if isinstance(found, _LATER):
            continue
        if not isinstance(found, _IMPORT):
            waiting = [*ast.iter_child_nodes(found), *waiting]
            continue
        for alias in found.names:
            one = (
                ast.Import([alias])
                if isinstance(found, ast.Import)
                else ast.ImportFrom(found.module, [alias], found.level)
            )
            yield ast.copy_location(one, found)


def timed_by(node: ast.stmt) -> str | None:
    """The code of a cell that a magic such as `%%time` runs; None of any other statement."""
    match node:
        case ast.Expr(ast.Call(ast.Attribute(_, "run_cell_magic"), [ast.Constant(name), _, code])):
            text = code.value if isinstance(code, ast.Constant) else None
            return text if name in RUNS_CODE and isinstance(text, str) else None
    return None


def bound_by(node: ast.stmt, there: dict[str, Any]) -> set[str]:
    """The names that a statement that was left out would have bound.

    Args:
        node: the statement.
        there: what is bound; what of it a part of the statement may have bound stays.
    """
    if isinstance(node, _DEFINITION):
        return {node.name}
    nodes = [one for one in ast.walk(node) if isinstance(one, ast.Name)]
    names = {one.id for one in nodes if isinstance(one.ctx, ast.Store)}
    inner = {one.name for one in ast.walk(node) if isinstance(one, _DEFINITION)}
    return names if isinstance(node, _SIMPLE) else {*names, *inner} - there.keys()


def name_of(one: ast.Import | ast.ImportFrom) -> str:
    """The name that an import of one name binds."""
    alias = one.names[0]
    return alias.asname or alias.name.partition(".")[0]


class MissingImports:
    """The imports of a notebook that are not there.

    Args:
        names: what the cells bind.

    Attributes:
        noticed: what was missing in the cell that runs, and the first error that said so.
    """

    def __init__(self, names: dict[str, Any]) -> None:
        self.noticed: dict[str, BaseException] = {}
        self._names = names
        self._last = ""
        self._starred = ""

    def notice(self, error: BaseException | None) -> bool:
        """Whether an error is that something imported is not there; it is noted then."""
        module = self.behind(error)
        if error is None or module is None:
            return False
        self.noticed.setdefault(module, error)
        self._last = module
        return True

    def behind(self, error: BaseException | None) -> str | None:
        """What was to be imported and is missing, where an error comes from that alone."""
        if isinstance(error, NameError) and self._starred:
            is_known = error.name in self._names or hasattr(builtins, error.name or "")
            return None if is_known else self._starred
        return None if error is None else missing_in(error)

    def stand_in(self, name: str) -> None:
        """Let a name say what was noticed last, whenever it is used."""
        self._names[name] = StandsForMissing(self._last)

    def stand_in_for(self, one: ast.Import | ast.ImportFrom) -> None:
        """Let what an import binds say that it is not there; a package that is there stays."""
        name = name_of(one)
        if name == "*":
            self._starred = self._last
        elif isinstance(one, ast.Import) and not one.names[0].asname and name in sys.modules:
            self._names[name] = sys.modules[name]
        else:
            self.stand_in(name)
