"""Why a mark is as it is, as one page of HTML that fetches nothing."""

from jinja2 import Environment, PackageLoader, StrictUndefined

from autograder.disputes.account import Dispute
from autograder.disputes.telling import marks, reasons, title
from autograder.feedback.page import CONTENT_SECURITY_POLICY
from autograder.feedback.palette import DARK, PALETTE
from autograder.feedback.words import bounded, in_brief, points, prose


def page(dispute: Dispute) -> str:
    """The page's text."""
    environment = Environment(
        loader=PackageLoader("autograder.disputes"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    shown = {"bounded": bounded, "in_brief": in_brief, "points": points, "prose": prose}
    environment.filters |= shown
    return environment.get_template("dispute.html.j2").render(
        dispute=dispute,
        title=title(dispute),
        marks=marks,
        reasons=reasons,
        light=PALETTE.colours(),
        dark=DARK.colours(),
        content_security_policy=CONTENT_SECURITY_POLICY,
    )
