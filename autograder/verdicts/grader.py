"""The one way from a submission to its verdicts: stored ones are used, the others computed."""

import os
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

from autograder.course import Course
from autograder.course.errors import MachineError
from autograder.sandbox.gpu import why_no_gpu
from autograder.sandbox.machine_memory import MemoryWatch, why_too_little
from autograder.verdicts.cluster import Cluster
from autograder.verdicts.key import Keys
from autograder.verdicts.messages import describe_setup
from autograder.verdicts.pool import GraderCrashed, GradingUnavailable, Pool
from autograder.verdicts.submission import Submission
from autograder.verdicts.verdict import (
    GRADER_ERROR,
    ExerciseVerdict,
    SubmissionVerdict,
    judged_void,
)
from autograder.verdicts.verdict_store import VerdictStore, identity, key_in
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
        MachineError: the device or the cluster cannot be reached, or there is too little memory.
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
        self.device = device or course.devices.device
        self.policy = policy or course.sandbox.mode
        self._store = VerdictStore(course.root / ".autograder" / "verdicts")
        self._keys: dict[str, Keys] = {}
        self._pools: dict[str, Pool | Cluster] = {}
        self._not_completed: str | None = None
        self._added: list[str] = []
        self._starting = threading.Lock()
        self._reading = threading.Lock()
        self._begun = cluster is not None
        self._memory = MemoryWatch(*self._memory_needed())
        if cluster is None:
            if why := why_too_little(*self._memory_needed()):
                raise GradingUnavailable(why)
            self.device = reachable(self.device, why_no_gpu())
        else:
            self._connect(cluster)

    def verdict(self, submission: Submission, only: str | None = None) -> SubmissionVerdict:
        """The verdict on every exercise of a submission, or on one.

        Raises:
            GradingUnavailable: nothing can be graded on this machine.
        """
        keys = self.keys(submission)
        if only is not None:
            keys = {only: keys[only]}
        known = self._all_known(submission.assignment, keys, submission.written)
        seconds = 0.0
        missing = [name for name, verdict in known.items() if verdict is None]
        if missing:
            try:
                with self._telling_of_memory():
                    computed, seconds = self.pool().grade(submission, missing)
            except GraderCrashed as crash:
                why = f"{crash}. {self._memory.note}" if self._memory.note else str(crash)
                return SubmissionVerdict(
                    submission.student, submission.assignment, (), "grader_crashed", why
                )
            for verdict in computed:
                known[verdict.exercise] = verdict
                self._store.put(keys[verdict.exercise], verdict, "cpu")
        if self.device == "cuda":
            seconds += self._complete(submission, keys, known)
        exercises = tuple(verdict for verdict in known.values() if verdict is not None)
        return SubmissionVerdict(
            submission.student, submission.assignment, exercises, seconds=seconds
        )

    def expect(self, submission: Submission) -> None:
        """Start the grading process meanwhile, if this submission will need it."""
        keys = self.keys(submission)
        known = self._all_known(submission.assignment, keys, submission.written)
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

    def identities(self, submission: Submission, verdict: SubmissionVerdict) -> dict[str, str]:
        """What names each exercise's verdict: a GPU makes another of one that waited for it."""
        keys = self.keys(submission)
        found = {one.exercise: one for one in verdict.exercises}
        return {name: identity(key, found[name]) for name, key in keys.items() if name in found}

    def context(self, assignment: str) -> str:
        """The digest of all that verdicts on an assignment rest on but the submission."""
        return self._keys_of(assignment).context

    def parts(self, assignment: str) -> Mapping[str, Mapping[str, str]]:
        """Of each exercise the digests of what its verdicts rest on, by what it is; see `Keys`."""
        return self._keys_of(assignment).parts

    def stored(
        self, assignment: str, student: str, named: Mapping[str, str], answered: Collection[str]
    ) -> SubmissionVerdict | None:
        """The verdict of these identities, where every exercise's is kept and nothing is to do.

        Args:
            assignment: the assignment's name.
            student: the student's id.
            named: by exercise, as `identities` gave them.
            answered: the written questions that have an answer.
        """
        keys = {name: key_in(one) for name, one in named.items()}
        known = self._all_known(assignment, keys, answered)
        exercises = []
        for name, verdict in known.items():
            if verdict is None or identity(keys[name], verdict) != named[name]:
                return None
            if self.device == "cuda" and _is_for_gpu(verdict):
                return None
            exercises.append(verdict)
        return SubmissionVerdict(student, assignment, tuple(exercises))

    def pool(self, device: str = "cpu") -> Pool | Cluster:
        """The process that grades on a device, started on first use; or the cluster."""
        with self._starting:
            if device not in self._pools:
                slots = self.course.devices.gpu_slots
                workers = self.workers if device == "cpu" else min(self.workers, slots)
                with self._telling_of_memory():
                    self._pools[device] = Pool(partial(self._setup, device), workers)
        return self._pools[device]

    @property
    def notes(self) -> list[str]:
        """What is weaker than it could be in this run, and why."""
        notes = [note for pool in self._pools.values() for note in pool.notes]
        told = (self._store.note, self._not_completed, self._memory.note)
        notes += [note for note in told if note] + self._added
        return list(dict.fromkeys(notes))

    def add_note(self, note: str) -> None:
        """Have something else told with the notes of this run."""
        self._added.append(note)

    def close(self) -> None:
        """End the grading process, if one was started."""
        with self._starting:
            while self._pools:
                _, pool = self._pools.popitem()
                pool.close()

    def _memory_needed(self) -> tuple[bool, int]:
        """Whether the course has torch, and the bytes that a submission may hold."""
        return self.course.packages.has_torch, self.course.limits.limits().memory_bytes

    @contextmanager
    def _telling_of_memory(self) -> Iterator[None]:
        """Say that memory ran out, where that is why nothing can be graded.

        Raises:
            GradingUnavailable: as what is done raises it.
        """
        try:
            yield
        except GradingUnavailable as error:
            note = self._memory.note
            if note is None or note in str(error):
                raise
            raise GradingUnavailable(f"{error} {note}") from error

    def _begin(self) -> None:
        with suppress(Exception):
            self.pool()

    def _connect(self, address: str) -> None:
        """Grade on a cluster, on its GPUs too where it has some.

        Raises:
            MachineError: the device or the cluster cannot be reached.
        """
        try:
            plain = self._pools["cpu"] = Cluster(address, self.course, self._setup("cpu"))
            self.workers = plain.threads
            self.device = reachable(self.device, plain.why_no_gpu())
            if self.device == "cuda":
                self._pools["cuda"] = Cluster(address, self.course, self._setup("cuda"))
        except MachineError:
            self.close()
            raise

    def _setup(self, device: str) -> Iterator[dict[str, Any]]:
        assignments = map(self.course.assignment, self._assignments)
        return describe_setup(self.course, assignments, device, self.policy)

    def _keys_of(self, name: str) -> Keys:
        with self._reading:
            if name not in self._keys:
                assignment = self.course.assignment(name)
                self._keys[name] = Keys(self.course, assignment, self.policy)
            return self._keys[name]

    def _all_known(
        self, assignment: str, keys: Mapping[str, str], answered: Collection[str]
    ) -> dict[str, ExerciseVerdict | None]:
        """The verdicts that are kept, or need no process; None for those to be computed."""
        declared = {one.name: one for one in self.course.assignment(assignment).exercises}
        found: dict[str, ExerciseVerdict | None] = {}
        for name, key in keys.items():
            if declared[name].kind == "written":
                found[name] = judge_written(declared[name], name in answered)
                continue
            found[name] = self._store.find(key)
            if found[name] is None and declared[name].void:
                verdict = found[name] = judged_void(declared[name])
                self._store.put(key, verdict, "cpu")
        return found

    def _complete(
        self,
        submission: Submission,
        keys: Mapping[str, str],
        known: dict[str, ExerciseVerdict | None],
    ) -> float:
        """Have the GPU's tests run where they wait, and put what they find among the known.

        A fault of ours on the GPU costs nobody the CPU's marks: what waited goes on waiting.

        Returns:
            the seconds that it took.
        """
        waiting = {
            name: verdict
            for name, verdict in known.items()
            if verdict is not None and _is_for_gpu(verdict)
        }
        if not waiting:
            return 0.0
        try:
            computed, seconds = self.pool("cuda").grade(submission, list(waiting))
        except (GraderCrashed, GradingUnavailable) as fault:
            self._not_completed = f"CUDA checks could not run, and wait: {fault}"
            return 0.0
        for verdict in computed:
            name = verdict.exercise
            if verdict.reason == GRADER_ERROR:
                self._not_completed = (
                    f"CUDA checks of {name} failed by themselves: {verdict.detail}"
                )
                verdict = replace(verdict, reason=None, detail=None)  # the others were judged
            else:
                self._store.put(keys[name], verdict, "cuda")
            known[name] = waiting[name].completed_by(verdict)
        return seconds


def _is_for_gpu(verdict: ExerciseVerdict) -> bool:
    """Whether a GPU has still to be asked, about code that a CPU could judge."""
    return verdict.reason is None and verdict.waits_for("cuda")


def reachable(device: str, why_not: str | None) -> str:
    """The device that graders run on: `cuda`, or `cpu`, where CUDA tests stay pending.

    Args:
        device: `auto`, `cpu` or `cuda`, as it is asked for.
        why_not: why there is no GPU; None where there is one.

    Raises:
        MachineError: `cuda` is asked for, and there is none.
    """
    if device == "cuda" and why_not is not None:
        raise MachineError(
            f"CUDA checks cannot run: {why_not} With --device auto or cpu they stay pending, and "
            "everything else is graded."
        )
    return "cpu" if device == "cpu" or why_not is not None else "cuda"


def default_workers() -> int:
    """As many submissions at once as this process may use cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
