"""The command lines for Podman and Docker, and the image that they name."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from course_packages import PACKAGES

from autograder.commands.image import command as image_command
from autograder.course.data_files import files_under
from autograder.course.errors import CourseError
from autograder.course.limits import Limits
from autograder.course.packages import Packages
from autograder.course.settings import IMAGE, SandboxPolicy, make
from autograder.sandbox.backend import Refused
from autograder.sandbox.containers.engine import UID, Engine, engine_with
from autograder.sandbox.containers.image import FOLDER, build_command, pins
from autograder.sandbox.inside.packets import MAGIC
from autograder.sandbox.inside.places import LIBRARY, WORK
from autograder.sandbox.inside.versions import versions
from autograder.sandbox.launch import OURS

COURSE = Path(__file__).parents[2]
CONTAINERFILE = FOLDER / "sandbox" / "containers" / "Containerfile"
LIMITS = Limits(memory_bytes=512 << 20, scratch_bytes=8 << 20, threads=16)
IN_BOTH = """
    run --rm --interactive --name box --pull never --log-driver none --stop-timeout 1
    --network none --ipc none --hostname sandbox --user 53000:53000 --cap-drop ALL
    --security-opt no-new-privileges --read-only --tmpfs TMPFS
    --memory 1619001344 --memory-swap 1619001344 --pids-limit 18
    --ulimit nofile=1024:1024 --ulimit nproc=4096:4096
""".split()  # noqa: SIM905 - as a person would read it
TMPFS = "/sandbox/work:rw,noexec,nosuid,nodev,size=9437184,mode=1777"


def expected(path, tmpfs, *more):
    return [path, *(tmpfs if part == "TMPFS" else part for part in IN_BOTH), *more]


def test_dockers_command_line_to_the_letter():
    command = Engine("docker", "/usr/bin/docker").run_command("the-image", "box", LIMITS)
    assert command == expected("/usr/bin/docker", f"{TMPFS},nr_inodes=4096", "the-image")


def test_podmans_command_line_to_the_letter():
    command = Engine("podman", "/bin/podman").run_command("the-image", "box", LIMITS)
    assert command == expected(
        "/bin/podman",
        f"{TMPFS},notmpcopyup",
        "--read-only-tmpfs=false",
        "--http-proxy=false",
        "the-image",
    )


def test_nothing_of_this_machine_is_given_to_a_container():
    for name in ("podman", "docker"):
        command = Engine(name, name).run_command(IMAGE, "box", LIMITS)
        given = {"-v", "--volume", "--mount", "-e", "--env", "--env-file", "--device", "-p"}
        assert not given & {part.partition("=")[0] for part in command}
        assert not any("privileged" in part and "no-new" not in part for part in command)
        assert not any(str(Path.home()) in part for part in command)


def docker():
    """Docker's own program, which reads its command line before it looks for the engine."""
    found = shutil.which("docker")
    if found is None:
        pytest.skip("no docker here")
    return found


def complaint(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=60).stderr


def test_docker_itself_understands_every_option():
    limits = Limits()
    run = Engine("docker", docker()).run_command("no-such-image-anywhere", "box", limits)
    build = build_command(Engine("docker", docker()), "no-such-image-anywhere", PACKAGES)
    wrong = ("unknown flag", "invalid argument", "unknown shorthand", "flag needs", "Usage:")
    assert not any(word in complaint(run) for word in wrong)
    assert any(word in complaint([*run[:-1], "--pids-limit", "many", run[-1]]) for word in wrong)
    if subprocess.run([docker(), "version"], capture_output=True, timeout=60).returncode:
        assert not any(word in complaint(build) for word in wrong)  # else it would build


