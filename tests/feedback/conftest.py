"""A gradebook, for tests that put marks into it."""

import os
import sys
from pathlib import Path

import pytest
from nbgrader.api import Gradebook


@pytest.fixture(scope="session")
def empty_gradebook(tmp_path_factory):
    """A gradebook file with its tables; making one takes seconds, copying it takes none."""
    file = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    with pytest.MonkeyPatch.context() as patch:
        # nbgrader calls the command `alembic`, which stands beside this Python, active or not.
        beside = str(Path(sys.executable).parent)
        patch.setenv("PATH", beside + os.pathsep + os.environ["PATH"])
        Gradebook(f"sqlite:///{file}").close()
    return file
