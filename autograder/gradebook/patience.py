"""How long nbgrader waits for another program that writes to a gradebook in SQLite.

nbgrader leaves it at five seconds, after which the submission at hand would be dropped. It has no
setting for it: `?timeout=` in the gradebook's address breaks `nbgrader db upgrade`.
"""

import sqlite3
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

PATIENCE_SECONDS = 60


def install() -> None:
    """Let every connection to SQLite of this process wait; may be repeated."""
    if not event.contains(Engine, "connect", _wait):
        event.listen(Engine, "connect", _wait)


def _wait(connection: Any, record: object) -> None:
    if isinstance(connection, sqlite3.Connection):
        connection.execute(f"pragma busy_timeout = {PATIENCE_SECONDS * 1000}")
