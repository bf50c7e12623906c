"""One exporter for the pages of a whole class: what they have in common is made once.

It writes the page that `FeedbackExporter` writes. nbconvert parses each page once more to name
pictures without a description, and prints it anew; that takes as long as all the rest. Here they
are named in place, so markup that means the same (`<br>` and `<br/>`) may be spelled differently.
"""

import re
from functools import cached_property, lru_cache
from typing import Any

from nbconvert.exporters import HTMLExporter
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.widgetsdatatypefilter import WidgetsDataTypeFilter
from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from autograder.checks.kit.plain_text import plain_lines
from autograder.feedback.overview import overview
from autograder.feedback.page import FeedbackExporter
from autograder.feedback.safe_markdown import KEPT, LONGEST_KEPT

UNDESCRIBED = "No description has been provided for this image"  # nbconvert's words
PICTURE = re.compile(r"""<img\b(?:[^>"']++|"[^"]*+"|'[^']*+')*+>""")
QUOTED = re.compile(r""""[^"]*"|'[^']*'""")
DESCRIBED = re.compile(r"\salt\b")


class SharedExporter(FeedbackExporter):
    """Writes feedback pages of notebooks that already hold their marks.

    Code that was coloured once is remembered: a class shares most of it.
    """

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kwargs: Any
    ) -> tuple[Any, dict[str, Any]]:
        """The page of a notebook, and nbconvert's resources."""
        language = nb.metadata.get("language_info", {})
        lexer = language.get("pygments_lexer", language.get("name"))

        def highlight(source: str, metadata: dict[str, Any]) -> str:
            highlighted = _highlighted if len(source) <= LONGEST_KEPT else _highlighted.__wrapped__
            return highlighted(source, lexer, metadata.get("magics_language"))

        resources = self._init_resources(resources)
        types = WidgetsDataTypeFilter(self._nb_metadata, resources, parent=self)
        self.register_filter("highlight_code", highlight)
        self.register_filter("filter_data_type", types)
        page, resources = super(HTMLExporter, self).from_notebook_node(nb, resources, **kwargs)
        return PICTURE.sub(_described, plain_lines(page)), resources

    def _preprocess(
        self, nb: NotebookNode, resources: dict[str, Any]
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Only the styles are missing: the marks are in the notebook."""
        resources["inlining"] = self._styles
        return nb, resources | {"overview": overview(nb.cells)}

    @cached_property
    def _styles(self) -> dict[str, list[str]]:
        empty, resources = new_notebook(), self._init_resources(None)
        for preprocessor in self._preprocessors:  # those of the template
            _, resources = preprocessor(empty, resources)
        return resources["inlining"]


@lru_cache(KEPT)
def _highlighted(source: str, lexer: str | None, magics: str | None) -> str:
    metadata = {} if magics is None else {"magics_language": magics}
    return Highlight2HTML(pygments_lexer=lexer)(source, metadata=metadata)


def _described(found: re.Match[str]) -> str:
    picture = found[0]
    if DESCRIBED.search(QUOTED.sub("", picture)):
        return picture
    return f'{picture[:-1].rstrip("/ ")} alt="{UNDESCRIBED}"/>'
