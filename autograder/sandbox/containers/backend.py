"""The sandbox in containers: one for each grading process, with the same fork server inside."""

import contextlib
import os
import secrets
import subprocess
import time
from collections.abc import Sequence
from typing import Any

from autograder.course.limits import Limits
from autograder.sandbox.backend import Refused, TimedOut
from autograder.sandbox.containers.engine import BUILD, Engine, engine_with, last_line
from autograder.sandbox.containers.gateway import Gateway
from autograder.sandbox.containers.process import ContainerSource
from autograder.sandbox.errors import SandboxLost
from autograder.sandbox.inside.layers import LANDLOCK
from autograder.sandbox.inside.versions import fingerprint, normalised, versions
from autograder.sandbox.launch import ENVIRONMENT

GREETING_SECONDS = 60  # an engine's first container of the day takes its time
READY_SECONDS = 120  # loading packages from a cold disk too
END_SECONDS = 10
REMOVE_SECONDS = 60  # an engine that is stopped amid it leaves the container


class ContainerBackend:
    """Containers of Podman or Docker; see `backend.Backend`.

    Args:
        image: what they are made of.
        engine: `podman`, `docker`, or `auto` for the first that has the image.
        packages: distributions that student code may import; the image holds them.
        limits: bounds on every submission.
        connections: how many grading processes there will be.
    """

    def __init__(
        self, image: str, engine: str, packages: Sequence[str], limits: Limits, connections: int
    ) -> None:
        self.isolation = ""
        self.unusable: dict[str, str] = {}
        self._image = image
        self._choice = engine
        self._packages = packages
        self._limits = limits
        self._connections = connections
        self._containers: list[Container] = []
        self._engine: Engine
        self._owner = os.getpid()

    def launch(self) -> None:
        """Start the containers, which load what submissions use at the same time."""
        self._owner = os.getpid()
        self._engine = engine_with(self._image, self._choice)
        for _ in range(self._connections):
            self._containers.append(Container(self._engine, self._image, self._limits))

    def start(self) -> None:
        """Wait for the containers."""
        if not self._containers:
            self.launch()
        try:
            self._prepare(*self._containers)
        except SandboxLost as error:
            raise Refused(str(error)) from error
        except TimedOut:
            raise Refused(f"a container of {self._engine.name} did not answer in time") from None

    def source(self, index: int, again: bool = False) -> ContainerSource:
        """The source of one grading process; a second one has a container of its own making."""
        if again:
            self._containers[index].remove()
            self._containers[index] = Container(self._engine, self._image, self._limits)
            try:
                self._prepare(self._containers[index])
            except (Refused, TimedOut) as why:
                raise SandboxLost(f"no container in place of another: {why}") from why
        return ContainerSource(self._containers[index].gateway)

    def close(self) -> None:
        """End the containers."""
        for container in self._containers:
            container.gateway.close()
        if os.getpid() == self._owner:  # else a forked grading process, whose they are not to end
            for container in self._containers:
                container.end()
        self._containers = []

    def _prepare(self, *containers: "Container") -> None:
        """Wait until these containers are ready.

        Raises:
            Refused: the image is not of this version, or nothing holds a process in there.
            SandboxLost, TimedOut: a container has ended, or says nothing.
        """
        deadline = time.monotonic() + GREETING_SECONDS
        for container in containers:
            self._check(container.gateway.greet(deadline))
            container.gateway.set_up(self._limits, ENVIRONMENT)
        deadline = time.monotonic() + READY_SECONDS
        for container in containers:
            ready, why_not = container.gateway.ready(deadline)
            if why_not:
                raise Refused(f"in the container, {why_not}")
            landlock = LANDLOCK in ready.get("layers", ())
            self.isolation = f"container{'+landlock' if landlock else ''}+seccomp"

    def _check(self, hello: dict[str, Any]) -> None:
        """Compare the image with what is installed here.

        Raises:
            Refused: they differ, so that marks would too, or the two would not understand each
                other.
        """
        again = f"Build it again: `{BUILD}`"
        if hello.get("fingerprint") != fingerprint():
            raise Refused(
                f"the image {self._image} is of another version of the autograder. {again}"
            )
        ours, theirs = versions(self._packages), hello.get("versions")
        for name, version in ours.items():
            found = theirs.get(normalised(name), "none") if type(theirs) is dict else "none"
            if found != version:
                raise Refused(
                    f"the image {self._image} has {name} {found}, and here is {version}. {again}"
                )


class Container:
    """One container, running.

    Args:
        engine: what runs it.
        image: what it is made of.
        limits: bounds on a submission.

    Attributes:
        gateway: talks to what it runs.
    """

    def __init__(self, engine: Engine, image: str, limits: Limits) -> None:
        self._engine = engine
        self._name = f"autograder-{secrets.token_hex(8)}"
        self._process = subprocess.Popen(
            engine.run_command(image, self._name, limits),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,  # read when it ends; a flood of complaints stops itself
            start_new_session=True,  # it ends in order, when we hang up, even where we are killed
        )
        pipes = self._process.stdin, self._process.stdout
        incoming, outgoing = (os.dup(pipe.fileno()) for pipe in reversed(pipes) if pipe)
        for pipe in pipes:
            if pipe:
                pipe.close()
        self.gateway = Gateway(incoming, outgoing, self._last_words)

    def end(self) -> None:
        """Wait for its end, which hanging up brings about, and end it if it goes on."""
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.remove()
            self._process.kill()
            self._process.wait()
        if self._process.stderr:
            self._process.stderr.close()

    def remove(self) -> None:
        """End it at once; any process of ours can."""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(
                self._engine.remove_command(self._name),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=REMOVE_SECONDS,
            )

    def _last_words(self) -> str:
        """The last line of what the engine, or the gateway, has complained of."""
        if self._process.stderr is None or self._process.stderr.closed:
            return ""
        os.set_blocking(self._process.stderr.fileno(), False)
        said = self._process.stderr.read(1 << 16) or b""
        return last_line(said.decode(errors="replace"))
