"""Everything that this engine changes in nbgrader, and why: each where nbgrader has no setting.

They were made for nbgrader 0.9.5 and 0.9.6, and hold for every 0.9 that keeps these names; a test
compares them. For none of them do we know of an issue at nbgrader. Whoever installs another version
looks at each again, and drops those that nbgrader no longer needs.

Each function patches this process, and may be called again.
"""

import glob
import itertools
import os
import sqlite3
import warnings
from types import SimpleNamespace
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

BUSY_SECONDS = 60


def patch_sqlalchemy() -> None:
    """For whatever opens a gradebook."""
    silence_session_warnings()
    wait_for_busy_databases()


def patch_gradebook() -> None:
    """For whatever may make a gradebook."""
    patch_sqlalchemy()
    stamp_without_alembic_command()


def patch_autograde() -> None:
    """For whatever runs nbgrader's autograde."""
    copy_plain_files_only()
    autograde_whatever_was_handed_in()
    autograde_one_at_a_time()


def silence_session_warnings() -> None:
    """nbgrader 0.9 makes rows before it adds them to a session; SQLAlchemy 2 warns of each."""
    warnings.filterwarnings("ignore", r"Object of type <\w+> not in session")


def wait_for_busy_databases() -> None:
    """Let every connection to SQLite wait for another program that writes.

    nbgrader 0.9 leaves it at five seconds, after which the submission at hand would be dropped.
    `?timeout=` in the gradebook's address breaks `nbgrader db upgrade`.
    """
    if not event.contains(Engine, "connect", _wait):
        event.listen(Engine, "connect", _wait)


def stamp_without_alembic_command() -> None:
    """Let a new gradebook be stamped without a process of its own.

    nbgrader 0.9 asks the command `alembic`, which takes a second and stands on the PATH only where
    an environment is active.
    """
    import nbgrader.api

    from autograder.gradebook import revision

    nbgrader.api.get_alembic_version = revision.head


def copy_plain_files_only() -> None:
    """Keep nbgrader from following links, and from waiting for pipes, beside a notebook.

    nbgrader 0.9 copies a submission's files into `autograded/` and on into `feedback/`, links
    resolved: a link to the course secret would come back to the student as a file, one to /dev/zero
    never ends, and a page among them would be served to the instructor. It also reads
    `timestamp.txt`, whatever that is: a pipe of that name would hold up the whole class.
    """
    from nbgrader.converters import base
    from nbgrader.coursedir import CourseDirectory

    from autograder.gradebook import copying

    base.find_all_files = copying.find_plain_files
    CourseDirectory.get_existing_timestamp = copying.read_timestamp


def autograde_whatever_was_handed_in() -> None:
    """Let nbgrader's autograde look at every folder, and leave to us what is read of it.

    nbgrader 0.9 lists `*.ipynb` alone: a folder with a `.zip` is passed over without a word, of
    `NAME (1).ipynb` it says that the assignment was never made, and where `NAME.ipynb` is not there
    it gives 0 for it.
    """
    from nbgrader.converters import Autograde

    from autograder.gradebook import one_at_a_time

    Autograde.init_notebooks = one_at_a_time.find_submissions
    Autograde.init_assignment = one_at_a_time.begin_without_zeros


def take_folders_as_they_are_named() -> None:
    """Let nbgrader's converters find notebooks in a course whose folder is called `attn [2026]`.

    nbgrader 0.9 looks for `*` in whole paths, where brackets stand for one of some letters.
    """
    from nbgrader.converters import base

    base.glob = SimpleNamespace(glob=lambda pattern: glob.glob(_with_brackets(pattern)))


def autograde_one_at_a_time() -> None:
    """Let nbgrader's autograde wait until no one else is at work on a student.

    nbgrader 0.9 removes `autograded/<student>/<assignment>`, fills it again and makes rows that
    must be unique, as if it were alone: of two on one student, one would fail or take the other's
    files. It has a hook before a submission and none after one that failed.
    """
    from nbgrader.converters import Autograde

    from autograder.gradebook import one_at_a_time

    Autograde.init_destination = one_at_a_time.prepare_locked
    Autograde.convert_notebooks = one_at_a_time.convert_locked


def tell_what_is_not_collected() -> None:
    """Let `nbgrader zip_collect` end with 1 where somebody's work is not collected.

    nbgrader 0.9 asks its plugins about one file after the other, and never how it went.
    """
    from nbgrader.apps import ZipCollectApp

    from autograder.gradebook import collecting

    ZipCollectApp.start = collecting.start_and_tell


def _with_brackets(pattern: str) -> str:
    """The pattern, where what has brackets and is there by that name means itself."""
    parts = pattern.split("/")
    paths = itertools.accumulate(parts, "{}/{}".format)
    return "/".join(
        glob.escape(part) if "[" in part and os.path.lexists(path) else part
        for part, path in zip(parts, paths, strict=True)
    )


def _wait(connection: Any, record: object) -> None:
    if isinstance(connection, sqlite3.Connection):
        connection.execute(f"pragma busy_timeout = {BUSY_SECONDS * 1000}")
