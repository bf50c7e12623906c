"""Our own settings: traitlets classes that `course_config.py` configures beside nbgrader's."""

import math
import re
from datetime import datetime
from typing import TypeVar

from traitlets import Bool, CFloat, CInt, Dict, Enum, TraitError, Unicode, Union, validate
from traitlets.config import Config, Configurable

from autograder.course.aspects import ASPECTS
from autograder.course.errors import CourseError, did_you_mean
from autograder.course.hand_ins import HandIns
from autograder.course.limits import MIB, Bounds, Limits
from autograder.course.moments import with_zone
from autograder.course.packages import Packages
from autograder.course.points import are_points
from autograder.course.reveal import Reveal
from autograder.course.vocabulary import Vocabulary
from autograder.course.words import CourseWords

S = TypeVar("S", bound=Configurable)

IMAGE = "attention-autograder-sandbox"
IMAGE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/:@-]{0,254}")  # none can pass for an option
ENGINES = ("auto", "podman", "docker")
HOUR = 3600.0
TERABYTE = 2**20  # in MB


class Seconds(CFloat):
    """A number of seconds. NaN is none, and no bound would refuse it."""

    def validate(self, obj: Configurable, value: float) -> float:
        """The number, when it is one and within the bounds."""
        seconds = super().validate(obj, value)
        if math.isnan(seconds):
            self.error(obj, seconds)
        return seconds


class SubmissionLimits(Configurable):
    """What one submission may use; the defaults suit two cores and a class of 500."""

    call_seconds = Seconds(
        Limits.call_seconds, min=0.1, max=HOUR, help="Seconds for one graded call."
    ).tag(config=True)
    cell_seconds = Seconds(
        Limits.cell_seconds, min=0.1, max=HOUR, help="Seconds for one notebook cell."
    ).tag(config=True)
    submission_seconds = Seconds(
        Limits.submission_seconds,
        min=1.0,
        max=HOUR,
        help="Seconds for all first runs of a submission, and as many again for all answers that "
        "are judged a second time.",
    ).tag(config=True)
    memory_mb = CInt(
        Limits.memory_bytes // MIB, min=64, max=TERABYTE, help="Memory a submission may add, in MB."
    ).tag(config=True)
    output_kb = CInt(
        Limits.output_bytes // 1024,
        min=1,
        max=10_000,
        help="Printed text kept for each cell, in KB.",
    ).tag(config=True)
    scratch_mb = CInt(
        Limits.scratch_bytes // MIB, min=1, max=10_000, help="Files a submission may write, in MB."
    ).tag(config=True)
    reply_mb = CInt(
        Limits.reply_bytes // MIB,
        min=1,
        max=4096,
        help="Largest value that a call may return, in MB.",
    ).tag(config=True)
    threads = CInt(
        Limits.threads, min=1, max=1024, help="Threads a submission may have at once."
    ).tag(config=True)
    open_files = CInt(
        Limits.open_files, min=16, max=1024, help="Files a submission may hold open."
    ).tag(config=True)
    notebook_mb = CInt(20, min=1, max=1000, help="Largest notebook that is read, in MB.").tag(
        config=True
    )
    files_mb = CInt(
        16, min=0, max=1000, help="Files beside the notebook that are read, in MB."
    ).tag(config=True)

    def limits(self) -> Limits:
        """The same as plain data."""
        return Limits(
            call_seconds=self.call_seconds,
            cell_seconds=self.cell_seconds,
            submission_seconds=self.submission_seconds,
            memory_bytes=self.memory_mb * MIB,
            output_bytes=self.output_kb * 1024,
            scratch_bytes=self.scratch_mb * MIB,
            reply_bytes=self.reply_mb * MIB,
            threads=self.threads,
            open_files=self.open_files,
        )


