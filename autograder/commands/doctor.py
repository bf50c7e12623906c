"""`autograder doctor`: which isolation works on this machine, and how to get what does not."""

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from packaging.requirements import Requirement

from autograder.checks.kit.plain_text import plain
from autograder.commands.options import course_if_any, course_option
from autograder.course import Course
from autograder.course.course import CONFIG
from autograder.course.packages import TORCH, WITH_ENGINE, Packages, names_of
from autograder.course.settings import CourseSecret, SandboxPolicy, make
from autograder.sandbox.examining.examine import (
    Finding,
    Machine,
    Started,
    State,
    examine,
    start,
    this_machine,
    torch_build,
)
from autograder.sandbox.inside.versions import importable, versions
from autograder.sandbox.machine_memory import advice, bound_bytes, recommended_bytes, why_too_little

if TYPE_CHECKING:
    from rich.console import Console

# A state, a layer, what was seen, how to get it, and the commands for that.
FindingRow = tuple[str, str, str, str, tuple[str, ...]]

GIB = 1 << 30
SQLITE = b"SQLite format 3\0"  # what such a file begins with
COLOURS = {
    State.WORKS: "green",
    State.WEAK: "yellow",
    State.MISSING: "red",
    State.UNUSED: "dim",
}


@click.command("doctor")
@course_option
def command(root: Path) -> None:
    """Say which isolation works on this machine, layer by layer, and how to get what does not.

    Each layer is tried for real; then the sandbox is started as grading would start it. Exits 1
    where the course's policy cannot be met; outside a course, where student code cannot be held.
    """
    from rich.console import Console

    console = Console(highlight=False)
    course = course_if_any(root)
    policy = course.sandbox if course else SandboxPolicy()
    chosen = course.packages if course else Packages()
    packages = importable(**chosen.names())
    machine = this_machine()
    _heading(console, "This machine")
    _show_machine(console, machine)
    _heading(console, "Layers, each tried just now")
    layers = examine(machine, policy.image, policy.engine, policy.mode, packages)
    _show(console, layers)
    _heading(console, "What each policy gives here: started, and a cell run in it")
    started = _start_all(console, machine, policy, layers, packages)
    _show(console, [_as_finding(one) for one in started.values()])
    kept = examine_course(course) if course else []
    if course:
        _heading(console, f"The course in {course.root}")
        _show(console, [*_packages(course), *kept])
    fine = _conclude(console, policy.mode, started, kept, course is not None)
    if not fine:
        sys.exit(1)


def _start_all(
    console: "Console",
    machine: Machine,
    policy: SandboxPolicy,
    layers: list[Finding],
    packages: Sequence[str],
) -> dict[str, Started]:
    """Start every policy's sandbox; that of containers where it is asked for or could start."""
    modes = ["required", "fallback"] if machine.platform == "linux" else []
    has_image = any(one.layer == "containers" and one.state is State.WORKS for one in layers)
    if has_image or policy.mode == "container" or not modes:
        modes.append("container")
    with console.status("Starting the sandbox ..."):
        return {mode: start(mode, policy.image, policy.engine, packages) for mode in modes}


def _as_finding(started: Started) -> Finding:
    notes = " ".join(f"{note.removesuffix('.')}." for note in started.notes)
    if not started.isolation:
        return Finding(started.policy, State.MISSING, notes)
    state = State.WEAK if notes else State.WORKS
    return Finding(started.policy, state, f"{started.isolation}{'. ' if notes else ''}{notes}")


def examine_course(course: Course) -> list[Finding]:
    """Whether what grading writes can be written, and whether the secret is one."""
    return [_secret(course), _gradebook(course), _store(course), _room(course), _memory(course)]


