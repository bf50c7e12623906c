"""Why an exercise could not be checked to the end, said kindly."""

from dataclasses import dataclass
from typing import Literal

Mood = Literal["full", "part", "none", "waiting", "untried"]


@dataclass(frozen=True)
class Reason:
    """What to tell about one reason code.

    Attributes:
        state: a few words for the heading.
        sentence: what happened.
        advice: what to do next.
        mood: how the heading looks.
        tells_detail: whether the verdict's detail is for the student; a grader's own fault is not,
            since its text may hold hidden values.
    """

    state: str
    sentence: str
    advice: str
    mood: Mood = "none"
    tells_detail: bool = True


OURS = Reason(
    "Waits for your instructor",
    "What you handed in is here, but grading it failed. That is our mistake, not yours, and you "
    "lose nothing by it.",
    "You need do nothing: your instructor lets it be graded again.",
    mood="waiting",
    tells_detail=False,
)

REASONS = {
    "timeout": Reason(
        "Ran out of time",
        "Your code was still running after the time limit, so it was stopped.",
        "Look for a loop that never ends, or for Python loops where one matrix product would do.",
    ),
    "out_of_memory": Reason(
        "Ran out of memory",
        "Your code asked for more memory than the limit allows, so it was stopped.",
        "Look for a tensor that is far larger than its inputs, or for a list that keeps growing.",
    ),
    "crashed": Reason(
        "Stopped early",
        "Python itself stopped while your code was running, so the remaining checks got no answer.",
        "A call such as `exit()`, or a crash inside a compiled library, does this. "
        "Restart the kernel, run all cells from the top, and see which one ends the session.",
    ),
    "tried_to_start_a_process": Reason(
        "Tried to start a process",
        "Your code tried to start another process, which is not possible where it is graded.",
        "Leave out `subprocess`, `multiprocessing` and `num_workers`: the exercise needs no other "
        "process.",
    ),
    "protocol": Reason(
        "No readable answer",
        "Your code ran, but what came back could not be read as a plain value or tensor.",
        "Return ordinary tensors, arrays and numbers, and leave open files and sockets alone.",
    ),
    "missing_cell": Reason(
        "Cell missing",
        "The cell for this exercise is not in the notebook that you handed in.",
        "Copy your code into a fresh download of the notebook, and keep its cells where they are.",
    ),
    "bad_notebook": Reason(
        "Notebook not readable",
        "The file that you handed in could not be read as a notebook.",
        "Open it in Jupyter, save it, and hand it in again.",
    ),
    "missing_notebook": Reason(
        "No notebook",
        "There is no notebook of this assignment in what you handed in.",
        "Look where you saved your work, and hand in the notebook, whose name ends in `.ipynb`.",
    ),
    "wrong_assignment": Reason(
        "Another assignment's notebook",
        "The notebook that you handed in is that of another assignment.",
        "Nothing in it is lost. Hand in the notebook of this assignment here, and this one there.",
    ),
    "several_notebooks": Reason(
        "More than one notebook",
        "You handed in several notebooks with work in them, none of these under the assignment's "
        "name, and we do not guess which one is meant.",
        "Give the one that counts the assignment's name, and hand it in without the others.",
    ),
    "only_folder": Reason(
        "A folder within the folder",
        "The notebook that you handed in lies one folder too deep.",
        "Hand in the notebook itself, without a folder around it.",
    ),
    "wrong_ending": Reason(
        "Not named as a notebook",
        "The file's name goes on behind its ending: browsers and mail programs do that.",
        "Take off what stands behind `.ipynb`, open the file in Jupyter to see that all is there, "
        "and hand it in again.",
    ),
    "only_archive": Reason(
        "An archive, not a notebook",
        "You handed in an archive, which nobody unpacked.",
        "Unpack it, and hand in the notebook that is in it.",
    ),
    "only_pdf": Reason(
        "A page, not a notebook",
        "You handed in what a notebook looks like when it is printed or exported: nothing in it "
        "can be run.",
        "Hand in the notebook that you made it from, whose name ends in `.ipynb`.",
    ),
    "only_python": Reason(
        "A script, not a notebook",
        "You handed in a file of Python code: we look for your answers in the cells of the "
        "notebook.",
        "Hand in the notebook, whose name ends in `.ipynb`. If you worked in a script, copy each "
        "answer into its cell of a fresh download of the notebook.",
    ),
    "bad_name": Reason(
        "A folder that is no student's",
        "The folder that this lies in has a name that cannot be a student's id.",
        "Your instructor gives the folder its right name.",
        mood="waiting",
    ),
    "grader_crashed": OURS,
    "not_written": OURS,
    "not_attempted": Reason(
        "Not attempted yet",
        "The cell still holds the placeholder from the notebook.",
        "Start with the docstring: it gives the equation and the shapes.",
        mood="untried",
        tells_detail=False,
    ),
    "left_out": Reason(
        "A bonus, not tried",
        "This exercise is a bonus: it is optional, and you lose nothing by leaving it out.",
        "If you would like to try it, start with the docstring: it gives the equation and the "
        "shapes.",
        mood="untried",
        tells_detail=False,
    ),
    "another_id": Reason(
        "Waits for your instructor",
        "This question has numbers of one's own, and your notebook does not name the id under "
        "which it was handed in. Nothing is lost: your instructor looks at it.",
        "Next time, write your own id where the notebook says `student_id = ...`, run all cells, "
        "and answer with the numbers that the question then shows.",
        mood="waiting",
        tells_detail=False,
    ),
    "grader_error": Reason(
        "Waits for your instructor",
        "One of our checks broke. That is our mistake, not yours, and you lose nothing by it.",
        "Your instructor looks at your answer and gives the marks.",
        mood="waiting",
        tells_detail=False,
    ),
}

UNKNOWN = Reason(
    "Stopped early",
    "Something stopped your code before all checks were done.",
    "Restart the kernel and run all cells from the top. If all is well, tell your instructor.",
    tells_detail=False,
)

CELL_ERRORS = {
    "SyntaxError": "Python could not read this cell, so nothing in it ran.",
    "IndentationError": "Python could not read this cell, so nothing in it ran.",
    "NameError": "This cell uses a name that nothing above it defines.",
    "ImportError": "This cell imports something that is not available where it is graded.",
    "ModuleNotFoundError": "This cell imports something that is not available where it is graded.",
}

CELL_ERROR = "This cell raised an error when it ran."


def reason_of(code: str) -> Reason:
    """What to tell about a reason code; codes that we do not know get a general sentence."""
    return REASONS.get(code, UNKNOWN)


def cell_error_sentence(error: str) -> str:
    """What an error of the exercise's own cell means; `error` starts with the exception's name."""
    return CELL_ERRORS.get(error.split(":", 1)[0].strip(), CELL_ERROR)
