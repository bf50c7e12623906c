"""A PostgreSQL server of our own, for as long as a test needs one."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg2

USER = "grader"


@dataclass(frozen=True)
class Server:
    """A running server.

    Attributes:
        folder: where its socket is.
    """

    folder: Path

    def make_database(self, name: str) -> str:
        """Make an empty database; gives its address as nbgrader wants it."""
        connection = psycopg2.connect(host=str(self.folder), user=USER, dbname="postgres")
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(f'create database "{name}"')
        connection.close()
        return f"postgresql+psycopg2://{USER}@/{name}?host={self.folder}"


def find_programs() -> Path | None:
    """The folder of initdb and pg_ctl, or None where no server is installed."""
    on_path = shutil.which("pg_ctl")
    if on_path is not None:
        return Path(on_path).resolve().parent
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    return found[-1].parent if found else None


@contextmanager
def running_server(programs: Path) -> Iterator[Server]:
    """A server in a folder of its own, which nothing outside this machine reaches."""
    folder = Path(tempfile.mkdtemp(prefix="postgresql-"))
    user = _user()
    if user is not None:
        os.chown(folder, *pwd.getpwnam(user)[2:4])
    data = folder / "data"
    _run(user, programs / "initdb", f"--username={USER}", "--auth=trust", "--no-sync", data)
    options = f"-k {folder} -c listen_addresses= -c fsync=off"
    control = [programs / "pg_ctl", "--wait", f"--pgdata={data}"]
    try:
        _run(user, *control, f"--log={folder / 'log'}", f"--options={options}", "start")
        yield Server(folder)
    finally:
        _run(user, *control, "--mode=immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def _user() -> str | None:
    """The user to run it as: the server refuses to be root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _run(user: str | None, *command: object) -> None:
    subprocess.run(
        [str(part) for part in command], user=user, check=True, cwd="/", stdout=subprocess.DEVNULL
    )