def _packages(course: Course) -> list[Finding]:
    """What students' code may import: the versions here, and what else the course asks for."""
    required, optional = course.packages.required, course.packages.optional
    here, wrong = _looked_at(required)
    state = State.MISSING if "none" in here.values() else State.WEAK if wrong else State.WORKS
    found = [_versions("packages", state, here, wrong, "The course asks for others:")]
    if here.get(TORCH) == "none":
        saw = "not installed: the engine needs it here, to know the tensors of the course"
        install = shlex.join(["pip", "install", WITH_ENGINE[TORCH]])
        found.append(Finding(TORCH, State.MISSING, saw, "Install the engine with it:", (install,)))
    here, wrong = _looked_at(optional)
    if here:
        state = State.UNUSED if wrong else State.WORKS
        waits = "Exercises that need them wait until they are here:"
        found.append(_versions("optional", state, here, wrong, waits))
    return found


def _versions(
    layer: str, state: State, here: dict[str, str], wrong: list[str], remedy: str
) -> Finding:
    saw = ", ".join(f"{name} {version}" for name, version in here.items())
    if not wrong:
        return Finding(layer, state, saw)
    return Finding(layer, state, saw, remedy, (shlex.join(["pip", "install", *wrong]),))


def _looked_at(requirements: list[str]) -> tuple[dict[str, str], list[str]]:
    """The versions here of what is for this machine, and which requirements they do not meet."""
    listed = {name: one for one in requirements for name in names_of([one])}
    here = {name: found for name, found in versions(listed).items() if name in listed}
    wrong = [one for name, one in listed.items() if not _meets(here[name], one)]
    return here, wrong


def _meets(version: str, requirement: str) -> bool:
    bounds = Requirement(requirement).specifier
    return version != "none" and bounds.contains(version, prereleases=True)


def _secret(course: Course) -> Finding:
    settings = make(CourseSecret, course.config, CONFIG)
    if settings.variable in os.environ:
        return Finding("secret", State.WORKS, f"from the variable {settings.variable}")
    path = course.root / settings.file
    if not path.exists():
        return Finding("secret", State.WORKS, "not there yet; made on first use")
    mode = path.stat().st_mode & 0o777
    if os.name == "posix" and mode & 0o077:
        saw = f"{settings.file} is open to others (mode {mode:o}): who reads it knows the inputs"
        return Finding("secret", State.WEAK, saw, "Close it:", (f"chmod 600 {settings.file}",))
    return Finding("secret", State.WORKS, f"{settings.file}, closed to others")


def _gradebook(course: Course) -> Finding:
    url = course.config.CourseDirectory.get("db_url", f"sqlite:///{course.root / 'gradebook.db'}")
    kind, _, place = str(url).partition(":///")
    if kind != "sqlite":
        return Finding("gradebook", State.UNUSED, f"{kind.partition(':')[0]}: not tried here")
    path = course.root / place
    if path.is_file() and path.stat().st_size and not _is_sqlite(path):
        saw = f"{path} is no SQLite database"
        return Finding("gradebook", State.MISSING, saw, "Put back a copy, or move it away.")
    journal = _writable("gradebook", path.parent)  # SQLite writes beside the file first
    return _writable("gradebook", path) if path.exists() and not journal.remedy else journal


