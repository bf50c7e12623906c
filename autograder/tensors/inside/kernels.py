"""What Triton's interpreter runs during a call, counted: a claim, as a recording is."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

INTERPRETER = "triton.runtime.interpreter"


@contextmanager
def counting_kernels() -> Iterator[dict[str, int]]:
    """Count while it is entered; nothing is counted before the first kernel has been defined.

    Yields:
        "programs", how many ran; "stored", how many numbers they wrote; "longest", how many numbers
        lie along an axis of a block, at the most.
    """
    counted = {"programs": 0, "stored": 0, "longest": 0}
    builder = getattr(sys.modules.get(INTERPRETER), "interpreter_builder", None)
    if builder is None:
        yield counted
        return
    begin, store, make_range = (
        builder.set_grid_idx,
        builder.create_masked_store,
        builder.create_make_range,
    )

    def begun(*place: Any) -> Any:
        counted["programs"] += 1
        return begin(*place)

    def stored(pointers: Any, values: Any, mask: Any, *rest: Any) -> Any:
        counted["stored"] += int(mask.data.sum())
        return store(pointers, values, mask, *rest)

    def made(*given: Any) -> Any:  # the last two are its ends, in every version
        counted["longest"] = max(counted["longest"], int(given[-1]) - int(given[-2]))
        return make_range(*given)

    builder.set_grid_idx, builder.create_masked_store = begun, stored
    builder.create_make_range = made
    try:
        yield counted
    finally:
        for name in ("set_grid_idx", "create_masked_store", "create_make_range"):
            delattr(builder, name)
