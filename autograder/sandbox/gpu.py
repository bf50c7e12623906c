"""The GPU of this machine, found without touching it: a process that has cannot be forked."""

import importlib.util
import os
import re
from dataclasses import dataclass
from pathlib import Path

CONTROL = ("nvidiactl", "nvidia-uvm")
BESIDES = ("nvidia-uvm-tools", "nvidia-caps/*")  # the latter of a card in parts
# Where some clusters put the driver's libraries; everywhere else they are among the system's.
LIBRARIES = (Path("/usr/local/nvidia/lib64"), Path("/usr/local/nvidia/lib"))
# PyTorch then asks NVIDIA's library whether there is a GPU, and leaves the driver alone.
ASKED_OUTSIDE = {"PYTORCH_NVML_BASED_CUDA_CHECK": "1"}
HEADROOM = 0.95  # of the GPU's memory: the driver and the grading process need some as well


@dataclass(frozen=True)
class Gpu:
    """What a submission's process needs to reach a GPU.

    Attributes:
        nodes: the device files that NVIDIA's driver opens.
        share: how much of the GPU's memory it may take, from 0 to 1.
        libraries: folders of the driver's libraries besides the system's.
        driver_module: Triton's module that talks to the driver, built; None where kernels are not
            compiled.
    """

    nodes: tuple[str, ...]
    share: float = HEADROOM
    libraries: tuple[Path, ...] = ()
    driver_module: Path | None = None


def find_gpu(slots: int = 1, devices: Path = Path("/dev")) -> Gpu:
    """This machine's GPU, for so many submissions at once.

    Args:
        slots: how many submissions share it.
        devices: the folder of device files.

    Raises:
        LookupError: there is none that PyTorch could use; the text says why.
    """
    why = why_no_gpu(devices)
    if why is not None:
        raise LookupError(why)
    cards = sorted(one for one in devices.glob("nvidia*") if re.fullmatch(r"nvidia\d+", one.name))
    besides = (one for pattern in BESIDES for one in sorted(devices.glob(pattern)))
    nodes = (*(str(devices / one) for one in CONTROL), *map(str, cards), *map(str, besides))
    libraries = tuple(folder.resolve() for folder in LIBRARIES if folder.is_dir())
    return Gpu(nodes, HEADROOM / slots, libraries)


def why_no_gpu(devices: Path = Path("/dev")) -> str | None:
    """Why no GPU can be used here; None where one can, as far as this can be seen from outside."""
    if os.environ.get("CUDA_VISIBLE_DEVICES") in ("", "-1"):
        return "CUDA_VISIBLE_DEVICES hides every GPU."
    missing = [one for one in CONTROL if not (devices / one).exists()]
    if missing or not any(devices.glob("nvidia[0-9]*")):
        return "This machine has no NVIDIA GPU, or its driver is not loaded."
    if not torch_has_cuda():
        return "PyTorch is installed here without CUDA; pytorch.org/get-started names the build."
    return None


def torch_has_cuda() -> bool:
    """Whether the installed PyTorch was built for CUDA; importing it would take a second."""
    found = importlib.util.find_spec("torch")
    if found is None or found.origin is None:
        return False
    version = Path(found.origin).with_name("version.py")
    return version.is_file() and bool(re.search(r"^cuda\b.*= '", version.read_text(), re.MULTILINE))