@pytest.fixture
def docker_with_all(tmp_path, monkeypatch):
    """A docker that has every image; the file where it notes what it is asked to do with them."""
    log = tmp_path / "log"
    program = tmp_path / "docker"
    program.write_text(f'#!/bin/sh\ntest "$1" = image || echo "$@" >> {log}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    return log


@pytest.mark.parametrize(
    "name",
    ["--privileged", "-v=/:/host", "", "a b", "image;rm -rf /", "$(id)", "im\nage", "x" * 300],
)
def test_a_name_that_could_pass_for_something_else_is_refused(name, docker_with_all):
    with pytest.raises(Refused, match="is not the name of an image"):
        engine_with(name, "docker")
    from traitlets.config import Config

    with pytest.raises(CourseError, match="no image's name"):
        make(SandboxPolicy, Config(SandboxPolicy={"image": name}), "course_config.py")


@pytest.mark.parametrize(
    "name", [IMAGE, "ghcr.io/dept/attention:2026", "localhost:5000/a/b_c", "img@sha256:" + "0" * 64]
)
def test_usual_names_of_images_are_taken(name, docker_with_all):
    assert engine_with(name, "auto").name == "docker"


def test_the_build_pins_what_is_installed_here():
    command = build_command(Engine("podman", "podman"), "mine", PACKAGES)
    assert command[:4] == ["podman", "build", "--tag", "mine"]
    given = dict(one.split("=", 1) for one in command if re.match(r"[A-Z]+=", one))
    assert given["PYTHON"] == versions(())["python"]
    assert given["PACKAGES"].split() == list(PACKAGES)
    assert given["PINS"].split() == pins(PACKAGES)
    assert command[-3:] == ["--file", str(CONTAINERFILE), str(FOLDER)]
    here = versions(PACKAGES)
    assert {f"{name}=={here[name]}" for name in PACKAGES} <= set(pins(PACKAGES))
    assert all(re.fullmatch(r"[a-z0-9._-]+==[A-Za-z0-9.!]+", pin) for pin in pins(PACKAGES))


def instructions():
    """The Containerfile's instructions, as (word, rest), continued lines joined."""
    text = CONTAINERFILE.read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [tuple(line.split(maxsplit=1)) for line in lines]


def test_the_containerfile_takes_every_argument_that_the_build_gives():
    declared = {rest.partition("=")[0] for word, rest in instructions() if word == "ARG"}
    assert declared == {"PYTHON", "PACKAGES", "PINS", "BASE", "SOURCE"}
    assert all(
        word in ("ARG", "FROM", "RUN", "COPY", "USER", "WORKDIR", "ENTRYPOINT")
        for word, _ in instructions()
    )
    defaults = dict(
        rest.split("=", 1) for word, rest in instructions() if word == "ARG" and "=" in rest
    )
    assert defaults["PACKAGES"].strip('"').split() == [*Packages().names()["required"], "ipython"]


def test_the_image_is_made_of_what_the_gateway_expects():
    written = dict(instructions())
    assert written["USER"] == f"{UID}:{UID}"
    assert LIBRARY in written["ENTRYPOINT"]
    assert any(WORK in rest for word, rest in instructions() if word == "RUN")
    copies = [tuple(rest.split()) for word, rest in instructions() if word == "COPY"]
    ours = [(str(source.relative_to(FOLDER)), entry.as_posix()) for entry, source in OURS.items()]
    assert copies == [(path, f"{LIBRARY}/{name}") for path, name in ours]
    assert all(source.exists() for source in OURS.values())
    bases = [rest.split()[0] for word, rest in instructions() if word == "FROM"]
    assert bases == ["scratch", "${BASE}"]
    defaults = dict(
        rest.split("=", 1) for word, rest in instructions() if word == "ARG" if "=" in rest
    )
    assert defaults["BASE"] == "docker.io/library/python:${PYTHON}-slim"


def test_nothing_else_of_this_project_gets_into_the_image():
    sources = [rest.split()[0] for word, rest in instructions() if word in ("COPY", "ADD")]
    folders = ["sandbox/inside", "tensors/inside", "checks/kit"]
    assert sources == folders
    files = [path for one in folders for path in files_under(FOLDER / one)]
    assert {path.suffix for path in files} == {".py"}


def test_without_the_network_it_builds_on_what_is_there(docker_with_all, tmp_path):
    from click.testing import CliRunner

    wheels = tmp_path / "wheels"
    wheels.mkdir()
    offline = ["--show", "--base", "dept/python:3", "--wheels", str(wheels)]
    empty = CliRunner().invoke(image_command, offline)
    assert empty.exit_code == 2
    assert "holds no wheels" in empty.output
    (wheels / "numpy-2-py3-none-any.whl").touch()
    shown = shlex.split(CliRunner().invoke(image_command, offline).output)
    assert {"BASE=dept/python:3", "SOURCE=--no-index --find-links /wheels"} < set(shown)
    assert shown[shown.index("--network") + 1] == "none"
    assert shown[shown.index("--build-context") + 1] == f"wheels={wheels}"
    refused = CliRunner().invoke(image_command, ["--show", "--base=-v"])
    assert refused.exit_code == 2


def test_the_packages_to_download_are_those_that_the_build_pins():
    from click.testing import CliRunner

    listed = CliRunner().invoke(image_command, ["--pins", "--course", str(COURSE)])
    assert listed.output.split() == pins(PACKAGES)


def test_the_pipe_begins_with_the_same_words_in_every_version():
    assert MAGIC == b"attention-autograder gateway\n"


def test_the_command_can_be_shown_before_it_is_run(docker_with_all):
    from click.testing import CliRunner

    shown = CliRunner().invoke(image_command, ["--show", "--name", "a/b:1"])
    assert shown.exit_code == 0
    assert "docker build --tag a/b:1 --build-arg PYTHON=3." in shown.output
    assert f"--file {CONTAINERFILE} {FOLDER}" in shown.output
    assert not docker_with_all.exists()
    refused = CliRunner().invoke(image_command, ["--name=--privileged"])
    assert refused.exit_code == 2
