"""Markdown of strangers as HTML, without anything that runs or is fetched from elsewhere."""

from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from jinja2 import pass_context
from jinja2.runtime import Context
from mistune import HTMLRenderer
from nbconvert.filters.markdown_mistune import MarkdownWithMath

from autograder.feedback.formulas import Formula, FormulaRenderer
from autograder.feedback.safe_html import place_of, sanitised
from autograder.notebooks.reduce import PICTURE_TYPES

# Texts kept, and the longest one: together they bound what hostile notebooks can make us remember.
KEPT = 1024
LONGEST_KEPT = 10_000
ATTACHED = "attachment:"


@pass_context
def markdown2html(context: Context | dict[str, Any], source: str) -> str:
    """nbconvert's filter of this name, for pages that show what students wrote.

    Texts that were converted once are remembered by what they say: a class shares most of them.
    """
    attachments = (context.get("cell") or {}).get("attachments")
    folder = context.get("resources", {}).get("metadata", {}).get("path")
    beside = _files_in(Path(folder)) if folder else frozenset()
    if attachments or len(source) > LONGEST_KEPT:
        return _converted(source, beside, attachments or {})
    return _remembered(source, beside)


def _files_in(folder: Path) -> frozenset[str]:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return frozenset(path.relative_to(folder).as_posix() for path in files)


def _converted(source: str, beside: frozenset[str], attachments: dict[str, Any]) -> str:
    renderer = _Renderer(escape=False, attachments=dict(attachments))
    html = MarkdownWithMath(renderer=renderer).render(source)
    return sanitised(html, beside, renderer.formulas)


@lru_cache(KEPT)
def _remembered(source: str, beside: frozenset[str]) -> str:
    return _converted(source, beside, {})


class _Renderer(FormulaRenderer):
    """No attachment stops the page, no task in a list is a form, and formulas are put in last.

    Attributes:
        formulas: those that were met, in order.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.formulas: list[Formula] = []

    def formula(self, formula: Formula) -> str:
        """What holds the formula's place: nothing that sanitises HTML has to know MathML."""
        self.formulas.append(formula)
        return place_of(len(self.formulas) - 1)

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """A picture; one that is attached to the cell goes into the page, once.

        Shown as often as a text can name it, a large one would fill the memory.
        """
        if url.startswith(ATTACHED):
            attached = self.attachments.pop(unquote(url.removeprefix(ATTACHED)), {})
            for kind in PICTURE_TYPES:
                if kind in attached:
                    url = f"data:{kind};base64,{attached[kind]}"
        return HTMLRenderer.image(self, text, url, title)

    def task_list_item(self, text: str, checked: bool = False) -> str:
        """An item of a list that is done or not: mistune's is a field of a form."""
        box = "☑ " if checked else "☐ "
        start, paragraph, rest = text.partition("<p>")
        return f"<li>{paragraph}{box}{rest}</li>\n" if not start else f"<li>{box}{text}</li>\n"
