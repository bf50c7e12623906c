"""A notebook as one HTML page, to read in a browser, on paper, or with a screen reader."""

import copy
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, PackageLoader, pass_context
from jinja2.runtime import Context
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import MarkdownWithMath
from nbformat import NotebookNode
from traitlets import default

from autograder.feedback.formulas import FormulaRenderer
from autograder.feedback.page import CONTENT_SECURITY_POLICY

IN_WORDS = re.compile(r"^\*In words:\*\s*(.+?)(?:\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)


class ReadingPage(HTMLExporter):
    """nbconvert's page with colours of enough contrast, and every picture with its own words."""

    def __init__(self, config: Any = None, **kwargs: Any) -> None:
        loaders: list[BaseLoader] = [PackageLoader("autograder.build")]
        super().__init__(config=config, extra_loaders=loaders, **kwargs)

    @default("template_file")
    def _template_file_default(self) -> str:
        return "reading.html.j2"

    @pass_context
    def markdown2html(self, context: Context, source: str) -> str:
        """nbconvert's filter of this name, but formulas are MathML."""
        attachments = context.get("cell", {}).get("attachments", {})
        renderer = FormulaRenderer(escape=False, attachments=attachments)
        return str(MarkdownWithMath(renderer=renderer).render(source))

    @default("exclude_input_prompt")
    def _exclude_input_prompt_default(self) -> bool:
        return True

    @default("exclude_output_prompt")
    def _exclude_output_prompt_default(self) -> bool:
        return True


def reading_page(notebook: NotebookNode, title: str) -> str:
    """The page of a notebook, run or not.

    A picture's text alternative is the paragraph *In words:* that follows it in the notebook.
    """
    described = copy.deepcopy(notebook)
    for output, words in pictures(described):
        output.metadata["alt"] = words or ""
    described.metadata["title"] = title
    policy = {"content_security_policy": CONTENT_SECURITY_POLICY}
    html, _ = ReadingPage().from_notebook_node(described, policy)
    return str(html)


def pictures(notebook: NotebookNode) -> Iterator[tuple[NotebookNode, str | None]]:
    """Every output that is a bare picture, with the words that describe it, or None.

    Of several pictures of one cell, each takes the next paragraph of the Markdown cell below it.
    """
    for cell, following in zip(notebook.cells, [*notebook.cells[1:], None], strict=True):
        told = iter(_words(following))
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                yield output, next(told, None)


def write_pages(release: Path, names: list[str], target: Path) -> int:
    """Write the page of every named assignment's released notebook; gives their number."""
    import nbformat

    target.mkdir(parents=True, exist_ok=True)
    for name in names:
        notebook = nbformat.read(release / name / f"{name}.ipynb", as_version=4)
        (target / f"{name}.html").write_text(reading_page(notebook, name), encoding="utf-8")
    return len(names)


def _words(cell: NotebookNode | None) -> list[str]:
    """The paragraphs that begin with *In words:*, without markup."""
    if cell is None or cell.cell_type != "markdown":
        return []
    found = (re.sub(r"[*`$]", "", words) for words in IN_WORDS.findall(cell.source))
    return [" ".join(f"{words[:1].upper()}{words[1:]}".split()) for words in found]
