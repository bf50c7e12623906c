"""What graders share: making a student's module, giving it weights; masks, refusals, batches."""

import builtins
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.checks.kit.errors import MissingName, StudentError
from autograder.checks.kit.local_student import LocalModule
from autograder.judging import Wrong
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_agree, same_bits
from autograder.student import RemoteModule
from graders.two_results import output_of

Weights = dict[str, Tensor]

NOTHING = "Your module gives back nothing: its forward returns None."

LOUD = 300.0
LOUD_VALUES = 2.0**12


def made(student: Any, name: str, *args: Any, **options: Any) -> Any:
    """The student's module of this name, as it is made.

    Raises:
        Wrong: the name makes something that is no module.
    """
    module = getattr(student, name)(*args, **options)
    if not isinstance(module, RemoteModule | LocalModule):
        raise Wrong(f"{name} does not make an nn.Module.")
    return module


def with_loud_values(weights: Weights) -> Weights:
    """The same weights, but for values thousands of times as large: outputs must follow them."""
    return {
        name: LOUD_VALUES * tensor if name.startswith("w_v.") else tensor
        for name, tensor in weights.items()
    }


def follows_values(found: object, loud: object) -> bool:
    """Whether an output grew as the values did, which are LOUD_VALUES times as large in `loud`.

    Of several results the first one is the output.
    """
    first, second = (one[0] if isinstance(one, tuple | list) else one for one in (found, loud))
    if not isinstance(first, Tensor) or not isinstance(second, Tensor):
        return False
    return bool(second.abs().max() > LOUD_VALUES / 8 * first.abs().max())  # a bias does not grow


def load(module: Any, weights: Weights, device: str = "cpu") -> Any:
    """Give a student's module these weights; parameters and buffers of its own are no fault.

    Returns:
        the module.
    Raises:
        Wrong: the weights do not fit.
    """
    *layers, last = dict.fromkeys(f"`{name.split('.')[0]}`" for name in weights)
    try:
        _, unknown = module.load_state_dict(weights, strict=False)
        lacking = [f"`{name}`" for name in weights if name in unknown]
    except StudentError:
        names = f"{', '.join(layers)} or {last}" if layers else last
        raise Wrong(f"{names} has another size than the text says.") from None
    except (TypeError, ValueError):
        raise Wrong("Your module's load_state_dict is not that of nn.Module.") from None
    if lacking:
        raise Wrong(f"Your module has no parameter {', '.join(lacking)}, as the text asks for.")
    if device != "cpu":
        module.to(device)
    return module


def assert_nothing_dropped(module: Any, x: Tensor) -> None:
    """Check that a module gives in training what it gives otherwise.

    Raises:
        Wrong: it does not.
    """
    module.eval()
    calm = output_of(module(x.clone()))
    module.train()
    for _ in range(3):
        training = output_of(module(x.clone()))
        assert_agree(
            training, calm, "In training, your module gives something else than in evaluation."
        )


def zero_biases(module: Any, weights: Weights) -> None:
    """Make those biases of a module zero that these weights lack, where it has them.

    So whether there are any, and whether they are added, is asked where it is claimed alone.

    Raises:
        Wrong: they do not fit.
    """
    zeros = lacking_biases(weights)
    try:
        if zeros:
            module.load_state_dict(zeros, strict=False)
    except StudentError:
        raise Wrong("A bias in your module has another size than its layer gives.") from None


def lacking_biases(weights: Weights) -> Weights:
    """Zeros for the layers whose bias is not among these weights."""
    biases = {name.replace(".weight", ".bias"): len(tensor) for name, tensor in weights.items()}
    return {name: torch.zeros(width) for name, width in biases.items() if name not in weights}


def bias_alone(weights: Weights, layer: str) -> Weights:
    """The same weights, with biases of zero in all layers but this one."""
    silent = {name for name in weights if name.endswith(".bias") and name != f"{layer}.bias"}
    return {
        name: torch.zeros_like(tensor) if name in silent else tensor
        for name, tensor in weights.items()
    }


def assert_bias_counts(output: object, layer: str) -> None:
    """Refuse an output of zeros, which come from zeros where the bias of a layer is not added."""
    if output is None:
        raise Wrong(NOTHING)
    if isinstance(output, Tensor) and not bool((output != 0).any()):
        raise Wrong(f"The bias of `{layer}` is not added.")


def in_dtype(found: Any, dtype: torch.dtype) -> Any:
    """The same result in this dtype: which one comes back has a test of its own."""
    if isinstance(found, tuple | list):
        return type(found)(in_dtype(part, dtype) for part in found)
    floats = isinstance(found, Tensor) and found.is_floating_point()
    return found.to(dtype) if floats else found


def form(result: object) -> object:
    """Device, dtype and shape of a tensor, the type's name of anything else."""
    if isinstance(result, Tensor):
        return result.device.type, str(result.dtype), tuple(result.shape)
    return type(result).__name__


