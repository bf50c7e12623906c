"""What a call has changed: what is there now is compared with what was there before.

Of arguments, bits are compared: NaN is what it was, and 0.0 that has become -0.0 has changed.
"""

from collections.abc import Mapping
from typing import Any

from .values import values

DRAWN_FROM = ("Python", "NumPy", "torch")
"""Whose random numbers all of a process shares: the names in `Values.random_states`."""


def same_content(now: Any, before: Any) -> bool:
    """Whether a value still holds, bit for bit, what it held."""
    known = values()
    if known.is_array(before):
        return known.is_array(now) and known.holds_same(now, before)
    if type(now) is not type(before):
        return False
    if isinstance(before, list | tuple):
        return len(now) == len(before) and all(map(same_content, now, before))
    if isinstance(before, dict):
        return now.keys() == before.keys() and all(
            same_content(now[key], before[key]) for key in before
        )
    return now is before or now == before or now != now  # NaN is what it was


def drawn_from(before: Mapping[str, object]) -> list[str]:
    """Whose global random numbers are others by now: some of DRAWN_FROM.

    Args:
        before: what `Values.random_states` gave then.
    """
    now = values().random_states()  # a library that came meanwhile was not there to be drawn from
    return [name for name, state in before.items() if now[name] != state]
