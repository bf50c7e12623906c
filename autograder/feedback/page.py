"""The whole feedback page: what to mend first, then every exercise, then the notebook, folded.

It is one page, since nbgrader's `release_feedback` hands out one for each notebook and no more.

`course_config.py` switches it on:
`c.GenerateFeedback.exporter_class = "autograder.feedback.page.FeedbackExporter"`.
nbgrader's formgrader keeps its own exporter.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

from jinja2 import BaseLoader, Environment, PackageLoader
from markupsafe import Markup
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from pygments.formatters import HtmlFormatter
from traitlets import default

from autograder.checks.kit.plain_text import plain_lines
from autograder.feedback.overview import overview
from autograder.feedback.palette import DARK, PALETTE
from autograder.feedback.reasons import reason_of
from autograder.feedback.safe_html import sanitised
from autograder.feedback.safe_markdown import markdown2html
from autograder.feedback.words import bounded, in_brief, number, points, prose
from autograder.notebooks.choosing import REASONS

# Should anything ever get past what keeps strangers' text text, a browser would not run it.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'"
)


class FeedbackExporter(HTMLExporter):
    """Writes what `nbgrader generate_feedback` saves.

    What students wrote (text and outputs) is sanitised; nbgrader's own template shows it as it is.
    """

    def __init__(self, config: Any = None, **kwargs: Any) -> None:
        loaders: list[BaseLoader] = [PackageLoader("autograder.feedback")]
        super().__init__(config=config, extra_loaders=loaders, **kwargs)

    @default("template_file")
    def _template_file_default(self) -> str:
        return "page.html.j2"

    @default("sanitize_html")
    def _sanitize_html_default(self) -> bool:
        return True

    def default_filters(self) -> Iterator[tuple[str, Any]]:
        """nbconvert's filters, with sanitising ones in place of its own."""
        yield from super().default_filters()
        yield "bounded", bounded
        yield "clean_html", sanitised
        yield "in_brief", in_brief
        yield "markdown2html", markdown2html
        yield "number", number
        yield "points", points
        yield "prose", prose

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kwargs: Any
    ) -> tuple[Any, dict[str, Any]]:
        """The page of a notebook, of which all is seen, and nbconvert's resources."""
        page, resources = super().from_notebook_node(nb, resources, **kwargs)
        return plain_lines(page), resources

    def _preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Look at all exercises once nbgrader's stages have put in their marks."""
        nb, resources = super()._preprocess(nb, resources)
        resources["overview"] = overview(nb.cells)
        return nb, resources

    def _init_resources(self, resources: dict[str, Any] | None) -> dict[str, Any]:
        return super()._init_resources(resources) | _look()


def ungraded_page(names: dict[str, Any], reason: str, detail: str | None) -> str:
    """The page on what was handed in and cannot be graded: why, and what to do next.

    Args:
        names: `student`, `assignment`, and `names` of people where the roster has them.
        reason: a code.
        detail: more about it; it may quote the student.
    """
    environment = Environment(loader=PackageLoader("autograder.feedback"), autoescape=True)
    environment.filters |= {"bounded": bounded, "prose": prose}
    why = reason_of(reason)
    return environment.get_template("ungraded.html.j2").render(
        **names,
        resources=_look(),
        reason=why,
        detail=bounded(detail, 500).rstrip(".") if detail and why.tells_detail else None,
        is_theirs=reason in REASONS,
    )


def _look() -> dict[str, Any]:
    return {
        "content_security_policy": CONTENT_SECURITY_POLICY,
        "dark_code": _dark_code(),
        "palettes": (PALETTE, DARK),
    }


@cache
def _dark_code() -> Markup:
    """Colours of code on a dark ground."""
    rules = HtmlFormatter(style="github-dark").get_style_defs(".highlight").splitlines()
    shades = [rule for rule in rules if rule.startswith(".highlight .")]
    return Markup("\n".join(shades))
