"""Odd but honest ways to give back a right answer, as cells of a student's notebook.

Each is a Python expression over `value`. What stands under ARRAYS is done to every tensor and array
in what the reference gives, under NUMBERS to every number and text, under WHOLES to all of it at
once; where it is a module, to what that gives when it is called.
"""

ARRAYS = {
    "a NumPy array": "array(value)",
    "a NumPy array of float32": "array(value).astype('float32')",
    "a NumPy array of float64": "array(value).astype('float64')",
    "a NumPy array of int": "np.nan_to_num(array(value)).astype('int64')",
    "a NumPy array of bool": "array(value).astype(bool)",
    "a NumPy array of complex": "array(value).astype('complex128')",
    "a NumPy array of objects": "array(value).astype(object)",
    "a masked array": "np.ma.masked_array(array(value))",
    "a tensor": "tensor(value)",
    "float8": "tensor(value).float().to(torch.float8_e5m2)",
    "uint16": "tensor(value).long().to(torch.uint16)",
    "complex": "tensor(value).to(torch.complex64)",
    "half": "tensor(value).half()",
    "bfloat16": "tensor(value).bfloat16()",
    "float32": "tensor(value).float()",
    "float64": "tensor(value).double()",
    "int": "tensor(value).long()",
    "bool": "tensor(value).bool()",
    "sparse": "tensor(value).to_sparse()",
    "quantised": "torch.quantize_per_tensor(tensor(value).float(), 0.1, 0, torch.qint8)",
    "nested": "torch.nested.nested_tensor([tensor(value).flatten(), tensor(value).flatten()[:1]])",
    "empty": "tensor(value)[:0]",
    "0-dimensional": "tensor(value).flatten()[0]",
    "on meta": "tensor(value).to('meta')",
    "huge on meta": "torch.empty(1 << 20, 1 << 20, dtype=tensor(value).dtype, device='meta')",
    "a huge expand": "tensor(value).flatten()[:1].expand(1 << 44)",
    "a long column": "tensor(value).flatten()[:1].expand(20_000, 1)",
    "a long row": "tensor(value).flatten()[:1].expand(20_000)",
    "flat": "tensor(value).flatten()",
    "an axis more": "tensor(value)[None]",
    "numbers in lists": "value.tolist()",
    "a list": "[value]",
    "a tuple": "(value,)",
    "None": "None",
    "text": "str(value)",
    "a Python float": "1.5",
    "a Python int": "3",
    "a very large int": "10**400",
    "a truth value": "True",
    "a NumPy number": "np.float32(1.5)",
    "a leaf": "value.detach().clone().requires_grad_() if learns(value) else value",
    "a Parameter": "nn.Parameter(value) if learns(value) else value",
    "a subclass": "tensor(value).as_subclass(Subclass)",
    "turned round in memory": "turned(value)",
    "-0.0 for 0": "negative_zeros(value)",
    "NaN": "value * float('nan') if floats(value) else value",
    "infinity": "value * 0 + float('inf') if floats(value) else value",
    "very large numbers": "value * 0 + 3e38 if floats(value) else value",
}

NUMBERS = {
    "0-dimensional": "torch.tensor(value) if not isinstance(value, str) else torch.tensor(0.5)",
    "a tensor": "torch.ones(3)",
    "a NumPy number": "np.float64(value) if not isinstance(value, str) else np.float32(0.5)",
    "a NumPy text": "np.str_(value)",
    "a list": "[value]",
    "None": "None",
    "text": "str(value)",
    "a Python int": "3",
    "a Python float": "0.5",
    "a very large int": "10**400",
    "a negative number": "-1.5",
    "a truth value": "True",
    "NaN": "float('nan')",
    "infinity": "float('inf')",
    "complex": "1j",
    "a dictionary": "{}",
}

WHOLES = {
    "right": "value",
    "a list for a tuple": "list(value) if isinstance(value, tuple) else value",
    "a tuple for a list": "tuple(value) if isinstance(value, list) else value",
    "a named tuple": "named(value) if isinstance(value, tuple) else value",
    "a tuple of one": "(value,)",
    "the first alone": "value[0] if isinstance(value, tuple) else value",
    "turned about": "value[::-1] if isinstance(value, tuple) else value",
    "a value more": "(*value, None) if isinstance(value, tuple) else (value, None)",
    "a dictionary": "{'result': value}",
    "a generator": "(one for one in (value,))",
    "a module": "nn.Linear(2, 2)",
    "a class": "type(value)",
    "a function": "lambda: value",
    "an object": "object()",
    "nothing": "None",
    "an empty tuple": "()",
    "an empty list": "[]",
    "an empty dictionary": "{}",
    "nested lists": "[[[value, value]], [[]]]",
    "a set": "{1, 2}",
    "a tensor": "torch.ones(5, 5)",
    "a NumPy array": "np.ones((5, 5))",
    "zero": "0",
    "a word": "'diagonal'",
    "NaN": "float('nan')",
    "a very large int": "10**400",
}

# What the symptoms of failed tests may be about, by the way; nothing may fail where it is empty.
HARMLESS = {
    "right": "",
    "a list for a tuple": "",
    "a tuple for a list": "not a list of floats",
    "a named tuple": "",
    "turned round in memory": "",
    "-0.0 for 0": "outside of your kernel|gradient of the others",
    "a leaf": "radient",
    "a Parameter": "radient|operations that PyTorch saw",
}

DEFINED = """
import collections
import numpy as np
import torch
from torch import nn

class Subclass(torch.Tensor):
    pass

def array(value):
    if isinstance(value, np.ndarray):
        return value
    return (value.float() if value.dtype == torch.bfloat16 else value).detach().numpy()

def tensor(value):
    return value if isinstance(value, torch.Tensor) else torch.from_numpy(value)

def floats(value):
    return value.is_floating_point() if isinstance(value, torch.Tensor) else value.dtype.kind == "f"

def learns(value):
    return isinstance(value, torch.Tensor) and value.is_floating_point()

def turned(value):
    if isinstance(value, np.ndarray):
        return np.flip(np.flip(value).copy())
    return value.mT.clone(memory_format=torch.contiguous_format).mT if value.ndim > 1 else value

def negative_zeros(value):
    if not floats(value):
        return value
    return np.where(value == 0, -0.0, value) if isinstance(value, np.ndarray) else (
        torch.where(value == 0, -0.0, value))

def named(value):
    return collections.namedtuple("Named", [f"part_{place}" for place in range(len(value))])(*value)

def in_parts(kinds, give, value):
    if isinstance(value, kinds):
        return give(value)
    if isinstance(value, (tuple, list)):
        return type(value)(in_parts(kinds, give, part) for part in value)
    if isinstance(value, dict):
        return {name: in_parts(kinds, give, part) for name, part in value.items()}
    return value

def oddly(right, give):
    def call(*args, **options):
        found = right(*args, **options)
        if not isinstance(found, nn.Module):
            return give(found)
        found.forward = oddly(found.forward, give)
        return found
    return call
"""


KINDS = {
    "arrays": (ARRAYS, "(torch.Tensor, np.ndarray)"),
    "numbers": (NUMBERS, "(int, float, str)"),
    "wholes": (WHOLES, "object"),
}


def giving(kind: str, way: str) -> str:
    """The cell that defines `give`, which gives back a value in a way of this kind."""
    ways, parts = KINDS[kind]
    given = f"in_parts({parts}, lambda value: {ways[way]}, value)"
    return f"{DEFINED}\ndef give(value):\n    return {given}\n"
