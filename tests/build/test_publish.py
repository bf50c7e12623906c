"""Publishing copies releases out, and touches nothing that it did not write."""

from pathlib import Path

import pytest
from line_fitting import NAME

from autograder.build.publish import MANIFEST, publish
from autograder.course import Course, CourseError, load_course


@pytest.fixture
def course(root: Path) -> Course:
    """A course whose release stands there, with what a person leaves behind in it."""
    for file in (f"{NAME}.ipynb", "checks/__init__.py", "checks/__pycache__/a.pyc"):
        write(root / "release" / NAME / file)
    write(root / "release/04-later/04-later.ipynb")
    write(root / "release/README.md")
    return load_course(root)


def write(path: Path, text: str = "released") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def files(folder: Path) -> set[str]:
    found = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    return found - {MANIFEST}


def test_only_the_assignments_named_and_the_readme_go_out_without_clutter(course, tmp_path):
    target = tmp_path / "public"
    assert publish(course, [NAME], target) == 3
    assert files(target) == {f"{NAME}/{NAME}.ipynb", f"{NAME}/checks/__init__.py", "README.md"}


def test_publishing_again_follows_the_release_and_keeps_earlier_assignments(course, tmp_path):
    target = tmp_path / "public"
    publish(course, [NAME, "04-later"], target)
    write(target / "LICENSE", "the instructor's own")
    (course.root / "release" / NAME / "checks/__init__.py").unlink()
    publish(course, [NAME], target)
    later = "04-later/04-later.ipynb"
    assert files(target) == {f"{NAME}/{NAME}.ipynb", later, "README.md", "LICENSE"}
    (course.root / "release" / "04-later" / "04-later.ipynb").rename(target / "elsewhere")
    publish(course, ["04-later"], target)
    assert later not in files(target)


def test_a_fresh_clone_is_empty_enough(course, tmp_path):
    write(tmp_path / "clone/.git/HEAD")
    publish(course, [NAME], tmp_path / "clone")
    assert ".git/HEAD" in files(tmp_path / "clone")


def test_a_folder_with_other_things_is_refused_and_left_alone(course, tmp_path):
    write(tmp_path / "home/thesis.tex")
    with pytest.raises(CourseError, match="is not empty and was not published to before"):
        publish(course, [NAME], tmp_path / "home")
    assert files(tmp_path / "home") == {"thesis.tex"}


def test_a_file_that_someone_else_wrote_is_not_overwritten(course, tmp_path):
    target = tmp_path / "public"
    publish(course, [NAME], target)
    write(target / "04-later/04-later.ipynb", "mine")
    with pytest.raises(CourseError, match=r"holds 04-later/04-later.ipynb, which this command"):
        publish(course, ["04-later"], target)
    assert (target / "04-later/04-later.ipynb").read_text() == "mine"


def test_a_manifest_that_leads_out_of_the_folder_deletes_nothing(course, tmp_path):
    target = tmp_path / "public"
    publish(course, [NAME], target)
    write(tmp_path / "precious")
    with (target / MANIFEST).open("a") as manifest:
        manifest.write(f"../precious\n{tmp_path / 'precious'}\n.\n{NAME}\n")
    publish(course, [NAME], target)
    assert (tmp_path / "precious").exists()


@pytest.mark.parametrize("where", [".", "release", f"release/{NAME}"])
def test_the_courses_own_folders_are_refused(course, where):
    before = files(course.root)
    with pytest.raises(CourseError, match="Publish to one outside it"):
        publish(course, [NAME], course.root / where)
    assert files(course.root) == before
