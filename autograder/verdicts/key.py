"""A verdict's key: the hash of everything that the verdict is a function of."""

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from functools import cache
from pathlib import Path
from typing import Any

from autograder.checks.kit.personal import normalised
from autograder.course import Assignment, Course
from autograder.course.layout import quiz_file, solutions_folder
from autograder.course.packages import TORCH
from autograder.course.quiz import read_quiz
from autograder.sandbox.inside.versions import versions
from autograder.verdicts.program import Programs
from autograder.verdicts.rests_on import packages_needed, rests_on
from autograder.verdicts.submission import Submission

PACKAGE = Path(__file__).parent.parent
MEMORY = Path(".autograder", "program.json")  # under the course's root
# Rooms whose code takes part in every verdict.
SHARED_ROOMS = ("checks", "course", "sandbox", "student", "bank", "judging", "verdicts")
# What else takes part where the course has torch, as folders of the engine.
WITH_TORCH = ("tensors", "checks/kit/tensors")


class Keys:
    """Computes verdict keys for one assignment; what submissions share is hashed once.

    Args:
        course: gives limits and the secret.
        assignment: gives the exercises and their modules.
        isolation: the sandbox policy, since what is refused depends on it.

    Attributes:
        parts: of each exercise the digests of what its verdicts rest on but the submission, by what
            it is, such as `question` or `tests`.
    """

    def __init__(self, course: Course, assignment: Assignment, isolation: str) -> None:
        root, name = course.root, assignment.name
        solutions_folder(root)
        quiz = quiz_file(root, name)
        questions = read_quiz(quiz) if quiz.is_file() else {}
        self._personal = {name for name, question in questions.items() if question.is_personal}
        common = {
            "engine": digest_of_rooms(
                *rooms_of(course.packages.has_torch), memory=course.root / MEMORY
            ),
            "files": {
                name: hashlib.sha256(data).hexdigest()
                for name, data in course.data_files(assignment.name).items()
            },
            "settings": [
                repr(course.limits.limits()),
                course.devices.cuda_points,
                isolation,
                course.packages.names(),
            ],
            "secret": hashlib.sha256(b"verdict key" + course.secret).hexdigest(),
        }
        required = _versions(course.packages.names()["required"])
        self._written = {one.name for one in assignment.exercises if one.kind == "written"}
        # Now, not in keys(): Python 3.11 fails at times when two threads parse at once.
        self.parts = {
            exercise.name: {part: digest(value) for part, value in common.items()}
            | {
                "points": digest(astuple(replace(exercise, void=False))[:-1]),
                **({"void": digest(True)} if exercise.void else {}),
                "question": digest(repr(questions.get(exercise.name))),
                "versions": digest(
                    [required, versions(sorted(packages_needed(root, name, exercise.name)))]
                ),
                **_code(rests_on(root, name, exercise.name)),
            }
            for exercise in assignment.exercises
        }
        self._exercises = {exercise: digest(parts) for exercise, parts in self.parts.items()}

    @property
    def context(self) -> str:
        """The digest of all that the verdicts of an assignment rest on but the submission."""
        return digest(self._exercises)

    def keys(self, submission: Submission) -> dict[str, str]:
        """The keys of the verdicts on one submission, in hexadecimal, by exercise."""
        content = submission.to_json()
        # Equal work of two students is graded once, but for questions with numbers of one's own.
        owner, written = normalised(content.pop("student")), content.pop("written")
        code = digest(content)
        return {
            name: digest(
                [
                    exercise,
                    written.get(name) if name in self._written else code,
                    owner if name in self._personal else None,
                ]
            )
            for name, exercise in self._exercises.items()
        }


def _code(files: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The digests of a course's Python by where it stands."""
    folders = {"tests": "graders/", "solution": "solutions/", "checks": "assignments/"}
    found = list(files)
    return {
        part: digest([one for one in found if one[0].startswith(folder)])
        for part, folder in folders.items()
    } | {"rest": digest([one for one in found if not one[0].startswith((*folders.values(),))])}


def digest_of_program(packages: Mapping[str, Sequence[str]]) -> str:
    """The digest of what runs here: our own program, Python, and a course's packages.

    Args:
        packages: their names, as `Packages.names` gives them.
    """
    rooms = rooms_of(any(TORCH in names for names in packages.values()))
    return digest([digest_of_rooms(*rooms), _versions(packages["required"])])


def rooms_of(has_torch: bool) -> tuple[str, ...]:
    """The folders of the engine whose code takes part in a course's verdicts."""
    return (*SHARED_ROOMS, *(WITH_TORCH if has_torch else ()))


def _versions(packages: Iterable[str]) -> list[Any]:
    # Without what a build adds, such as +cpu: machines with a GPU have another build of the same.
    return [platform.python_version(), platform.machine(), versions((*packages, "ipython"))]


@cache
def digest_of_rooms(*rooms: str, memory: Path | None = None) -> str:
    """The digest of the engine's program in these rooms.

    Args:
        rooms: their names.
        memory: a file that keeps what was found from run to run.
    """
    programs = Programs(memory)
    apart = {PACKAGE / folder for folder in WITH_TORCH}  # of no room that holds them
    return digest([programs.digest_of(PACKAGE / room, apart) for room in rooms])


def digest(value: Any) -> str:
    """The SHA-256 of a JSON value, in hexadecimal."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
