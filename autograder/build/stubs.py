"""What a student finds where a solution stood: our form of nbgrader's ClearSolutions."""

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions
from nbgrader.utils import is_solution

from autograder.course.written import UNANSWERED

NOT_WRITTEN = """\
# YOUR CODE HERE
raise NotImplementedError("{name} is not written yet: replace this line, run the cell, then run \
the check below it.")"""


def give_stub(cell: NotebookNode, stub: str) -> NotebookNode:
    """Say what takes the place of the cell's solution, where the usual stub does not fit."""
    cell.metadata["autograder"] = {"stub": stub}
    return cell


def give_whole(cell: NotebookNode, source: str) -> NotebookNode:
    """Say what students find in the cell, all of it: something to repair, not something to fill."""
    cell.metadata["autograder"] = {"whole": source}
    return cell


class ExerciseStubs(ClearSolutions):
    """Clears solutions as nbgrader does; the stub names its exercise, or is the cell's own."""

    code_stub: dict[str, str]  # by language, as in nbgrader
    text_stub: str

    def preprocess_cell(
        self, cell: NotebookNode, resources: ResourcesDict, cell_index: int
    ) -> tuple[NotebookNode, ResourcesDict]:
        """Choose the cell's stub, and let nbgrader put it in each of its solution regions."""
        own = cell.metadata.pop("autograder", {})
        if "whole" in own:
            cell.source = own["whole"]
            return cell, resources
        self.text_stub = UNANSWERED
        if is_solution(cell):
            named = NOT_WRITTEN.format(name=cell.metadata.nbgrader["grade_id"])
            self.code_stub = self.code_stub | {"python": own.get("stub", named)}
        return super().preprocess_cell(cell, resources, cell_index)