class GradingLimits(Configurable):
    """What judging may use, beside the submission's own process.

    A hidden test that goes past this costs nobody a mark: its exercise waits for a person.
    """

    memory_mb = CInt(
        Bounds.memory_bytes // MIB,
        min=256,
        max=TERABYTE,
        help="Memory a grading worker may add, in MB.",
    ).tag(config=True)
    test_seconds = Seconds(
        Bounds.test_seconds,
        min=0.1,
        max=HOUR,
        help="Processor seconds for one hidden test, or one diagnosis.",
    ).tag(config=True)

    def bounds(self) -> Bounds:
        """The same as plain data."""
        return Bounds(memory_bytes=self.memory_mb * MIB, test_seconds=self.test_seconds)


class SandboxPolicy(Configurable):
    """How much isolation grading insists on."""

    mode = Enum(
        ["required", "fallback", "container", "none"],
        "required",
        help="`required`: the strongest isolation that works here, or refuse to grade. `fallback`: "
        "Landlock and seccomp without namespaces. `container`: Podman or Docker. `none`: no "
        "isolation, with a warning.",
    ).tag(config=True)
    image = Unicode(
        IMAGE, help="The image of containers that student code runs in; see `autograder image`."
    ).tag(config=True)
    engine = Enum(
        ENGINES, "auto", help="What runs containers; `auto` takes the first that has the image."
    ).tag(config=True)

    @validate("image")
    def _a_name(self, proposal: dict) -> str:
        if not IMAGE_NAME.fullmatch(proposal["value"]):
            raise TraitError(
                f"SandboxPolicy.image is {proposal['value']!r}, no image's name such as {IMAGE}."
            )
        return proposal["value"]


class Devices(Configurable):
    """Where graders run."""

    device = Enum(
        ["auto", "cpu", "cuda"],
        "auto",
        help="`auto` runs CUDA checks where there is a GPU and leaves them pending elsewhere.",
    ).tag(config=True)
    cuda_points = Bool(
        False,
        help="Whether CUDA checks carry points, which wait until a GPU has run them. For a course "
        "that has a GPU.",
    ).tag(config=True)
    gpu_slots = CInt(
        1,
        min=1,
        help="How many submissions of one machine may use its GPU at once; they share its memory.",
    ).tag(config=True)


class CourseSecret(Configurable):
    """Where the secret that seeds hidden inputs comes from."""

    variable = Unicode(
        "AUTOGRADER_SECRET", help="Environment variable that holds the secret; it wins if set."
    ).tag(config=True)
    file = Unicode(
        ".autograder/secret",
        help="File that holds it otherwise, from the course's folder; made on first use. "
        "Every grading machine needs the same one.",
    ).tag(config=True)


