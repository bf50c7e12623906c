"""What cells for instructors are written with: copied into each cell that needs it.

So nothing here uses anything but Python, NumPy and what tensors can do by themselves.
"""

import base64
import math
import re
import signal
import zlib
from typing import Any

import numpy as np


def unpacked(text: str, dtype: str, shape: tuple[int, ...]) -> Any:
    """The array that was packed into a text."""
    data = zlib.decompress(base64.b64decode(text))
    return np.frombuffer(bytearray(data), dtype=dtype).reshape(shape)


def numbers(value: Any) -> Any:
    """The numbers of a value, in float64."""
    if hasattr(value, "detach"):
        value = value.detach().double().cpu().numpy()
    return np.asarray(value, dtype=np.float64)


def difference(found: Any, right: Any, allowed: Any, what: str) -> str:
    """The first thing in which two values differ by more than is allowed; empty if nothing."""
    if right is None:
        return ""
    if isinstance(right, tuple | list | dict):
        if isinstance(right, dict) != isinstance(found, dict) or not hasattr(found, "__len__"):
            return f"{what} is of type {type(found).__name__}, expected {type(right).__name__}"
        if len(found) < len(right):
            return f"{what} holds {len(found)} values, expected {len(right)}"
        for key in right if isinstance(right, dict) else range(len(right)):
            told = difference(found[key], right[key], allowed[key], f"{what}[{key!r}]")
            if told:
                return told
        return ""
    if found is None:
        return f"{what} is None"
    if isinstance(right, bool | int | str):
        same = isinstance(found, bool | int | str) or not hasattr(found, "shape")
        return "" if same and found == right else f"{what} is {found!r}, expected {right!r}"
    if hasattr(right, "shape"):
        if type(found) is not type(right):
            return f"{what} is of type {type(found).__name__}, expected {type(right).__name__}"
        if tuple(found.shape) != tuple(right.shape):
            return f"{what} has shape {tuple(found.shape)}, expected {tuple(right.shape)}"
        if getattr(found, "device", None) != getattr(right, "device", None):
            return f"{what} is on device {found.device}, expected {right.device}"
    if str(getattr(right, "device", "")) != "meta":
        one, other = numbers(found), numbers(right)
        with np.errstate(invalid="ignore"):
            apart = np.abs(one - other)
        apart = np.where((one == other) | (np.isnan(one) & np.isnan(other)), 0.0, apart)
        apart = np.where(np.isnan(apart), math.inf, apart)
        wrong = apart > allowed
        if wrong.any():
            place = np.unravel_index(apart.argmax(), apart.shape)
            where = f"{what}[{', '.join(map(str, place))}]" if place else what
            pair = f"{where} is {one[place]:.6g}, expected {other[place]:.6g}"
            return f"{pair}; {wrong.sum()} of {wrong.size} differ"
    if hasattr(right, "dtype") and getattr(found, "dtype", None) != right.dtype:
        return f"{what} holds {getattr(found, 'dtype', type(found))}, expected {right.dtype}"
    return ""


def show(found: Any, right: Any, allowed: Any) -> None:
    """Print what came back, what is right, and what differs."""
    if isinstance(found, BaseException):
        print(f"DIFFERS: it raised {type(found).__name__}: {found}")
        return
    told = difference(found, right, allowed, "the result")
    print("It gave:", found, "", "Expected:", right, "", sep="\n")
    print(f"DIFFERS: {told}" if told else "No difference.")


def show_refusal(found: Any, right: Any, message: str) -> None:
    """Print how a call that has to be refused went.

    Args:
        found: the error that it raised, or what it returned.
        right: which error it has to raise.
        message: the reference's text.
    """
    print(f"Expected: {right.__name__}: {message}")
    if not isinstance(found, BaseException):
        print("It gave:", found, sep="\n")
        print(f"DIFFERS: it returned, and did not raise {right.__name__}")
        return
    print(f"It raised: {type(found).__name__}: {found}")
    missing = sorted(set(re.findall(r"\d+", message)) - set(re.findall(r"\d+", str(found))))
    if not isinstance(found, right):
        print(f"DIFFERS: it raised {type(found).__name__}, expected {right.__name__}")
    else:
        print(f"DIFFERS: its text leaves out {', '.join(missing)}" if missing else "No difference.")


def show_changes(found: Any, given: Any, before: Any) -> None:
    """Print which of the arguments a call has changed."""
    print("It gave:", found, "", sep="\n")
    for place, (now, then) in enumerate(zip(given, before, strict=True), 1):
        told = "" if then is None else difference(now, then, 0.0, f"argument {place}, afterwards,")
        if told:
            print(f"DIFFERS: {told}")


def kept(value: Any) -> Any:
    """A copy of an array or a tensor; None for all else."""
    if hasattr(value, "detach"):
        return value.detach().clone()
    return value.copy() if isinstance(value, np.ndarray) else None


def leaf(value: Any) -> Any:
    """An argument that gradients flow back to, where it can be one."""
    if hasattr(value, "detach") and value.is_floating_point():
        return value.detach().clone().requires_grad_()
    return value


def gradients(result: Any, upstream: Any, leaves: Any, module: Any) -> Any:
    """The gradients of arguments, and of a module's parameters by name.

    Args:
        result: what a call gave.
        upstream: what is pulled back, for the first output of floats, or a tuple of one for each.
        leaves: the arguments.
        module: the module that was called, or None.
    """
    several = result if isinstance(result, tuple | list) else (result,)
    outputs = [one for one in several if hasattr(one, "detach") and one.is_floating_point()]
    pulled = upstream if isinstance(upstream, tuple) else (upstream,)
    for output, cotangent in zip(outputs, pulled, strict=False):
        if cotangent is not None:
            output.backward(cotangent, retain_graph=True)
    inputs = tuple(getattr(one, "grad", None) for one in leaves)
    named = {} if module is None else {n: one.grad for n, one in module.named_parameters()}
    return inputs, named


def stopping_after(seconds: float) -> None:
    """Stop what runs from now on once these seconds have passed; 0 stops it no more."""

    def stop(*_: Any) -> None:
        raise TimeoutError(f"it has not ended after {seconds:g} s")

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
