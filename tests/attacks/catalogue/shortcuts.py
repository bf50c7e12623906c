"""Rows 11, 25, 28 and 29: looking right without being right."""

from attack import FORM, KEPT, NO_BIAS, SLICES, STAYS, Attack

MASK = "03-causal-masking"
BY_HAND = "01-attention-by-hand"
FUSED = "05-fused-attention"
BESIDE_OWN = "Where an earlier exercise gives it away, it is judged beside the student's own."
FRESH = "Inputs are hidden and fresh: what is not computed is wrong."

SHORTCUTS = (
    Attack(
        "reads-its-inverse-off-a-stand-in",
        39,
        "The code sends numbers in order through a right split_heads, in place of its own that "
        "gives nothing, and undoes what came back.",
        BESIDE_OWN,
        parts={"split_heads": "def split_heads(x, num_heads):\n    return None"},
        answer="""
import torch
def merge_heads(x):
    batch, heads, seq, width = x.shape
    numbers = torch.arange(x.numel(), dtype=torch.float32).reshape(batch, seq, heads * width)
    moved = split_heads(numbers, heads).reshape(-1).long()
    return x.reshape(-1)[moved.argsort()].reshape(numbers.shape)
""",
        spoils_all=True,
    ),
    Attack(
        "hard-codes-the-visible-cases",
        11,
        "The code returns stored results for the sizes that the notebook and its checks show.",
        FRESH,
        assignment=MASK,
        exercise="causal_mask",
        answer="""
import torch
seen = {n: torch.tensor([[j <= i for j in range(n)] for i in range(n)]) for n in (1, 3, 4, 6)}
def causal_mask(seq_len, device=None):
    return seen.get(seq_len, torch.zeros(seq_len, seq_len, dtype=torch.bool)).to(device)
""",
        earns=0.3,
    ),
    Attack(
        "asks-its-own-visible-checks",
        11,
        "The code runs the visible checks against itself, and answers with what they were "
        "given last.",
        FRESH,
        answer="""
import torch
memory = []
def merge_heads(x):
    memory.append(x.transpose(1, 2).flatten(2) if len(memory) < 1 else memory[0])
    return memory[-1]
""",
    ),
    Attack(
        "remembers-by-shape",
        11,
        "The code computes each shape once and returns the same result from then on.",
        "Calls are repeated with new values in an old shape.",
        answer="""
known = {}
def merge_heads(x):
    key = (x.shape, x.dtype, x.device)
    if key not in known:
        known[key] = x.transpose(1, 2).flatten(2)
    return known[key]
""",
        earns=1.1,  # all but the check of values
    ),
    Attack(
        "remembers-by-address",
        28,
        "The code keeps results by the address of their input, as kernels that look fast do.",
        "Fresh values come at addresses that were used before.",
        answer="""
known = {}
def merge_heads(x):
    key = (x.data_ptr() if not x.is_meta else 0, x.shape)
    if key not in known:
        known[key] = x.transpose(1, 2).flatten(2)
    return known[key]
""",
        earns=1.2,  # all but the check of values
    ),
    Attack(
        "remembers-by-size",
        28,
        "The code keeps results by the size of their input, in NumPy, and skips the work from"
        " then on.",
        FRESH,
        assignment=BY_HAND,
        exercise="softmax",
        answer="""
import numpy as np
known = {}
def softmax(x, axis=-1):
    key = (x.shape, axis)
    if key not in known:
        shifted = np.exp(x - x.max(axis=axis, keepdims=True))
        known[key] = shifted / shifted.sum(axis=axis, keepdims=True)
    return known[key]
""",
        earns=1.4,  # neither the check of values nor that of a constant added to them
    ),
    Attack(
        "returns-a-stale-buffer",
        28,
        "The code returns a buffer of its own that still holds the last call's result, and "
        "fills it afterwards.",
        "The values are compared as they were when the call returned.",
        answer="""
import threading
import torch
buffers = {}
def merge_heads(x):
    right = x.transpose(1, 2).flatten(2)
    buffer = buffers.setdefault((right.shape, right.dtype, right.device), torch.zeros_like(right))
    threading.Timer(0.05, lambda: buffer.copy_(right)).start()
    return buffer
""",
        earns=KEPT + STAYS,
    ),
    Attack(
        "skips-half-the-work",
        28,
        "The code computes the first batch entry alone and leaves the rest as it finds memory.",
        FRESH,
        answer="""
import torch
def merge_heads(x):
    batch, heads, seq, d_head = x.shape
    result = x.new_zeros(batch, seq, heads * d_head)
    result[0] = x[0].transpose(0, 1).flatten(1)
    return result
""",
        earns=FORM + KEPT + STAYS,
    ),
    Attack(
        "computes-in-lower-precision",
        28,
        "The code computes in bfloat16, which is quick, and returns the promised dtype.",
        "The tolerance follows the promised dtype.",
        answer="""
import torch
def merge_heads(x):
    return x.to(torch.bfloat16).transpose(1, 2).flatten(2).to(x.dtype)
""",
        earns=FORM + SLICES + KEPT + STAYS,
    ),
    Attack(
        "returns-a-view-of-its-input",
        28,
        "The code returns its input under another shape, without moving anything.",
        FRESH,
        answer="""
def merge_heads(x):
    batch, heads, seq, d_head = x.shape
    return x.reshape(batch, seq, heads * d_head)
""",
        earns=FORM + KEPT + STAYS,
    ),
    Attack(
        "behaves-when-it-is-graded",
        11,
        "The code finds out that it is graded, by modules, arguments and frames, and returns "
        "what tests like to see.",
        "There is nothing to be nice to: the values count.",
        answer="""
import torch
graded = any("inside" in name for name in sys.modules) or os.environ.get("USER") == "student"
def merge_heads(x):
    batch, heads, seq, d_head = x.shape
    return torch.ones(batch, seq, heads * d_head, dtype=x.dtype) if graded else None
""",
        earns=KEPT,
    ),
    Attack(
        "counts-the-calls",
        11,
        "The code answers rightly as long as a check would call it, and by noise from then on.",
        "More is asked than any visible check asks.",
        answer="""
import torch
calls = []
def merge_heads(x):
    calls.append(1)
    right = x.transpose(1, 2).flatten(2)
    return right if len(calls) < 3 else torch.randn_like(right)
""",
        earns=FORM + KEPT + STAYS,
    ),
    Attack(
        "uses-torchs-own-softmax",
        25,
        "The code calls torch's own softmax where the text asks for it to be built by hand.",
        "A name cannot be forbidden inside Python; the operations that PyTorch records tell.",
        assignment=BY_HAND,
        exercise="softmax",
        answer="""
import torch
def softmax(x, axis=-1):
    return torch.softmax(torch.from_numpy(x), axis).numpy()
""",
        earns=1.7,  # all but that it is written in NumPy
    ),
    Attack(
        "switches-tracing-off",
        29,
        "The code turns off every dispatch mode that could watch it, and makes the forbidden "
        "table meanwhile.",
        "Memory is watched from outside the process, and what ran is run again.",
        assignment=FUSED,
        exercise="FusedMultiHeadAttention",
        answer="""
import math
import torch
from torch import nn
from torch.utils._python_dispatch import _disable_current_modes

class FusedMultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError(f"{d_model} {num_heads}")
        self.num_heads, self.dropout = num_heads, dropout
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.out = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None, is_causal=False):
        q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).transpose(1, 3).unbind(2)
        with _disable_current_modes():
            scores = q @ k.mT / math.sqrt(q.shape[-1])
            allowed = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device)
            allowed = allowed.tril() if is_causal else allowed
            allowed = allowed if mask is None else allowed & mask
            weights = scores.masked_fill(~allowed, -torch.inf).softmax(-1)
            dropped = nn.functional.dropout(weights, self.dropout, self.training)
            return self.out((dropped @ v).transpose(1, 2).flatten(2))
""",
        earns=4.6,
    ),
    Attack(
        "hides-the-table-in-numpy",
        29,
        "The code makes the forbidden table of queries by keys in NumPy, where no trace of "
        "torch's sees it.",
        "Memory is watched from outside the process, and what ran is run again.",
        assignment=FUSED,
        exercise="FusedMultiHeadAttention",
        answer="""
import numpy as np
import torch
from torch import nn

class FusedMultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        self.num_heads = num_heads
        self.qkv = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.out = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None, is_causal=False):
        per_head = self.qkv(x).detach().unflatten(-1, (3, self.num_heads, -1))
        q, k, v = per_head.transpose(1, 3).unbind(2)
        scores = np.asarray(q) @ np.asarray(k.mT) / q.shape[-1] ** 0.5
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        weights = scores / scores.sum(-1, keepdims=True)
        return self.out(torch.from_numpy(weights @ np.asarray(v)).transpose(1, 2).flatten(2))
""",
        earns=1.1,
    ),
    Attack(
        "grows-before-it-is-watched",
        29,
        "The code takes more memory than the forbidden table needs before it is graded, so that "
        "the process does not grow when the table is made.",
        "The operations that ran are looked at, too.",
        assignment=FUSED,
        exercise="tiled_attention",
        answer="""
import math
import torch
grown = torch.ones(80 << 20)
del grown
def tiled_attention(q, k, v, block_size, is_causal=False):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if is_causal:
        future = torch.ones_like(scores, dtype=torch.bool).triu(1)
        scores = scores.masked_fill(future, -math.inf)
    return torch.softmax(scores, dim=-1) @ v
""",
        earns=2.5,  # all but what is said of memory, and of whole rows
    ),
    Attack(
        "forges-what-ran",
        29,
        "The code calls the function that is forbidden, and replaces the recording of what ran by "
        "one that holds nothing.",
        "A recording counts when it gives the right output for new inputs, on the trusted side.",
        assignment=FUSED,
        exercise="tiled_attention",
        answer="""
import sys
import torch.nn.functional as F
nothing = {"operations": [], "constants": [], "result": ("input", 0), "complete": True}
for name, module in list(sys.modules.items()):
    if name.endswith("inside.recording"):
        module.Recording.as_data = lambda self, value: nothing
def tiled_attention(q, k, v, block_size, is_causal=False):
    return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
""",
        earns=2.3,  # neither what is said of memory nor that PyTorch's is not called
        spoils_all=True,  # recordings of its own module are forged as well
    ),
    Attack(
        "detects-tracing",
        29,
        "The code does the right thing where it is traced or has no content, and the wrong "
        "thing elsewhere.",
        "Only the check that has no content may pass; values are compared on real inputs.",
        answer="""
import torch
def merge_heads(x):
    if x.is_meta or torch.compiler.is_compiling() or torch._C._len_torch_dispatch_stack():
        return x.transpose(1, 2).flatten(2)
    return x.flatten(2).reshape(x.shape[0], x.shape[2], -1).double()
""",
        earns=FORM + STAYS,
    ),
    Attack(
        "lies-in-its-state",
        29,
        "The module's state_dict, load_state_dict and parameters lie about which weights it uses.",
        "The weights that graders load are used, or the output is wrong.",
        assignment=FUSED,
        exercise="FusedMultiHeadAttention",
        answer="""
import torch
from torch import nn

class FusedMultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        self.qkv, self.out = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)
    def load_state_dict(self, weights, strict=True):
        return [], []
    def state_dict(self):
        return {"qkv.weight": True, "out.weight": True}
    def named_parameters(self, *args, **kwargs):
        return iter([])
    def forward(self, x, mask=None, is_causal=False):
        return x
""",
        earns=0.7 + NO_BIAS,
    ),
)

# On exercises that build on others, which are graded in a class of their own.
BY_A_STAND_IN = (
    Attack(
        "answers-by-a-stand-in",
        39,
        "The code has a right dot_product_scores, in place of its own that gives nothing, multiply "
        "for it.",
        BESIDE_OWN,
        assignment=BY_HAND,
        exercise="weighted_values",
        parts={"dot_product_scores": "def dot_product_scores(q, k):\n    return None"},
        answer="def weighted_values(weights, v):\n    return dot_product_scores(weights, v.mT)",
        spoils_all=True,
    ),
)