def _is_sqlite(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE


def _store(course: Course) -> Finding:
    folder = course.root / ".autograder" / "verdicts"
    while not folder.exists():
        folder = folder.parent
    return _writable("verdicts", folder)


def _writable(name: str, path: Path) -> Finding:
    try:
        if path.is_dir():
            tempfile.TemporaryFile(dir=path).close()
        else:
            path.open("r+b").close()
    except OSError as error:
        saw = f"{path} cannot be written: {error.strerror}"
        return Finding(name, State.MISSING, saw, "Grading needs to write there.")
    return Finding(name, State.WORKS, "can be written")


def _room(course: Course) -> Finding:
    free = {
        str(place): shutil.disk_usage(place).free / GIB
        for place in (course.root, tempfile.gettempdir())
    }
    saw = ", ".join(f"{left:.1f} GB free in {place}" for place, left in free.items())
    if min(free.values()) < 1:
        return Finding("disk", State.WEAK, saw, "Make room: 1 GB is soon used by a large class.")
    return Finding("disk", State.WORKS, saw)


def _memory(course: Course) -> Finding:
    """Whether grading has room here; a control group's bound counts as the machine's own."""
    needed = (course.packages.has_torch, course.limits.limits().memory_bytes)
    bound, enough = bound_bytes(), recommended_bytes(*needed)
    saw = f"{bound / GIB:.1f} GB for all processes together"
    if why := why_too_little(*needed):
        return Finding("memory", State.MISSING, saw, why)
    if bound < enough:
        return Finding("memory", State.WEAK, saw, advice(*needed))
    return Finding(
        "memory", State.WORKS, f"{saw}; one submission at a time takes {enough / GIB:.1f}"
    )


def _conclude(
    console: "Console",
    mode: str,
    started: dict[str, Started],
    kept: list[Finding],
    in_course: bool,
) -> bool:
    """Say what grading does here; whether it can."""
    whose = f"{CONFIG} asks for" if in_course else "No course here; judged by"
    console.print(f"{whose} SandboxPolicy.mode = {mode!r}.", markup=False)
    failing = [one.layer for one in kept if one.state is State.MISSING]
    if mode == "none":
        console.print("[bold yellow]Grading here runs student code WITHOUT isolation.[/]")
    elif mode in started and started[mode].isolation:
        console.print(f"[bold green]Grading here runs in {started[mode].isolation}.[/]")
    elif mode == "required" and (held := started.get("container")) and held.isolation:
        console.print(f"[bold green]Grading here runs in {held.isolation}.[/]")
    else:
        console.print("[bold red]Grading is refused here: that policy cannot be met.[/]")
        others = [one for one in started.values() if one.isolation]
        for other in others:
            console.print(f"SandboxPolicy.mode = {other.policy!r} would give {other.isolation}.")
        return False
    if failing:
        console.print(f"[bold red]But it fails, by what is told above: {', '.join(failing)}.[/]")
    return not failing


def _show_machine(console: "Console", machine: Machine) -> None:
    kernel = f", Linux {machine.kernel}" if machine.platform == "linux" else ""
    system = f"{machine.system}{kernel}, {machine.architecture}"
    inside = []
    if machine.wsl:
        inside.append(f"WSL{machine.wsl}")
    if machine.container:
        inside.append(f"a container, by its marks ({machine.container})")
    python = f"{sys.version.split()[0]}, {sys.executable}"
    rows = {
        "system": system,
        "inside": " and ".join(inside) or "no container",
        "user": machine.user,
        "Python": python,
        "torch": torch_build(),
    }
    _table(console, [(f"[dim]{name}[/]", "", value, "", ()) for name, value in rows.items()])


def _show(console: "Console", findings: list[Finding]) -> None:
    rows: list[FindingRow] = []
    told: set[str] = set()
    for one in findings:
        remedy, commands = one.remedy, one.commands
        if remedy in told:
            remedy, commands = "The same helps here." * bool(remedy), ()
        told.add(one.remedy)
        state = f"[{COLOURS[one.state]}]{one.state.value}[/]"
        rows.append((state, one.layer, one.saw, remedy, commands))
    _table(console, rows)


def _table(console: "Console", rows: list[FindingRow]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(width=8, no_wrap=True)
    if any(layer for _, layer, *_ in rows):
        table.add_column(width=16)
    table.add_column(overflow="fold")
    for state, layer, saw, remedy, commands in rows:
        text = Text(plain(saw))
        if remedy:
            text.append(f"\n{remedy}", style="italic")
        for one in commands:
            text.append(f"\n  {one}", style="bold")
        cells: list[str | Text] = [f" {state}", layer, text] if layer else [f" {state}", text]
        table.add_row(*cells)
    console.print(table)
    console.print()


def _heading(console: "Console", title: str) -> None:
    console.print(title, style="bold", markup=False)
