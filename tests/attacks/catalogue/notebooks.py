"""Rows 12, 26 and 30: notebooks that are edited: cells, points, names, claims."""

import json

from attack import Attack
from classroom import cell_of
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

WRONG = "def merge_heads(x):\n    return x.flatten(2).double().cpu()\n"
RIGHT = "def merge_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"
RESTORED = "The cells come from the assignment; only the student's own work counts."


def copied(cell: NotebookNode, number: int = 0) -> NotebookNode:
    again = NotebookNode(json.loads(json.dumps(cell)))
    again["id"] = f"copy-{number}"
    return again


def raise_the_points(notebook: NotebookNode) -> None:
    for name in ("test_merge_heads", "test_split_heads"):
        cell_of(notebook, name).metadata.nbgrader.points = 1000


def give_negative_points(notebook: NotebookNode) -> None:
    for name in ("test_merge_heads", "test_split_heads"):
        cell_of(notebook, name).metadata.nbgrader.points = -1e308


def empty_the_graded_cells(notebook: NotebookNode) -> None:
    for name in ("test_merge_heads", "test_split_heads"):
        cell_of(notebook, name).source = "99.0"
        cell_of(notebook, name).outputs = [
            {
                "output_type": "execute_result",
                "data": {"text/plain": "99.0"},
                "metadata": {},
                "execution_count": 1,
            }
        ]


def delete_the_graded_cells(notebook: NotebookNode) -> None:
    for name in ("test_merge_heads", "test_split_heads"):
        notebook.cells.remove(cell_of(notebook, name))


def rename_the_graded_cells(notebook: NotebookNode) -> None:
    cell_of(notebook, "test_merge_heads").metadata.nbgrader.grade_id = "test_mergeHeads"
    cell_of(notebook, "test_split_heads").metadata.nbgrader.grade_id = "../../test"


def swap_the_graded_cells(notebook: NotebookNode) -> None:
    merge, split = cell_of(notebook, "test_merge_heads"), cell_of(notebook, "test_split_heads")
    merge.metadata.nbgrader, split.metadata.nbgrader = (
        split.metadata.nbgrader,
        merge.metadata.nbgrader,
    )


def hide_code_in_markdown(notebook: NotebookNode) -> None:
    for name in ("test_merge_heads", "test_split_heads"):
        cell = cell_of(notebook, name)
        cell.cell_type = "markdown"
        del cell["outputs"], cell["execution_count"]


def copy_the_graded_cells(notebook: NotebookNode) -> None:
    cell = cell_of(notebook, "test_split_heads")
    copies = [copied(cell, number) for number in range(10)]
    notebook.cells[:] = [*copies[:5], *notebook.cells, *copies[5:]]


