"""Verdicts and notebooks to render: one for every way an exercise can end."""

from collections.abc import Mapping
from typing import Any

import nbformat.v4 as v4
import numpy as np
from nbformat import NotebookNode

from autograder.checks.kit.chart import Chart
from autograder.course.reveal import Reveal
from autograder.feedback import marks_of, render_exercise
from autograder.feedback.cell_marks import output_metadata
from autograder.verdicts.verdict import ExerciseVerdict, TestResult
from checks.weights import AttentionMap

HOSTILE = (
    '"><script>alert(1)</script>`<img src=x onerror=alert(2)>` $\\alpha$ \u202eesrever\u2066 '
    "\x1b[31mred\x1b[0m \ud800 {{ 7 * 7 }} מָסֵכָה 注意力 Z" + "\u0335" * 60
)


HEATMAP = AttentionMap(
    "attention_weights(scores)",
    ("The", "cat", "sat", "down"),
    ("The", "cat", "sat", "down", "."),
    row_sums=True,
)


def picture(values: Any) -> Chart:
    return HEATMAP.chart(np.asarray(values, dtype=float))


def hostile_picture() -> Chart:
    names = (HOSTILE, HOSTILE * 9)
    return Chart(
        HOSTILE,
        HOSTILE * 9,
        texts=((HOSTILE, "0.50"), ("nan", HOSTILE)),
        shades=((0.5, 1.0), (None, 0.0)),
        rows=names,
        columns=names,
        rows_are=HOSTILE,
        columns_are=HOSTILE,
        sums=names,
    )


def weights(axis: int) -> Chart:
    scores = np.array(
        [[1.0, 2, 0, -1, 0.5], [0, 1, 3, 0.2, -2], [2, 2, 0, 1, 1.5], [-1, 0, 0, 2, 4]]
    )
    powers = np.exp(scores)
    return picture(powers / powers.sum(axis=axis, keepdims=True))


def result(claim: str, outcome: Any = "passed", points: float = 0.5, **more: Any) -> TestResult:
    name = more.pop("name", claim.lower().replace(" ", "_"))
    return TestResult(name, claim, outcome, points, more.pop("device", "cpu"), **more)


CLAIMS = (
    "Each query's weights add up to 1.",
    "Any number of leading dimensions works.",
    "Scores of 10,000 give finite weights.",
    "The input stays as it was.",
)
FUSED = (
    "Outputs match the reference in float32, bfloat16 and float16.",
    "Gradients match the reference.",
    "One matrix product makes queries, keys and values.",
)


def _all(outcome: Any, claims: tuple[str, ...] = CLAIMS, **more: Any) -> tuple[TestResult, ...]:
    return tuple(result(claim, outcome, **more) for claim in claims)


def _gpu(outcome: Any, points: float = 1.0) -> tuple[TestResult, ...]:
    return tuple(result(claim, outcome, points, device="cuda") for claim in FUSED)


