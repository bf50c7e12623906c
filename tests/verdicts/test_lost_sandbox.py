"""A sandbox that is lost amid a submission: started again, and the submission graded as it is."""

import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import nbformat
import psutil
import pytest
from podman_images import processes_in
from small_curriculum import perfect

from autograder.course import load_course
from autograder.proof import known_answers
from autograder.verdicts import Submission
from autograder.verdicts.messages import describe_setup
from autograder.verdicts.pool import Pool

pytestmark = pytest.mark.slow

NAME = "01-line-fitting"
# From its sixth call on, which is a hidden test's, it takes its time, and memory that can be seen.
SLOW = """
import subprocess
import time
def slowly(f):
    calls = []
    def predict(*args, **kwargs):
        calls.append(b"x" * (400 << 20) if len(calls) == 5 else None)
        if len(calls) > 5:
            time.sleep(1)
        return f(*args, **kwargs)
    return predict
predict = slowly(predict)
"""


def sandboxed(pool: Pool) -> set[psutil.Process]:
    """The fork server, and what it and a container run."""
    found = set()
    ours = psutil.Process(pool._process.pid).children(recursive=True)
    for process in [*ours, *(inside for one in ours for inside in processes_in(one))]:
        try:
            if "autograder.sandbox.inside" in " ".join(process.cmdline()[:8]):
                found.add(process)
        except psutil.Error:
            continue  # it has just ended
    return found


def in_a_hidden_test(children: set[psutil.Process], servers: set[psutil.Process]) -> bool:
    """Whether a student's process has taken the memory of its sixth call."""
    held = max(server.memory_info().rss for server in servers)
    try:
        return any(child.memory_info().rss > held + (50 << 20) for child in children)
    except psutil.Error:
        return False  # it has just ended


@pytest.mark.parametrize("policy", ["fallback", "container"])
def test_a_sandbox_lost_amid_a_hidden_test_costs_no_mark(
    policy: str,
    make_line_fitting: Callable[[Path], Path],
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    folder = make_line_fitting(tmp_path / "course")
    if policy == "container":
        image = request.getfixturevalue("podman")(monkeypatch)
        with (folder / "course_config.py").open("a") as config:
            config.write(f"c.SandboxPolicy.image = {image!r}\n")
    course = load_course(folder)
    reference = next(known_answers(course, course.assignment(NAME)))
    cells = tuple(
        (name, source + SLOW if name == "predict" else source) for name, source in reference.cells
    )
    pool = Pool(partial(describe_setup, course, [course.assignment(NAME)], "cpu", policy), 1)
    try:
        with ThreadPoolExecutor(1) as thread:
            before = sandboxed(pool)
            graded = thread.submit(pool.grade, Submission("ada", NAME, cells), ["predict"])
            end = time.monotonic() + 60
            while not in_a_hidden_test(sandboxed(pool) - before, before):
                assert time.monotonic() < end
                time.sleep(0.02)
            for process in before:
                process.kill()
            (verdict,), _ = graded.result()
    finally:
        pool.close()
    assert (verdict.reason, verdict.detail) == (None, None)
    assert verdict.score == verdict.max_points > 0


def test_a_sandbox_that_cannot_start_is_told_in_a_sentence(
    make_line_fitting: Callable[[Path], Path],
    run: Callable[..., subprocess.CompletedProcess[str]],
    tmp_path: Path,
) -> None:
    folder = make_line_fitting(tmp_path / "course")
    handed_in = folder / "submitted" / "ada" / NAME
    handed_in.mkdir(parents=True)
    nbformat.write(perfect(folder, NAME), handed_in / f"{NAME}.ipynb")
    with (folder / "course_config.py").open("a") as config:
        config.write("c.SandboxPolicy.image = 'no-such-image'\n")
    done = run("autograder", "grade", NAME, "--sandbox", "container", cwd=folder)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("autograder: ")]
    assert "cannot be held on this machine as the course asks. container+seccomp does not" in line
    assert "not installed" in line or "does not work" in line or "autograder image" in line