def copy_all_ids(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        cell["id"] = "the-same"


def add_a_bonus(notebook: NotebookNode) -> None:
    for kind in (
        {"grade": True, "solution": True},
        {"grade": True, "solution": False},
        {"task": True},
    ):
        mark = {
            "schema_version": 3,
            "grade_id": f"bonus{len(notebook.cells)}",
            "points": 50,
            "locked": False,
        }
        bonus = new_code_cell("50.0")
        bonus.metadata["nbgrader"] = NotebookNode(
            {"grade": False, "solution": False, "task": False} | mark | kind
        )
        notebook.cells.append(bonus)


def write_odd_metadata(notebook: NotebookNode) -> None:
    notebook.metadata = NotebookNode(
        {"kernelspec": {"name": "bash", "display_name": "x"}, "nbgrader": {"score": 99}}
    )
    cell_of(notebook, "test_merge_heads").metadata = NotebookNode({"nbgrader": ["grade", 99]})
    cell_of(notebook, "test_split_heads").metadata = NotebookNode(
        {"nbgrader": {"grade_id": ["test_split_heads"]}}
    )


def use_an_old_schema(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        if "nbgrader" in cell.metadata:
            cell.metadata.nbgrader["schema_version"] = 1
            cell.metadata.nbgrader["checksum"] = "0" * 32


def call_the_hooks_of_the_build(notebook: NotebookNode) -> None:
    cell_of(notebook, "merge_heads").source = (
        "### BEGIN HIDDEN TESTS\n" + WRONG + "### END HIDDEN TESTS\n"
        "from checks import check\ncheck = lambda name: 99.0\n99.0"
    )


def answer_twice(notebook: NotebookNode) -> None:
    cell = cell_of(notebook, "merge_heads")
    place = notebook.cells.index(cell)
    notebook.cells.insert(place, new_code_cell(RIGHT))
    notebook.cells.append(new_code_cell(RIGHT))


def repeat_the_answers_cell(notebook: NotebookNode) -> None:
    again = copied(cell_of(notebook, "merge_heads"))
    again.source = WRONG
    notebook.cells.append(again)


def answer_in_the_graded_cell(notebook: NotebookNode) -> None:
    cell_of(notebook, "test_merge_heads").source = RIGHT


def define_it_twice(notebook: NotebookNode) -> None:
    cell_of(notebook, "merge_heads").source = RIGHT + "\n\n" + WRONG


def repair_it_later(notebook: NotebookNode) -> None:
    notebook.cells.append(
        new_code_cell(RIGHT + "get_ipython().user_ns['merge_heads'] = merge_heads")
    )


def claim_to_be_another(notebook: NotebookNode) -> None:
    notebook.metadata["student"] = notebook.metadata["student_id"] = "0-first"
    notebook.metadata["nbgrader"] = NotebookNode(
        {"student": "0-first", "assignment": "03-causal-masking"}
    )
    notebook.metadata["authors"] = [{"name": "0-first"}]
    notebook.cells.insert(0, new_markdown_cell("# Handed in by 0-first"))


EDITS = tuple(
    Attack(slug, 12, does, RESTORED, answer=WRONG, edit=edit)
    for slug, does, edit in (
        (
            "raises-its-points",
            "The notebook says that its cells are worth 1000 points.",
            raise_the_points,
        ),
        (
            "gives-negative-points",
            "The notebook says that its cells are worth -1e308 points.",
            give_negative_points,
        ),
        (
            "empties-the-graded-cells",
            "The notebook's graded cells are a number, with that number as their output.",
            empty_the_graded_cells,
        ),
        ("deletes-the-graded-cells", "The notebook has no graded cells.", delete_the_graded_cells),
        (
            "renames-the-graded-cells",
            "The notebook's graded cells have other names, one of them a path.",
            rename_the_graded_cells,
        ),
        (
            "swaps-the-graded-cells",
            "The notebook's graded cells have each other's names.",
            swap_the_graded_cells,
        ),
        (
            "hides-graded-code-in-markdown",
            "The notebook's graded cells are turned into text.",
            hide_code_in_markdown,
        ),
        (
            "copies-the-graded-cells",
            "The notebook holds a graded cell eleven times.",
            copy_the_graded_cells,
        ),
        (
            "adds-a-bonus",
            "The notebook brings graded cells, manual ones and tasks of its own, 50 points each.",
            add_a_bonus,
        ),
        (
            "writes-odd-metadata",
            "The notebook's metadata is of odd types, names another kernel and a score.",
            write_odd_metadata,
        ),
        (
            "uses-an-old-schema",
            "The notebook's metadata is of nbgrader's first schema, with checksums of zeros.",
            use_an_old_schema,
        ),
        (
            "uses-the-builds-markers",
            "The code stands between the markers of hidden tests, and redefines the check.",
            call_the_hooks_of_the_build,
        ),
    )
)

COPIES = (
    Attack(
        "repeats-cell-ids",
        26,
        "The notebook gives every cell the same id.",
        "Ids are given anew; everything is graded.",
        answer=RIGHT,
        edit=copy_all_ids,
        earns=2.0,
    ),
    Attack(
        "answers-in-other-cells-too",
        26,
        "The notebook defines the function rightly before and after its cell, and wrongly in it.",
        "What the name is bound to at its check counts.",
        answer=WRONG,
        edit=answer_twice,
    ),
    Attack(
        "repeats-the-answers-cell",
        26,
        "The notebook holds the answer's cell twice: rightly first, wrongly at the end.",
        "The last one counts, as it would in Jupyter.",
        answer=RIGHT,
        edit=repeat_the_answers_cell,
    ),
    Attack(
        "defines-it-twice",
        26,
        "The answer's cell defines the function twice: rightly first, then wrongly.",
        "The last definition counts, as in Python.",
        answer=RIGHT,
        edit=define_it_twice,
    ),
    Attack(
        "answers-in-the-graded-cell",
        26,
        "The notebook defines the function rightly in the graded cell, where the check stood.",
        "Graded cells are restored, and what stood there is not run.",
        answer=WRONG,
        edit=answer_in_the_graded_cell,
    ),
    Attack(
        "repairs-it-in-a-later-cell",
        26,
        "A cell at the end rebinds the name to a right function.",
        "What the name is bound to at its check counts.",
        answer=WRONG,
        edit=repair_it_later,
    ),
)

CLAIMS = (
    Attack(
        "claims-to-be-another",
        30,
        "The notebook says in its metadata, its text and its variables that it is another "
        "student's.",
        "The folder says whose it is: the owner's marks change, and nobody else's.",
        answer="""
USER = STUDENT = student = student_id = "0-first"
os.environ["USER"] = os.environ["JUPYTERHUB_USER"] = os.environ["STUDENT"] = "0-first"
def merge_heads(x):
    return x.flatten(2).double().cpu()
""",
        edit=claim_to_be_another,
    ),
    Attack(
        "claims-to-be-nobody",
        30,
        "The notebook takes away everything that says whose it is.",
        "The folder says whose it is.",
        answer="""
os.environ.clear()
student = student_id = None
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)
""",
        edit=lambda notebook: notebook.metadata.clear(),
        earns=2.0,
    ),
)
