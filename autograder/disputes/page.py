"""Why a mark is as it is, as one page of HTML that fetches nothing."""

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from autograder.checks.kit.plain_text import plain_lines
from autograder.disputes.account import Dispute
from autograder.disputes.telling import in_short, marks, nothing_lost, reasons, title
from autograder.feedback.page import CONTENT_SECURITY_POLICY
from autograder.feedback.palette import DARK, PALETTE
from autograder.feedback.safe_markdown import markdown2html
from autograder.feedback.words import bounded, points, prose

LONGEST = 300_000
"""Characters of one text: nothing that a person reads is as long."""


def page(dispute: Dispute) -> str:
    """The page's text."""
    environment = Environment(
        loader=PackageLoader("autograder.disputes"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "markdown": lambda text: Markup(markdown2html({}, text)),
        "points": points,
        "prose": lambda text: prose(bounded(text, LONGEST)),
        "seen": lambda text: bounded(text, LONGEST),
    }
    html = environment.get_template("dispute.html.j2").render(
        dispute=dispute,
        title=title(dispute),
        marks=marks,
        in_short=in_short,
        nothing_lost=nothing_lost(dispute),
        reasons=reasons,
        light=PALETTE.colours(),
        dark=DARK.colours(),
        content_security_policy=CONTENT_SECURITY_POLICY,
    )
    return plain_lines(html)
