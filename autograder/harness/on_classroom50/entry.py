"""Check or grade one submission in Classroom 50's runner.

It runs in the student's checkout, beside what `autograder harness classroom50` wrote: it installs
the versions that are pinned there, unpacks the engine, and hands over to it. Exit status 0 where
`result.json` says what came of it; any other is a fault of ours, and the runner reports an error.
"""

import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PIP = (sys.executable, "-P", "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
"""`-P` leaves the current folder out of where Python looks: it is the student's."""


def main() -> int:
    """Do so, and give the exit status."""
    settings = json.loads((HERE / "settings.json").read_text(encoding="utf-8"))
    running = f"{sys.version_info.major}.{sys.version_info.minor}"
    if running != settings["python"]:
        sys.stdout.write(
            f"::error::This was written for Python {settings['python']} and runs in {running}: "
            f'put "python": "{settings["python"]}" into the assignment\'s runtime block.\n'
        )
        return 1
    if settings["torch"]:
        _install("--index-url", settings["torch_index"], settings["torch"])
    _install("--requirement", str(HERE / "requirements.txt"))
    (wheel,) = HERE.glob("*.whl")
    with tempfile.TemporaryDirectory(prefix="engine-") as engine:
        zipfile.ZipFile(wheel).extractall(engine)
        module = f"autograder.harness.on_classroom50.{settings['module']}"
        environment = dict(os.environ, PYTHONPATH=engine)
        command = [sys.executable, "-P", "-m", module, str(HERE)]
        return subprocess.run(command, env=environment, check=False).returncode


def _install(*words: str) -> None:
    """Install what is not there yet; where all is, pip asks no index."""
    subprocess.run([*PIP, *words], check=True, cwd=HERE)


if __name__ == "__main__":
    sys.exit(main())
