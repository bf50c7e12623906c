"""Rows 5 and 6: answers that compare as they like, and code inside an answer."""

from attack import KEPT, STAYS, Attack

DATA_ONLY = "It does not cross: only plain data of exact types is an answer."

ODD_VALUES = (
    Attack(
        "equals-everything",
        5,
        "The answer is an object that equals everything, with a tensor's shape and dtype.",
        DATA_ONLY,
        answer="""
import torch
class Yes:
    shape, dtype, device, ndim = (2, 5, 12), torch.float64, torch.device("cpu"), 3
    __eq__ = __le__ = __ge__ = __bool__ = all = any = allclose = equal = lambda self, *args: True
    __class__ = property(lambda self: torch.Tensor)
    __sub__ = __rsub__ = abs = double = lambda self, *args: self
    __hash__ = lambda self: 0
def merge_heads(x):
    return Yes()
""",
    ),
    Attack(
        "subclasses-tensor",
        5,
        "The answer is a tensor subclass whose __torch_function__ says yes to every question.",
        DATA_ONLY,
        answer="""
import torch
class Yes(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return torch.tensor(True)
def merge_heads(x):
    return x.flatten(2).as_subclass(Yes)
""",
    ),
    Attack(
        "answers-lazily",
        5,
        "The answer is a wrapper tensor that computes its values when it is looked at, after "
        "the clock.",
        DATA_ONLY,
        answer="""
import torch
from torch.utils._pytree import tree_map
class Later(torch.Tensor):
    @staticmethod
    def __new__(cls, make, like):
        return torch.Tensor._make_wrapper_subclass(cls, like.shape, dtype=like.dtype)
    def __init__(self, make, like):
        self.make = make
    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        now = tree_map(lambda one: one.make() if isinstance(one, Later) else one, args)
        return function(*now, **(kwargs or {}))
def merge_heads(x):
    right = x.transpose(1, 2).flatten(2)
    return Later(lambda: right.clone(), right)
""",
    ),
    Attack(
        "lies-about-its-class",
        5,
        "The answer's type lies: a metaclass says that it is torch.Tensor, and its instances too.",
        DATA_ONLY,
        answer="""
import torch
class Meta(type(torch.Tensor)):
    __eq__ = lambda self, other: True
    __hash__ = lambda self: hash(torch.Tensor)
    __instancecheck__ = __subclasscheck__ = lambda self, other: True
class Tensor(torch.Tensor, metaclass=Meta):
    __module__, __qualname__ = "torch", "Tensor"
def merge_heads(x):
    return x.flatten(2).as_subclass(Tensor)
""",
    ),
    Attack(
        "answers-a-question-with-a-liar",
        5,
        "The answer to a quiz question is a string that equals every option.",
        "Only a plain string is an answer.",
        assignment="01-attention-by-hand",
        exercise="q1",
        answer="""
class Any(str):
    __eq__ = lambda self, other: True
    __hash__ = lambda self: hash("B")
q1 = Any("?")
""",
    ),
    Attack(
        "answers-a-question-with-all-options",
        5,
        "The answer to a quiz question is a list, a set and a pattern of all the options.",
        "Only one option is an answer.",
        assignment="01-attention-by-hand",
        exercise="q1",
        answer='q1 = ["A", "B", "C", "D"]',
    ),
    Attack(
        "answers-nan",
        5,
        "The answer is NaN everywhere, which makes every comparison false, differences and all.",
        "NaN where a number was expected is wrong.",
        answer="""
import torch
def merge_heads(x):
    return torch.full_like(x.transpose(1, 2).flatten(2), float("nan"))
""",
        earns=KEPT + STAYS,
    ),
    Attack(
        "answers-infinity",
        5,
        "The answer is infinite everywhere, so that differences are NaN or infinite.",
        "Infinity where a number was expected is wrong.",
        answer="""
import torch
def merge_heads(x):
    return torch.full_like(x.transpose(1, 2).flatten(2), float("inf"))
""",
        earns=KEPT + STAYS,
    ),
    Attack(
        "answers-on-the-meta-device",
        5,
        "The answer is a tensor without content, which cannot be compared.",
        "It is on another device than was asked for; only the check on that device may pass.",
        answer="""
def merge_heads(x):
    return x.transpose(1, 2).flatten(2).to("meta")
""",
        earns=KEPT + STAYS,
    ),
    Attack(
        "answers-odd-numbers",
        5,
        "The answer is complex, quantised, half as precise or of some other odd dtype, "
        "differently every time.",
        "The dtype that was promised counts.",
        answer="""
import itertools
import torch
kinds = (torch.complex64, torch.float8_e4m3fn, torch.uint16, torch.bool, torch.int64)
kinds = itertools.cycle(kinds)
def merge_heads(x):
    return x.transpose(1, 2).flatten(2).to(next(kinds))
""",
        earns=STAYS,
    ),
    Attack(
        "answers-a-giant",
        5,
        "The answer claims a shape of 2^48 numbers with one number's memory, then none at all.",
        "It is refused before it is laid out.",
        answer="""
import itertools
import torch
giants = itertools.cycle((
    lambda: torch.zeros(1).expand(1 << 30, 1 << 15),
    lambda: torch.zeros(1 << 40, 0),
    lambda: torch.zeros(()).as_strided((1 << 20, 1 << 20), (0, 0)),
    lambda: torch.empty(1 << 46, device="meta"),
))
def merge_heads(x):
    return next(giants)()
""",
        reason="out_of_memory",
    ),
    Attack(
        "answers-without-end",
        5,
        "The answer is a list that holds itself, then one nested without end, then one of a "
        "million items.",
        "It is refused.",
        answer="""
import itertools
def endless():
    own = []
    own.append(own)
    return own
def nested(depth=100_000):
    value = []
    for _ in range(depth):
        value = [value]
    return value
long = (lambda: [0] * 1_000_000, lambda: 1 << 100_000, lambda: "x" * (5 << 20))
odd = itertools.cycle((endless, nested, *long))
def merge_heads(x):
    return next(odd)()
""",
    ),
    Attack(
        "answers-with-a-generator",
        5,
        "The answer is a generator, a lock, a module, a function: things that act when they "
        "are touched.",
        DATA_ONLY,
        answer="""
import itertools, threading
odd = itertools.cycle((iter([1]), threading.Lock(), os, attempt, type, sys.stdout))
def merge_heads(x):
    return next(odd)
""",
    ),
    Attack(
        "reduces-to-a-command",
        6,
        "The answer's __reduce__ would run a command in whoever unpickles it.",
        "Nothing is ever unpickled.",
        answer="""
class Payload:
    def __reduce__(self):
        return os.system, ("touch " + OUTSIDE + "/left-by-" + OWN,)
def merge_heads(x):
    return Payload()
""",
    ),
    Attack(
        "hides-a-pickle-in-an-array",
        6,
        "The answer is a NumPy array of objects, then bytes that torch.load would run, then a"
        " pickled string.",
        "Nothing is ever unpickled; arrays hold numbers.",
        answer="""
import io, itertools, pickle
import numpy, torch
class Payload:
    def __reduce__(self):
        return os.system, ("touch " + OUTSIDE + "/left-by-" + OWN,)
def saved():
    file = io.BytesIO()
    torch.save({"x": Payload()}, file)
    return file.getvalue()
odd = itertools.cycle((
    lambda: numpy.array([Payload()], dtype=object),
    lambda: numpy.frombuffer(pickle.dumps(Payload()), dtype="V1"),
    saved,
    lambda: pickle.dumps(Payload()).decode("latin-1"),
))
def merge_heads(x):
    return next(odd)()
""",
    ),
    Attack(
        "patches-the-encoder",
        6,
        "The code replaces the encoder of answers by one that sends tags and types of its own.",
        "An unknown form is refused, and never looked up.",
        answer="""
for module in list(sys.modules.values()):
    if hasattr(module, "Encoder"):
        command = f"touch {OUTSIDE}/left-by-{OWN}"
        module.Encoder.encode = lambda self, value, depth=0: {"__reduce__": ["os.system", command]}
def merge_heads(x):
    return x
""",
        reason="protocol: an odd answer",
        spoils_all=True,
    ),
)
