"""The course secret: seeds every hidden input, so that a release does not tell what they are."""

import os
import secrets
import tempfile
from pathlib import Path

from autograder.course.errors import CourseError
from autograder.course.locks import locked
from autograder.course.settings import CourseSecret

SHORTEST = 16


def read_secret(settings: CourseSecret, root: Path) -> bytes:
    """The secret from the environment, else from the course's file, made on first use.

    Raises:
        CourseError: the secret is shorter than 16 characters, or its file cannot be read or made.
    """
    text = os.environ.get(settings.variable)
    where = f"the environment variable {settings.variable}"
    if text is None:
        path = root / settings.file
        where = str(path)
        try:
            text = _read_or_make(path, root)
        except OSError as error:
            raise CourseError(
                f"The course secret {path} cannot be read or made ({error.strerror}). "
                f"Make the folder writable, or set {settings.variable}."
            ) from error
    if len(text.strip()) < SHORTEST:
        raise CourseError(f"The course secret in {where} is shorter than {SHORTEST} characters.")
    return text.strip().encode()


def _read_or_make(path: Path, root: Path) -> str:
    if not path.exists():
        with locked(root, "secret"):  # two graders that start together agree on one
            if not path.exists():
                _make(path)
    return path.read_text(encoding="utf-8")


def _make(path: Path) -> None:
    """Write it whole or not at all: half a secret would be refused ever after."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, unfinished = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(secrets.token_hex(32) + "\n")
        os.replace(unfinished, path)
    except BaseException:
        os.unlink(unfinished)
        raise
