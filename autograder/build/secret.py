"""One secret, as a text or a pattern to look for in a release."""

import io
import re
import tokenize
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Secret:
    """A text or a pattern to look for, and what to call it.

    Attributes:
        what: what it is, and where it comes from; names the place, not the secret itself.
        squeezed: found in text without white space.
        pattern: found in text as it stands, too; searched only where `squeezed` is found.
        matters: whether what the pattern's group has caught is the secret; None where it always is.
    """

    what: str
    squeezed: str = ""
    pattern: re.Pattern[str] | None = None
    matters: Callable[[str], bool] | None = None

    def is_in(self, text: str, squeezed: str) -> bool:
        """Whether a text, given as it stands and squeezed, holds it."""
        if self.pattern is None or self.squeezed not in squeezed:
            return self.squeezed in squeezed
        matters = self.matters or bool
        return any(matters(found[found.re.groups and 1]) for found in self.pattern.finditer(text))


def place_of(root: Path, path: Path) -> str:
    """What to call a file of a course where a secret of it is told of: its path from the root."""
    return path.relative_to(root).as_posix()


def squeeze(text: str) -> str:
    """Text without white space and with one kind of quote, so that layout hides nothing."""
    return "".join(text.split()).replace("'", '"')


def count_tokens(code: str) -> int:
    """How many tokens code has, comments left out."""
    unseen = {tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER, tokenize.COMMENT}
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return sum(token.type not in unseen for token in tokens)