def mask_of(draw: Draw, *shape: int) -> Tensor:
    """A mask that allows about half of the keys, one in each row at least; of several, not all.

    So no row is empty, nor is one where a mask is taken the wrong way round. A few texts, or heads,
    have a different one each.
    """
    while True:
        mask: Tensor = draw.normal(*shape) > 0
        mask[..., 0] = True
        mask[..., -1, -1] = False  # a mask that allowed all would test nothing
        if shape[-1] > 1:
            mask[..., -1] &= ~mask.all(-1)
        few = len(shape) > 2 and shape[0] <= shape[-1] - 2
        if not few or len(mask.flatten(1).unique(dim=0)) == len(mask):
            return mask


def names_numbers(call: Callable[[], object], *numbers: int) -> object:
    """The kind of error that a call raises, and whether its text names the numbers."""
    try:
        call()
    except StudentError as error:
        return error.type_name, all(str(number) in error.message for number in numbers)
    return "accepted"


def refusing(look: Callable[[], object]) -> Callable[[], object]:
    """The same observation; where the graders refuse to go on, what they say is what was seen."""

    def shown() -> object:
        try:
            return look()
        except Wrong as wrong:
            return wrong.symptom

    return shown


def overflowing(look: Callable[[], object]) -> Callable[[], object]:
    """The same observation; where it stops over a number that a dtype cannot hold, it says so."""

    def shown() -> object:
        try:
            return look()
        except StudentError as error:
            if "overflow" in error.message:
                return "a number that the dtype cannot hold"
            raise

    return shown


def heed_loudness(query: Tensor, key: Tensor, heads: int) -> None:
    """Change projections, in place, so that every query heeds how loud a token is, and that alone.

    All scores are -90,000 / sqrt(d_head), and those of a `loud_token` as far above 0: no number
    that one would add to them, or put in their place, takes all its weight from it.

    Args:
        query: weight of the query projection, (features, d_model).
        key: weight of the key projection, of the same shape.
        heads: how many heads share the features.
    """
    for weight in (query, key):
        weight.zero_()
    first = slice(None, None, len(query) // heads)
    query[first, -2], key[first, -2], key[first, -1] = LOUD, -LOUD, 2 * LOUD


def loud_token(x: Tensor, place: int | None) -> Tensor:
    """The same tokens, (batch, seq, d_model), of which `heed_loudness` hears one, or none."""
    x = x.clone()
    x[..., -2], x[..., -1] = 1.0, 0.0
    if place is not None:
        x[..., place, -1] = 1.0
    return x


def remark_on_no_heads(call: Callable[[int, int], object]) -> None:
    """Remark that numbers of heads below 1 pass a check that other bad numbers do not pass.

    Args:
        call: calls the student's code with d_model and num_heads.
    """
    assert_heads_refused(call, 10, 4)
    for num_heads in (0, -3):
        try:
            assert_heads_refused(call, 6, num_heads)
        except Wrong as wrong:
            raise Wrong(wrong.symptom, "no-heads-let-through") from None


def assert_heads_refused(call: Callable[[int, int], object], d_model: int, num_heads: int) -> None:
    """Refuse a call that does not raise ValueError, or whose error leaves out a number.

    Args:
        call: calls the student's code with d_model and num_heads.
        d_model: a width.
        num_heads: a number of heads that cannot share it.
    """
    try:
        call(d_model, num_heads)
    except MissingName:
        raise
    except StudentError as error:
        if not issubclass(getattr(builtins, error.builtin, Exception), ValueError):
            text = "A bad number of heads raises another error than ValueError."
            raise Wrong(text) from None
        if not all(str(number) in error.message for number in (d_model, num_heads)):
            raise Wrong("The error's text does not name both numbers.") from None
        return
    raise Wrong("A bad number of heads is accepted in silence.")


def assert_gives_something(module: Any, x: Tensor) -> None:
    """Refuse a module that gives back nothing: what it is made of is no answer by itself.

    One that stops keeps what its making has earned.
    """
    try:
        found = module(x)
    except MissingName:
        raise
    except StudentError:
        return
    if found is None:
        raise Wrong(NOTHING)


def size_of(module: Any, attribute: str) -> object:
    """A number that a module should keep; None where it keeps nothing under this name."""
    try:
        return module.attribute(attribute)
    except StudentError as error:
        if error.builtin != "AttributeError":
            raise
        return None


def assert_apart(attend: Callable[[Tensor], Tensor], x: Tensor, changed: Tensor) -> None:
    """Refuse texts of a batch that meet: what comes out for one tells nothing of the others.

    Args:
        attend: gives what comes out for a batch, with the batch in front; no view of it.
        x: a batch.
        changed: the same but for the first text, which may hold huge numbers in it.
    """
    before, after, turned = attend(x), attend(changed), attend(x.flip(0))
    if not same_bits(before[1:], after[1:]):
        raise Wrong("A change in one text of the batch changes what comes out for another.")
    assert_agree(before.flip(0), turned, "What comes out for a text depends on its place.")
