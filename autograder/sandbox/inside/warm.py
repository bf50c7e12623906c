"""Loads and exercises what submissions use, once, so that no submission pays for it."""

import contextlib
import gc
import importlib
import importlib.util
from types import ModuleType

import numpy as np

from .failure import describe
from .output import BoundedOutput
from .shell import GradingShell

USUAL_IMPORTS = (
    "asyncio",
    "collections",
    "dataclasses",
    "functools",
    "itertools",
    "math",
    "typing",
)
OPTIONAL_IMPORTS = ("jaxtyping", "matplotlib.pyplot")


def warm(shell: GradingShell, tensors: ModuleType | None, without_driver: bool = False) -> None:
    """Use the shell, NumPy and torch as a typical submission does; leaves no thread behind.

    Args:
        shell: runs cells.
        tensors: `autograder.tensors.inside.warm`, where submissions have torch; else None.
        without_driver: keep away from what asks for a GPU.
    """
    if tensors is not None:
        tensors.prepare()
    gc.freeze()  # taking the cells' traces out would look at all objects there are
    _run_cells(shell, tensors.CELLS if tensors is not None else ())
    for name in USUAL_IMPORTS:
        importlib.import_module(name)
    for name in OPTIONAL_IMPORTS:
        if _is_here(name):
            importlib.import_module(name)
    _compute()
    if tensors is not None:
        tensors.warm(without_driver)
    np.random.seed(0)  # the same random numbers for every submission


def warm_the_rest(tensors: ModuleType | None, without_driver: bool = False) -> None:
    """Use what few submissions do, which whoever grades a single one does not wait for.

    Args:
        tensors: as above.
        without_driver: as above.
    """
    if _is_here("matplotlib"):
        _draw()
    if tensors is not None:
        tensors.warm_the_rest(without_driver)
    np.random.seed(0)


def _is_here(name: str) -> bool:
    return importlib.util.find_spec(name.partition(".")[0]) is not None


def _draw() -> None:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    figure.colorbar(axes.imshow(np.eye(2)), ax=axes)
    axes.set_xticks(range(2), "ab", rotation=45)
    figure.canvas.draw()
    pyplot.close(figure)


def _compute() -> None:
    array = np.random.default_rng(0).standard_normal((3, 4))
    np.exp(array - array.max(-1, keepdims=True)) @ array.T
    np.einsum("ij,kj->ik", array, array)
    repr(array)


_CELLS = (
    "import math\nimport numpy as np\n",
    "def g(x: np.ndarray) -> np.ndarray:\n    '''Doc.'''\n    return np.exp(x)\n",
    "g(np.zeros(3))",
    "%matplotlib inline",
    "raise ValueError('warm')",
    "def broken(:",
)


def _run_cells(shell: GradingShell, more: tuple[str, ...]) -> None:
    """Run some cells, then take every trace of them out of the shell."""
    output = BoundedOutput(1 << 16)
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        for source in (*more, *_CELLS):
            result = shell.run_cell(source, store_history=True)
            error = result.error_before_exec or result.error_in_exec
            if error is not None:
                describe(error)
    shell.reset()
