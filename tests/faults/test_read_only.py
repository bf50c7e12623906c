"""A course, or a gradebook, that cannot be written: one sentence, and everything is as it was."""

from pathlib import Path
from typing import Any

import pytest
from gradebook_rows import url_of
from records import read

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("place", [".", "gradebook.db"])
def test_what_cannot_be_written_is_told_in_a_sentence(
    prepared: Any,
    course: Path,
    mounts: Any,
    scripts: Path,
    environment: dict[str, str],
    run: Any,
    place: str,
) -> None:
    mounts.read_only(course / place)
    done = mounts.run(scripts / "autograder", "grade", cwd=course, environment=environment)
    assert done.returncode == 1, done.stdout + done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert "read-only" in done.stderr.lower() or "readonly" in done.stderr
    assert read(url_of(course)) == prepared.before
    again = run("autograder", "grade", cwd=course)
    assert again.returncode == 0, again.stdout + again.stderr
    assert read(url_of(course)) == prepared.graded
