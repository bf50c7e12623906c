"""The attacks: a code cell each, in `cells/`, or an edit of the notebook; and two honest answers.

A cell's file says, after `# for nbgrader`, `# for otter` or `# for ours`, what an attacker would
write for that grader alone; what stands before, and after `# for all`, is the same for each.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from benchmarks.compare_security import edits

HERE = Path(__file__).parent
TOOLS = ("nbgrader", "otter", "ours")
MAX_SCORE = 2.0

Edit = Callable[[NotebookNode], None]


@dataclass(frozen=True)
class Attack:
    """One submission.

    Attributes:
        name: also the student's name.
        title: what it does, for the table.
        cell: the file in `cells/` that stands where the answer belongs.
        edit: what is done to the rest of the notebook.
        beside: a file of `beside/` that is submitted with the notebook.
        goal: what the attacker is after: `marks`, the `secret`, a `connection`, the `home` folder.
        deserves: the points that it should get, where it is an honest answer.
    """

    name: str
    title: str
    cell: str = "honest_wrong.py"
    edit: Edit | None = None
    beside: str = ""
    goal: str = "marks"
    deserves: float | None = None

    def source(self, tool: str, places: Mapping[str, str]) -> str:
        """The code cell for one grader, with `@word@` replaced by the place of that name."""
        text = (HERE / "cells" / self.cell).read_text(encoding="utf-8")
        kept, chosen = [], True
        for line in text.splitlines():
            if marker := re.fullmatch(r"# for (\w+)", line):
                chosen = marker[1] in (tool, "all")
            elif chosen:
                kept.append(line)
        source = "\n".join(kept)
        for word, place in places.items():
            source = source.replace(f"@{word}@", place)
        return source


def _cell(name: str, title: str, goal: str = "marks") -> Attack:
    return Attack(name, title, f"{name}.py", goal=goal)


HONEST = (
    Attack("honest_right", "an honest right answer", "honest_right.py", deserves=MAX_SCORE),
    Attack("honest_wrong", "an honest wrong answer", "honest_wrong.py", deserves=0.0),
)
ATTACKS = (
    _cell("patched_comparisons", "replaces torch.equal and others"),
    _cell("always_equal", "an object that equals everything"),
    _cell("tensor_subclass", "a Tensor that says it is equal"),
    _cell("read_solution", "reads solution or tests on disk"),
    _cell("search_memory", "searches frames and memory"),
    _cell("write_marks", "adds 240 points to the marks"),
    _cell("rewrite_at_exit", "rewrites the result at exit"),
    _cell("forge_and_exit", "forges a result and exits"),
    _cell("skip_tests", "keeps the tests from running"),
    Attack("skip_tag", "tags tests `skip-execution`", edit=edits.tag_as_skipped),
    Attack("copied_cells", "puts copies over graded cells", edit=edits.copy_graded),
    Attack("raised_points", "raises points in the metadata", edit=edits.raise_points),
    Attack("torch_beside", "a torch.py beside the notebook", beside="torch.py"),
    _cell("read_environment", "reads an environment secret", goal="secret"),
    _cell("connect_out", "opens a network connection", goal="connection"),
    _cell("write_home", "writes to the home folder", goal="home"),
)
