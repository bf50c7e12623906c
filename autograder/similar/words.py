"""What two submissions share, in words that accuse nobody."""

import math
from collections.abc import Iterable

from autograder.feedback.words import bounded
from autograder.similar.evidence import Shared

LONGEST = 160
MOST = 1_000_000
NAMES = 6  # shared names that are told of one assignment


def one_in(bits: float) -> str:
    """How seldom as much is shared by chance: `about 1 in 12,000`."""
    if bits >= math.log2(MOST):
        return "fewer than 1 in a million"
    return f"about 1 in {_rounded(2**bits):,}"


def counted(number: int, noun: str) -> str:
    """`no pairs`, `1 pair`, `2 pairs`."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def told(thing: Shared, students: tuple[str, str]) -> str:
    """One shared thing in a sentence or two.

    Args:
        thing: what is shared; no name, of which there may be many.
        students: who shares it.
    """
    what = bounded(thing.what, LONGEST)
    count = f"{thing.holders} of {thing.among}"
    giver = thing.giver
    user = next((one for one in students if one != giver), "")
    match thing.kind:
        case "answer" if what:
            return f"The same answer, with the same mistake ({what}). {count} have written it."
        case "answer":
            return f"The same answer. {count} have written it."
        case "mistake":
            return f"Other code, and the same mistake ({what}). {count} have made it."
        case "choice":
            return f"The same wrong answer, {what}. {count} have given it."
        case "numbers":
            fits = "1 student" if thing.holders == 1 else f"{thing.holders} students"
            return (
                f"What {user} answered, {what}, is wrong for {user}'s own numbers and right for "
                f"{giver}'s. It is right for {fits} of {thing.among}."
            )
        case "id":
            return f"{user}'s notebook has {giver}'s id, and so {giver}'s numbers."
        case "comment":
            return f"The same comment, “{what}”. {count} have it."
        case _:
            return f"The same name, {what}. {count} use it."


def names_told(names: Iterable[Shared]) -> str:
    """Shared names of one assignment in a sentence."""
    found = list(names)
    listed = ", ".join(bounded(one.what, 40) for one in found[:NAMES])
    more = f" and {len(found) - NAMES} more" if len(found) > NAMES else ""
    most = max(one.holders for one in found)
    word = "name" if len(found) == 1 else "names"
    each = "" if len(found) == 1 else "at most "
    return f"The same {word}: {listed}{more}. Used by {each}{most} of {found[0].among}."


def _rounded(value: float) -> int:
    """To two digits."""
    digits = max(0, int(math.log10(max(value, 1))) - 1)
    return round(round(value / 10**digits) * 10**digits)
