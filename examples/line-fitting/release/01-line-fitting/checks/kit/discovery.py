"""Finds the assignments' modules that are here: all of them in the repository, one in a release."""

import importlib
import pkgutil
from fnmatch import fnmatchcase
from types import ModuleType

from .examples import Example, examples
from .questions import questions_here


def checks_package() -> ModuleType:
    """The package `checks`: that of this release, or of all assignments in a course's sources."""
    return importlib.import_module("checks")


def modules_with_checks() -> list[ModuleType]:
    """The modules that hold visible checks: those of `checks` by name, then the questions' own."""
    from . import quiz

    package = checks_package()
    found = [module for module in pkgutil.iter_modules(package.__path__) if not module.ispkg]
    names = sorted(f"{package.__name__}.{module.name}" for module in found)
    modules = [*map(importlib.import_module, names), quiz]
    return [module for module in modules if _patterns(module)]


def module_of(exercise: str) -> ModuleType | None:
    """The module whose checks cover an exercise or a question that is here, or None."""
    if exercise not in exercises_here():
        return None
    for module in modules_with_checks():
        if any(fnmatchcase(exercise, pattern) for pattern in _patterns(module)):
            return module
    return None


def example_of(exercise: str) -> Example | None:
    """The public example of an exercise, or None."""
    modules_with_checks()  # importing a module registers its examples
    return examples.get(exercise)


def exercises_here() -> list[str]:
    """The exercises and questions that have checks here."""
    patterns = {pattern for module in modules_with_checks() for pattern in _patterns(module)}
    return sorted({name for name in patterns if "*" not in name} | questions_here().keys())


def _patterns(module: ModuleType) -> list[str]:
    """Names or patterns of the exercises that the module's test functions are marked with."""
    return [
        mark.args[0]
        for name, value in vars(module).items()
        if name.startswith("test_")
        for mark in getattr(value, "pytestmark", [])
        if mark.name == "exercise"
    ]
