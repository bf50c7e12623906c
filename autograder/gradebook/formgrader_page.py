"""Which pages nbconvert makes for formgrader: what stands on them alone is for graders."""

from typing import Any

# What formgrader's page of one submission says of it, and no page for students does.
SAID = ("submission_id", "notebook_path", "assignment_id")


def is_formgraders(resources: dict[str, Any]) -> bool:
    """Whether a page is formgrader's of one submission."""
    return "nbgrader" not in resources and all(name in resources for name in SAID)
