"""Colours of the feedback, each legible on the ground it stands on (WCAG AA)."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Palette:
    """Colours as `#rrggbb`.

    Outcomes differ along blue to orange, the axis that most colour-blind readers see.
    """

    ink: str = "#1d2433"
    muted: str = "#545d6e"
    line: str = "#d9dee7"
    paper: str = "#ffffff"
    tint: str = "#f4f6f9"
    passed: str = "#0f5f8c"
    failed: str = "#a84208"
    waiting: str = "#5b4b9a"
    link: str = "#0b57a4"

    bar: str = "#3b528b"

    def colours(self) -> tuple[tuple[str, str], ...]:
        """Every colour with its name."""
        return tuple(asdict(self).items())

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Every text colour with every ground that the templates put it on."""
        texts = (self.ink, self.muted, self.passed, self.failed, self.waiting, self.link)
        grounds = (self.paper, self.tint)
        inverted = tuple((self.paper, fill) for fill in (self.passed, self.failed, self.waiting))
        return tuple((text, ground) for text in texts for ground in grounds) + inverted


PALETTE = Palette()
DARK = Palette(
    ink="#e4e8ef",
    muted="#a3adbd",
    line="#333b49",
    paper="#14181f",
    tint="#1e2530",
    passed="#6cb6ea",
    failed="#f2995f",
    waiting="#b9a9f3",
    link="#82b9f5",
    bar="#7f97d6",
)
