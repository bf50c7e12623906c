"""Answers as several hands would write them, and as someone writes them who copies."""

import ast
import random
import re

WORDS = """
out res result tmp temp val value arr data vec mat cur total acc s t u w y z xx new_x answer ret
inner part step first second left right both rows cols idx pos count size dim length width weight
shifted scaled mean spread diff err loss grad mask keep drop base item entry row col piece chunk
""".split()  # noqa: SIM905
REMARKS = (
    "# compute the result",
    "# see lecture",
    "# not sure about this line",
    "# vectorised",
    "# same as the formula",
)


def own_hand(source: str, exercise: str, dice: random.Random) -> str:
    """The answer with names, comments and layout of somebody's own."""
    text = renamed(source, exercise, dice)
    if dice.random() < 0.3:
        text += f"\n{dice.choice(REMARKS)}"
    return text


def copied(source: str, exercise: str, dice: random.Random) -> str:
    """The answer with other names and layout, and lines in another order where that can be."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body = _reordered(node.body, dice)
    return renamed(ast.unparse(tree), exercise, dice)


def renamed(source: str, exercise: str, dice: random.Random) -> str:
    """The answer with other names for most of what it binds, its comments gone."""
    tree = ast.parse(source)
    bound = dict.fromkeys(
        node.id if isinstance(node, ast.Name) else node.arg
        for node in ast.walk(tree)
        if isinstance(node, ast.arg)
        or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    )
    bound.pop("self", None)
    bound.pop(exercise, None)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    free = [word for word in WORDS if word not in used]
    pool = dice.sample(free, min(len(bound), len(free)))
    names = {name: new for name, new in zip(bound, pool, strict=False) if dice.random() < 0.8}
    return _Renamer(names).written(tree, dice)


class _Renamer(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self._names.get(node.arg, node.arg))

    def written(self, tree: ast.Module, dice: random.Random) -> str:
        text = ast.unparse(ast.fix_missing_locations(self.visit(tree)))
        text = re.sub(r'^ *""".*?"""\n', "", text, flags=re.DOTALL | re.MULTILINE)
        return text.replace("    ", dice.choice(["    ", "  ", "\t"]))


def _reordered(body: list[ast.stmt], dice: random.Random) -> list[ast.stmt]:
    """Neighbours change places where neither reads or binds what the other binds."""
    body = list(body)
    for _ in range(3):
        for place in range(len(body) - 1):
            if _independent(*body[place : place + 2]) and dice.random() < 0.6:
                body[place : place + 2] = reversed(body[place : place + 2])
    return body


def _independent(one: ast.stmt, other: ast.stmt) -> bool:
    if not all(isinstance(node, ast.Assign) for node in (one, other)):
        return False
    return not (_bound(one) & _all(other) or _bound(other) & _all(one))


def _bound(node: ast.stmt) -> set[str]:
    return {
        one.id
        for one in ast.walk(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }


def _all(node: ast.stmt) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
