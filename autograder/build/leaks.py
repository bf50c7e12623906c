"""Search a release, by content, for what students must not see.

Secret are: the statements of every reference solution, the quiz's keys and reasons,
the sentences of rubrics, and the names and statements of the hidden tests. A file is searched
whatever its name is, and so is what it holds encoded. There are two exceptions. A prediction's key
and reasons may stand there encoded, and in plain text no more than any other. And a notebook's text
may show the form of an answer by the example that the visible check shows for every key alike.
"""

import ast
import base64
import json
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from autograder.build.quiz_secrets import quiz_secrets
from autograder.build.references import named_objects, parse_module, solution_lines
from autograder.build.secret import Secret, count_tokens, place_of, squeeze
from autograder.course import Course
from autograder.course.data_files import files_under
from autograder.course.layout import broken_file, grader_files, quiz_file, written_file
from autograder.course.written import read_written

# A statement with fewer tokens is anyone's: `self.width = width`. Visible checks and hidden
# tests read alike, so that only their longer statements, such as comparisons, tell them apart.
SOLUTION_TOKENS, TEST_TOKENS = 8, 16
RUBRIC_WORDS = 6  # a rubric's sentence with fewer could stand anywhere
SIGNS = {
    "a marker of nbgrader's": re.compile("BEGIN SOLUTION|BEGIN HIDDEN TESTS"),
    "an import of the private project": re.compile(
        r"^\s*(from|import)\s+(autograder|solutions|graders)\b", re.MULTILINE
    ),
}
# `for instance q1 = "A"`: what stands there whatever the key is tells nothing of it.
SHOWN = r"`?[qk]\d+ = (?:\"A\"|\[\"A\", \"B\"\]|0\.5|\(2, 3\))(?![\w\"'])`?"
EXAMPLE = re.compile(
    rf"(?:for instance|for example|such as|as in|e\.g\.)[,:]?\s+{SHOWN}(?:,?\s+or\s+{SHOWN})*"
)
ENCODED = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")
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


def find_secrets(release_dir: Path, course: Course) -> list[Leak]:
    """Every secret of the course that a file under the release's folder holds."""
    plain, encoded = list(_secrets(course, {})), list(_secrets(course, exceptions(course)))
    leaks = []
    for path in files_under(release_dir):
        file, text = path.relative_to(release_dir).as_posix(), _text(path)
        leaks += [Leak(file, what) for what in _found(plain, text)]
        leaks += [Leak(file, what) for what in _found(encoded, _decoded(text))]
    return list(dict.fromkeys(leaks))


def exceptions(course: Course) -> dict[str, tuple[str, ...]]:
    """What may stand in a release encoded: by assignment, its predictions' keys and reasons."""
    return {name: course.assignment(name).predictions for name in course.sources}


def _found(secrets: list[Secret], text: str) -> Iterator[str]:
    squeezed = squeeze(text)
    return (secret.what for secret in secrets if secret.is_in(text, squeezed))


def _decoded(text: str) -> str:
    """What is encoded in a text."""
    found = []
    for encoded in ENCODED.findall(text):
        with suppress(ValueError):
            found.append(base64.b64decode(encoded).decode("utf-8"))
    return "\n".join(found)


def _secrets(course: Course, told: Mapping[str, Collection[str]]) -> Iterator[Secret]:
    for what, sign in SIGNS.items():
        yield Secret(what, pattern=sign)
    for name in course.sources:
        root, broken = course.root, broken_file(course.root, name)
        for path in sorted(broken.parent.glob("*.py")):
            if path != broken:
                yield from _solution_secrets(root, path, broken)
        if (written := written_file(root, name)).is_file():
            yield from _rubric_secrets(root, written)
        if (quiz := quiz_file(root, name)).is_file():
            yield from quiz_secrets(root, quiz, told.get(name, ()))
        yield from _hidden_secrets(root, name)


@cache
def _hidden_secrets(root: Path, name: str) -> tuple[Secret, ...]:
    """What the hidden tests hold; they stay as they are while this runs."""
    files = grader_files(root, name)
    return tuple(secret for path in files for secret in _test_secrets(root, path))


