"""Moments, in settings and as they are shown: each with its time zone."""

from datetime import datetime, tzinfo


def with_zone(text: str) -> datetime | None:
    """A moment such as 2026-12-08T18:00+01:00; None where the text is none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else None


def in_words(moment: datetime, zone: tzinfo | None = None) -> str:
    """A moment as people read it: `2026-12-01 18:00 UTC+01:00`.

    Args:
        moment: with its time zone.
        zone: in which it is shown; None for this machine's.
    """
    here = moment.astimezone(zone)
    offset = f"{here:%z}"
    away = "" if int(offset[:5]) == 0 else f"{offset[:3]}:{offset[3:5]}"
    return f"{here:%Y-%m-%d %H:%M} UTC{away}"
