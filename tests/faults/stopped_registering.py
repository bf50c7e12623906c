"""An assignment registered again and again, and killed each time one statement later.

A program of its own, since each try is a fork: `python stopped_registering.py --help` says how.
"""

import argparse
import copy
import json
import os
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import NullPool, create_engine, event, make_url, text
from sqlalchemy.engine import Engine

from autograder.build.preprocessors import PREPROCESSORS, REGISTER_CELLS
from autograder.build.register import register
from autograder.course import Course, load_course


def main() -> None:
    """Print the addresses of the gradebooks that the kills left, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("course", type=Path)
    parser.add_argument("assignment")
    parser.add_argument("gradebook", help="its address; each kill gets a copy")
    parser.add_argument("how", choices=["whole", "row-by-row"])
    asked = parser.parse_args()
    course = load_course(asked.course)
    work = register_whole if asked.how == "whole" else register_row_by_row
    moments = ["before_cursor_execute", "commit"] if asked.how == "whole" else ["commit"]
    left: list[str] = []
    killed = True
    while killed:
        number = len(left) + 1
        left.append(copy_gradebook(asked.gradebook, number))
        course.config.CourseDirectory.db_url = left[-1]
        killed = kill_at(moments, number, lambda: work(course, asked.assignment))
    json.dump(left, sys.stdout)


def register_whole(course: Course, name: str) -> None:
    """As every command of ours does."""
    register(course, [name])


def register_row_by_row(course: Course, name: str) -> None:
    """As nbgrader does where it is left alone, and earlier versions of ours did."""
    config = copy.deepcopy(course.config)
    theirs = "nbgrader.preprocessors.SaveCells"
    config.GenerateAssignment.preprocessors = [
        theirs if one == REGISTER_CELLS else one for one in PREPROCESSORS
    ]
    with tempfile.TemporaryDirectory() as release:
        config.CourseDirectory.update(assignment_id=name, release_directory=release)
        GenerateAssignment(coursedir=CourseDirectory(config=config), config=config).start()


def kill_at(moments: list[str], number: int, work: Callable[[], None]) -> bool:
    """Work in a fork that kills itself before the statement or commit of that number.

    Returns:
        whether there were so many.
    """
    child = os.fork()
    if child:
        status = os.waitpid(child, 0)[1]
        assert status in (0, signal.SIGKILL), "registering failed; what it said stands above"
        return status != 0
    seen = 0

    def count(*_: object) -> None:
        nonlocal seen
        seen += 1
        if seen == number:
            os.kill(os.getpid(), signal.SIGKILL)

    for moment in moments:
        event.listen(Engine, moment, count)
    try:
        work()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def copy_gradebook(url: str, number: object) -> str:
    """A copy of a gradebook that nobody uses; gives its address."""
    start = make_url(url)
    name = f"{start.database}.{number}"
    if start.get_backend_name() == "sqlite":
        shutil.copy(str(start.database), name)
    else:
        engine = create_engine(
            start.set(database="postgres"), poolclass=NullPool, isolation_level="AUTOCOMMIT"
        )
        with engine.connect() as connection:
            connection.execute(text(f'create database "{name}" template "{start.database}"'))
    return start.set(database=name).render_as_string()


if __name__ == "__main__":
    main()
