"""References are changed by one slip at a time, in what students write and nowhere else."""

from pathlib import Path

import pytest

from autograder.course import load_course
from autograder.proof.equivalents import equivalents
from autograder.proof.mutants import mutants

SMALL = '''\
def mix(q: int, k: int, dim: int = -1) -> int:
    """Mix q + k."""
    ### BEGIN SOLUTION
    if q > 1:
        raise ValueError(f"{q + k}")
    scores = q.mT @ -k  # q - k
    return scores.softmax(dim=dim)[:q]
    ### END SOLUTION
'''
OF_SMALL = {
    "def mix(q: int, k: int, dim: int = -1) -> int:": [
        "def mix(q: int, k: int, dim: int = 0) -> int:",
        "def mix(q: int, k: int, dim: int = -2) -> int:",
        "def mix(q: int, k: int, dim: int = 1) -> int:",
    ],
    "if q > 1:": [
        "if True:",
        "if k > 1:",
        "if q >= 1:",
        "if q < 1:",
        "if q > 2:",
        "if q > 0:",
        "if q > -1:",
    ],
    'raise ValueError(f"{q + k}")': ["pass"],
    "scores = q.mT @ -k": [
        "pass",
        "scores = q.mT * -k",
        "scores = -k @ q.mT",
        "scores = q.mT",
        "scores = -k",
        "scores = q @ -k",
        "scores = k.mT @ -k",
        "scores = q.mT @ k",
        "scores = q.mT @ -q",
    ],
    "return scores.softmax(dim=dim)[:q]": [
        "pass",
        "return scores.softmax()[:q]",
        "return scores[:q]",
        "return scores.log_softmax(dim=dim)[:q]",
        "return scores.sigmoid(dim=dim)[:q]",
        "return scores.softmax(dim=dim)[:]",
        "return scores.softmax(dim=dim)[:q + 1]",
        "return scores.softmax(dim=dim)[:q - 1]",
        "return scores.softmax(dim=dim)[:k]",
    ],
}
FAMILIES = (("q", "k", "v"), ("w_q", "w_k", "w_v", "w_o"))
CELL = """\
def f(x, w_q, w_k, mask=None):
    ### BEGIN SOLUTION
    {line}
    ### END SOLUTION
"""


def test_the_mutants_of_a_small_function_are_these_in_this_order() -> None:
    made = mutants(SMALL, FAMILIES)
    assert [(one.line, one.becomes) for one in made] == [
        (line, becomes) for line, others in OF_SMALL.items() for becomes in others
    ]
    assert str(made[3]) == "line 4: `if q > 1:` -> `if True:`"
    lines = SMALL.splitlines()
    for one in made:
        changed = one.source.splitlines()
        assert [
            n
            for n, pair in enumerate(zip(lines, changed, strict=True), start=1)
            if pair[0] != pair[1]
        ] == [one.place]


def becomes(line: str) -> set[str]:
    return {one.becomes for one in mutants(CELL.format(line=line), FAMILIES)}


@pytest.mark.parametrize(
    ("line", "some"),
    [
        ("linear(x, w_q, bias=mask)", ["linear(x, w_q)", "linear(w_q, x, bias=mask)"]),
        ("linear(x, w_q)", ["linear(x)", "linear(x, w_k)"]),
        ("x.transpose(1, 2).flatten(2)", ["x.flatten(2)", "x.transpose(1, 2)"]),
        ("x.tril()", ["x.triu()", "x.tril(1)", "x.tril(-1)", "x"]),
        ("x[:, None]", ["x[None, :]"]),
        ("x[:, 1:3]", ["x[:, 1:]", "x[:, :3]", "x[:, 2:3]"]),
        ("not mask and x", ["mask and x", "not mask or x", "x"]),
        ("w_q, w_k", ["w_k, w_q", "w_q, w_q"]),
        ("x if mask else w_q", ["x", "w_q"]),
        ("x.sum(keepdim=True)", ["x.sum(keepdim=False)", "x.mean(keepdim=True)", "x.sum()"]),
        ("[x, w_q]", ["[w_q, x]", "[x]", "[w_q]"]),
        ("0.5 * (x + 2)", ["0.6 * (x + 2)", "0.5 / (x + 2)", "0.5 * (x - 2)", "0.5 * (x)"]),
        ("x * -torch.inf", ["x * -200.0", "x * -1e4"]),
        ("x * math.inf", ["x * 200.0", "x * 1e4"]),
        ('x * float("-inf")', ["x * -200.0", "x * -1e4"]),
        ("x * torch.finfo(x.dtype).min", ["x * -200.0", "x * -1e4"]),
        ("x * torch.finfo(x.dtype).max", ["x * 200.0", "x * 1e4"]),
        ("0.01 * x", ["0.02 * x", "0.005 * x", "0 * x"]),
    ],
)
def test_each_kind_of_slip_is_made(line: str, some: list[str]) -> None:
    assert {f"return {one}" for one in some} <= becomes(f"return {line}")


def test_what_stands_in_a_with_is_tried_without_it() -> None:
    cell = CELL.format(line="with quiet():\n        return x")
    assert "if True:" in {one.becomes for one in mutants(cell)}


def test_only_an_infinity_becomes_a_large_number() -> None:
    for line in ('float("1")', "x.max", "torch.iinfo(x.dtype).min", "torch.finfo(x.dtype).eps"):
        assert not {one for one in becomes(f"return {line}") if "200.0" in one}


def test_what_says_the_same_is_no_mutant() -> None:
    assert "return x.transpose(2, 1)" not in becomes("return x.transpose(1, 2)")
    assert "return x[:, --1]" not in becomes("return x[:, -1]")
    assert "return x[:, -0]" not in becomes("return x[:, -1]")
    made = [one.becomes for one in mutants(CELL.format(line="return 0 * -1 + x"))]
    assert len(made) == len(set(made))


def test_every_equivalent_is_of_an_exercise_and_has_a_reason(course_root: Path) -> None:
    for assignment in load_course(course_root).assignments.values():
        exercises = {exercise.name for exercise in assignment.exercises}
        for one in equivalents(course_root, assignment.name).values():
            assert one.exercise in exercises
            assert len(one.reason.split()) > 4, one


def test_every_file_of_equivalents_is_of_an_assignment(course_root: Path) -> None:
    modules = {assignment.module for assignment in load_course(course_root).assignments.values()}
    files = course_root.glob("graders/*/equivalents.toml")
    assert {path.parent.name for path in files} <= modules
