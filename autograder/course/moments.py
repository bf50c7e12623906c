"""Moments in settings: each with its time zone, so that it is the same on every machine."""

from datetime import datetime


def with_zone(text: str) -> datetime | None:
    """A moment such as 2026-12-08T18:00+01:00; None where the text is none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else None
