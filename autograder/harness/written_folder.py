"""The folder that a harness is written into: a new one, or one that an earlier run wrote."""

import shutil
from pathlib import Path

from autograder.course import CourseError

MARK = ".autograder-harness"
"""The file that says that a folder was written by a harness, and so may be written again."""


def begin(output: Path) -> Path:
    """Make the folder, empty but for its mark.

    Raises:
        CourseError: something else is there.
    """
    if output.exists() and not (output / MARK).is_file():
        if not output.is_dir() or any(output.iterdir()):
            raise CourseError(
                f"{output} is there and was not written by this command, so it stays as it is. "
                "Name a new folder."
            )
    elif output.exists():
        shutil.rmtree(output)
    output.mkdir(parents=True, exist_ok=True)
    (output / MARK).write_text("`autograder harness` wrote this folder, and replaces all of it.\n")
    return output


def fill_in(template: Path, target: Path, **words: str) -> None:
    """Write a page from its template, where `{{name}}` stands for one of the words.

    Raises:
        KeyError: the template lacks one of them.
    """
    text = template.read_text(encoding="utf-8")
    for name, word in words.items():
        if f"{{{{{name}}}}}" not in text:
            raise KeyError(name)
        text = text.replace(f"{{{{{name}}}}}", word)
    target.write_text(text, encoding="utf-8")
