"""What docs/authoring.md prints runs in this order, from an empty folder."""

import re
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PAGE = Path(__file__).resolve().parents[2] / "docs" / "authoring.md"
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ELSEWHERE = "autograder validate"  # test_new_course.py proves the whole of a new course
# Nobody writes here what the TODOs ask for, as test_new_exercise.py does.
UNWRITTEN = {
    "autograder validate 02-layer-norm --no-notebooks": 1,
    "autograder validate 02-layer-norm": 1,
    "python -m pytest": 1,
    "autograder grade": 1,  # a reference that is not written cannot judge
}


def commands() -> list[str]:
    blocks = "".join(BLOCK.findall(PAGE.read_text(encoding="utf-8"))).replace("\\\n", " ")
    lines = [re.sub(r"(^|\s)#.*", "", line).strip() for line in blocks.splitlines()]
    return [line for line in lines if line]


def test_each_command_of_the_page_runs(tmp_path: Path, environment: dict[str, str]) -> None:
    first, *others = commands()
    subprocess.run(first, shell=True, cwd=tmp_path, check=True)
    assert set(UNWRITTEN) | {ELSEWHERE} <= set(others)
    for command in others:
        if command == ELSEWHERE:
            continue
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path / "taught",
            env=environment,
            capture_output=True,
            text=True,
        )
        told = f"{command}:\n{done.stdout}{done.stderr}"
        assert done.returncode == UNWRITTEN.get(command, 0), told
        assert "Traceback" not in done.stderr, told
