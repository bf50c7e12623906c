"""Points as other systems write and read them."""

import re

DIGITS = re.compile(r"[+-]?\d+([.,]\d+)?")


def written(points: float, decimal_sign: str = ".") -> str:
    """Points with as many decimals as gradebooks keep, and no more than there are."""
    text = f"{points:.4f}".rstrip("0").rstrip(".")
    return ("0" if text == "-0" else text).replace(".", decimal_sign)


def as_points(text: str) -> float | None:
    """The points that a cell holds, whichever its decimal sign is; None where it holds none."""
    return float(text.replace(",", ".")) if DIGITS.fullmatch(text) else None


def decimal_sign(texts: list[str]) -> str:
    """The sign before the decimals in these cells; a point where none of them shows it."""
    shown = {one for text in texts if DIGITS.fullmatch(text) for one in text if one in ".,"}
    return "," if shown == {","} else "."
