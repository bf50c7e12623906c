"""The one way from a submission to its verdicts: stored ones are used, the others computed."""

import os
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from autograder.course import Course
from autograder.course.errors import MachineError
from autograder.verdicts.cluster import Cluster
from autograder.verdicts.kept import Kept
from autograder.verdicts.key import Keys
from autograder.verdicts.messages import describe_setup
from autograder.verdicts.pool import GraderCrashed, Pool
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
        self._kept = Kept(course.root / ".autograder" / "verdicts")
        self._keys: dict[str, Keys] = {}
        self._pools: dict[str, Pool | Cluster] = {}
        self._starting = threading.Lock()
        self._reading = threading.Lock()
        self._begun = cluster is not None
        if cluster is not None:
            clusters = {one: Cluster(cluster, course, self._setup(one)) for one in self._devices}
            self.workers = clusters["cpu"].threads
            self._pools.update(clusters)

    def verdict(self, submission: Submission, only: str | None = None) -> SubmissionVerdict:
        """The verdict on every exercise of a submission, or on one.

        Raises:
            GradingUnavailable: nothing can be graded on this machine.
        """
        keys = self._keys_of(submission.assignment).keys(submission)
        if only is not None:
            keys = {only: keys[only]}
        known = self._all_known(submission, keys)
        seconds = 0.0
        for device in self._devices:
            missing = [name for name, verdict in known.items() if _lacks(verdict, device)]
            if not missing:
                continue
            try:
                computed, spent = self.pool(device).grade(submission, missing)
            except GraderCrashed as crash:
                return SubmissionVerdict(
                    submission.student, submission.assignment, (), "grader_crashed", str(crash)
                )
            for verdict in computed:
                self._kept.put(keys[verdict.exercise], verdict, device)
                known[verdict.exercise] = self._kept.find(keys[verdict.exercise]) or verdict
            seconds += spent
        exercises = tuple(verdict for verdict in known.values() if verdict is not None)
        return SubmissionVerdict.of(submission.student, submission.assignment, exercises, seconds)

    def expect(self, submission: Submission) -> None:
        """Start the grading process meanwhile, if this submission will need it."""
        known = self._all_known(submission, self._keys_of(submission.assignment).keys(submission))
        if None in known.values():
            self.begin()

    def begin(self) -> None:
        """Start the grading process meanwhile; what goes wrong is told to whoever needs it."""
        if not self._begun:
            self._begun = True
            threading.Thread(target=self._begin, daemon=True).start()

    def keys(self, submission: Submission) -> dict[str, str]:
        """What names the verdict on each exercise: the hash of all that the verdict rests on.

        A verdict that a GPU has completed is another than the one that waits for it.
        """
        keys = self._keys_of(submission.assignment).keys(submission)
        return {name: self._kept.identity(key) for name, key in keys.items()}

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
        known = self._found(assignment, keys, answered, self._kept.found).values()
        if any(_lacks(verdict, device) for verdict in known for device in self._devices):
            return None
        exercises = tuple(verdict for verdict in known if verdict is not None)
        return SubmissionVerdict.of(student, assignment, exercises, 0.0)

    def pool(self, device: str = "cpu") -> Pool | Cluster:
        """The process that grades on a device, started on first use; or the cluster."""
        with self._starting:
            if device not in self._pools:
                slots = self.course.devices.gpu_slots
                workers = self.workers if device == "cpu" else min(self.workers, slots)
                self._pools[device] = Pool(partial(self._setup, device), workers)
        return self._pools[device]

    @property
    def notes(self) -> list[str]:
        """What is weaker than it could be in this run, and why."""
        notes = [note for pool in self._pools.values() for note in pool.notes]
        return [*dict.fromkeys(notes), *([self._kept.note] if self._kept.note else [])]

    def close(self) -> None:
        """End the grading process, if one was started."""
        with self._starting:
            while self._pools:
                _, pool = self._pools.popitem()
                pool.close()

    def _begin(self) -> None:
        with suppress(Exception):
            self.pool()

    @property
    def _devices(self) -> tuple[str, ...]:
        """Where graders run here, in this order: a GPU completes what a CPU has found."""
        return ("cpu",) if self.device == "cpu" else ("cpu", "cuda")

    def _setup(self, device: str) -> dict[str, Any]:
        assignments = [self.course.assignment(name) for name in self._assignments]
        return describe_setup(self.course, assignments, device, self.policy)

    def _keys_of(self, name: str) -> Keys:
        with self._reading:
            if name not in self._keys:
                assignment = self.course.assignment(name)
                self._keys[name] = Keys(self.course, assignment, self.policy)
            return self._keys[name]

    def _all_known(
        self, submission: Submission, keys: Mapping[str, str]
    ) -> dict[str, ExerciseVerdict | None]:
        """The verdicts that are kept, or need no process; None for those to be computed."""
        return self._found(submission.assignment, keys, submission.written, self._kept.find)

    def _found(
        self,
        assignment: str,
        keys: Mapping[str, str],
        answered: Collection[str],
        find: Callable[[str], ExerciseVerdict | None],
    ) -> dict[str, ExerciseVerdict | None]:
        declared = {one.name: one for one in self.course.assignment(assignment).exercises}
        return {
            name: judge_written(declared[name], name in answered)
            if declared[name].kind == "written"
            else find(key)
            for name, key in keys.items()
        }


def _lacks(verdict: ExerciseVerdict | None, device: str) -> bool:
    """Whether this device is still to be asked; a GPU only about code that a CPU could judge."""
    if device == "cpu" or verdict is None:
        return verdict is None
    return verdict.reason is None and verdict.waits_for(device)


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
