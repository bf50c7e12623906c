"""What is on the screen when a newcomer's first tries are wrong, and how *Run all cells* ends.

    python -m benchmarks.first_tries [--write benchmarks/results/first_tries.md]

A released notebook runs in a real kernel, in copies of its folder: with nothing done, with a dozen
wrong first tries in it, and with all done. What a cell shows is told as plain text; in a browser
the same stands side by side.
"""

import argparse
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbconvert.filters import strip_ansi
from nbformat import NotebookNode

from autograder.build.predictions import KEY
from autograder.build.quiz_cells import REFERENCE_ID, signed
from autograder.build.source_notebook import reference_notebook
from autograder.course import load_course
from autograder.notebooks.sanitise import grade_id
from autograder.proof.notebooks import paste

ROOT = Path(__file__).parents[1]
NAME = "01-attention-by-hand"
KERNEL = re.compile(r"/tmp/ipykernel_\d+/\d+\.py")  # what a kernel calls a cell, anew each time


@dataclass(frozen=True)
class Try:
    """A wrong first try: what somebody wrote, and why."""

    exercise: str
    why: str
    source: str


TRIES = (
    Try(
        "softmax",
        "no maximum taken off",
        """def softmax(x, axis=-1):
    powers = np.exp(x)
    return powers / powers.sum(axis=axis, keepdims=True)""",
    ),
    Try("k1", "a letter too few", 'k1 = ["B"]'),
    Try("k2", "queries and keys swapped", "k2 = (5, 12, 23, 15)"),
    Try("k3", "a wrong letter", 'k3 = "A"'),
    Try(
        "dot_product_scores",
        "transposed whole",
        "def dot_product_scores(q, k):\n    return q @ k.T",
    ),
    Try("k4", "the answer in words", 'k4 = "about 7"'),
    Try(
        "scaled_scores",
        "no return",
        """def scaled_scores(q, k):
    scores = dot_product_scores(q, k) / math.sqrt(k.shape[-1])""",
    ),
    Try(
        "attention_weights",
        "the other axis",
        "def attention_weights(scores):\n    return torch.softmax(scores, dim=-2)",
    ),
    Try(
        "weighted_values",
        "a colon forgotten",
        "def weighted_values(weights, v)\n    return weights @ v",
    ),
    Try(
        "simple_attention",
        "one value for two",
        "def simple_attention(x):\n    return attention_weights(x @ x.mT) @ x",
    ),
    Try("q1", "no quotation marks", "q1 = b"),
    Try("q2", "a letter that is no option", 'q2 = "E"'),
)


def run(answers: Mapping[str, str] | None, student: str | None = None) -> NotebookNode:
    """The released notebook after *Run all cells*.

    Args:
        answers: by name, what takes the place of a cell; None for the reference in all of them.
        student: the id that is written in; None leaves it open.
    """
    course = load_course(ROOT)
    released = course.folder("release") / NAME
    notebook = nbformat.read(released / f"{NAME}.ipynb", as_version=4)
    if answers is None:
        paste(notebook, reference_notebook(course, course.assignment(NAME), REFERENCE_ID))
        for cell in notebook.cells:
            if cell.cell_type == "markdown" and grade_id(cell):
                cell.source = "Every query takes of each value as much as its weight says."
    for cell in notebook.cells:
        name = grade_id(cell) or cell.metadata.get(KEY)
        cell.source = (answers or {}).get(str(name), cell.source)
        if student is not None:
            cell.source = signed(cell.source, student)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(shutil.copytree(released, Path(place, NAME)))
        nbformat.write(notebook, folder / f"{NAME}.ipynb")
        # No allow_errors: as in JupyterLab, a cell that fails stops the run unless it is tagged.
        NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}).execute()
    return notebook


def shown(cell: NotebookNode) -> str:
    """What stands below a cell, as plain text."""
    parts = []
    for output in cell.outputs:
        if output.output_type == "error":
            parts.append("\n".join(output.traceback))
        elif output.output_type == "stream":
            parts.append(output.text.rstrip())
        elif not output.data.get("text/plain", "").startswith("<Figure"):
            parts.append(output.data.get("text/plain", ""))
    return KERNEL.sub("cell", str(strip_ansi("\n".join(parts))))


def document() -> str:
    """The whole page, in Markdown."""
    wrong = run({one.exercise: one.source for one in TRIES}, "ada")
    return "\n".join(
        [
            "# First tries, and what is then on the screen",
            "",
            "Written by `python -m benchmarks.first_tries`: the released notebook 01, run in a",
            "kernel from the first cell to the last, as *Run all cells* does. Reports of checks",
            "are plain text here; in the notebook what passed is folded, what differs marked.",
            "",
            "## How a run of all cells ends",
            "",
            *_ending("nothing done", run({})),
            *_ending("twelve wrong first tries", wrong),
            *_ending("all done", run(None, REFERENCE_ID)),
            "## Twelve wrong first tries",
            "",
            *_tries(wrong),
        ]
    )


def _ending(state: str, notebook: NotebookNode) -> Iterator[str]:
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    ran = sum(cell.execution_count is not None for cell in code)
    errors = [o for cell in code for o in cell.outputs if o.output_type == "error"]
    lines = sum(error.traceback[0].startswith("Not yet: ") for error in errors)
    yield f"**{state}**: {ran} of {len(code)} code cells ran; {lines} say in a line what is not"
    yield f"yet, and {len(errors) - lines} show an error of Python's. The last cell:"
    yield from ("", "```text", shown(code[-1]), "```", "")


def _tries(notebook: NotebookNode) -> Iterator[str]:
    cells = notebook.cells
    places = {grade_id(c) or c.metadata.get(KEY): at for at, c in enumerate(cells)}
    for number, one in enumerate(TRIES, start=1):
        place = places[one.exercise]
        yield f"### {number}. {one.exercise}: {one.why}"
        yield from ("", "```python", one.source, "```", "")
        for label, cell in (("The cell", cells[place]), ("Its check", cells[place + 1])):
            if told := shown(cell):
                yield from (f"{label} shows:", "", "```text", told, "```", "")
    after = cells[places["attention_weights"] + 3]
    yield "### A demonstration that uses two of these"
    yield from ("", "```python", after.source, "```", "", "```text", shown(after), "```", "")


def main() -> None:
    """Print the page, or write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path)
    target = parser.parse_args().write
    page = document()
    if target is None:
        print(page)
    else:
        target.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
