"""The processes of a grading run, and how to kill one of them at a random moment."""

import contextlib
import random
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import psutil

GRADER, SERVER, WORKER = "grader", "grading process", "worker"
FORK_SERVER, BUBBLEWRAP = "fork server", "bubblewrap"


# What there is to kill, by sandbox policy.
KINDS = {
    "required": (GRADER, SERVER, WORKER, FORK_SERVER, BUBBLEWRAP),
    "fallback": (GRADER, SERVER, WORKER, FORK_SERVER),
}
LONGEST_PAUSE = 1.5  # seconds after a process was first there


@dataclass
class Killer:
    """Kills, and remembers every process that there was.

    Attributes:
        dice: chooses whom and when.
        killed: what it has killed, in order.
        seen: every process that a run had when one was killed.
    """

    dice: random.Random
    killed: list[str] = field(default_factory=list)
    seen: set[psutil.Process] = field(default_factory=set)

    def kill_one(
        self, run: subprocess.Popen[bytes], policy: str, has_written: Callable[[], bool]
    ) -> None:
        """Kill -9 one process of a run, some time after it is there, unless the run ends first.

        Half of them at any moment, half once there are new scores.

        Args:
            run: `autograder grade`, just started or at work.
            policy: its sandbox policy.
            has_written: whether it has written a new score.
        """
        kind, moment = self.dice.choice(KINDS[policy]), self.dice.uniform(0, LONGEST_PAUSE)
        late = self.dice.random() < 0.5
        while kind not in processes_of(run.pid) or (late and not has_written()):
            time.sleep(0.02)
            if run.poll() is not None:
                return
        time.sleep(moment)
        victims = processes_of(run.pid)
        self.seen |= {process for found in victims.values() for process in found}
        if run.poll() is None and kind in victims:
            with contextlib.suppress(psutil.NoSuchProcess):
                self.dice.choice(victims[kind]).kill()
                self.killed.append(kind)

    def left_behind(self, seconds: float) -> list[psutil.Process]:
        """The processes that still live after a while, though nobody wants them any more."""
        return psutil.wait_procs(self.seen, timeout=seconds)[1]


def processes_of(grader: int) -> dict[str, list[psutil.Process]]:
    """A run's processes by what they are, as far as they have been started."""
    found: dict[str, list[psutil.Process]] = {}
    with contextlib.suppress(psutil.NoSuchProcess):
        root = psutil.Process(grader)
        found[GRADER] = [root]
        for process in root.children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                kind = _kind_of(process)
                if kind is not None:
                    found.setdefault(kind, []).append(process)
    return found


def _kind_of(process: psutil.Process) -> str | None:
    command, parent = process.cmdline(), process.parent()
    if process.name() == "bwrap":
        return BUBBLEWRAP
    if "autograder.verdicts.server" in command:
        forked = parent is not None and parent.cmdline() == command
        return WORKER if forked else SERVER
    if any("autograder.sandbox.inside" in part for part in command):
        forked = parent is not None and parent.cmdline() == command
        return None if forked else FORK_SERVER  # what it forks is the student's
    return None
