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
