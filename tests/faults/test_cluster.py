"""Grading on a real Dask cluster, whose workers are killed: the marks are those of one machine."""

import json
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import psutil
import pytest
from gradebook_rows import url_of
from records import read
from small_curriculum import perfect

from autograder.sandbox.gpu import why_no_gpu

pytestmark = pytest.mark.slow

HANGS = 300
WITH_GPU = "03-causal-masking"  # its checks of a GPU wait where there is none


class Cluster:
    """A scheduler and workers, each a process on this machine.

    Attributes:
        address: the scheduler's.
        workers: the processes, each with one thread.
    """

    def __init__(self, scripts: Path, environment: dict[str, str], folder: Path) -> None:
        self._log = folder / "dask.log"
        self._start = lambda *command: subprocess.Popen(
            [scripts / "dask", *command],
            env=environment,
            cwd=folder,
            stdout=self._log.open("ab"),
            stderr=subprocess.STDOUT,
        )
        file = folder / "scheduler.json"
        local = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")
        self._scheduler = self._start("scheduler", *local, "--port", "0", "--scheduler-file", file)
        wait_until(file.is_file)
        self.address = json.loads(file.read_text())["address"]
        self.workers: list[subprocess.Popen[bytes]] = []

    def add_worker(self, *more: str) -> None:
        """Start one more worker, without a nanny that would start it again."""
        options = ("--nthreads", "1", "--no-nanny", "--dashboard-address", "127.0.0.1:0")
        self.workers.append(
            self._start("worker", self.address, "--host", "127.0.0.1", *options, *more)
        )

    def is_ready(self) -> bool:
        """Whether a worker has said that the scheduler knows it."""
        return "Registered to" in self._log.read_text()

    def grading(self) -> list[psutil.Process]:
        """The grading processes that workers have started."""
        found = (psutil.Process(one.pid) for one in self.workers if one.poll() is None)
        return [child for worker in found for child in worker.children()]

    def end(self) -> None:
        """End all of it."""
        for process in (*self.workers, self._scheduler):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(scripts: Path, environment: dict[str, str], tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    cluster = Cluster(scripts, environment, folder)
    yield cluster
    cluster.end()


def wait_until(so: Callable[[], bool]) -> None:
    end = time.monotonic() + HANGS
    while not so():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.05)


def test_a_lost_worker_costs_no_submission_and_doubles_none(
    cluster: Cluster, prepared: Any, course: Path, grade: Callable[..., Any]
) -> None:
    cluster.add_worker()
    wait_until(cluster.is_ready)
    kept = verdicts(course)
    grading, output = grade("--cluster", cluster.address, cwd=course)
    wait_until(lambda: verdicts(course) > kept)
    lost = cluster.grading()
    cluster.workers[0].send_signal(signal.SIGKILL)
    cluster.add_worker()
    assert grading.wait(HANGS) == 0, output.read_text()
    assert read(url_of(course)) == prepared.graded
    assert lost
    wait_until(lambda: not any(map(is_alive, lost)))
    assert cluster.grading()


def test_a_second_run_needs_no_worker(
    cluster: Cluster, prepared: Any, course: Path, run: Any
) -> None:
    cluster.add_worker()
    wait_until(cluster.is_ready)
    first = run("autograder", "grade", "--cluster", cluster.address, cwd=course)
    assert first.returncode == 0, first.stderr
    again = run("autograder", "grade", cwd=course)
    assert again.stdout == first.stdout
    assert read(url_of(course)) == prepared.graded


def test_a_gpu_that_no_worker_declares_is_told(cluster: Cluster, course: Path, run: Any) -> None:
    cluster.add_worker()
    wait_until(cluster.is_ready)
    asked = ("--cluster", cluster.address, "--device", "cuda")
    done = run("autograder", "grade", *asked, cwd=course)
    assert done.returncode == 1
    assert "No worker of the cluster declares one" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(why_no_gpu() is None, reason="a GPU is here")
def test_a_gpu_that_a_worker_declares_and_has_not_costs_no_marks(
    cluster: Cluster, make_course: Callable[[Path], Path], run: Any, tmp_path: Path
) -> None:
    here, there = make_course(tmp_path / "here"), tmp_path / "there"
    handed_in = here / "submitted" / "ada" / WITH_GPU
    handed_in.mkdir(parents=True)
    nbformat.write(perfect(here, WITH_GPU), handed_in / f"{WITH_GPU}.ipynb")
    shutil.copytree(here, there)
    assert run("autograder", "grade", cwd=here).returncode == 0
    cluster.add_worker("--resources", "GPU=1")
    wait_until(cluster.is_ready)
    done = run("autograder", "grade", "--cluster", cluster.address, cwd=there)
    assert done.returncode == 0, done.stderr
    assert "CUDA checks could not run, and wait: This machine has no NVIDIA GPU" in done.stderr
    assert read(url_of(there)) == read(url_of(here))


def test_what_is_no_cluster_is_told(course: Path, run: Any) -> None:
    done = run("autograder", "grade", "--cluster", "tcp://127.0.0.1:1", cwd=course)
    assert done.returncode == 1
    assert "There is no Dask scheduler at tcp://127.0.0.1:1" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_cluster_without_workers_is_told(cluster: Cluster, course: Path, run: Any) -> None:
    done = run("autograder", "grade", "--cluster", cluster.address, cwd=course)
    assert done.returncode == 1
    assert "has no workers yet" in done.stderr
    assert "Traceback" not in done.stderr


def is_alive(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


def verdicts(course: Path) -> int:
    """How many verdicts are kept."""
    return len(list((course / ".autograder" / "verdicts").rglob("*.json")))
