"""Triton's module that talks to a GPU's driver, built before any student's code is there.

Triton would build it when the first kernel runs, in the sandbox, which starts no compiler.
"""

import importlib.metadata
import importlib.util
import os
import shlex
import shutil
import subprocess
import sysconfig
from pathlib import Path

from packaging.version import Version

NAME = "triton_driver.so"
OLDEST = "3.7"  # before it, every kernel has a launcher that a C compiler builds when it first runs
BUILD_SECONDS = 120


def build_driver_module(folder: Path) -> Path:
    """Build it.

    Args:
        folder: an empty folder of our own.

    Returns:
        its path.

    Raises:
        LookupError: that cannot be done here; the text says why.
    """
    nvidia = _triton() / "backends" / "nvidia"
    found = next(filter(None, map(shutil.which, ("cc", "gcc"))), "")
    compiler = shlex.split(os.environ.get("CC") or found)  # such as `ccache gcc`
    if not compiler:
        raise LookupError("there is no C compiler; install gcc")
    headers = Path(sysconfig.get_path("include"))
    if not (headers / "Python.h").is_file():
        raise LookupError(f"there is no {headers / 'Python.h'}; install Python's headers")
    # The driver's library is loaded by its name, where there is one; here it need not be.
    driver = folder / "libcuda.so.1"
    (folder / "nothing.c").touch()
    shared = [*compiler, "-shared", "-fPIC", "-O2"]
    _run([*shared, str(folder / "nothing.c"), f"-Wl,-soname,{driver.name}", "-o", str(driver)])
    module, source = folder / NAME, nvidia / "driver.c"
    included = [f"-I{nvidia / 'include'}", f"-I{headers}"]
    linked = ["-Wl,--no-as-needed", str(driver)]
    _run([*shared, *included, str(source), *linked, "-o", str(module)])
    module.chmod(0o644)  # whatever the umask: the code reads it as another user
    return module


def _triton() -> Path:
    found = importlib.util.find_spec("triton")
    if found is None or found.origin is None:
        raise LookupError("Triton is not installed")
    version = importlib.metadata.version("triton")
    if Version(version) < Version(OLDEST):
        raise LookupError(f"Triton {version} is installed, and kernels need {OLDEST} or newer")
    return Path(found.origin).parent


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise LookupError(f"{command[0]} does not run: {error}") from error
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["without a word"]
        raise LookupError(f"{command[0]} ends with {done.returncode}: {said[0]}")
