"""Changes a reference by one small slip at a time: what a grader must see, though nobody wrote it.

Each mutant is the reference with one change that `mutations` knows: an operator, a number, a dim,
a sign, an argument, a name, a statement. Only what students write is changed, and the defaults of
their parameters: no annotation, no docstring, no text of an error.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import cast

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from autograder.build.references import solution_lines
from autograder.proof.mutations import rules, whole

COMMENT = re.compile(r"\s+#.*")
Families = tuple[tuple[str, ...], ...]

UNTOUCHED = (cst.Annotation, cst.Raise, cst.Decorator, cst.FormattedString)


@dataclass(frozen=True)
class Mutant:
    """A reference with one change.

    Attributes:
        place: the number of the line that is changed, the cell's first being 1.
        line: that line, without its comment.
        becomes: the same line after the change.
        source: the whole cell after the change.
    """

    place: int
    line: str
    becomes: str
    source: str

    def __str__(self) -> str:
        return f"line {self.place}: `{self.line}` -> `{self.becomes}`"


@cache
def mutants(
    source: str, families: Families = (), modules: tuple[str, ...] = ()
) -> tuple[Mutant, ...]:
    """Every mutant of a cell, in the order of its text; none twice, and none that says the same.

    Args:
        source: the reference, its solution marked.
        families, modules: the course's names, as its `Vocabulary` has them.
    """
    return tuple(_mutants(source, families, modules))


def _mutants(source: str, families: Families, modules: tuple[str, ...]) -> Iterator[Mutant]:
    seen = {_meaning(source)}
    wrapper = MetadataWrapper(cst.parse_module(source))
    changes = _Changes(source, families, modules)
    wrapper.visit(changes)
    for node, other in changes.found:
        text = cast(cst.Module, wrapper.module.deep_replace(node, other)).code
        try:
            meaning = _meaning(text)
        except SyntaxError:  # such as a call in the target of an assignment
            continue
        if meaning not in seen:
            seen.add(meaning)
            yield _mutant(source, text)


def _meaning(source: str) -> str:
    return ast.dump(ast.parse(source))


def _mutant(source: str, text: str) -> Mutant:
    before, after = source.splitlines(), text.splitlines()
    pairs = enumerate(zip(before, after, strict=False), start=1)
    place, line, becomes = next((n, *pair) for n, pair in pairs if pair[0] != pair[1])
    return Mutant(place, _bare(line), _bare(becomes), text)


def _bare(line: str) -> str:
    return COMMENT.sub("", line).strip()


class _Changes(cst.CSTVisitor):
    """Collects what may be changed in a cell, in the order of its text.

    Attributes:
        found: nodes, each with what may stand in its place.
    """

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, source: str, families: Families, modules: tuple[str, ...]) -> None:
        super().__init__()
        self._rules = rules(families, modules)
        self._of_families = {name for family in families for name in family}
        self.found: list[tuple[cst.CSTNode, cst.CSTNode]] = []
        self._solved = solution_lines(source, "a reference")
        nodes = list(ast.walk(ast.parse(source)))
        self._names = {node.id for node in nodes if isinstance(node, ast.Name)}
        self._names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        self._names |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        self._defaults = 0

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Collect what may stand in a node's place, and look inside it."""
        super().on_visit(node)
        if isinstance(node, UNTOUCHED):
            return False
        here = self.get_metadata(PositionProvider, node, None)
        if self._defaults or (here is not None and here.start.line in self._solved):
            for rule in self._rules:
                self.found += [(node, other) for other in rule(node) if self._means(other)]
        return not isinstance(node, cst.UnaryOperation) or whole(node) is None  # -1 is one number

    def visit_Param_default(self, node: cst.Param) -> None:  # noqa: N802 - libcst calls it so
        """What a parameter is without an argument stands outside the solution, and counts."""
        self._defaults += 1

    def leave_Param_default(self, node: cst.Param) -> None:  # noqa: N802
        """The default has been looked at."""
        self._defaults -= 1

    def _means(self, other: cst.CSTNode) -> bool:
        """Whether a name stands elsewhere too: any other would be an error and nothing more."""
        own = isinstance(other, cst.Name) and other.value in self._of_families
        return not own or other.value in self._names  # type: ignore[attr-defined]
