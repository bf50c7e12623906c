"""What the sample class deserves, and how to read what it got."""

import importlib.util
from pathlib import Path
from typing import Any

from gradebook_rows import grades, url_of

# What triton_attention, a bonus, can earn here: it waits for Triton.
BONUS = 2.0 if importlib.util.find_spec("triton") else 0.0

# (student, assignment): score, or the reason why there is none. Written answers are pending.
DESERVED: dict[tuple[str, str], float | str] = {
    ("ada", "01-attention-by-hand"): 27 - 3.0,
    ("ada", "02-self-attention"): 23 - 3.0,
    ("ada", "03-causal-masking"): 31 - 3.0,
    ("ada", "04-multi-head-attention"): 20 - 3.0,
    ("ada", "05-fused-attention"): 33 - 3 + BONUS,
    ("ada", "06-seeing-attention"): 27 - 3.0,
    ("ada", "07-attention-vs-recurrence"): 25 - 3.0,
    ("ben", "01-attention-by-hand"): 27 - 2 - 2 - 1 - 1 - 3.0,
    ("ben", "04-multi-head-attention"): 2.0,
    ("chloe", "01-attention-by-hand"): 27 - 3 - 1 - 1.5,
    ("chloe", "03-causal-masking"): 0.8,
    ("dmitri", "03-causal-masking"): 0.0,
    ("emeka", "04-multi-head-attention"): 2.0,
    ("fatima", "03-causal-masking"): "bad_notebook",
    ("goran", "01-attention-by-hand"): 2.0,
}


def by_name(marks: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """The submissions of a `--json` file by student and assignment."""
    return {(one["student"], one["assignment"]): one for one in marks["submissions"]}


def in_gradebook(course: Path) -> dict[tuple[str, str, str], tuple[float | None, bool]]:
    """Automatic score and whether grading by hand is due, by student, assignment and cell."""
    return {row.name: (row.score, row.due) for row in grades(url_of(course))}
