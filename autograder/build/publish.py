"""Copy releases out of the private repository, to a folder that students will see."""

import shutil
from collections.abc import Collection, Iterable
from pathlib import Path

from autograder.build.start_page import start_page
from autograder.course import Course, CourseError
from autograder.course.data_files import files_under

# Lists what was published, so that a later run removes what is gone from a release, and no more.
MANIFEST = ".autograder-published"


def publish(
    course: Course, names: Collection[str], target: Path, address: str | None = None
) -> int:
    """Copy what students receive into a folder, and remove what an earlier copy left there.

    Files that this command did not write, such as `.git`, are never touched. Earlier copies of
    assignments that are not named stay.

    Args:
        course: the course; its releases are built.
        names: the assignments to copy.
        target: an empty or new folder, a fresh git clone, or one published to before.
        address: where the folder will stand in public, for the start page; None if not said.
    Returns:
        the number of files copied.
    Raises:
        CourseError: the folder holds something else, or is part of the course's own folders.
    """
    target = target.resolve()
    release = course.folder("release")
    new = [path for name in names for path in files_under(release / name)]
    new += [path for path in sorted(release.glob("*")) if path.is_file()]  # its README
    copies = {path.relative_to(release).as_posix(): path for path in new}
    published = refuse_foreign(course, copies, target)
    kept = {path for path in published if "/" in path and path.split("/")[0] not in names}
    for path in published - kept - copies.keys():
        (target / path).unlink(missing_ok=True)
    for path, original in copies.items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(original, target / path)
    if address is not None:
        (target / "README.md").write_text(start_page(course, address), encoding="utf-8")
    listed = "\n".join(sorted(kept | copies.keys()))
    (target / MANIFEST).write_text(listed + "\n", encoding="utf-8")
    return len(copies)


def refuse_foreign(course: Course, copies: Iterable[str], target: Path) -> set[str]:
    """Look whether files can be published to a folder, and change nothing.

    Args:
        course: the course.
        copies: their paths from the release folder.
        target: where they are to go.
    Returns:
        the files that an earlier run has copied there.
    Raises:
        CourseError: the folder holds something else, or is part of the course's own folders.
    """
    target = target.resolve()
    if target == course.root or target.is_relative_to(course.folder("release")):
        raise CourseError(f"{target} is the course's own folder. Publish to one outside it.")
    published = _published(target)
    foreign = [path for path in copies if path not in published and (target / path).exists()]
    if foreign:
        raise CourseError(
            f"{target} holds {foreign[0]}, which this command did not write, so it stays as it is. "
            "Move it away, or publish to another folder."
        )
    return published


def _published(target: Path) -> set[str]:
    """Files that an earlier run copied here, as the manifest lists them."""
    manifest = target / MANIFEST
    if manifest.is_file():
        listed = manifest.read_text(encoding="utf-8").splitlines()
        # Anyone may edit the manifest: it must not lead out of the folder.
        return {
            path
            for path in listed
            if (target / path).is_file() and (target / path).resolve().is_relative_to(target)
        }
    if target.exists() and (not target.is_dir() or {p.name for p in target.iterdir()} - {".git"}):
        raise CourseError(
            f"{target} is not empty and was not published to before. Name a new or empty folder."
        )
    return set()
