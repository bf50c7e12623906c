"""`make test-all` runs every test that stands on disk."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PLACES = (ROOT / "tests", *sorted(ROOT.glob("graders/**/tests")))
# Which files pytest would read, without the time that reading them takes.
COLLECT = """
import sys, pytest

class Unread(pytest.Module):
    def collect(self):
        return []

class Files:
    def pytest_pycollect_makemodule(self, module_path, parent):
        print(module_path)
        return Unread.from_parent(parent, path=module_path)

sys.exit(pytest.main(["--collect-only", "--quiet"], [Files()]))
"""


def holds_tests(path: Path) -> bool:
    """Whether a file defines what reads like a test to a person, whatever the file's name."""
    names = [getattr(one, "name", "") for one in ast.parse(path.read_bytes()).body]
    return any(name.startswith(("test_", "Test")) for name in names)


def test_every_file_with_tests_is_collected() -> None:
    done = subprocess.run([sys.executable, "-c", COLLECT], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, done.stdout + done.stderr
    collected = {Path(line) for line in done.stdout.splitlines() if line.startswith(str(ROOT))}
    on_disk = {path for place in PLACES for path in place.rglob("*.py")}
    assert collected == {path for path in on_disk if holds_tests(path)}
