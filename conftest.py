"""What tests of several rooms share: the real course, copies of it, and the real commands."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from nbgrader.api import Gradebook
from small_curriculum import shrink

from autograder.course.own_code import serve
from autograder.gradebook import nbgrader_patches

ROOT = Path(__file__).parent
LINE_FITTING = ROOT / "examples" / "line-fitting"
# The endless loop of the sample class should not hold the tests up for long.
IMPATIENT = "\nc.SubmissionLimits.call_seconds = 3\nc.SubmissionLimits.cell_seconds = 3\n"

serve(ROOT)  # the one course whose Python tests import

# Triton asks for this once, when anything first imports it.
os.environ.setdefault("TRITON_INTERPRET", "1")

Run = Callable[..., subprocess.CompletedProcess[str]]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options that make tests try harder than they do by default."""
    parser.addoption(
        "--all-attacks", action="store_true", help="every attack in every run of tests/attacks"
    )
    parser.addoption("--in-full", action="store_true", help="also what is marked `in_full`")
    parser.addoption("--kills", type=int, default=8, help="processes that tests/faults kills")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only `--in-full` runs, begin with the longest; let pytest-xdist see groups.

    3.8 writes them where pytest 9.2 no longer looks. Tests that are in no group are in their
    file's: what a file prepares is then prepared once, and not once in each process.
    """
    left_out = [item for item in items if item.get_closest_marker("in_full") is not None]
    if left_out and not config.getoption("--in-full"):
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    items.sort(key=lambda item: item.get_closest_marker("begun_first") is None)
    if not getattr(config.option, "loadgroup", False):
        return
    for item in items:
        grouped = getattr(item, "_nodeid", item.nodeid)
        if grouped == item.nodeid:
            grouped = f"{item.nodeid}@{item.path.stem}"
        item._id = type(item.id).parse(grouped)  # type: ignore[attr-defined]


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(
    report: pytest.CollectReport | pytest.TestReport,
) -> tuple[str, str, str] | None:
    """Name a test as soon as it has failed, among the dots; why stands at the end."""
    if not report.failed:
        return None
    what = "failed" if report.when == "call" else "error"
    return what, f"\n{what.upper()} {report.nodeid}\n", what.upper()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show what tests counted: each `record_property("counted", text)` is a line."""
    reports = [report for found in terminalreporter.stats.values() for report in found]
    lines = {
        value
        for report in reports
        if getattr(report, "when", "") == "teardown" or getattr(report, "failed", False)
        for name, value in getattr(report, "user_properties", ())
        if name == "counted"
    }
    fuzzed = {
        report.nodeid: value
        for report in reports
        for name, value in getattr(report, "user_properties", ())
        if name == "fuzz cases"
    }
    if fuzzed:
        crashed = {report.nodeid for report in reports if getattr(report, "failed", False)}
        cases, crashes = sum(fuzzed.values()), len(crashed & set(fuzzed))
        lines.add(f"fuzzing: {cases} cases in {len(fuzzed)} tests, {crashes} crashes")
    if lines:
        terminalreporter.section("counted")
        for line in sorted(lines):
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def course_root() -> Path:
    """The folder of the real course."""
    return ROOT


@pytest.fixture(scope="session")
def scripts() -> Path:
    """Where the environment's programs are."""
    return Path(sys.executable).parent


@pytest.fixture(scope="session")
def environment(scripts: Path) -> dict[str, str]:
    """The variables after `source .venv/bin/activate`: nbgrader starts alembic by its bare name."""
    return os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture(scope="session")
def run(scripts: Path, environment: dict[str, str]) -> Run:
    """Run one of the environment's programs as a person would."""

    def run(program: str, *arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
        command = [str(scripts / program), *map(str, arguments)]
        return subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, timeout=300, env=environment
        )

    return run


@pytest.fixture(scope="session")
def make_course() -> Callable[[Path], Path]:
    """Make a course of its own in a folder: the real sources, nothing built or submitted."""

    def make_course(folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "nbgrader_config.py", folder)
        config = (ROOT / "course_config.py").read_text(encoding="utf-8")
        (folder / "course_config.py").write_text(config + IMPATIENT, encoding="utf-8")
        for name in ("assignments", "solutions", "graders"):
            built = shutil.ignore_patterns("*.ipynb", "__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=built)
        return folder

    return make_course


@pytest.fixture(scope="session")
def make_line_fitting() -> Callable[[Path], Path]:
    """Make the second course in a folder, sources alone: one assignment, graded within seconds."""

    def make_line_fitting(folder: Path) -> Path:
        names = ("assignments", "solutions", "graders", "course_config.py", "nbgrader_config.py")
        built = shutil.ignore_patterns("*.ipynb", "__pycache__")
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            source = LINE_FITTING / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=built)
            else:
                shutil.copy(source, folder)
        return folder

    return make_line_fitting


@pytest.fixture(scope="session")
def make_small_course(make_course: Callable[[Path], Path]) -> Callable[[Path], Path]:
    """Make a course with a few of the real exercises, for tests that grade many submissions."""

    def make_small_course(folder: Path) -> Path:
        shrink(make_course(folder))
        return folder

    return make_small_course


@pytest.fixture(scope="session")
def podman() -> Callable[[pytest.MonkeyPatch], str]:
    """Let a test's containers run in Podman; gives their image's name. A skip where none can."""
    import podman_images

    try:
        variables = podman_images.podman_variables()
        image = podman_images.sandbox_image(variables)
    except podman_images.NotHere as why:
        pytest.skip(f"no container can be tested here: {why}")

    def use(patch: pytest.MonkeyPatch) -> str:
        for name, value in variables.items():
            patch.setenv(name, value)
        return image

    return use


@pytest.fixture(scope="session")
def empty_gradebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gradebook file with its tables; making one takes seconds, copying it takes none."""
    file = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    nbgrader_patches.patch_gradebook()
    Gradebook(f"sqlite:///{file}").close()
    return file


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A real browser."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium is installed (Debian's package is called chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # Chromium's own sandbox does not start for root.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()
