"""Triton's kernels compiled for a GPU within one process: no program is started, no file written.

Triton starts NVIDIA's assembler, and for its own module that talks to the driver a C compiler. The
sandbox starts none. So a kernel goes to the driver as PTX, which the driver assembles by itself;
the module has been built outside, and what Triton keeps in files is kept in memory.
"""

import ctypes
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
import triton
import triton.language as tl
from triton import knobs
from triton.backends.nvidia.compiler import ptx_get_version
from triton.compiler import compiler
from triton.runtime import cache

OLDEST = 8, 0  # before it, no bfloat16 either


class FileInMemory:
    """What Triton has put into a file, and reads again as from a path.

    Args:
        name: the file's name.
        data: bytes, or what is written as text.
    """

    def __init__(self, name: str, data: Any) -> None:
        self.suffix = os.path.splitext(name)[1]
        self._data = data if isinstance(data, bytes) else str(data).encode()

    def read_bytes(self) -> bytes:
        """All of it."""
        return self._data

    def read_text(self) -> str:
        """All of it, as text."""
        return self._data.decode()


def read_triton() -> None:
    """Have Triton read all of itself, which it does before the first kernel, for a second."""
    cache.triton_key()


def compile_here(module: str, cuda: int | None = None) -> None:
    """From now on, kernels of this process are compiled, and nothing is started for it.

    Args:
        module: path of Triton's module that talks to the driver.
        cuda: the newest CUDA that the driver knows, as it says it: 12080 for 12.8; asked when not
            given.
    """
    cuda = _newest_known() if cuda is None else cuda
    version = ptx_get_version(f"{cuda // 1000}.{cuda % 1000 // 10}")
    knobs.runtime.interpret = False  # whatever a notebook sets
    # These two stand where programs would be asked: for a version, and where the driver's library
    # is. Triton's cache goes by the one, and its C compiler by the other; neither is used.
    knobs.nvidia.mock_ptx_version = str(version)
    knobs.nvidia.libcuda_path = "/"
    knobs.cache.manager_class = _manager(module)
    knobs.runtime.add_stages_inspection_hook = _ending_with(version)
    compiler.Path = lambda given: given if isinstance(given, FileInMemory) else Path(given)


def try_kernel() -> None:
    """Compile a kernel, and run it on the GPU.

    Raises:
        OSError: that does not work here; says why.
    """
    if torch.cuda.get_device_capability() < OLDEST:
        raise OSError("the GPU is of a compute capability below 8.0, and holds few keys at once")
    try:
        x = torch.arange(16.0, device="cuda")
        y = torch.empty_like(x)
        _double[(1,)](x, y, size=16)
        right = torch.equal(y, 2 * x)
    except Exception as error:
        raise OSError(f"a kernel stops with {type(error).__name__}: {error}") from error
    if not right:
        raise OSError("a kernel that doubles numbers gives others")


@triton.jit
def _double(x_ptr, y_ptr, size: tl.constexpr):  # type: ignore[no-untyped-def]
    place = tl.arange(0, size)
    tl.store(y_ptr + place, 2 * tl.load(x_ptr + place))


def _newest_known() -> int:
    """The newest CUDA that the driver knows; a PTX for a newer one it would not take."""
    known = ctypes.c_int()
    ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(known))
    return known.value


def _ending_with(version: int) -> Callable[..., Any]:
    """What gives Triton's last steps: to PTX of this version, 83 for 8.3, and no further."""

    def steps(*given: Any) -> tuple[str, str] | None:
        if not given:  # asked what stands for these steps in the key of a cache
            return "ptx", "ptx"
        backend, stages, options, _, capability = given
        options = replace(options, ptx_version=version)
        stages["llir"] = lambda made, facts: backend.make_llir(made, facts, options, capability)
        stages["ptx"] = lambda made, facts: backend.make_ptx(
            made, facts, options, backend.target.arch
        )
        stages["cubin"] = lambda ptx, _: ptx.encode() + b"\0"  # the driver tells text by its end
        return None

    return steps


def _manager(module: str) -> type[cache.CacheManager]:
    """The class of caches that find nothing but the module, and keep what they are given."""

    class Memory(cache.CacheManager):
        def get_file(self, filename: str) -> str | None:
            return module if filename.startswith("cuda_utils.") else None

        def put(self, data: Any, filename: str, binary: bool = True) -> FileInMemory:
            return FileInMemory(filename, data)

        def get_group(self, filename: str) -> None:
            return None

        def put_group(self, filename: str, group: dict[str, FileInMemory]) -> None:
            return None

    return Memory
