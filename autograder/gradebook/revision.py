"""The revision that a gradebook is stamped with, read by Alembic from nbgrader's own folder."""

import nbgrader.api
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import Engine, inspect, text


def head() -> str:
    """The newest revision that nbgrader's own migrations lead to."""
    from alembic.script import ScriptDirectory  # late: few commands make a gradebook

    revision = ScriptDirectory(ALEMBIC_DIR).get_current_head()
    if revision is None:
        raise LookupError(f"{ALEMBIC_DIR} holds no migrations")
    return revision


def stamp(engine: Engine) -> None:
    """Stamp a gradebook whose maker was stopped between its tables and its stamp.

    nbgrader never does so later, and `nbgrader db upgrade` would take it for one of the oldest. One
    that is older lacks columns of today's, and is left for that command.
    """
    with engine.begin() as connection:
        there = inspect(connection)
        if not there.has_table("alembic_version"):
            connection.execute(
                text("create table alembic_version (version_num varchar(32) not null)")
            )
        elif connection.execute(text("select 1 from alembic_version")).first() is not None:
            return
        tables = nbgrader.api.Base.metadata.tables
        known = {name: {column["name"] for column in there.get_columns(name)} for name in tables}
        if all(known[name] >= set(table.columns.keys()) for name, table in tables.items()):
            insert = text("insert into alembic_version (version_num) values (:head)")
            connection.execute(insert, {"head": head()})
