"""What a notebook's namespace holds: the reference solutions, or a student's cell upon them."""

import importlib

from autograder.checks.discovery import module_of
from autograder.checks.running import Finding, run_checks

MODULES = {
    "softmax": "attention_by_hand",
    "scaled_scores": "attention_by_hand",
    "attention_weights": "attention_by_hand",
    "causal_mask": "causal_masking",
    "split_heads": "multi_head_attention",
    "merge_heads": "multi_head_attention",
    "FusedMultiHeadAttention": "fused_attention",
}
EXERCISES = tuple(MODULES)


def solved(exercise: str) -> dict[str, object]:
    """The namespace of a notebook whose exercises are all right."""
    return dict(vars(importlib.import_module(f"solutions.{MODULES[exercise]}")))


def with_cell(exercise: str, cell: str) -> dict[str, object]:
    """The namespace after a student's cell has run."""
    namespace = solved(exercise)
    exec(cell, namespace)
    return namespace


def check_cell(exercise: str, cell: str) -> list[Finding]:
    """What the visible checks find in a student's cell."""
    return run_checks(exercise, module_of(exercise), with_cell(exercise, cell))
