"""What tests of the hidden graders share: one thread, and students in a sandbox of the module's."""

import inspect
import textwrap

import pytest
import torch

from autograder.judging.answers import solution_module
from autograder.student.session import Cell, Session


@pytest.fixture(scope="package", autouse=True)
def _one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # as on a grading machine; tiny tensors are faster so
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def student_of(request, connection):
    """The student whose notebook is the solution of the module's EXERCISE, and then these cells."""
    opened = []

    def start(*sources):
        solution = inspect.getsource(solution_module(request.module.EXERCISE))
        cells = [
            Cell(f"cell {place}", textwrap.dedent(one))
            for place, one in enumerate((solution, *sources))
        ]
        opened.append(Session(connection, cells, {}, connection._limits))
        errors = [one.error for one in opened[-1].outcomes.values() if one.error is not None]
        assert errors == []
        return opened[-1].student

    yield start
    for session in opened:
        session.close()
