"""A course's packages are listed once; all that installs, shows or counts them follows."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from line_fitting import NAME

from autograder.build.companions import requirements
from autograder.commands import doctor
from autograder.commands.doctor import _packages
from autograder.course import CourseError, load_course
from autograder.course.packages import NEEDED_BY_CHECKS, Packages, names_of
from autograder.sandbox.examining.examine import State
from autograder.sandbox.inside.versions import importable
from autograder.verdicts.key import Keys
from autograder.verdicts.messages import describe_setup


def course_with(folder: Path, *lines: str) -> Path:
    text = "\n".join(["c = get_config()", *lines])
    folder.joinpath("course_config.py").write_text(f"{text}\n", encoding="utf-8")
    return folder


ALL = list(NEEDED_BY_CHECKS)


def test_a_course_that_names_none_has_what_visible_checks_need() -> None:
    assert Packages().names() == {
        "required": ["numpy", "matplotlib", "pytest"],
        "optional": [],
    }


@pytest.mark.parametrize(
    ("required", "told"),
    [
        ([*ALL, "not a name"], "'not a name', no package such as"),
        ([*ALL, "polars[all]>=1"], "no package such as"),
        ([*ALL, "x @ https://example.org/x.whl"], "no package such as"),
        (ALL[1:], "Packages.required lacks numpy, which checks need"),
    ],
)
def test_a_wrong_list_is_told_at_once(tmp_path: Path, required: list[str], told: str) -> None:
    with pytest.raises(CourseError, match=told):
        load_course(course_with(tmp_path, f"c.Packages.required = {required}"))


def test_students_install_the_list_as_it_stands(course_root: Path) -> None:
    packages = load_course(course_root).packages
    assert requirements(packages).splitlines() == packages.required
    for folder in (course_root / "release").glob("*/"):
        assert (folder / "requirements.txt").read_text() == requirements(packages)


def test_the_extra_of_this_course_has_what_it_requires(course_root: Path) -> None:
    project = tomllib.loads((course_root / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    installed = names_of([*project["dependencies"], *extras["course"], *extras["torch"]])
    assert set(load_course(course_root).packages.names()["required"]) <= set(installed)


def test_what_is_for_another_system_is_left_out(tmp_path: Path) -> None:
    lines = (
        "c.Packages.optional = ['One_Two>=1; sys_platform == \"nowhere\"', 'psutil', 'No.Such']",
    )
    names = load_course(course_with(tmp_path, *lines)).packages.names()
    assert names["optional"] == ["psutil", "no-such"]
    assert importable(**names)[-2:] == ("psutil", "ipython")


def test_a_grading_process_is_told_the_list_and_looks_for_itself(course_root: Path) -> None:
    course = load_course(course_root)
    setup = next(describe_setup(course, [], "cpu", "none"))
    assert setup["packages"] == course.packages.names()
    assert "triton" in setup["packages"]["optional"]


def test_the_list_counts_in_the_key_of_every_verdict(
    make_line_fitting: Callable[[Path], Path], tmp_path: Path
) -> None:
    root = make_line_fitting(tmp_path / "course")
    course = load_course(root)
    before = Keys(course, course.assignment(NAME), "required").context
    with (root / "course_config.py").open("a") as config:
        config.write(f"c.Packages.required = {[*ALL, 'psutil']}\n")
    course = load_course(root)
    assert Keys(course, course.assignment(NAME), "required").context != before


def test_the_doctor_names_what_is_here_and_what_else_is_asked_for(tmp_path: Path) -> None:
    lines = (
        f"c.Packages.required = {[*ALL, 'psutil>=999', 'no-such-package']}",
        "c.Packages.optional = ['pytest', 'nor-this>=2']",
    )
    required, optional = _packages(load_course(course_with(tmp_path, *lines)))
    assert (required.state, optional.state) == (State.MISSING, State.UNUSED)
    assert "no-such-package none" in required.saw
    assert required.commands == ("pip install 'psutil>=999' no-such-package",)
    assert optional.commands == ("pip install 'nor-this>=2'",)
    (fine,) = _packages(load_course(course_with(tmp_path)))
    assert (fine.state, fine.commands) == (State.WORKS, ())


def test_where_torch_is_missing_the_doctor_says_how_the_engine_gets_it(
    course_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = load_course(course_root)
    assert "torch" not in {one.layer for one in _packages(course)}
    here = doctor.versions
    monkeypatch.setattr(doctor, "versions", lambda names: here(names) | {"torch": "none"})
    told = {one.layer: one for one in _packages(course)}["torch"]
    assert told.state is State.MISSING
    assert told.commands == ("pip install 'attention-autograder[torch]'",)
