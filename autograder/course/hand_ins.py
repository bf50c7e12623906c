"""Until when is handed in, and which of several hand-ins counts: `c.HandIns` of the settings."""

from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from traitlets import Dict, Enum, TraitError, Unicode, validate
from traitlets.config import Configurable

from autograder.course.moments import with_zone

SUBMITTED, LAST, BEST = "submitted", "last", "best"


class HandIns(Configurable):
    """What of the hand-ins counts, and until when."""

    due = Dict(
        value_trait=Unicode(),
        key_trait=Unicode(),
        help="Until when assignments are handed in, {'01-NAME': '2026-12-01T18:00+01:00'}, with "
        "the time zone. Grading writes it into the gradebook. Of others the gradebook says it, as "
        "formgrader has set it.",
    ).tag(config=True)
    counts = Enum(
        [SUBMITTED, LAST, BEST],
        SUBMITTED,
        help="`submitted`: what lies in submitted/, and no other is kept. `last` and `best`: all "
        "hand-ins are kept in hand_ins/, and the last one counts, or the one with the best total.",
    ).tag(config=True)

    time_zone = Unicode(
        "",
        help="The course's, such as Europe/Berlin: times are shown in it, and days late are "
        "days of its calendar. Empty: the grading machine's.",
    ).tag(config=True)

    @validate("time_zone")
    def _a_zone(self, proposal: dict[str, Any]) -> str:
        name: str = proposal["value"]
        try:
            return name and ZoneInfo(name).key
        except (ValueError, OSError, LookupError) as error:
            raise TraitError(
                f"HandIns.time_zone is {name!r}, which this machine does not know; it is a name "
                "such as Europe/Berlin, and the package tzdata has them all."
            ) from error

    @property
    def zone(self) -> tzinfo | None:
        """The course's time zone; None for this machine's."""
        return ZoneInfo(self.time_zone) if self.time_zone else None

    @validate("due")
    def _moments(self, proposal: dict[str, Any]) -> dict[str, str]:
        value: dict[str, str] = proposal["value"]
        for name, moment in value.items():
            if with_zone(moment) is None:
                raise TraitError(
                    f"HandIns.due has {moment!r} for {name}, which is no moment with its time "
                    "zone, such as 2026-12-01T18:00+01:00."
                )
        return value

    def moments(self) -> Mapping[str, datetime]:
        """The same as moments, by assignment."""
        found = {name: with_zone(text) for name, text in self.due.items()}
        return {name: moment for name, moment in found.items() if moment}
