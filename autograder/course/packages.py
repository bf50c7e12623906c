"""The packages of a course: what students install, and what their code may import when graded."""

import re
import sys

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from traitlets import List, TraitError, Unicode, validate
from traitlets.config import Configurable

NEEDED_BY_CHECKS = ("numpy>=1.26,<3", "matplotlib>=3.8,<4", "pytest>=8,<10")
TORCH = "torch"
# What installs the engine with all that it needs for a package, in place of the package alone.
WITH_ENGINE = {TORCH: "attention-autograder[torch]"}


class Packages(Configurable):
    """What students' code may import, with the versions that the course is written for.

    Students install `required` from the release's requirements.txt. Graded code may import these
    and all that they require, and of `optional` what is installed on the machine that grades.
    """

    required = List(
        Unicode(),
        list(NEEDED_BY_CHECKS),
        help="What every student installs, as pip takes it. Visible checks need numpy, matplotlib "
        "and pytest; and torch, where the course has tensors.",
    ).tag(config=True)
    optional = List(
        Unicode(),
        help="What some exercise needs and a machine may lack: there the exercise waits.",
    ).tag(config=True)

    python = Unicode(
        f"{sys.version_info.major}.{sys.version_info.minor}",
        help="The Python that grades, as releases say it: the one that builds them, if not set.",
    ).tag(config=True)

    @validate("python")
    def _version(self, proposal: dict) -> str:
        if not re.fullmatch(r"3\.\d{1,2}", value := proposal["value"]):
            raise TraitError(f"Packages.python has {value!r}, no version such as '3.11'.")
        return str(value)

    @validate("required", "optional")
    def _requirements(self, proposal: dict) -> list[str]:
        setting, value = f"Packages.{proposal['trait'].name}", proposal["value"]
        for text in value:
            try:
                plain = not (one := Requirement(text)).extras and not one.url
            except InvalidRequirement:
                plain = False
            if not plain:
                raise TraitError(f"{setting} has {text!r}, no package such as 'numpy>=1.26,<3'.")
        missing = set(names_of(NEEDED_BY_CHECKS)) - set(names_of(value))
        if missing and setting == "Packages.required":
            raise TraitError(f"{setting} lacks {', '.join(sorted(missing))}, which checks need.")
        return list(value)

    @property
    def another_python(self) -> str | None:
        """What to say where another Python grades than releases say; None where it is that."""
        here = f"{sys.version_info.major}.{sys.version_info.minor}"
        if here == self.python:
            return None
        return (
            f"Releases say that Python {self.python} grades, and this is Python {here}: grade with "
            "that one, or set c.Packages.python and release again."
        )

    @property
    def has_torch(self) -> bool:
        """Whether students' code may use torch, so that the engine has to know its tensors."""
        return TORCH in names_of((*self.required, *self.optional))

    def names(self) -> dict[str, list[str]]:
        """The names alone, of those that are for this kind of machine: required and optional."""
        return {"required": names_of(self.required), "optional": names_of(self.optional)}


def names_of(requirements: list[str] | tuple[str, ...]) -> list[str]:
    """The packages that requirements name, without those for other machines than this one."""
    found = map(Requirement, requirements)
    here = (one for one in found if one.marker is None or one.marker.evaluate())
    return [canonicalize_name(one.name) for one in here]
