"""What fuzzing starts from: real frames and real notebooks, as files for libFuzzer."""

import json
import tempfile
from pathlib import Path

import numpy as np
import torch
from nbformat import NotebookNode, v3, v4
from restored import ASSIGNMENT
from wire_pieces import decodable

from autograder.checks.kit.drawn import DrawnAxes, DrawnFigure
from autograder.notebooks.sanitise import metadata_of

VALUES = [
    None,
    [1, 2.5, "é", True, 2**70, float("inf")],
    {"a": (1, 2), 3: {None: torch.Size([2, 3])}},
    torch.arange(6.0).reshape(2, 3).T,
    [torch.zeros(2, dtype=torch.bool), np.arange(3), np.float32(1), torch.empty(3, device="meta")],
    (torch.float16, torch.device("cuda:1"), torch.ones(1, dtype=torch.bfloat16)),
    DrawnFigure(
        (
            DrawnAxes(
                *["Weights", "key", "query"],
                *[(0.0, 1.0), (0.5,), ("the", "cat"), ("sat",)],
                *[np.eye(2), (0.0, 1.0), True, True, (np.zeros((2, 2)),), ("0.5",)],
            ),
        ),
        "One",
    ),
]


def wire_seeds() -> list[bytes]:
    """Frames as `atheris_wire.try_one` takes them."""
    seeds = []
    for value in VALUES:
        reply, blob = decodable(value)
        seeds.append(json.dumps(reply).encode() + b"\0" + blob)
    return seeds


def example_notebook() -> NotebookNode:
    """A whole submission of the example assignment."""
    cells = [v4.new_markdown_cell("# Text\n\n$x$ [a](https://b.c) <details>")]
    for exercise in ASSIGNMENT.exercises:
        for graded in (False, True):
            mark = {"nbgrader": metadata_of(exercise, graded)}
            cells.append(v4.new_code_cell(f"{exercise.name} = 1", metadata=mark))
    cells[1].outputs = [v4.new_output("execute_result", {"text/plain": "2.0"}, execution_count=1)]
    cells.append(v4.new_raw_cell("raw"))
    for number, cell in enumerate(cells):
        cell.id = f"c{number}"  # made at random otherwise
    return v4.new_notebook(cells=cells)


def notebook_seeds() -> list[bytes]:
    """The example in format 4 and in format 3."""
    notebook = example_notebook()
    old = v3.writes_json(v4.downgrade(example_notebook()))
    return [json.dumps(notebook).encode(), json.dumps(notebook, indent=1).encode(), old.encode()]


def write_seeds(arguments: list[str], seeds: list[bytes]) -> list[str]:
    """libFuzzer's arguments with a folder that holds the seeds."""
    folder = Path(tempfile.mkdtemp(prefix="seeds-"))
    for number, seed in enumerate(seeds):
        (folder / f"seed-{number}").write_bytes(seed)
    is_rerun = any(Path(argument).is_file() for argument in arguments[1:])
    return arguments if is_rerun else [*arguments, str(folder)]
