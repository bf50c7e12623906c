"""Grading on the workers of a Dask cluster: the same grading process, on other machines.

The caller keeps the verdict store and the gradebook; workers keep nothing. What a grading process
needs of the course (graders, solutions, checks, data files, the secret) travels once to each
worker, so use an encrypted cluster (`tls://...`) where the network is not yours.
"""

import hashlib
import tempfile
import threading
from collections.abc import Iterable
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

from autograder.course import Course
from autograder.course.data_files import files_under
from autograder.course.errors import MachineError
from autograder.course.layout import checks_folder
from autograder.verdicts.key import digest_of_program
from autograder.verdicts.pool import GraderCrashed, GradingUnavailable, Pool
from autograder.verdicts.submission import Submission
from autograder.verdicts.verdict import ExerciseVerdict

SECONDS_TO_CONNECT = 20
A_GPU = {"GPU": 1}  # what workers with one declare: `dask worker --resources GPU=1`

CODE = (".py", ".toml")

_starting = threading.Lock()
_pools: dict[str, Pool] = {}  # in a worker: one grading process for each set-up it has seen


class Cluster:
    """Grades as `Pool` does, on an existing cluster; safe to use from several threads.

    Args:
        address: the scheduler's, such as `tcp://10.0.0.1:8786`.
        course: its files go to the workers.
        setup: what to grade with, as `describe_setup` tells it.

    Raises:
        MachineError: there is no such cluster, it has no workers, or `distributed` is missing.
    """

    def __init__(self, address: str, course: Course, setup: Iterable[dict[str, Any]]) -> None:
        try:
            from distributed import Client
        except ImportError as error:
            raise MachineError(
                "--cluster needs Dask: pip install 'attention-autograder[cluster]'."
            ) from error
        try:
            self._client = Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise MachineError(f"There is no Dask scheduler at {address}: {error}") from error
        self.threads = sum(self._client.nthreads().values())
        if not self.threads:
            self._client.close()
            raise MachineError(f"The Dask cluster at {address} has no workers yet. Start some.")
        where, what = setup
        self._resources = A_GPU if where["device"] == "cuda" else {}
        parcel = {
            "setup": [where, what],
            "files": _files(course, what["assignments"]),
            "program": digest_of_program(where["packages"]),
        }
        parcel["name"] = hashlib.sha256(repr(parcel).encode()).hexdigest()
        # A task, not scattered data: the scheduler makes it again when its worker is lost.
        self._parcel: Any = self._client.submit(dict, parcel, pure=False)
        self.notes: list[str] = []

    def grade(
        self, submission: Submission, exercises: list[str]
    ) -> tuple[list[ExerciseVerdict], float]:
        """Grade some exercises of a submission on some worker, on another when that is lost.

        Returns:
            the verdicts, and the seconds that grading took.

        Raises:
            GraderCrashed: the grading process failed on it, or was lost over it too often.
            GradingUnavailable: a worker cannot grade.
        """
        from distributed import KilledWorker

        future = self._client.submit(
            grade_here,
            self._parcel,
            submission.to_json(),
            exercises,
            pure=False,
            resources=self._resources,
        )
        try:
            answer = future.result()
        except KilledWorker as error:
            raise GraderCrashed("too many workers of the cluster ended over it") from error
        except CancelledError as error:
            raise GradingUnavailable(
                "The Dask cluster is gone. Verdicts so far are kept: the same command goes on."
            ) from error
        verdicts = [ExerciseVerdict.from_json(one) for one in answer["verdicts"]]
        self.notes = answer["notes"]
        return verdicts, answer["seconds"]

    def why_no_gpu(self) -> str | None:
        """Why no worker runs what needs a GPU; None where one does."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"].values()
        if any(one["resources"].get("GPU", 0) >= A_GPU["GPU"] for one in workers):
            return None
        return "No worker of the cluster declares one, as `dask worker --resources GPU=1` does."

    def close(self) -> None:
        """Let go of the cluster; its workers end their grading processes with themselves."""
        self._client.close()


def grade_here(
    parcel: dict[str, Any], submission: dict[str, Any], exercises: list[str]
) -> dict[str, Any]:
    """Grade in this worker, by a grading process that stays for the next submission.

    Args:
        parcel: what `Cluster` has sent: set-up, files, and which program it runs.
        submission: as `Submission.to_json` gives it.
        exercises: names of exercises.

    Raises:
        GradingUnavailable: this worker runs another program, or has no sandbox.
    """
    pool = _pool(parcel)
    verdicts, seconds = pool.grade(Submission.from_json(submission), exercises)
    told = [verdict.to_json() for verdict in verdicts]
    return {"verdicts": told, "seconds": seconds, "notes": pool.notes}


def _pool(parcel: dict[str, Any]) -> Pool:
    from distributed import get_worker

    worker = get_worker()
    if parcel["program"] != digest_of_program(parcel["setup"][0]["packages"]):
        raise GradingUnavailable(
            f"The worker {worker.address} has another version of the autograder, of Python or of "
            "a package that verdicts depend on. Install the same on all, and run this again."
        )
    name = parcel["name"]
    with _starting:
        if name not in _pools:
            root = Path(tempfile.mkdtemp(prefix="autograder-cluster-", dir=worker.local_directory))
            for path, data in parcel["files"].items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_bytes(data)
            where, what = parcel["setup"]
            most = where["gpu_slots"] if where["device"] == "cuda" else worker.state.nthreads
            setup = [where | {"root": str(root)}, what]
            _pools[name] = Pool(lambda: setup, min(most, worker.state.nthreads))
        return _pools[name]


def _files(course: Course, assignments: Iterable[dict[str, Any]]) -> dict[str, bytes]:
    """What a grading process reads in the course's folder, by path relative to it."""
    trees = [course.root / place for place in ("solutions", "graders")]
    trees += [checks_folder(course.root, name) for name in course.sources]
    paths = [path for tree in trees for path in files_under(tree) if path.suffix in CODE]
    files = {path.relative_to(course.root).as_posix(): path.read_bytes() for path in paths}
    for assignment in assignments:
        name = assignment["name"]
        brought = course.data_files(name).items()
        files |= {f"assignments/{name}/{path}": data for path, data in brought}
    return files
