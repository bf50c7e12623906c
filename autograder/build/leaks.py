"""Search a release, by content, for what students must not see.

Secret are: the statements of every reference solution, the quiz keys and the reasons for options,
and the names and statements of the hidden tests. A file is searched whatever its name is.
"""

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.build.companions import KIT
from autograder.build.references import parse_module, solution_lines
from autograder.build.released_files import files_under
from autograder.course import Course
from autograder.course.quiz import read_quiz

# A statement with fewer tokens is anyone's: `self.num_heads = num_heads`. Visible checks and hidden
# tests read alike, so that only their longer statements, such as comparisons, tell them apart.
SOLUTION_TOKENS, TEST_TOKENS = 8, 16
SIGNS = {
    "a marker of nbgrader's": re.compile("BEGIN SOLUTION|BEGIN HIDDEN TESTS"),
    "an import of the private project": re.compile(
        r"^\s*(from|import)\s+(autograder|solutions)\b", re.MULTILINE
    ),
}
Simple = ast.Return | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr | ast.Assert


@dataclass(frozen=True)
class Leak:
    """A secret that a file of the release holds.

    Attributes:
        file: path from the release's folder.
        secret: what it is, and where it comes from; names the place, not the secret itself.
    """

    file: str
    secret: str

    def __str__(self) -> str:
        return f"{self.file} holds {self.secret}"


@dataclass(frozen=True)
class _Secret:
    """A text or a pattern to look for, and what to call it."""

    what: str
    squeezed: str = ""  # found in text without white space
    pattern: re.Pattern[str] | None = None  # found in text as it stands

    def is_in(self, text: str, squeezed: str) -> bool:
        if self.pattern is not None:
            return self.pattern.search(text) is not None
        return self.squeezed in squeezed


def find_secrets(release_dir: Path, course: Course) -> list[Leak]:
    """Every secret of the course that a file under the release's folder holds."""
    secrets = list(_secrets(course))
    leaks = []
    for path in files_under(release_dir):
        file, text = path.relative_to(release_dir).as_posix(), _text(path)
        squeezed = _squeeze(text)
        leaks += [Leak(file, secret.what) for secret in secrets if secret.is_in(text, squeezed)]
    return list(dict.fromkeys(leaks))


def _secrets(course: Course) -> Iterator[_Secret]:
    for what, sign in SIGNS.items():
        yield _Secret(what, pattern=sign)
    solutions = course.root / "solutions"
    for path in sorted(solutions.glob("*.py")):
        yield from _solution_secrets(path)
    for path in sorted((solutions / "quiz").glob("*.toml")):
        yield from _quiz_secrets(path)
    for path in sorted((KIT / "hidden").glob("*.py")):
        yield from _test_secrets(path)


def _solution_secrets(path: Path) -> Iterator[_Secret]:
    text, tree = parse_module(path)
    secret_lines = solution_lines(text, str(path))
    for node in ast.walk(tree):
        if isinstance(node, Simple) and node.lineno in secret_lines and not _reads_shape(node):
            where = f"a line of the solution, {path.name} line {node.lineno}"
            yield from _statement_secrets(text, _answer(node), SOLUTION_TOKENS, where)


def _quiz_secrets(path: Path) -> Iterator[_Secret]:
    for question in read_quiz(path).values():
        name, key = re.escape(question.name), re.escape(question.key)
        given = re.compile(rf"""\b{name}\b["']?\s*(=|==|:)\s*["']{key}["']""")
        yield _Secret(f"the key of {question.name}, from {path.name}", pattern=given)
        for letter, option in question.options.items():
            what = f"the reason for option {letter} of {question.name}, from {path.name}"
            yield _Secret(what, squeezed=_squeeze(option.why))


def _test_secrets(path: Path) -> Iterator[_Secret]:
    text, tree = parse_module(path)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            what = f"the name of the hidden test {node.name}, from {path.name}"
            yield _Secret(what, pattern=re.compile(rf"\b{node.name}\b"))
        if isinstance(node, Simple):
            where = f"a line of the hidden tests, {path.name} line {node.lineno}"
            yield from _statement_secrets(text, node, TEST_TOKENS, where)


def _statement_secrets(text: str, node: ast.AST, least: int, what: str) -> Iterator[_Secret]:
    """The statement as it was written, and as a formatter might write it."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring: what was checked, in words, is no secret
    plain = ast.unparse(node)
    if _count_tokens(plain) >= least:
        written = ast.get_source_segment(text, node) or plain
        for form in {_squeeze(written), _squeeze(plain)}:
            yield _Secret(what, squeezed=form)


def _answer(node: Simple) -> ast.AST:
    """The part that counts whatever the student calls the result."""
    if isinstance(node, ast.Return) and node.value is not None:
        return node.value
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.value
    return node


def _reads_shape(node: Simple) -> bool:
    """Whether it is `batch, seq, d_model = x.shape`, which says nothing."""
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "shape"
    )


def _count_tokens(code: str) -> int:
    unseen = {tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER, tokenize.COMMENT}
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return sum(token.type not in unseen for token in tokens)


def _squeeze(text: str) -> str:
    """Text without white space and with one kind of quote, so that layout hides nothing."""
    return "".join(text.split()).replace("'", '"')


def _text(path: Path) -> str:
    """All text of a file; a notebook's strings, which JSON escapes, once more in plain form."""
    raw = path.read_bytes().decode("utf-8", errors="replace")
    try:
        plain = _strings(json.loads(raw)) if path.suffix == ".ipynb" else ()
    except ValueError:  # a broken notebook is searched as it is
        plain = ()
    return "\n".join([raw, *plain])


def _strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value; a list of lines, as notebooks keep text, is one string."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and all(isinstance(line, str) for line in value):
        yield "".join(value)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _strings(item)
