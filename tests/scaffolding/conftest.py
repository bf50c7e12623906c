"""Running commands in a course elsewhere, as its instructor would."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def run_in() -> Run:
    """Run a module of this Python in a folder."""

    def run_in(folder: Path, module: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", module, *map(str, arguments)],
            cwd=folder,
            env=os.environ | {"COLUMNS": "200"},
            capture_output=True,
            text=True,
            timeout=300,
        )

    return run_in
