"""A course's folder, read: its settings and its assignments."""

import os
import threading
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from functools import cached_property
from pathlib import Path

from traitlets.config import Config

from autograder.course.assignments import ASSIGNMENT_NAME, Assignment, read_assignment
from autograder.course.data_files import data_files
from autograder.course.errors import CourseError, did_you_mean
from autograder.course.hand_ins import HandIns
from autograder.course.packages import Packages
from autograder.course.roster import Roster, plain_id, read_roster, spelled, spellings
from autograder.course.secret import read_secret
from autograder.course.settings import (
    SECTIONS,
    CourseSecret,
    Devices,
    FeedbackPolicy,
    GradingLimits,
    Predictions,
    SandboxPolicy,
    SubmissionLimits,
    check_names,
    make,
)
from autograder.course.vocabulary import Vocabulary
from autograder.course.words import CourseWords

CONFIG = "course_config.py"


@dataclass(frozen=True)
class Course:
    """One course on disk.

    Attributes:
        root: the folder that holds course_config.py.
        config: every setting, nbgrader's and ours.
    """

    root: Path
    config: Config
    _read: dict[str, Assignment] = field(default_factory=dict, repr=False, compare=False)
    _brought: dict[str, dict[str, bytes]] = field(default_factory=dict, repr=False, compare=False)
    _reading: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    @cached_property
    def limits(self) -> SubmissionLimits:
        """Bounds on one submission."""
        return make(SubmissionLimits, self.config, CONFIG)

    @cached_property
    def grading(self) -> GradingLimits:
        """Bounds on judging it."""
        return make(GradingLimits, self.config, CONFIG)

    @cached_property
    def sandbox(self) -> SandboxPolicy:
        """How much isolation grading insists on."""
        return make(SandboxPolicy, self.config, CONFIG)

    @cached_property
    def devices(self) -> Devices:
        """Where graders run."""
        return make(Devices, self.config, CONFIG)

    @cached_property
    def predictions(self) -> Predictions:
        """What predictions earn."""
        return make(Predictions, self.config, CONFIG)

    @cached_property
    def feedback(self) -> FeedbackPolicy:
        """What feedback reveals."""
        return make(FeedbackPolicy, self.config, CONFIG)

    @cached_property
    def packages(self) -> Packages:
        """What students' code may import."""
        return make(Packages, self.config, CONFIG)

    @cached_property
    def words(self) -> CourseWords:
        """What it says of itself to students."""
        return make(CourseWords, self.config, CONFIG)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What the names in its solutions mean."""
        return make(Vocabulary, self.config, CONFIG)

    @cached_property
    def hand_ins(self) -> HandIns:
        """What of several hand-ins counts, and until when."""
        return make(HandIns, self.config, CONFIG)

    @property
    def zone(self) -> tzinfo | None:
        """The time zone in which its times are shown and its days counted; None: this machine's."""
        return self.hand_ins.zone

    @cached_property
    def due(self) -> Mapping[str, datetime]:
        """Until when assignments are handed in, as far as the settings say it.

        Raises:
            CourseError: one is for no assignment.
        """
        moments = self.hand_ins.moments()
        for name in moments:
            if name not in self.sources:
                near = did_you_mean(name, self.sources)
                raise CourseError(f"{CONFIG}: HandIns.due is for {name!r}, no assignment.{near}")
        return moments

    @cached_property
    def roster(self) -> Roster:
        """Who is in the class, and what was granted to whom."""
        return spelled(read_roster(self.root, self.sources, self.zone), self._spellings)

    @cached_property
    def _spellings(self) -> Mapping[str, str]:
        return spellings(self.folder("submitted"))

    def ids(self, students: Iterable[str]) -> tuple[str, ...]:
        """Ids that a person has typed, as folders spell them."""
        return tuple(
            one
            if os.path.isdir(self.folder("submitted") / one)
            else self._spellings.get(plain_id(one), plain_id(one))
            for one in students
        )

    @cached_property
    def secret(self) -> bytes:
        """What seeds the hidden inputs."""
        return read_secret(make(CourseSecret, self.config, CONFIG), self.root)

    @property
    def secret_file(self) -> str:
        """The file that holds it where the environment does not, from the course's folder."""
        return make(CourseSecret, self.config, CONFIG).file

    @property
    def secret_variable(self) -> str:
        """The environment variable that holds it, and wins if set."""
        return make(CourseSecret, self.config, CONFIG).variable

    @cached_property
    def sources(self) -> dict[str, Path]:
        """The percent notebook of every assignment, by the assignment's name, in order."""
        folder = self.root / "assignments"
        found = sorted(folder.glob("*/*.py")) if folder.is_dir() else []
        return {
            source.stem: source
            for source in found
            if source.stem == source.parent.name and ASSIGNMENT_NAME.fullmatch(source.stem)
        }

    @property
    def assignments(self) -> dict[str, Assignment]:
        """Every assignment that has a percent notebook, by name, in order."""
        return {name: self.assignment(name) for name in self.sources}

    def source(self, name: str) -> Path:
        """The percent notebook of the assignment of that name.

        Raises:
            CourseError: there is none; the text names the nearest.
        """
        if name not in self.sources:
            raise CourseError(
                f"There is no assignment {name!r}.{did_you_mean(name, self.sources)} "
                f"Assignments: {', '.join(self.sources) or 'none'}."
            )
        return self.sources[name]

    def assignment(self, name: str) -> Assignment:
        """The assignment of that name, read when it is first asked for.

        Raises:
            CourseError: there is none, or it is wrong.
        """
        source = self.source(name)
        with self._reading:  # it takes a moment, and grading's process is told of it meanwhile
            if name not in self._read:
                self._read[name] = read_assignment(source, self.predictions.points)
        return self._read[name]

    def data_files(self, name: str) -> dict[str, bytes]:
        """What an assignment brings along beside its notebook, by relative path."""
        if name not in self._brought:
            self._brought[name] = data_files(self.root / "assignments" / name)
        return self._brought[name]

    def folder(self, step: str) -> Path:
        """The folder of an nbgrader step, such as `submitted`, as the course names it."""
        return self.root / self.config.CourseDirectory.get(f"{step}_directory", step)


def load_course(root: Path) -> Course:
    """Read the course in a folder and check our settings.

    Raises:
        CourseError: the folder holds no course, or a setting is wrong.
    """
    from traitlets.config.loader import PyFileConfigLoader

    root = root.resolve()
    if not (root / CONFIG).is_file():
        raise CourseError(
            f"{root} holds no {CONFIG}. Run this in the course's folder, or name it with --course."
        )
    try:
        config = PyFileConfigLoader(str(root / CONFIG)).load_config()
    except Exception as error:
        said = "".join(traceback.format_exception_only(error)).strip()
        raise CourseError(f"{root / CONFIG} cannot be read: {said}") from error
    check_names(config, CONFIG)
    if "?" in str(root) and "db_url" not in config.CourseDirectory:
        raise CourseError(
            f"{root} has a question mark in its name, and nbgrader would keep the gradebook under "
            "what stands before it. Rename that folder."
        )
    for section in SECTIONS:  # made now, so that a wrong value is told before anything starts
        make(section, config, CONFIG)
    return Course(root, config)
