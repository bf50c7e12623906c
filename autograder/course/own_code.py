"""A course's own Python: `solutions`, `graders`, and visible checks as the package `checks`.

One process serves one course, whose root comes first on the path. Visible checks of all assignments
are modules of `checks` here, as those of one are in its release, and `checks.kit` is what a release
copies: `autograder.checks.kit`, the very same modules.
"""

import importlib
import sys
import traceback
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType

from autograder.course.errors import CourseError

KIT = "checks.kit"
_served: list[Path] = []


def serve(root: Path) -> None:
    """Let this process import a course's Python.

    Args:
        root: the course's folder.
    Raises:
        RuntimeError: the process serves another course already.
    """
    root = root.resolve()
    if _served and _served[0] != root:
        raise RuntimeError(f"This process serves the course in {_served[0]}, and not {root} too.")
    if not _served:
        _served.append(root)
        sys.path.insert(0, str(root))
        sys.meta_path.insert(0, _Kit())
        checks = ModuleType("checks", "The visible checks of every assignment.")
        checks.__path__ = list(map(str, sorted(root.glob("assignments/*/checks"))))
        sys.modules["checks"] = checks


def served() -> Path:
    """The root of the course that this process serves.

    Raises:
        LookupError: it serves none.
    """
    if not _served:
        raise LookupError("This process serves no course yet: own_code.serve(root) comes first.")
    return _served[0]


def import_file(path: Path) -> ModuleType:
    """A file of the served course as a module, by its place under the course's root.

    Raises:
        CourseError: it cannot be imported; the text says why.
    """
    name = ".".join(path.relative_to(served()).with_suffix("").parts)
    try:
        return importlib.import_module(name)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == str(path)]
        place = f"{path}, line {lines[-1]}" if lines else str(path)
        said = "".join(traceback.format_exception_only(error)).strip()
        raise CourseError(f"{place} cannot be imported: {said}") from error


class _Kit(MetaPathFinder, Loader):
    """Gives for `checks.kit.errors` the module `autograder.checks.kit.errors`."""

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != KIT and not name.startswith(f"{KIT}."):
            return None
        return spec_from_loader(name, self)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(f"autograder.{spec.name}")
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: it has run. What the import has written over is put back."""
        assert module.__spec__ is not None
        module.__spec__ = self._specs[module.__spec__.name]
