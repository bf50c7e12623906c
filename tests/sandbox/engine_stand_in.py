"""Stands in for Docker: takes its command line, and runs the container's program in bubblewrap.

The "image" is what the Containerfile makes of this machine's own packages: the same folders, the
same entry point. What is no stand-in: options are parsed strictly, and everything inside is the
real thing. Environment: STAND_IN_LOG, a file to note command lines in; STAND_IN_IMAGE, the one
image that there is; STAND_IN_WITHOUT_LANDLOCK, when the container's kernel should have none.
"""

import argparse
import json
import os
import shlex
import sys
import tempfile
from pathlib import Path

import psutil

from autograder.course import load_course
from autograder.sandbox import launch
from autograder.sandbox.inside.boot import INSIDE_NAME
from autograder.sandbox.inside.places import HARMLESS_DEVICES, LIBRARY
from autograder.sandbox.inside.seccomp import ALLOW, EQUALS, LOAD, RETURN, assemble
from autograder.sandbox.inside.versions import importable

COURSE = Path(__file__).parents[2]
CONTAINERFILE = Path(launch.__file__).parent / "containers" / "Containerfile"
RUNNING = Path(tempfile.gettempdir()) / f"stand-in-containers-{os.getuid()}"
NO_SUCH_CALL = 0x00050000 | 38  # ENOSYS

# What an engine does by control groups, for which we lack the right: no more tasks than asked for.
PRELUDE = f"""
import os, resource, sys
user, most = int(sys.argv[1]), int(sys.argv[2])
sys.path.insert(0, {LIBRARY!r})
from {INSIDE_NAME}.confine import become, new_user_namespace
if os.getuid() == 0:
    become(user)
    new_user_namespace(0)  # tasks are counted in it alone
resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
os.execv(sys.argv[3], sys.argv[3:])
"""


def options():
    """What we understand of `docker run`."""
    parser = argparse.ArgumentParser(exit_on_error=True, allow_abbrev=False)
    for flag in ("--rm", "--interactive", "--read-only"):
        parser.add_argument(flag, action="store_true", required=True)
    parser.add_argument("--pull", choices=["never"], required=True)
    parser.add_argument("--network", choices=["none"], required=True)
    parser.add_argument("--ipc", choices=["none"], required=True)
    parser.add_argument("--cap-drop", choices=["ALL"], required=True)
    parser.add_argument("--security-opt", choices=["no-new-privileges"], required=True)
    parser.add_argument("--log-driver", choices=["none"], required=True)
    for number in ("--memory", "--memory-swap", "--pids-limit", "--stop-timeout"):
        parser.add_argument(number, type=int, required=True)
    for text in ("--name", "--hostname", "--user", "--tmpfs"):
        parser.add_argument(text, required=True)
    parser.add_argument("image")
    return parser


def entry_point():
    """The image's program, as the Containerfile says it."""
    lines = CONTAINERFILE.read_text().splitlines()
    (line,) = [line for line in lines if line.startswith("ENTRYPOINT ")]
    python, *arguments = json.loads(line.removeprefix("ENTRYPOINT "))
    assert python == "python3"
    return [launch._python(), *arguments]


def image():
    """Options of bubblewrap that lay out the image."""
    view = launch.View.of(importable(**load_course(COURSE).packages.names()))
    python = launch._python()
    contents = {**view.packages, **launch.OURS}
    places = [tree.path for tree in view.trees] + [Path(LIBRARY, entry) for entry in contents]
    places += [Path(python), *map(Path, HARMLESS_DEVICES)]
    laid = []  # folders on the way first: bubblewrap would make them for itself alone
    for folder in sorted({folder for path in places for folder in path.parents} - {Path("/")}):
        laid += ["--dir", str(folder)]
    for tree in view.trees:
        laid += ["--ro-bind", str(tree.path), str(tree.path)]
        for hidden in tree.hidden:
            cover = str(tree.path / hidden)
            laid += ["--tmpfs", cover, "--remount-ro", cover]
    for name in ("lib", "lib64"):
        if Path("/", name).is_symlink():
            laid += ["--symlink", os.readlink(f"/{name}"), f"/{name}"]
    for entry, source in contents.items():
        laid += ["--ro-bind", str(source), f"{LIBRARY}/{entry}"]
    return [*laid, "--ro-bind", python, python]


def without_landlock():
    """A descriptor of a filter under which the kernel seems to have no Landlock."""
    program = [(LOAD, 0, 0, 0)]
    for call in (444, 445, 446):
        program += [(EQUALS, 0, 1, call), (RETURN, 0, 0, NO_SUCH_CALL)]
    descriptor = os.memfd_create("filter", 0)
    os.write(descriptor, assemble([*program, (RETURN, 0, 0, ALLOW)]))
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def run(arguments):
    """Become the container."""
    asked = options().parse_args(arguments)
    if asked.image != os.environ["STAND_IN_IMAGE"]:
        sys.exit(f"docker: Error response from daemon: No such image: {asked.image}:latest")
    uid, gid = asked.user.split(":")
    work, settings = asked.tmpfs.split(":")
    settings = dict(one.partition("=")[::2] for one in settings.split(","))
    command = [launch.find_bubblewrap(), "--unshare-pid", "--unshare-net", "--unshare-ipc"]
    command += ["--unshare-uts", "--as-pid-1", "--hostname", asked.hostname]
    if os.getuid() != 0:
        command += ["--unshare-user", "--uid", uid, "--gid", gid, "--cap-drop", "ALL"]
    command += ["--clearenv", "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", *image()]
    for device in HARMLESS_DEVICES:
        command += ["--dev-bind", device, device]
    command += ["--proc", "/proc", "--mqueue", "/dev/mqueue", "--dir", "/tmp"]
    command += ["--perms", settings["mode"], "--size", settings["size"], "--tmpfs", work]
    command += ["--remount-ro", "/", "--chdir", "/"]
    if os.environ.get("STAND_IN_WITHOUT_LANDLOCK"):
        command += ["--seccomp", str(without_landlock())]
    command += [launch._python(), "-I", "-S", "-c", PRELUDE, uid, str(asked.pids_limit)]
    command += entry_point()
    RUNNING.mkdir(exist_ok=True)
    (RUNNING / asked.name).write_text(str(os.getpid()))
    os.execv(command[0], command)


def main():
    """Do what Docker would."""
    arguments = sys.argv[1:]
    if "STAND_IN_LOG" in os.environ:
        with open(os.environ["STAND_IN_LOG"], "a") as log:
            log.write(shlex.join(arguments) + "\n")
    match arguments:
        case ["image", "inspect", "--format", _, name]:
            if name != os.environ["STAND_IN_IMAGE"]:
                sys.exit(f"[]\nError response from daemon: No such image: {name}")
        case ["image", "ls", "--quiet"]:
            sys.stdout.write("0123456789ab\n")
        case ["rm", "--force", name]:
            engine = psutil.Process(int((RUNNING / name).read_text()))
            for process in [*engine.children(recursive=True), engine]:
                process.kill()
        case ["run", *options]:
            run(options)
        case _:
            sys.exit(f"docker: {arguments[0]!r} is not a docker command.")


if __name__ == "__main__":
    main()
