"""A grading process's connection to the sandbox: starts the process of each submission."""

import time
from collections.abc import Mapping
from pathlib import PurePosixPath

from autograder.checks.kit.errors import StudentDied
from autograder.course.limits import Limits
from autograder.sandbox.backend import Channel, Closed, Source, TimedOut
from autograder.sandbox.budget import Budget
from autograder.sandbox.dialogue import Answerer
from autograder.sandbox.errors import SandboxLost
from autograder.sandbox.inside.frames import Violation, write_frame
from autograder.sandbox.worker import Worker

START_SECONDS, START_SECONDS_ON_GPU = 20, 60  # a driver may have to wake its card first
MOST_LEVELS = 40  # of folders in folders, which are made and removed by recursion


class Connection:
    """Starts workers, one after the other.

    Args:
        source: where processes come from.
        limits: bounds on every submission, unless a worker is given its own.
    """

    def __init__(self, source: Source, limits: Limits) -> None:
        self._source = source
        self._limits = limits

    def start_worker(
        self,
        files: Mapping[str, bytes] | None = None,
        limits: Limits | None = None,
        budget: Budget | None = None,
        answerer: Answerer | None = None,
    ) -> Worker:
        """A fresh process for a submission.

        Args:
            files: what lies in its working directory, by relative path.
            limits: bounds on this one.
            budget: the time that it shares with other workers of the same submission.
            answerer: answers what stand-ins in it ask.

        Raises:
            StudentDied: the submission's files do not fit into its directory.
            SandboxLost: what processes come from is gone.
            ValueError: a file's name would lead out of the directory.
        """
        limits = limits or self._limits
        files = checked_files(files or {}, limits)
        budget = budget or Budget(limits.submission_seconds)
        process, channel = self._source.start_process(limits)
        try:
            _settle(channel, files, START_SECONDS_ON_GPU if process.is_watched else START_SECONDS)
        except (SandboxLost, StudentDied):
            channel.close()
            process.kill()
            raise
        return Worker(process, channel, limits, budget, answerer)


def checked_files(files: Mapping[str, bytes], limits: Limits) -> Mapping[str, bytes]:
    """The files, when all of them stay in the directory and fit into it."""
    for name in files:
        parts = PurePosixPath(name).parts
        if not parts or name.startswith("/") or ".." in parts or "\0" in name:
            raise ValueError(f"the file name {name!r} leads out of the submission's directory")
        if len(parts) > MOST_LEVELS:
            why = f"the submission's folders are more than {MOST_LEVELS} levels deep"
            raise StudentDied("crashed", why)
    size, most = sum(map(len, files.values())), limits.scratch_bytes
    if size > most:
        raise StudentDied(
            "crashed",
            f"the submission's files take {size >> 20} MiB; {most >> 20} MiB are allowed",
        )
    return files


def _settle(channel: Channel, files: Mapping[str, bytes], seconds: float) -> None:
    """Send the files and wait until the process has given everything up."""
    deadline = time.monotonic() + seconds
    sizes = [[name, len(content)] for name, content in files.items()]
    contents = [memoryview(content) for content in files.values()]
    try:
        frame = write_frame({"files": sizes}, contents)
    except ValueError:
        raise StudentDied("crashed", f"the submission has {len(files)} files") from None
    try:
        channel.send(frame, deadline)
        answer, _ = channel.receive(deadline)
    except (TimedOut, Closed, Violation) as error:
        raise SandboxLost(f"A sandboxed process did not start: {error!r}") from error
    if "refused" in answer:
        raise StudentDied(
            "crashed", f"the submission's files cannot be laid out: {answer['refused']}"
        )
    if answer.get("ready") is not True:
        raise SandboxLost(f"A sandboxed process did not start: {answer.get('failed')}")
