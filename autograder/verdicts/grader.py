"""The one way from a submission to its verdicts: stored ones are used, the others computed."""

import os
import threading
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from autograder.course import Course
from autograder.course.errors import MachineError
from autograder.verdicts.cluster import Cluster
from autograder.verdicts.key import Keys
from autograder.verdicts.messages import describe_setup
from autograder.verdicts.pool import GraderCrashed, Pool
from autograder.verdicts.store import NEVER_FINAL, Store
from autograder.verdicts.submission import Submission
from autograder.verdicts.verdict import ExerciseVerdict, SubmissionVerdict
from autograder.verdicts.written import judge_written


class Grader:
    """Gives verdicts; starts a grading process when the first one must be computed.

    Args:
        course: the course.
        workers: submissions graded at once.
        device: `auto`, `cpu` or `cuda`; None takes the course's.
        policy: the sandbox policy; None takes the course's.
        assignments: the names of those to be graded; None for all.
        cluster: the address of a Dask scheduler whose workers grade; None grades here.

    Raises:
        MachineError: the device or the cluster cannot be reached.
    """

    def __init__(
        self,
        course: Course,
        workers: int = 1,
        device: str | None = None,
        policy: str | None = None,
        assignments: Collection[str] | None = None,
        cluster: str | None = None,
    ) -> None:
        self.course = course
        self._assignments = sorted(course.sources if assignments is None else assignments)
        self.workers = workers
        self.device = reachable(device or course.devices.device)
        self.policy = policy or course.sandbox.mode
        self._store = Store(course.root / ".autograder" / "verdicts")
        self._keys: dict[str, Keys] = {}
        self._pool: Pool | Cluster | None = None
        self._starting = threading.Lock()
        self._reading = threading.Lock()
        # What is not kept for another run holds within this one: nbgrader asks again.
        self._this_run: dict[str, ExerciseVerdict] = {}
        self._not_kept: str | None = None
        self._begun = cluster is not None
        if cluster is not None:
            self._pool = Cluster(cluster, course, self._setup())
            self.workers = self._pool.threads

    def verdict(self, submission: Submission, only: str | None = None) -> SubmissionVerdict:
        """The verdict on every exercise of a submission, or on one.

        Raises:
            GradingUnavailable: nothing can be graded on this machine.
        """
        keys = self.keys(submission)
        if only is not None:
            keys = {only: keys[only]}
        known = self._all_known(submission.assignment, keys, submission.written)
        missing = [name for name, verdict in known.items() if verdict is None]
        seconds = 0.0
        if missing:
            try:
                computed, seconds = self.pool.grade(submission, missing)
            except GraderCrashed as crash:
                return SubmissionVerdict(
                    submission.student, submission.assignment, (), "grader_crashed", str(crash)
                )
            for verdict in computed:
                known[verdict.exercise] = verdict
                self._keep(keys[verdict.exercise], verdict)
        exercises = tuple(verdict for verdict in known.values() if verdict is not None)
        return SubmissionVerdict.of(submission.student, submission.assignment, exercises, seconds)

    def expect(self, submission: Submission) -> None:
        """Start the grading process meanwhile, if this submission will need it."""
        known = self._all_known(submission.assignment, self.keys(submission), submission.written)
        if None in known.values():
            self.begin()

    def begin(self) -> None:
        """Start the grading process meanwhile; what goes wrong is told to whoever needs it."""
        if not self._begun:
            self._begun = True
            threading.Thread(target=self._begin, daemon=True).start()

    def keys(self, submission: Submission) -> dict[str, str]:
        """What names the verdict on each exercise: the hash of all that the verdict rests on."""
        return self._keys_of(submission.assignment).keys(submission)

    def context(self, assignment: str) -> str:
        """The digest of all that verdicts on an assignment rest on but the submission."""
        return self._keys_of(assignment).context

    def stored(
        self, assignment: str, student: str, keys: Mapping[str, str], answered: Collection[str]
    ) -> SubmissionVerdict | None:
        """The verdict of these keys, where every exercise's is kept.

        Args:
            assignment: the assignment's name.
            student: the student's id.
            keys: by exercise, as `keys` gave them.
            answered: the written questions that have an answer.
        """
        known = self._all_known(assignment, keys, answered).values()
        exercises = tuple(verdict for verdict in known if verdict is not None)
        if len(exercises) < len(known):
            return None
        return SubmissionVerdict.of(student, assignment, exercises, 0.0)

    @property
    def pool(self) -> Pool | Cluster:
        """The grading process, started on first use; or the cluster."""
        with self._starting:
            if self._pool is None:
                self._pool = Pool(self._setup, self.workers)
        return self._pool

    @property
    def notes(self) -> list[str]:
        """What is weaker than it could be in this run, and why."""
        notes = list(self._pool.notes) if self._pool else []
        return notes if self._not_kept is None else [*notes, self._not_kept]

    def close(self) -> None:
        """End the grading process, if one was started."""
        with self._starting:
            if self._pool is not None:
                self._pool.close()
                self._pool = None

    def _begin(self) -> None:
        with suppress(Exception):
            _ = self.pool

    def _setup(self) -> dict[str, Any]:
        assignments = [self.course.assignment(name) for name in self._assignments]
        return describe_setup(self.course, assignments, self.device, self.policy)

    def _keys_of(self, name: str) -> Keys:
        with self._reading:
            if name not in self._keys:
                assignment = self.course.assignment(name)
                self._keys[name] = Keys(self.course, assignment, self.device, self.policy)
            return self._keys[name]

    def _all_known(
        self, assignment: str, keys: Mapping[str, str], answered: Collection[str]
    ) -> dict[str, ExerciseVerdict | None]:
        """The verdicts that are kept, or need no process; None for those to be computed."""
        declared = {one.name: one for one in self.course.assignment(assignment).exercises}
        return {
            name: judge_written(declared[name], name in answered)
            if declared[name].kind == "written"
            else self._known(key)
            for name, key in keys.items()
        }

    def _known(self, key: str) -> ExerciseVerdict | None:
        return self._this_run.get(key) or self._store.get(key)

    def _keep(self, key: str, verdict: ExerciseVerdict) -> None:
        if verdict.reason in NEVER_FINAL:
            self._this_run[key] = verdict
            return
        try:
            self._store.put(key, verdict)
        except OSError as error:
            self._this_run[key] = verdict
            self._not_kept = (
                f"verdicts cannot be kept in {self._store.folder} ({error.strerror}). The marks of "
                "this run count; the next run computes these verdicts again."
            )


def reachable(device: str) -> str:
    """The device that graders run on: `cpu`, whose CUDA tests stay pending.

    Raises:
        MachineError: `cuda` is asked for, which the sandbox cannot reach.
    """
    if device == "cuda":
        raise MachineError(
            "The sandbox of this version does not reach a GPU, so CUDA checks cannot run. "
            "With --device auto or cpu they stay pending, and everything else is graded."
        )
    return "cpu"


def default_workers() -> int:
    """As many submissions at once as this process may use cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
