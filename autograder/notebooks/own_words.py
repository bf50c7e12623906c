"""The words of an answer that are its writer's own: comments, and names that the cell binds."""

import ast
import io
import tokenize

from autograder.notebooks.normal_form import NoPython, parsed

SHORTEST_COMMENT, SHORTEST_NAME = 8, 4  # letters; what is shorter is everybody's
MOST = 200


def comments_in(source: str) -> tuple[str, ...]:
    """The comments and docstrings of a cell, each in one line, without those of a word or two."""
    found: list[str] = []
    if "#" in source:
        try:
            tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
        except (tokenize.TokenError, SyntaxError, ValueError):
            tokens = []
        found += [one.string.lstrip("#") for one in tokens if one.type == tokenize.COMMENT]
    if '"""' in source or "'''" in source:
        try:
            nodes = list(ast.walk(parsed(source)))
        except (NoPython, RecursionError):
            nodes = []
        found += [
            node.value.value
            for node in nodes
            if isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ]
    plain = dict.fromkeys(" ".join(one.split()).casefold() for one in found)
    return tuple(one for one in plain if sum(map(str.isalpha, one)) >= SHORTEST_COMMENT)[:MOST]


def names_in(source: str) -> tuple[str, ...]:
    """The names that a cell binds, without short ones, which are everybody's."""
    try:
        nodes = list(ast.walk(parsed(source)))
    except (NoPython, RecursionError):
        return ()
    found: dict[str, None] = {}
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                found[name] = None
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = None
    return tuple(name for name in found if len(name) >= SHORTEST_NAME)[:MOST]
