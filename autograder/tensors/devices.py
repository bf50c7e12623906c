"""What a call on the meta device shows: whether code stays on the device of its input.

Meta tensors have a shape and no content. Code that runs on a GPU runs there too, unless it makes
something on the CPU or passes through it, or reads a value back into Python.
"""

import re
from collections.abc import Callable

from torch import Tensor

from autograder.checks.kit.errors import MissingName, StudentError
from autograder.judging.assertions import Wrong, assert_matches

READS_BACK = re.compile(
    "cannot be called on meta tensors|run this operator with Meta tensors|register_meta function"
)
INTO_NUMPY = re.compile("meta device type tensor to numpy")
COPIES = re.compile("copy out of meta|meta device type")
MIXES = re.compile("expected device|same device", re.IGNORECASE)
OVER_CUDA = re.compile("cuda|nvidia", re.IGNORECASE)

# What an error is about.
VALUE_READ, COPIED, MIXED = "a value read back", "a copy to the CPU", "devices mixed"
OVER_THE_GPU, IN_NUMPY = "over CUDA", "an array made"
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
    return error.type_name


def assert_stays_on_meta(call: Callable[[], object], like: Tensor, reading: bool) -> None:
    """Check that a call on meta tensors gives a meta tensor of this form.

    Args:
        call: calls the student's code on the meta device.
        like: the promised result.
        reading: whether values may be read back, as `assert not w.isnan().any()` does. That runs
            on every real device, so that nothing more is asked of such an answer here.

    Raises:
        Wrong: the code leaves the device, or the result is of another form.
    """
    try:
        result = call()
    except MissingName:
        raise
    except StudentError as error:
        kind = kind_of(error)
        if kind == VALUE_READ and reading:
            return
        if kind == VALUE_READ:
            raise Wrong(READ_BACK) from None
        if kind in ELSEWHERE:
            raise Wrong(ON_THE_CPU) from None
        raise
    if isinstance(result, Tensor) and not result.is_meta:
        raise Wrong(ON_THE_CPU)
    assert_matches(result, like)
