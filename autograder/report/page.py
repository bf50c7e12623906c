"""The report as one page that needs nothing else: no file, no network, no program."""

from datetime import datetime
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from autograder.checks.kit.plain_text import plain_lines
from autograder.feedback.page import CONTENT_SECURITY_POLICY
from autograder.feedback.palette import DARK, PALETTE
from autograder.feedback.words import bounded, number, prose
from autograder.report.class_report import ClassReport
from autograder.report.plots import came_picture, distribution_picture
from autograder.report.words import (
    FLAGS,
    KINDS,
    OUTCOMES,
    claim,
    counted,
    day,
    percent,
    reason_told,
    waits_told,
)

SHOWN = 10  # misconceptions that stand open to the eye; the rest is behind a click
FEW = 8  # ungraded submissions that stand open to the eye
LARGEST = 8  # families of an exercise that are shown
LONGEST_NAME = 80


def as_page(report: ClassReport, made: datetime) -> str:
    """The report as HTML.

    Everything that comes from students is escaped, and bounded where it can be long.

    Args:
        report: what it says.
        made: when it was made, with a time zone.
    """
    template = _templates().get_template("report.html.j2")
    page = template.render(
        report=report,
        made=made,
        content_security_policy=CONTENT_SECURITY_POLICY,
        palettes=(PALETTE, DARK),
        shown=SHOWN,
        few=FEW,
        largest=LARGEST,
    )
    return plain_lines(page)


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("autograder.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= {
        "bounded": bounded,
        "claim": claim,
        "day": day,
        "name": _name,
        "number": number,
        "percent": percent,
        "prose": prose,
    }
    environment.globals |= {
        "came_picture": came_picture,
        "counted": counted,
        "distribution_picture": distribution_picture,
        "flags": FLAGS,
        "kinds": KINDS,
        "outcomes": OUTCOMES,
        "reason_told": reason_told,
        "waits_told": waits_told,
    }
    return environment


def _name(text: Any) -> str:
    """A name of unknown origin: bounded, nothing in it invisible."""
    return bounded(str(text), LONGEST_NAME)
