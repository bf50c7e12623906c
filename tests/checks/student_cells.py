"""What a notebook's namespace holds: the reference solutions, or a student's cell upon them."""

import importlib
import importlib.util
import linecache
import os

from autograder.checks.discovery import module_of
from autograder.checks.running import Finding, run_checks

MODULES = {
    "softmax": "attention_by_hand",
    "dot_product_scores": "attention_by_hand",
    "scaled_scores": "attention_by_hand",
    "attention_weights": "attention_by_hand",
    "weighted_values": "attention_by_hand",
    "simple_attention": "attention_by_hand",
    "project_qkv": "self_attention",
    "scaled_dot_product_attention": "self_attention",
    "SelfAttention": "self_attention",
    "RepairedAttention": "self_attention",
    "causal_mask": "causal_masking",
    "padding_mask": "causal_masking",
    "combine_masks": "causal_masking",
    "additive_mask": "causal_masking",
    "masked_softmax": "causal_masking",
    "causal_attention": "causal_masking",
    "causal_mask_for_cache": "causal_masking",
    "sliding_window_mask": "causal_masking",
    "split_heads": "multi_head_attention",
    "merge_heads": "multi_head_attention",
    "fuse_qkv": "fused_attention",
    "FusedMultiHeadAttention": "fused_attention",
    "fused_from_projections": "fused_attention",
    "tiled_attention": "fused_attention",
    "decode_step": "fused_attention",
    "grouped_query_attention": "fused_attention",
}
if importlib.util.find_spec("triton") is not None:
    os.environ.setdefault("TRITON_INTERPRET", "1")  # before it is imported, as in the notebook
    MODULES["triton_attention"] = "triton_attention"
EXERCISES = tuple(MODULES)


def solved(exercise: str) -> dict[str, object]:
    """The namespace of a notebook whose exercises are all right."""
    return dict(vars(importlib.import_module(f"solutions.{MODULES[exercise]}")))


def with_cell(exercise: str, cell: str) -> dict[str, object]:
    """The namespace after a student's cell has run."""
    namespace = solved(exercise)
    name = f"<{exercise} {hash(cell):x}>"  # where Triton finds the source of a kernel
    linecache.cache[name] = (len(cell), None, cell.splitlines(keepends=True), name)
    exec(compile(cell, name, "exec"), namespace)
    return namespace


def check_cell(exercise: str, cell: str) -> list[Finding]:
    """What the visible checks find in a student's cell."""
    return run_checks(exercise, module_of(exercise), with_cell(exercise, cell))
