"""The class under attack, graded once for each sandbox mode and user; `--all-attacks`."""

import importlib.util
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from catalogue import ATTACKS
from classroom import honest_students
from graded_class import PROJECT, QUICK, GradedClass, User, grade, open_folder
from runs import MODES, USERS, chosen, each_run

from autograder.sandbox.visible import is_open_to_all

OTHER_USER = 12345


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test one item for each run, and where it asks for one, for each attack of the run."""
    if "run_of" not in metafunc.fixturenames:
        return
    if "attack" not in metafunc.fixturenames:
        metafunc.parametrize("run_of", each_run())
        return
    everything = metafunc.config.getoption("--all-attacks")
    metafunc.parametrize(
        ("run_of", "attack"),
        [
            pytest.param(run.values[0], attack, id=f"{run.id}: {attack.slug}", marks=run.marks)
            for run in each_run()
            for attack in chosen(*run.values[0], everything)
        ],
    )


@pytest.fixture(scope="session")
def released_course(
    run: Any, make_small_course: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The course, released; nothing submitted."""
    course = make_small_course(tmp_path_factory.mktemp("attacks") / "course")
    done = run("autograder", "release", cwd=course)
    assert done.returncode == 0, done.stderr
    return course


@pytest.fixture(scope="session")
def another_user() -> User:
    """An unprivileged user who can run the grading command here, or a skip."""
    if os.geteuid() != 0:
        pytest.skip("only root can become another user; `myself` is unprivileged already")
    packages = Path(importlib.util.find_spec("torch").origin).parents[1]
    if not (is_open_to_all(packages) and is_open_to_all(PROJECT)):
        pytest.skip("the packages or the project are closed to other users")
    named = f"python3.{sys.version_info.minor}"
    for found in (sys.executable, shutil.which(named, path="/usr/bin:/usr/local/bin")):
        if found and is_open_to_all(Path(found).resolve()) and is_open_to_all(Path(found).parent):
            paths = {"PYTHONPATH": f"{packages}{os.pathsep}{PROJECT}"}
            return User("an unprivileged user", OTHER_USER, (found, "-B"), paths)
    pytest.skip("no interpreter of this version that another user can reach")


@pytest.fixture(scope="session")
def myself() -> User:
    """Whoever runs the tests."""
    return User("root" if os.geteuid() == 0 else "an unprivileged user")


def in_podman(user: User, podman: Callable[[pytest.MonkeyPatch], str]) -> tuple[User, str]:
    """The user with what Podman needs, and what the course's configuration needs for its image."""
    with pytest.MonkeyPatch.context() as patch:
        image = podman(patch)
        named = {name: os.environ[name] for name in ("CONTAINERS_CONF",) if name in os.environ}
    lines = f"c.SandboxPolicy.image = {image!r}\nc.Packages.optional = []\n"
    return replace(user, environment=user.environment | named), lines


@pytest.fixture(scope="session")
def graded(released_course: Path, request: pytest.FixtureRequest) -> Iterator[Any]:
    """Gives the class as a run graded it, each once; `None` gives it with nobody hostile in it."""
    everything = request.config.getoption("--all-attacks")
    found: dict[tuple[str, str] | None, GradedClass] = {}
    with ExitStack() as stack:

        def graded(run_of: tuple[str, str] | None) -> GradedClass:
            if run_of not in found:
                mode, name = run_of or (MODES[0], USERS[0])
                user = request.getfixturevalue("myself" if name == USERS[0] else "another_user")
                attacks = chosen(mode, name, everything) if run_of else ()
                folder = stack.enter_context(open_folder())
                honest = honest_students(ATTACKS)
                pages = run_of == (MODES[0], USERS[0])
                limits = QUICK
                if mode == "container":
                    user, image = in_podman(user, request.getfixturevalue("podman"))
                    limits += image
                found[run_of] = grade(
                    folder, released_course, attacks, honest, mode, user, pages, limits
                )
            if run_of and run_of[0] == MODES[0] and (note := found[run_of].why_not_full):
                pytest.skip(note)  # what starts in its place is the other mode's run
            return found[run_of]

        yield graded
