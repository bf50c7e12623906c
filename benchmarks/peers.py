"""The other graders, each in a virtual environment of its own, in pinned versions."""

import importlib.metadata
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Peer:
    """A grader to compare with.

    Attributes:
        name: of its folder in `.peers/`.
        requirements: what pip installs, beside torch.
    """

    name: str
    requirements: tuple[str, ...]

    @property
    def scripts(self) -> Path:
        """Where its programs are."""
        return ROOT / ".peers" / self.name / "bin"


NBGRADER = Peer("nbgrader", ("nbgrader==0.9.6", "ipykernel", "jaxtyping", "numpy"))
OTTER = Peer("otter", ("otter-grader[grading]==7.0.0", "jaxtyping"))


def install(peer: Peer) -> None:
    """Make the peer's environment, once; what is installed already is left as it is.

    Raises:
        SystemExit: pip could not install it.
    """
    torch = importlib.metadata.version("torch")  # the same build: a CPU one if ours is one
    wanted = (f"torch=={torch}", *peer.requirements)
    stamp = peer.scripts.parent / ".installed"
    if stamp.is_file() and stamp.read_text(encoding="utf-8").split() == list(wanted):
        return
    print(f"Installing {peer.requirements[0]} and torch into .peers/{peer.name} ...", flush=True)
    pip = [str(peer.scripts / "python"), "-m", "pip", "install", "-q"]
    build = torch.partition("+")[2]
    index = ["--extra-index-url", f"https://download.pytorch.org/whl/{build}"] if build else []
    constraints = str(ROOT / "constraints.txt")
    try:
        subprocess.run([sys.executable, "-m", "venv", str(peer.scripts.parent)], check=True)
        subprocess.run([*pip, *index, "--no-deps", wanted[0]], check=True)
        subprocess.run([*pip, "-c", constraints, *wanted], check=True)
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"{peer.name} could not be installed; pip's words are above.") from error
    stamp.write_text("\n".join(wanted), encoding="utf-8")


def version(scripts: Path, package: str) -> str:
    """The version of a package that is installed in an environment."""
    asked = f"from importlib.metadata import version; print(version({package!r}))"
    answer = subprocess.run(
        [str(scripts / "python"), "-c", asked], capture_output=True, text=True, check=True
    )
    return answer.stdout.strip()
