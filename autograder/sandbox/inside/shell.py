"""The IPython shell that runs the cells: as in Jupyter, with no terminal, history or pictures."""

import ast
import sys
import types
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.text import SList
from traitlets.config import Config

from .failure import cell_name
from .not_there import (
    ANNOTATIONS_AS_TEXT,
    MissingImports,
    bound_by,
    name_of,
    single_imports,
    timed_by,
)

NO_SHELL = "Shell commands are not run when your notebook is graded."


class NumberedCells(CachingCompiler):
    """Names each cell's code so that the lines of a traceback can be told to be the student's."""

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        """The file name that a traceback shows."""
        return cell_name(number, raw_code)


class PlainDisplay(DisplayHook):
    """Prints the value of a cell's last expression, without `Out[1]:`."""

    prompt_end_newline = True

    def write_output_prompt(self) -> None:
        """Nothing stands before the value."""

    def finish_displayhook(self) -> None:
        """Nothing stands after it."""
        self._is_active = False


class GradingShell(InteractiveShell):
    """One submission's shell. It prints as text and starts no process."""

    compiler_class = NumberedCells
    displayhook_class = PlainDisplay

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        assert self.display_formatter is not None
        self.display_formatter.active_types = ["text/plain"]
        self.missing = MissingImports(self.user_ns)

    def should_run_async(
        self, raw_cell: str, *, transformed_cell: str | None = None, **found: Any
    ) -> bool:
        """Whether a cell awaits something; IPython compiles every cell once more to find out."""
        text = transformed_cell or raw_cell
        if "await" not in text and "async" not in text:
            return False
        return super().should_run_async(raw_cell, transformed_cell=transformed_cell, **found)

    async def run_ast_nodes(
        self,
        nodelist: list[ast.stmt],
        cell_name: str,
        interactivity: str = "last_expr",
        compiler: Any = compile,
        result: Any = None,
    ) -> bool:
        """Run a cell's statements, without what fails only because an import is not there."""
        run = super().run_ast_nodes
        for node in nodelist:
            way = interactivity if interactivity == "all" or node is nodelist[-1] else "none"

            async def again(one: ast.stmt, flags: int = 0) -> bool:
                with compiler.extra_flags(flags):
                    return bool(await run([one], cell_name, "none", compiler, result))

            failed = await run([node], cell_name, way, compiler, result)
            if failed and not (result and await self._does_without(node, result, again)):
                return True
        return False

    async def _does_without(
        self, node: ast.stmt, result: Any, run: Callable[..., Awaitable[bool]]
    ) -> bool:
        """Whether a statement that failed did so only because an import is not there.

        What else it imports is imported then; each name that it would have bound says what is
        missing. Annotations alone cost nothing.
        """
        if not self._was_missing(result):
            return False
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.AnnAssign):
            if not await run(node, ANNOTATIONS_AS_TEXT):
                return True
            if not self._was_missing(result):
                return False
        timed = timed_by(node)
        if timed is not None:  # once more from its start, as the magic has run it in one go
            for one in ast.parse(self.transform_cell(timed)).body:
                if await run(one) and not await self._does_without(one, result, run):
                    return False
            return True
        is_import = isinstance(node, ast.Import | ast.ImportFrom)
        for one in single_imports(node):
            if (is_import or name_of(one) not in self.user_ns) and await run(one):
                if not self._was_missing(result):
                    return False
                self.missing.stand_in_for(one)
        for name in () if is_import else bound_by(node, self.user_ns):
            self.missing.stand_in(name)
        return True

    def _was_missing(self, result: Any) -> bool:
        """Whether an error is that an import is not there; it is noted then, and no error."""
        found: bool = self.missing.notice(result.error_in_exec)
        if found:
            result.error_in_exec = None
        return found

    def system(self, cmd: str) -> None:
        """What `!ls` calls: says that nothing is run, and lets the cell go on."""
        sys.stderr.write(NO_SHELL + "\n")
        self.user_ns["_exit_code"] = 127

    system_piped = system_raw = system

    def getoutput(self, cmd: str, split: bool = True, depth: int = 0) -> SList:
        """What `files = !ls` calls: says that nothing is run, and gives no lines."""
        self.system(cmd)
        return SList()

    def enable_matplotlib(self, gui: str | None = None) -> tuple[str, str]:
        """`%matplotlib inline` keeps the Agg backend: figures are drawn, never shown."""
        return "agg", "agg"

    def enable_gui(self, gui: str | None = None) -> None:
        """`%gui` has no window system to talk to."""

    def ask_exit(self) -> None:
        """`exit` in a cell ends nothing here."""

    def showtraceback(self, *args: Any, **kwargs: Any) -> None:
        """Nothing: the caller takes the exception itself, and formatting one is slow."""

    def showsyntaxerror(self, *args: Any, **kwargs: Any) -> None:
        """Nothing, as above."""

    def _format_exception_for_storage(
        self, exception: BaseException, filename: Any = None, running_compiled_code: Any = False
    ) -> dict[str, Any]:
        return {"ename": type(exception).__name__, "evalue": "", "traceback": []}

    @contextmanager
    def _tee(self, channel: str) -> Iterator[None]:
        yield  # IPython would keep all that is printed, without a bound


def make_shell() -> GradingShell:
    """The shell, made once in the fork server; every submission gets its own copy by the fork."""
    config = Config()
    config.HistoryManager.enabled = False
    shell = GradingShell.instance(config=config, user_module=types.ModuleType("__main__"))
    # `display` and `get_ipython` are there in functions that are called after their cell ran.
    shell.builtin_trap.__enter__()
    return shell
