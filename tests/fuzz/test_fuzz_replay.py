"""Whatever a recording claims, running it again gives a tensor of bounded size or refuses."""

from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from json_pieces import JUNK
from trying import cases

from autograder.tensors.operations import MOST_ELEMENTS, Unfit, operation_of, runnable
from autograder.tensors.replay import Replayed, replayed

pytestmark = pytest.mark.slow

INPUTS: dict[int | str, torch.Tensor] = {
    0: torch.arange(6.0).reshape(2, 3),
    1: torch.arange(24.0).reshape(1, 2, 3, 4),
    2: torch.tensor([[1, 0, 5], [-9, 2, 1 << 40]]),
    "mask": torch.tensor([[True, False, True], [False, False, True]]),
}
PARAMETERS = {"w": torch.ones(3, 3), "b": torch.tensor(2.0, dtype=torch.bfloat16)}
CONSTANTS = [
    torch.tensor([0, 1]),
    torch.zeros(0, 3),
    torch.ones(3, dtype=torch.float64),
    torch.ones(1, 2, 5, 4),
    torch.ones(2, 1, 3, 6),
    torch.ones(2, 3, 5, 4, dtype=torch.bfloat16),
    torch.zeros(3, 5),
    torch.ones(3, 5, dtype=torch.bool),
]
NAMES = runnable()

TENSORS = st.one_of(
    st.sampled_from([("input", place) for place in INPUTS]),
    st.sampled_from([("parameter", name) for name in PARAMETERS]),
    st.sampled_from([("constant", number) for number in range(len(CONSTANTS))]),
    st.tuples(st.just("made"), st.integers(0, 4), st.integers(0, 1)),
)
INTEGERS = st.one_of(st.integers(-3, 4), st.sampled_from([1 << 20, 1 << 40, -(1 << 63), 1 << 62]))
OF_TYPE = {
    "Tensor": TENSORS,
    "number": INTEGERS | st.floats(width=32),
    "int": INTEGERS,
    "float": st.floats(width=32),
    "bool": st.booleans(),
    "str": st.sampled_from(["none", "mean", "trunc", "floor", "tanh"]),
    "Device": st.sampled_from([torch.device("cpu"), torch.device("meta"), None]),
    # Torch takes numbers for these, and looks at none of them.
    "ScalarType": st.sampled_from([torch.float32, torch.bool, torch.int64, torch.complex64, -1]),
    "Layout": st.sampled_from([torch.strided, torch.sparse_coo, 1]),
    "MemoryFormat": st.sampled_from(["contiguous_format", "preserve_format", "channels_last", 4]),
    "Generator": st.none(),
}


def of_type(said: str) -> st.SearchStrategy[Any]:
    """Values of an argument's type as a schema writes it."""
    if said.startswith(("Optional[", "List[")):
        inner = of_type(said.partition("[")[2].removesuffix("]"))
        return st.none() | inner if said.startswith("O") else st.lists(inner, max_size=4)
    return OF_TYPE.get(said, JUNK)


@st.composite
def operations(draw: Any) -> list[Any]:
    """An operation that runs here, with arguments that its schema might take."""
    name = draw(st.sampled_from(NAMES))
    schema = operation_of(name).function._schema
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for argument in schema.arguments:
        if argument.has_default_value() and draw(st.booleans()):
            break
        value = draw(JUNK if draw(st.integers(0, 30)) == 0 else of_type(str(argument.real_type)))
        if argument.kwarg_only:
            kwargs[argument.name] = value
        else:
            args.append(value)
    return [name, args, kwargs]


RECORDINGS = st.fixed_dictionaries(
    {
        "operations": st.lists(operations(), min_size=1, max_size=5),
        "constants": st.just(CONSTANTS),
        "result": TENSORS,
        "complete": st.just(True),
    }
)


def again(recording: Any) -> Replayed | None:
    try:
        return replayed(recording, INPUTS, PARAMETERS)
    except Unfit:
        return None


@cases(3000)
@given(RECORDINGS)
def test_any_recording_gives_a_small_tensor_or_is_unfit(recording: dict[str, Any]) -> None:
    before = [value.clone() for value in INPUTS.values()]
    found = again(recording)
    if found is not None:
        assert type(found.result) is torch.Tensor
        assert found.result.numel() <= MOST_ELEMENTS
        found.result.sum()
    assert all(map(torch.equal, INPUTS.values(), before))


@cases(500)
@given(st.dictionaries(st.sampled_from(["operations", "constants", "result", "complete"]), JUNK))
def test_any_junk_is_unfit(recording: dict[str, Any]) -> None:
    assert again(recording) is None