def _solution_secrets(root: Path, path: Path, broken: Path) -> Iterator[Secret]:
    text, tree = parse_module(path)
    lines, secret_lines = _lines(text), solution_lines(text, str(path))
    given, place = _statements_given(broken), place_of(root, path)
    for top in tree.body:
        shown = given.get(getattr(top, "name", ""), set())
        for node in ast.walk(top):
            if not isinstance(node, Simple) or node.lineno not in secret_lines:
                continue
            if not _reads_shape(node) and ast.unparse(node) not in shown:
                where = f"a line of the solution, {place} line {node.lineno}"
                yield from _statement_secrets(lines, _answer(node), SOLUTION_TOKENS, where)


def _statements_given(broken: Path) -> dict[str, set[str]]:
    """What a repair exercise shows of each object: the lines in it that are not broken."""
    if not broken.is_file():
        return {}
    return {
        name: {ast.unparse(node) for node in ast.walk(top) if isinstance(node, Simple)}
        for name, top in named_objects(parse_module(broken)[1]).items()
    }


def _rubric_secrets(root: Path, path: Path) -> Iterator[Secret]:
    for question in read_written(path).values():
        for sentence in re.split(r"[.:;?!]\s|\n\s*\n|\n\s*[-*#\d]", question.rubric):
            if len(sentence.split()) >= RUBRIC_WORDS:
                what = f"the rubric of {question.name}, from {place_of(root, path)}"
                yield Secret(what, squeezed=squeeze(sentence))


def _test_secrets(root: Path, path: Path) -> Iterator[Secret]:
    text, tree = parse_module(path)
    lines, place = _lines(text), place_of(root, path)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            what = f"the name of the hidden test {node.name}, from {place}"
            name = re.compile(rf"\b{node.name}\b")
            yield Secret(what, squeezed=node.name, pattern=name)
        if isinstance(node, Simple):
            where = f"a line of the hidden tests, {place} line {node.lineno}"
            yield from _statement_secrets(lines, node, TEST_TOKENS, where)


def _lines(text: str) -> list[bytes]:
    """Lines as the syntax tree counts them, whose columns are bytes."""
    return text.encode().splitlines(keepends=True)


def _statement_secrets(
    lines: list[bytes], node: ast.expr | Simple, least: int, what: str
) -> Iterator[Secret]:
    """The statement as it was written, and as a formatter might write it."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring: what was checked, in words, is no secret
    plain = ast.unparse(node)
    if count_tokens(plain) >= least:
        for form in {squeeze(_written(lines, node)), squeeze(plain)}:
            yield Secret(what, squeezed=form)


def _written(lines: list[bytes], node: ast.expr | Simple) -> str:
    """A node's own text; ast.get_source_segment splits the whole file anew for every node."""
    assert node.end_lineno is not None
    first, *between = lines[node.lineno - 1 : node.end_lineno]
    if not between:
        return first[node.col_offset : node.end_col_offset].decode()
    *between, last = between
    parts = (first[node.col_offset :], *between, last[: node.end_col_offset])
    return b"".join(parts).decode()


def _answer(node: Simple) -> ast.expr | Simple:
    """The part that counts whatever the student calls the result."""
    if isinstance(node, ast.Return) and node.value is not None:
        return node.value
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.value
    return node


def _reads_shape(node: Simple) -> bool:
    """Whether it is `rows, columns = x.shape`, which says nothing."""
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "shape"
    )


def _text(path: Path) -> str:
    """All text of a file; a notebook's strings, which JSON escapes, once more in plain form."""
    raw = path.read_bytes().decode("utf-8", errors="replace")
    try:
        plain = _strings(_without_examples(json.loads(raw))) if path.suffix == ".ipynb" else ()
    except ValueError:  # a broken notebook is searched as it is
        plain = ()
    return "\n".join([raw, *plain])


def _without_examples(notebook: Any) -> Any:
    """A notebook whose Markdown cells say nothing more of the form of answers."""
    cells = notebook.get("cells", []) if isinstance(notebook, dict) else []
    for cell in cells:
        if cell.get("cell_type") == "markdown":
            cell["source"] = EXAMPLE.sub("", "".join(cell["source"]))
    return notebook


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