VERDICTS: Mapping[str, ExerciseVerdict] = {
    "perfect": ExerciseVerdict("attention_weights", 2, _all("passed"), picture=weights(1)),
    "partial": ExerciseVerdict(
        "softmax",
        2,
        (
            *_all("passed", CLAIMS[:2]),
            result(CLAIMS[2], "failed", symptom="`softmax` gave NaN where the input was large"),
            result(CLAIMS[3]),
        ),
        message="Your softmax takes the exponential of scores as they are: large ones overflow.",
        hint="What does softmax give if you take the same number away from every score?",
        misconceptions=("no-maximum-subtracted",),
    ),
    "misconception": ExerciseVerdict(
        "attention_weights",
        2,
        (
            result(CLAIMS[0], "failed", symptom="the weights add up to 1 along another axis"),
            result(
                CLAIMS[1], "failed", symptom="its values are off by more than rounding explains"
            ),
            *_all(
                "failed", CLAIMS[2:3], symptom="its values are off by more than rounding explains"
            ),
            result(CLAIMS[3]),
        ),
        message="Your rows sum to 1 down the columns: the softmax runs over the queries.",
        hint="Each query shares out its attention among the keys. Which axis lists the keys?",
        misconceptions=("softmax-over-queries",),
        picture=weights(0),
    ),
    "not to be drawn": ExerciseVerdict(
        "attention_weights", 2, _all("failed"), picture=picture(np.zeros((2, 3, 4)))
    ),
    "pending": ExerciseVerdict(
        "FusedMultiHeadAttention", 6, (*_all("passed", FUSED, points=1.0), *_gpu("pending"))
    ),
    "gpu failed": ExerciseVerdict(
        "FusedMultiHeadAttention",
        6,
        (
            *_all("passed", FUSED, points=1.0),
            *_gpu("passed")[:2],
            result(FUSED[2], "failed", 1.0, device="cuda", symptom="a tensor was made on the CPU"),
        ),
    ),
    "only gpu": ExerciseVerdict(
        "fused_kernel", 1, (result("The fused kernel ran.", "pending", 1.0),)
    ),
    "absent": ExerciseVerdict(
        "triton_attention",
        2,
        _all("pending", symptom="Triton is not installed where this was graded."),
    ),
    "timeout": ExerciseVerdict("causal_mask", 2, _all("failed"), reason="timeout"),
    "crashed": ExerciseVerdict(
        "split_heads",
        2,
        (*_all("passed", CLAIMS[:1]), *_all("failed", CLAIMS[1:])),
        reason="crashed",
        detail="signal 11",
    ),
    "out of memory": ExerciseVerdict("merge_heads", 2, _all("failed"), reason="out_of_memory"),
    "untouched": ExerciseVerdict(
        "scaled_scores", 2, _all("failed", symptom="your code raised NotImplementedError")
    ),
    "bonus": ExerciseVerdict("kernel", 2, _all("passed"), bonus=True),
    "bonus in part": ExerciseVerdict(
        "kernel",
        2,
        (
            *_all("passed", CLAIMS[:1]),
            result(CLAIMS[1], "failed", symptom="its values are off"),
            result(CLAIMS[2], "pending", 1.0, device="cuda"),
        ),
        bonus=True,
    ),
    "bonus left out": ExerciseVerdict(
        "kernel",
        2,
        (
            *_all("failed", CLAIMS[:2], symptom="your code raised NotImplementedError"),
            result(CLAIMS[2], "pending", 1.0, device="cuda"),
        ),
        bonus=True,
    ),
    "syntax error": ExerciseVerdict(
        "causal_mask",
        2,
        _all("failed", symptom="the name is not bound when its cell has run"),
        error="SyntaxError: '(' was never closed (line 2)",
    ),
    "grader fault": ExerciseVerdict(
        "padding_mask",
        2,
        (*_all("passed", CLAIMS[:3]), result(CLAIMS[3], "error")),
        reason="grader_error",
        detail="KeyError: 'x'",
    ),
    "quiz right": ExerciseVerdict("q1", 1, (result("The answer is right.", points=1.0),)),
    "quiz wrong": ExerciseVerdict(
        "q2",
        1,
        (result("The answer is right.", "failed", 1.0),),
        message="B is the spread of one product. A dot product adds up `d_k` of them, "
        "so its spread grows with the square root of d_k.",
        misconceptions=("one-term-spread",),
    ),
    "another id": ExerciseVerdict(
        "k2",
        1,
        (TestResult("answer", "The answer to question k2.", "pending", 1.0, "person"),),
        reason="another_id",
        detail='the notebook says student_id = "bob"; the answer fits that id\'s numbers',
        answered="(2, 3)",
    ),
    "hostile": ExerciseVerdict(
        "x" * 300,
        2,
        (result(HOSTILE, "failed", name="hostile", symptom=HOSTILE * 40),),
        reason="crashed",
        detail=HOSTILE * 20,
        message=HOSTILE,
        hint=HOSTILE * 90,
        printed=HOSTILE * 5000,
        error="ValueError: " + HOSTILE,
        picture=hostile_picture(),
    ),
}

EVERYTHING = Reveal(printed=True)


def notebook(cells: list[NotebookNode]) -> NotebookNode:
    book = v4.new_notebook(cells=cells)
    book.metadata["language_info"] = {"name": "python"}
    return book


def graded(verdict: ExerciseVerdict, reveal: Reveal) -> list[NotebookNode]:
    """The solution cell and the graded cell of an exercise, as the autograded notebook has them."""
    name = verdict.exercise
    cell_id = "".join(letter for letter in name if letter.isalnum() or letter == "_")
    solution = v4.new_code_cell(f"def {name}(scores):\n    return scores.softmax(0)  # <b>over</b>")
    solution.metadata["nbgrader"] = {
        "grade": False,
        "solution": True,
        "locked": False,
        "grade_id": cell_id,
        "schema_version": 3,
    }
    test = v4.new_code_cell(f'from checks import check\n\ncheck("{name}")')
    test.metadata["nbgrader"] = {
        "grade": True,
        "solution": False,
        "locked": True,
        "grade_id": f"test_{cell_id}",
        "schema_version": 3,
        "points": 0.0 if verdict.bonus else verdict.max_points,
        "score": verdict.score,
    }
    html = render_exercise(verdict, reveal=reveal)
    data = {"text/plain": str(verdict.score), "text/html": html}
    metadata = output_metadata(marks_of(verdict, reveal))
    test.outputs = [v4.new_output("execute_result", data, execution_count=1, metadata=metadata)]
    return [solution, test]
