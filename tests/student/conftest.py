"""A sandbox for all tests of the student room: in the strongest form that works here."""

from dataclasses import replace

import pytest
from course_packages import PACKAGES

from autograder.course.limits import Limits
from autograder.sandbox import Sandbox
from autograder.student import LocalStudent
from autograder.student.session import Cell, Session

LIMITS = Limits(call_seconds=0.5, cell_seconds=0.5, submission_seconds=10.0, memory_bytes=512 << 20)


@pytest.fixture(scope="session")
def connection():
    with Sandbox(limits=LIMITS, packages=PACKAGES) as sandbox:
        yield sandbox.connect()


@pytest.fixture
def open_session(connection):
    """Start a session from sources; a source that comes with a name is that exercise's cell."""
    opened = []

    def start(*sources, files=None, **changes):
        cells = []
        for place, given in enumerate(sources):
            exercise, source = given if isinstance(given, tuple) else (None, given)
            cells.append(Cell(exercise or f"cell {place}", source, exercise))
        opened.append(Session(connection, cells, files or {}, replace(LIMITS, **changes)))
        return opened[-1]

    yield start
    for session in opened:
        session.close()


@pytest.fixture(params=["remote", "local"])
def student_of(request, open_session):
    """The student whose one cell this source is, in the sandbox and in this process."""

    def start(source):
        if request.param == "remote":
            session = open_session(source)
            assert session.outcomes["cell 0"].error is None
            return session.student
        namespace = {"__name__": "__main__"}
        exec(compile(source, "cell", "exec"), namespace)
        return LocalStudent(namespace)

    return start