class FeedbackPolicy(Configurable):
    """What feedback reveals, and when."""

    tests = Bool(True, help="Show what was checked, in words.").tag(config=True)
    symptoms = Bool(True, help="Show what was seen to be wrong.").tag(config=True)
    hints = Bool(True, help="Show a hint beside a diagnosis.").tag(config=True)
    pictures = Bool(True, help="Show the student's result on the public example.").tag(config=True)
    printed = Bool(False, help="Show what the student's own cell printed.").tag(config=True)
    aspects = Dict(
        value_trait=Unicode(),
        key_trait=Unicode(),
        default_value=ASPECTS,
        help="What hidden tests may ask for: by the name in a test's marker, what students read.",
    ).tag(config=True)
    details_from = Unicode(
        "",
        help="What is graded before this moment (such as 2026-12-01T18:00+01:00) gets feedback "
        "with marks alone; grading again afterwards adds the rest. Empty: all from the start.",
    ).tag(config=True)

    solutions_from = Union(
        [Unicode(), Dict(value_trait=Unicode(), key_trait=Unicode())],
        default_value="",
        help="From this moment on, such as 2026-12-08T18:00+01:00 with its time zone, pages that "
        "are written show a right answer to each exercise, and why it is right: one moment, or one "
        "by assignment, {'01-NAME': '...'}. Never before the last extension in the "
        "gradebook has ended. Empty: never.",
    ).tag(config=True)

    @validate("solutions_from")
    def _moments(self, proposal: dict) -> str | dict[str, str]:
        value = proposal["value"]
        for moment in value.values() if isinstance(value, dict) else [value]:
            if moment and with_zone(moment) is None:
                raise TraitError(
                    f"FeedbackPolicy.solutions_from has {moment!r}, which is no moment with its "
                    "time zone, such as 2026-12-08T18:00+01:00."
                )
        return value

    def solutions_moment(self, assignment: str) -> datetime | None:
        """From when on right answers to an assignment are shown; None for never."""
        value = self.solutions_from
        moment = value.get(assignment, "") if isinstance(value, dict) else value
        return with_zone(moment) if moment else None

    @validate("details_from")
    def _a_moment(self, proposal: dict) -> str:
        value = proposal["value"]
        try:
            moment = datetime.fromisoformat(value) if value else None
        except ValueError as error:
            raise TraitError(
                f"FeedbackPolicy.details_from is {value!r}, not a date such as 2026-12-01T18:00."
            ) from error
        return moment.astimezone().isoformat() if moment else ""

    def reveal(self, now: datetime) -> Reveal:
        """What feedback written at `now` shows."""
        if self.details_from and now < datetime.fromisoformat(self.details_from):
            return Reveal(tests=False, symptoms=False, hints=False, pictures=False, printed=False)
        return Reveal(
            tests=self.tests,
            symptoms=self.symptoms,
            hints=self.hints,
            pictures=self.pictures,
            printed=self.printed,
            aspects=self.aspects,
        )


class Predictions(Configurable):
    """Questions on the way whose check says what is right; their keys are in the release."""

    points = CFloat(
        0.0,
        min=0.0,
        max=100.0,
        help="What answering one earns, right or not. 0: nothing, and it is not graded at all.",
    ).tag(config=True)

    @validate("points")
    def _in_hundredths(self, proposal: dict) -> float:
        value = float(proposal["value"])
        if value and not are_points(value):
            raise TraitError(f"Predictions.points is {value!r}; points have two decimals at most.")
        return value


SECTIONS: tuple[type[Configurable], ...] = (
    SubmissionLimits,
    GradingLimits,
    SandboxPolicy,
    Devices,
    CourseSecret,
    FeedbackPolicy,
    HandIns,
    Predictions,
    Packages,
    CourseWords,
    Vocabulary,
)


def check_names(config: Config, where: str) -> None:
    """Refuse names that our sections do not have; traitlets would pass over them in silence.

    Raises:
        CourseError: names the setting, and the nearest one that exists.
    """
    ours = [section.__name__ for section in SECTIONS]
    for name in config:
        near = did_you_mean(name, ours, cutoff=0.8)
        if near and name not in ours:
            raise CourseError(f"{where}: there is no {name}.{near}")
    for section in SECTIONS:
        known = section.class_trait_names(config=True)
        for name in config.get(section.__name__, {}):
            if name not in known:
                raise CourseError(
                    f"{where}: {section.__name__} has no setting {name!r}."
                    f"{did_you_mean(name, known)} It has: {', '.join(sorted(known))}."
                )


def make(section: type[S], config: Config, where: str) -> S:
    """The section as the course configures it.

    Raises:
        CourseError: a value is of the wrong kind or out of range.
    """
    for name, value in config.get(section.__name__, {}).items():
        choice = section.class_traits()[name]
        allowed = list(choice.values or ()) if isinstance(choice, Enum) else [value]
        if value not in allowed:
            raise CourseError(
                f"{where}: {section.__name__}.{name} is {value!r}; it can be "
                f"{', '.join(allowed)}.{did_you_mean(str(value), allowed)}"
            )
    try:
        return section(config=config)
    except TraitError as error:
        raise CourseError(f"{where}: {error}") from error
