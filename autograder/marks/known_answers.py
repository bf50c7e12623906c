"""The known answers of a course as texts, read in a process that serves the course.

They are kept until a file of the course's graders or solutions changes.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from autograder.course import Course, CourseError, load_course

Kind = Literal["right", "mistake"]


@dataclass(frozen=True)
class KnownText:
    """One answer whose worth is known.

    Attributes:
        exercise: what it answers.
        name: `reference`, a variant's name, or a mistake's slug.
        kind: whether it is right.
        source: the cell.
    """

    exercise: str
    name: str
    kind: Kind
    source: str


def known_texts(course: Course) -> list[KnownText]:
    """The reference, the variants and the mistakes of each exercise in code, in this order.

    Raises:
        CourseError: a file of the course's graders cannot be imported.
    """
    path = course.root / ".autograder" / "answers" / "known.json"
    context = _digest(course.root)
    try:
        kept = json.loads(path.read_bytes())
        if kept["context"] == context:
            return [KnownText(*one) for one in kept["texts"]]
    except (OSError, ValueError, KeyError, TypeError):
        pass  # they are read again
    command = [sys.executable, "-m", __name__, str(course.root)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise CourseError(f"The known answers of the course cannot be read: {said[-1]}")
    texts = json.loads(done.stdout)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    unfinished.write_text(json.dumps({"context": context, "texts": texts}), encoding="utf-8")
    unfinished.replace(path)
    return [KnownText(*one) for one in texts]


def _digest(root: Path) -> str:
    told = hashlib.sha256()
    for folder in ("assignments", "graders", "solutions"):
        for path in sorted((root / folder).rglob("*.py")):
            told.update(path.relative_to(root).as_posix().encode() + b"\n" + path.read_bytes())
    return told.hexdigest()


def _texts(course: Course) -> Iterator[tuple[str, str, Kind, str]]:
    # Here, not above: they are for a process that imports the course's Python.
    from autograder.bank import mistakes, variants
    from autograder.course.own_code import serve
    from autograder.judging.answers import reference_source, source_of

    serve(course.root)
    exercises = (one for assignment in course.assignments.values() for one in assignment.exercises)
    for name in (one.name for one in exercises if one.kind == "code"):
        yield name, "reference", "right", reference_source(name)
        yield from ((name, one.name, "right", source_of(one)) for one in variants(name))
        yield from ((name, one.slug, "mistake", source_of(one)) for one in mistakes(name))


if __name__ == "__main__":
    print(json.dumps(list(_texts(load_course(Path(sys.argv[1]))))))  # noqa: T201
