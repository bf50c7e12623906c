"""Imports that are not there when a notebook is graded: found in its text, and said in words."""

from __future__ import annotations

import ast
import difflib
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .grading import grading
from .magics import as_python

# Packages that many people know, so that none of them is taken for a typing slip or an own file.
_WELL_KNOWN = frozenset(
    """
    PIL accelerate altair bokeh bs4 catboost cupy cv2 cython dask datasets dgl einops fastai flask
    gensim h5py huggingface_hub imageio ipywidgets jax keras lightgbm lightning mpl_toolkits mxnet
    networkx nltk numba openai opt_einsum pandas plotly polars psutil pyarrow pydantic
    pytorch_lightning requests rich scipy seaborn sentencepiece skimage sklearn spacy statsmodels
    sympy tensorboard tensorflow tiktoken timm tokenizers torchaudio torchinfo torchmetrics
    torchtext torchvision torchviz tqdm transformers triton wandb xgboost yaml
    """.split()  # noqa: SIM905 - a list of them would take 70 lines
)
_CATCHES = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}
_ALIKE = 0.8  # of difflib's ratio, from which a name is taken for a typing slip


def why_missing(name: str, packages: Sequence[str]) -> str:
    """Why an import is not there, and what there is, for the student.

    Args:
        name: what is missing: "pandas"; or "torch.zeroz", of a package that is there.
        packages: those that are there, as pip names them.
    """
    top, _, rest = name.partition(".")
    others = ", ".join(["Python's own modules", *packages])
    there = f"Count on {others}, and on no other package."
    if top == "google":
        return f"`{top}` is there in Google Colab alone. {there}"
    if rest:
        parent, _, last = name.rpartition(".")
        return f"`{parent}` is there, and has no `{last}`. Is its name right?"
    near = difflib.get_close_matches(top, packages, 1, _ALIKE)
    near += difflib.get_close_matches(top, sys.stdlib_module_names, 1, _ALIKE)
    if near and top not in _WELL_KNOWN:
        return f"there is no module `{top}`. Did you mean `{near[0]}`?"
    if top in _WELL_KNOWN:
        return f"the package `{top}` is not there when your notebook is graded. {there}"
    return (
        f"there is no module `{top}` when your notebook is graded. If it is a file of your own, "
        f"hand in `{top}.py` with the notebook, in the same folder. {there}"
    )


@dataclass(frozen=True)
class Import:
    """An import in a cell.

    Attributes:
        module: such as "torch.nn".
        name: what is imported from it; empty where it is the module itself.
        line: of the cell, counted from 1.
        is_guarded: whether the cell itself goes on where it is not there.
    """

    module: str
    name: str
    line: int
    is_guarded: bool


def imports_in(source: str) -> tuple[Import, ...]:
    """The imports of a cell, in functions too; none where it is no Python."""
    try:
        return tuple(_imports(ast.parse(source), False))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()


def _imports(node: ast.AST, is_guarded: bool) -> Iterator[Import]:
    match node:
        case ast.Import(names):
            yield from (Import(one.name, "", node.lineno, is_guarded) for one in names)
        case ast.ImportFrom(module, names, 0) if module:
            yield from (Import(module, one.name, node.lineno, is_guarded) for one in names)
        case ast.Try(body, handlers):
            guarded = is_guarded or any(_catches(one.type) for one in handlers)
            for tried in body:
                yield from _imports(tried, guarded)
            for child in (*handlers, *node.orelse, *node.finalbody):
                yield from _imports(child, is_guarded)
        case ast.With(items) if any(_suppresses(one.context_expr) for one in items):
            for held in node.body:
                yield from _imports(held, True)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _imports(child, is_guarded)


def _catches(kind: ast.expr | None) -> bool:
    """Whether what is caught holds ImportError; all is caught where nothing is named."""
    if kind is None:
        return True
    named = {one.id for one in ast.walk(kind) if isinstance(one, ast.Name)}
    return bool(named & _CATCHES)


def _suppresses(context: ast.expr) -> bool:
    return isinstance(context, ast.Call) and any(map(_catches, context.args))


def missing_imports(sources: Iterable[str], folder: Path) -> dict[str, tuple[int, int]]:
    """What a notebook imports that grading will not have, and where it does so first.

    Args:
        sources: the cells' texts.
        folder: the notebook's: what stands there can be handed in with it.

    Returns:
        by module: which of the texts, counted from 0, and which of its lines.
    """
    there = grading()
    found: dict[str, tuple[int, int]] = {}
    for place, source in enumerate(sources if there else ()):
        for one in imports_in(as_python(source)):
            top = one.module.partition(".")[0]
            module = one.module if top == "google" else top
            if there and not (one.is_guarded or there.has(module) or is_own(top, folder)):
                found.setdefault(module, (place, one.line))
    return found


def warnings_of(sources: Sequence[str], folder: Path, numbers: Sequence[int] = ()) -> list[str]:
    """What to say of imports that grading will not have, a line each.

    Args:
        sources: the cells' texts.
        folder: the notebook's.
        numbers: the cells' numbers; none where they are told without.
    """
    there, lines = grading(), []
    for module, (place, line) in missing_imports(sources, folder).items():
        why = why_missing(module, there.packages if there else ())
        where = f"Cell {numbers[place]}, line {line}" if numbers else "A warning"
        lines.append(f"{where}: {why}")
    return lines


def is_own(module: str, folder: Path) -> bool:
    """Whether a module is a file of the student's that stands beside the notebook."""
    return (folder / f"{module}.py").is_file() or (folder / module).is_dir()
