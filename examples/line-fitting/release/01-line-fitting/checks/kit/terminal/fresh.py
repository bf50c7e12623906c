"""What one run of a notebook leaves in its process, put back before the next one.

Only a new process is really fresh; this is for answers that must come at once.
"""

import os
import random
import sys
from pathlib import Path
from typing import Any


class Fresh:
    """The process as it is now."""

    def __init__(self) -> None:
        self._path = list(sys.path)
        self._environment = dict(os.environ)
        self._random = random.getstate()
        self._numpy = _of("numpy.random", "get_state")
        self._torch = _of("torch", "get_rng_state")
        self._dtype = _of("torch", "get_default_dtype")
        self._threads = _of("torch", "get_num_threads")
        self._style = dict(_of("matplotlib", "rcParams.copy") or {})

    def restore(self, folder: Path) -> None:
        """Make it so again; what stands beside the notebook is imported anew.

        Args:
            folder: the notebook's.
        """
        sys.path[:] = self._path
        for name in os.environ.keys() - self._environment.keys():
            del os.environ[name]
        os.environ.update(self._environment)
        os.chdir(folder)
        _forget(folder)
        random.setstate(self._random)
        if self._numpy is not None:
            _of("numpy.random", "set_state", self._numpy)
        if self._torch is not None:
            _of("torch", "set_rng_state", self._torch)
            _of("torch", "set_default_dtype", self._dtype)
            _of("torch", "set_num_threads", self._threads)
            _of("torch", "set_grad_enabled", True)
        if self._style:
            _of("matplotlib", "rcParams.update", self._style)


def _of(module: str, function: str, *arguments: Any) -> Any:
    """Call a function of a module where somebody has imported it; else None."""
    found: Any = sys.modules.get(module)
    for name in function.split("."):
        found = getattr(found, name, None)
    return None if found is None else found(*arguments)


def _forget(folder: Path) -> None:
    """Forget modules that were imported from the notebook's folder, but for the checks."""
    checks = Path(__file__).resolve().parents[2]
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file is not None and name != "__main__":
            path = Path(file)
            if folder in path.parents and checks not in path.parents and not _is_installed(path):
                del sys.modules[name]


def _is_installed(path: Path) -> bool:
    """Whether a virtual environment that stands in the folder holds it."""
    return "site-packages" in path.parts
