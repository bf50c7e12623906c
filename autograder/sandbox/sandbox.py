"""The sandbox: where student code runs, in the strongest form that works on this machine."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from autograder.course.limits import Limits
from autograder.course.packages import Packages
from autograder.course.settings import ENGINES, IMAGE
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.gpu import Gpu
from autograder.sandbox.inside.layers import LAYERS_OF
from autograder.sandbox.inside.versions import importable

if TYPE_CHECKING:
    from autograder.sandbox.backend import Backend
    from autograder.sandbox.connection import Connection

MODES_OF = {
    "required": ("full", "fallback", "container"),
    "fallback": ("fallback",),
    "container": ("container",),
    "none": ("none",),
}
ISOLATION_OF = {
    "full": "bwrap+landlock+seccomp",
    "fallback": "landlock+seccomp",
    "container": "container+seccomp",  # at least: with Landlock where the container's kernel has it
    "none": "none",
    "measured": "measured",
}
WAITING = "CUDA checks that need {0} wait, since it does not work here: {1}"
ADVICE = {
    "linux": "Linux 5.13 or newer with Landlock and seccomp is enough; inside Docker, a recent"
    " Docker with its default seccomp profile. `--sandbox none` runs the code unprotected.",
    "win32": "On Windows, install and run the autograder in WSL2, which is a Linux.",
}
ADVICE_ELSEWHERE = (
    "Where there is no Linux, student code runs in containers: install Podman or Docker, and build"
    " their image once with `autograder image`."
)


class Sandbox:
    """Where student code runs.

    Start it before the grading processes are forked; each of them then takes one connection.

    Args:
        policy: `required`: namespaces, Landlock and seccomp, else Landlock and seccomp, else a
            container; `fallback`: Landlock and seccomp at once; `container`: containers at once;
            `none`: a plain process, which a hostile student can leave.
        limits: bounds on every submission.
        packages: distributions that student code may import, as `importable` gives them; those
            that every course has when not given.
        connections: how many grading processes there will be.
        image: the image that containers are made of.
        engine: `podman`, `docker`, or `auto` for the first of them that has the image.
        layers: exactly these instead of the policy's, to measure what each stops; no grader
            passes them.
        gpu: the GPU that submissions reach, if any; containers reach none.

    Attributes:
        isolation: what holds the student's code, such as "bwrap+landlock+seccomp".
        notes: why a stronger form does not work here, or a package on its GPU.
        unusable: packages that do not work on the GPU that is reached, and why not.
    """

    def __init__(
        self,
        policy: str = "required",
        limits: Limits | None = None,
        packages: Sequence[str] | None = None,
        connections: int = 1,
        image: str = IMAGE,
        engine: str = ENGINES[0],
        layers: frozenset[str] | None = None,
        gpu: Gpu | None = None,
    ) -> None:
        if policy not in MODES_OF:
            raise ValueError(f"sandbox policy {policy!r} is none of {', '.join(MODES_OF)}")
        self.limits = limits or Limits()
        self.isolation = ""
        self.notes: tuple[str, ...] = ()
        self.unusable: dict[str, str] = {}
        self._modes = MODES_OF[policy] if layers is None else ("measured",)
        if sys.platform != "linux" and "container" in self._modes:
            self._modes = ("container",)  # the others are made of Linux's own parts
        self._layers_of = LAYERS_OF if layers is None else {"measured": layers}
        self._packages = tuple(packages or importable(**Packages().names()))
        self._connections = connections
        self._image, self._engine = image, engine
        self._gpu = gpu
        self._backend: Backend | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def launch(self) -> None:
        """Begin to start the strongest form, without waiting; `start` does so by itself."""
        from autograder.sandbox.backend import Refused

        try:
            self._backend = self._backend_of(self._modes[0])
            self._backend.launch()
        except Refused:  # start will hear of it too, and say so
            self.close()

    def start(self) -> None:
        """Start what students' processes come from; after `close`, start it anew.

        Raises:
            SandboxUnavailable: nothing that the policy allows works here.
        """
        from autograder.sandbox.backend import Refused

        notes: list[str] = []
        for mode in self._modes:
            try:
                backend = self._backend = self._backend or self._backend_of(mode)
                backend.start()
            except Refused as why:
                self.close()
                notes.append(f"{ISOLATION_OF[mode]} does not work here: {why}")
            else:
                self.isolation, self.unusable = backend.isolation, backend.unusable
                notes += [WAITING.format(*one) for one in self.unusable.items()]
                self.notes = tuple(notes)
                return
        raise SandboxUnavailable(
            "Student code cannot be held on this machine as the course asks. "
            + " ".join(f"{note.removesuffix('.')}." for note in notes)
            + self._advice()
        )

    def connect(self, index: int = 0, again: bool = False) -> "Connection":
        """The connection for one grading process; each has its own index.

        Args:
            index: whose.
            again: whether it comes after one of this index that has died.

        Raises:
            SandboxLost: what processes come from is gone.
        """
        from autograder.sandbox.connection import Connection

        assert self._backend is not None, "the sandbox has not been started"
        return Connection(self._backend.source(index, again), self.limits)

    def close(self) -> None:
        """End it and every submission's process with it; may be repeated."""
        if self._backend is not None:
            self._backend.close()
            self._backend = None

    def _advice(self) -> str:
        if self._gpu is not None:
            return " What needs no GPU can be graded without one: --device cpu."
        if sys.platform == "linux" and self._modes == ("container",):
            return " `--sandbox required` takes the strongest form that works here."
        return f" {ADVICE.get(sys.platform, ADVICE_ELSEWHERE)}"

    def _backend_of(self, mode: str) -> "Backend":
        from autograder.sandbox.backend import Refused

        if mode == "container":
            if self._gpu is not None:
                raise Refused("containers of this version reach no GPU")
            from autograder.sandbox.containers.backend import ContainerBackend

            return ContainerBackend(
                self._image, self._engine, self._packages, self.limits, self._connections
            )
        from autograder.sandbox.native import NativeBackend

        return NativeBackend(
            ISOLATION_OF[mode],
            self._layers_of[mode],
            self._packages,
            self.limits,
            self._connections,
            self._gpu,
        )
