"""Text on its way to a page: bounded, without invisible characters, with `code` set as code."""

import re
import unicodedata

from markupsafe import Markup, escape

from autograder.checks.kit.plain_text import plain_lines

CODE = re.compile(r"`([^`\n]+)`")
SEVERAL_MARKS = 4
ENDINGS = (".", "!", "?", "…", ":")


def bounded(text: str, limit: int) -> str:
    """At most `limit` characters of the text that a reader can see.

    What is not seen, or acts, becomes U+FFFD; towers of combining marks lose their upper floors.
    """
    if len(text) <= limit and text.isascii() and text.isprintable():
        return text  # as most are; this takes no time
    kept: list[str] = []
    marks = 0
    # At most twice the limit is read: dropped marks do not count, and the text may be huge.
    for character in plain_lines(text[: 2 * limit + 1]):
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks > SEVERAL_MARKS:
            continue
        kept.append(character)
        if len(kept) > limit:
            return "".join(kept[: limit - 1]).rstrip() + "…"
    return "".join(kept) + ("…" if len(text) > 2 * limit + 1 else "")


def in_brief(text: str, limit: int) -> str:
    """The start of a text, with what stands between backticks closed where it was cut."""
    cut = bounded(text, limit)
    return cut + "`" if cut.count("`") % 2 else cut


def number(value: float) -> str:
    """Points as a person writes them: `2`, `0.5`, `1.33`."""
    return f"{round(value, 2):.2f}".rstrip("0").rstrip(".") or "0"


def points(value: float, *, bonus: bool = False) -> str:
    """`1 point`, `2.5 points`; `2 bonus points` where they count on top of the maximum."""
    kind = "bonus point" if bonus else "point"
    return f"{number(value)} {kind}{'' if number(value) == '1' else 's'}"


def sentence(text: str) -> str:
    """The text with a capital at its start and a stop at its end."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.rstrip('"').endswith(ENDINGS) else ".")


def prose(text: str) -> Markup:
    """The text escaped, with what stands between backticks as code."""
    parts = CODE.split(text)
    return Markup(
        "".join(
            f"<code>{escape(part)}</code>" if index % 2 else escape(part)
            for index, part in enumerate(parts)
        )
    )
