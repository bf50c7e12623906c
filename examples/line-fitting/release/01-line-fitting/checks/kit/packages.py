"""Packages that one exercise needs and a machine may lack: what to tell a student then."""

import importlib.metadata
import sys

_needed: dict[str, tuple[str, str]] = {}


def needs(exercise: str, package: str, oldest: str) -> None:
    """Declare that an exercise cannot be checked without a package, of this version or newer."""
    _needed[exercise] = package, oldest


def absent(exercise: str) -> str | None:
    """What to tell where the package that an exercise needs is missing; None where it is not."""
    package, oldest = _needed.get(exercise, ("", ""))
    if not package or _is_here(package, oldest):
        return None
    name = package.capitalize()
    if sys.platform == "linux":
        advice = (
            f"{name} {oldest} or newer is not installed here. To install it, run "
            f"`pip install --upgrade {package}` in a terminal, restart the kernel and run all "
            "cells."
        )
    else:
        advice = (
            f"{name} is made for Linux, and there is none for this machine. On Linux, or in WSL2 "
            f"on Windows, `pip install {package}` installs it."
        )
    return f"{exercise} was not checked: {advice} The exercise is optional: you lose nothing."


def _is_here(package: str, oldest: str) -> bool:
    try:
        found = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return _numbers(found) >= _numbers(oldest)


def _numbers(version: str) -> list[int]:
    """The numbers that a version begins with: 3 and 7 of "3.7.1"."""
    return [int(part) for part in version.split(".")[:2] if part.isdecimal()]
