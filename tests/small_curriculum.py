"""A course with a few exercises of the real one, for tests that grade hundreds of submissions."""

import re
import shutil
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from nbformat import NotebookNode

from autograder.build.shipping import modules_of
from autograder.build.source_notebook import reference_notebook
from autograder.course import load_course
from autograder.course.layout import checks_folder

KEPT = {
    "01-attention-by-hand": [
        *("softmax", "dot_product_scores", "scaled_scores", "attention_weights"),
        *("q1", "q2", "q3", "q4", "q5"),
    ],
    "03-causal-masking": ["causal_mask"],
    "04-multi-head-attention": ["split_heads", "merge_heads"],
    "05-fused-attention": ["FusedMultiHeadAttention", "tiled_attention"],
}
# Exercises that build on earlier ones of their notebook, with those earlier ones.
BUILT_ON_OTHERS = {
    "01-attention-by-hand": [
        *("dot_product_scores", "scaled_scores", "attention_weights", "weighted_values"),
        "simple_attention",
    ],
    "02-self-attention": ["scaled_dot_product_attention", "SelfAttention", "RepairedAttention"],
    "03-causal-masking": ["causal_mask", "masked_softmax", "causal_attention"],
    "04-multi-head-attention": ["split_heads", "merge_heads", "MultiHeadAttention"],
    "05-fused-attention": [
        *("fuse_qkv", "FusedMultiHeadAttention", "fused_from_projections", "tiled_attention"),
        "decode_step",
    ],
    "07-attention-vs-recurrence": [
        *("recall_batch", "AttentionRecall", "LSTMRecall", "train_recall"),
    ],
}
CELL = re.compile(r"^# %%.*$", re.MULTILINE)
DECLARES = re.compile(r'# %% (?:exercise|quiz|written)="(\w+)"')
UNSEEN = re.compile(r"\n?### BEGIN HIDDEN TESTS\n(.|\n)*?### END HIDDEN TESTS|^ *### .*\n?", re.M)


def shrink(course: Path, kept: Mapping[str, Sequence[str]] = KEPT) -> None:
    """Leave these exercises in a course, by assignment, and of the other code the imports."""
    keep_assignments(course, kept)
    for folder in sorted((course / "assignments").iterdir()):
        source = folder / f"{folder.name}.py"
        text = source.read_text(encoding="utf-8")
        starts = [found.start() for found in CELL.finditer(text)]
        cells = [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
        imports = next(cell for cell in cells if cell.startswith("# %%\n"))
        wanted = [cell for cell in cells if cell == imports or _is_kept(cell, kept[folder.name])]
        source.write_text(text[: starts[0]] + "".join(wanted), encoding="utf-8")


def keep_assignments(course: Path, kept: Collection[str]) -> None:
    """Leave these assignments in a course, and of others the visible checks that they import."""
    for name in kept:
        for path in modules_of(course, name):
            if path.parents[1].name not in kept:
                shutil.copy(path, checks_folder(course, name))
    for folder in (course / "assignments").iterdir():
        if folder.name not in kept:
            shutil.rmtree(folder)


def _is_kept(cell: str, exercises: Sequence[str]) -> bool:
    declared = DECLARES.match(cell)
    if declared is None:
        return cell.startswith("# %% [markdown]")
    return declared[1] in exercises


def perfect(course: Path, assignment: str, student: str = "ada") -> NotebookNode:
    """The notebook that a student with full marks hands in."""
    read = load_course(course)
    notebook = reference_notebook(read, read.assignment(assignment), student)
    for cell in notebook.cells:
        cell.source = UNSEEN.sub("", cell.source)
    return notebook
