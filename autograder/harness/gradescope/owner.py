"""Whose submission it is: personal questions have the numbers of that student."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from traitlets import Enum
from traitlets.config import Configurable

from autograder.notebooks.names import odd_name


class Gradescope(Configurable):
    """How Gradescope's words become the course's."""

    student_id = Enum(
        ["email", "account", "sid", "id"],
        "email",
        help="What of Gradescope's metadata is the student's id in this course: the whole `email`; "
        "its `account`, which stands before the @; the `sid`, where Gradescope tells it; or "
        "Gradescope's own `id`.",
    ).tag(config=True)


@dataclass(frozen=True)
class Owner:
    """Whose a submission is.

    Attributes:
        student: the id in the course.
        note: why it is not the one that the course asks for, or which of a group's it is; None
            where neither is so.
    """

    student: str
    note: str | None = None


def owner_of(metadata: Mapping[str, Any], wanted: str) -> Owner:
    """The student's id in the course.

    A group is graded under the id that comes first in the alphabet, whoever of it hands in. Where
    the wanted id is missing or cannot be one, it is Gradescope's own.

    Args:
        metadata: what submission_metadata.json holds.
        wanted: one of the choices of `Gradescope.student_id`.
    """
    users = [one for one in metadata.get("users") or [] if isinstance(one, Mapping)]
    found = sorted(name for one in users if (name := _name(one, wanted)) and not odd_name(name))
    if found and len(users) > 1:
        return Owner(found[0], f"Handed in by a group, and graded under the id {found[0]}.")
    if found:
        return Owner(found[0])
    numbers = sorted(str(one["id"]) for one in users if one.get("id"))
    fallback = f"gradescope-{numbers[0]}" if numbers else "gradescope-unknown"
    return Owner(
        fallback,
        f"Gradescope told no {wanted} that can be a student's id, so this is graded as {fallback}. "
        "Personal questions then wait for the instructor.",
    )


def _name(user: Mapping[str, Any], wanted: str) -> str:
    value = user.get("email" if wanted == "account" else wanted)
    text = "" if value is None else str(value).strip()
    return text.partition("@")[0] if wanted == "account" else text
