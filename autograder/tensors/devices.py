"""What a call on the meta device shows: whether code stays on the device of its input.

Meta tensors have a shape and no content. Code that runs on a GPU runs there too, unless it makes
something on the CPU or passes through it, or reads a value back into Python.
"""

import re
from collections.abc import Callable, Iterator, Mapping

import numpy as np
from torch import Tensor

from autograder.checks.kit.errors import StudentError
from autograder.judging.assertions import Wrong
from autograder.judging.properties import that_run

READS_BACK = re.compile(
    "cannot be called on meta tensors|run this operator with Meta tensors|register_meta function"
)
INTO_NUMPY = re.compile("meta device type tensor to numpy")
COPIES = re.compile("copy out of meta|meta device type")
MIXES = re.compile("expected device|same device", re.IGNORECASE)
OVER_CUDA = re.compile("cuda|nvidia", re.IGNORECASE)
ASKS_TRUTH = re.compile("Boolean value of Tensor")
BEYOND_TABLE = re.compile("index out of range in self")

# What an error is about.
VALUE_READ, COPIED, MIXED = "a value read back", "a copy to the CPU", "devices mixed"
OVER_THE_GPU, IN_NUMPY = "over CUDA", "an array made"
TRUTH, BEYOND = "truth of a tensor", "a row that no table has"
ELSEWHERE = (COPIED, MIXED, OVER_THE_GPU, IN_NUMPY)

ON_THE_CPU = "Your code makes something on the CPU or passes through it."
READ_BACK = "Your code reads a tensor's value back into Python, which waits for the whole GPU."


def kind_of(error: StudentError) -> str:
    """What an error is about, the same for every version of torch and every machine."""
    if READS_BACK.search(error.message):
        return VALUE_READ
    if INTO_NUMPY.search(error.message):
        return IN_NUMPY
    if COPIES.search(error.message):
        return COPIED
    if MIXES.search(error.message):
        return MIXED
    if OVER_CUDA.search(error.message):
        return OVER_THE_GPU
    if ASKS_TRUTH.search(error.message):
        return TRUTH
    if BEYOND_TABLE.search(error.message):
        return BEYOND
    return error.type_name


def assert_stays_on_meta(*calls: Callable[[str], object], reading: bool) -> None:
    """Check that what runs on the CPU runs on meta tensors, and gives meta tensors there.

    Shapes and dtypes are other claims', and what a call that stops on the CPU would do elsewhere
    cannot be told: then the other calls decide.

    Args:
        calls: each calls the student's code with tensors on the device that it is given.
        reading: whether values may be read back, as `assert not w.isnan().any()` does. That runs
            on every real device, so that nothing more is asked of such an answer here.

    Raises:
        Wrong: the code leaves the device, or gives no tensor.
        StudentError: it stops there for a reason of its own, or on the CPU in every call.
    """
    for call, _ in that_run(calls, "cpu"):
        try:
            result = call("meta")
        except StudentError as error:
            kind = kind_of(error)
            if kind == VALUE_READ and reading:
                continue
            if kind == VALUE_READ:
                raise Wrong(READ_BACK) from None
            if kind in ELSEWHERE:
                raise Wrong(ON_THE_CPU) from None
            raise
        places = list(_places_of(result))
        if not places:
            raise Wrong("Your code gives back no tensor.")
        if set(places) != {"meta"}:
            raise Wrong(ON_THE_CPU)


def _places_of(result: object) -> Iterator[str]:
    """On which device each tensor or array in a result is."""
    if isinstance(result, Tensor):
        yield result.device.type
    elif isinstance(result, np.ndarray):
        yield "cpu"
    elif isinstance(result, Mapping):
        yield from _places_of(list(result.values()))
    elif isinstance(result, tuple | list):
        for part in result:
            yield from _places_of(part)
