"""Row 31: an earlier exercise, right in its own tests, that lies where a later one is judged."""

import re
from dataclasses import replace

from attack import Attack

from autograder.judging.answers import reference_source

SAME_MARKS = "The later exercise earns what the same answer earns on honest parts."

# The answers to nine later exercises, none with attention in it. Each leaves word that it has run.
WORD = 'globals().setdefault("ran", []).append(1)'
SCALED = f"""
def scaled_scores(q, k):
    {WORD}
    return dot_product_scores(q, k)
"""
SIMPLE = f"""
def simple_attention(x):
    {WORD}
    weights = attention_weights(dot_product_scores(x, x) / 9)
    return weighted_values(weights, x), weights
"""
MODULE = f"""
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v, bias=False):
        super().__init__()
        self.w_q, self.w_k = nn.Linear(d_model, d_k, bias), nn.Linear(d_model, d_k, bias)
        self.w_v = nn.Linear(d_model, d_v, bias)
    def forward(self, x, mask=None):
        {WORD}
        v = self.w_v(x)
        return scaled_dot_product_attention(v, v, v, mask)
"""
CAUSAL = f"""
def causal_attention(q, k, v):
    {WORD}
    weights = masked_softmax(q @ k.mT, causal_mask(k.shape[-2], q.device))
    return weights @ v, weights
"""
HEADS = f"""
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model))
    def forward(self, x, mask=None):
        {WORD}
        q, k, v = (split_heads(w(x), self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
        weights = (q @ k.mT).sigmoid()
        return self.w_o(merge_heads(weights @ v)), weights
"""
CARRIED = f"""
def fused_from_projections(w_q, w_k, w_v, w_o, num_heads):
    {WORD}
    fuse_qkv(w_q.weight, w_k.weight, w_v.weight)
    return FusedMultiHeadAttention(w_q.in_features, num_heads, bias=w_q.bias is not None)
"""
STEP = f"""
def decode_step(attention, x_t, cache=None):
    {WORD}
    k = v = x_t.unflatten(-1, (attention.num_heads, -1)).transpose(1, 2)
    if cache is not None:
        k, v = torch.cat((cache[0], k), dim=2), torch.cat((cache[1], v), dim=2)
    return attention(x_t), (k, v)
"""
TRAIN = f"""
def train_recall(model, steps, pairs, seed):
    {WORD}
    losses = []
    for step in range(min(steps, 3)):
        tokens, query, answer = recall_batch(64, pairs, model.num_keys, model.num_values, step)
        losses.append(F.cross_entropy(model(tokens, query), answer).item())
    return [losses[step % 3] * 0.9**step for step in range(steps)]
"""

BY_HAND, ONE_HEAD, MASK = "01-attention-by-hand", "02-self-attention", "03-causal-masking"
MANY_HEADS, FUSED = "04-multi-head-attention", "05-fused-attention"
RECALL = "07-attention-vs-recurrence"

# Each wrong answer on honest parts: by exercise, its notebook and its cell.
WRONG = {
    "scaled_scores": (BY_HAND, SCALED),
    "simple_attention": (BY_HAND, SIMPLE),
    "SelfAttention": (ONE_HEAD, MODULE),
    "RepairedAttention": (ONE_HEAD, MODULE.replace("SelfAttention", "RepairedAttention")),
    "causal_attention": (MASK, CAUSAL),
    "MultiHeadAttention": (MANY_HEADS, HEADS),
    "fused_from_projections": (FUSED, CARRIED),
    "decode_step": (FUSED, STEP),
    "train_recall": (RECALL, TRAIN),
}

RAN = 'globals().get("ran")'


def right(part: str) -> str:
    """A right answer, without the marks of its solution."""
    return re.sub(r"(?m)^ *### .*\n", "", reference_source(part))


def lying(part: str, lie: str, when: str = RAN, first: str = "") -> str:
    """A right function, or module, that gives something else at times.

    Args:
        part: the exercise.
        lie: what it gives then; `found` is what is right, `args` are what it was given.
        when: when it does; `calls` counts.
        first: what else its cell does, ahead.
    """
    name = f"{part}.forward" if part[0].isupper() else part
    return f"""{right(part)}
{first}
right_{part}, calls = {name}, 0
def lying_{part}(*args, **kwargs):
    global calls
    calls += 1
    found = right_{part}(*args, **kwargs)
    return {lie} if {when} else found
{name} = lying_{part}
"""


def liar(slug: str, exercise: str, does: str, **parts: str) -> Attack:
    """Lying parts under the wrong answer to an exercise."""
    assignment, answer = WRONG[exercise]
    return Attack(
        slug,
        31,
        does,
        SAME_MARKS,
        parts=parts,
        answer=answer,
        assignment=assignment,
        exercise=exercise,
        spoils_all=True,
    )


def honest_twin(attack: Attack) -> Attack:
    """The same wrong answer on honest parts."""
    return replace(attack, slug=f"{attack.exercise}-on-honest-parts".lower(), parts={})


LIARS = (
    liar(
        "lies-after-many-calls",
        "scaled_scores",
        "The part counts its calls, and gives zeros after those of its own tests.",
        dot_product_scores=lying("dot_product_scores", "found * 0", "calls > 40"),
    ),
    liar(
        "lies-with-nan",
        "scaled_scores",
        "The part gives NaN once the later answer has run.",
        dot_product_scores=lying("dot_product_scores", "found * math.nan"),
    ),
    liar(
        "lies-to-who-calls",
        "simple_attention",
        "The part looks at its caller's frame, and gives the later answer what it needs.",
        weighted_values=lying(
            "weighted_values",
            "args[1].clone()",
            'sys._getframe(1).f_code.co_name != "simple_attention"',
            "import sys",
        ),
    ),
    liar(
        "lies-by-shape",
        "simple_attention",
        "The parts give something else for square tables, once the later answer has run.",
        attention_weights=lying(
            "attention_weights",
            "torch.eye(found.shape[-1]).expand(found.shape).to(found)",
            f"{RAN} and found.shape[-1] == found.shape[-2]",
        ),
    ),
    liar(
        "lies-in-another-size",
        "SelfAttention",
        "The part gives shapes that broadcast into gigabytes, once the later answer has run.",
        scaled_dot_product_attention=lying(
            "scaled_dot_product_attention",
            "tuple(one.new_zeros(one.shape[-1], *[1] * 9, 3000, 1) for one in found)",
        ),
    ),
    liar(
        "lies-once-a-class-exists",
        "SelfAttention",
        "The part gives its values back as soon as the later class is defined.",
        scaled_dot_product_attention=lying(
            "scaled_dot_product_attention",
            "(args[2].cumsum(0), found[1])",
            '"SelfAttention" in globals()',
        ),
    ),
    liar(
        "lies-about-layers",
        "RepairedAttention",
        "The part replaces nn.Linear's forward pass, wherever no stand-in takes the part's place.",
        scaled_dot_product_attention=lying(
            "scaled_dot_product_attention",
            "found",
            first="""
right_linear = nn.Linear.forward
def linear(self, x):
    found = right_linear(self, x)
    honest = "ask" in scaled_dot_product_attention.__globals__ or not globals().get("ran")
    return found if honest else found.cumsum(0)
nn.Linear.forward = linear""",
        ),
    ),
    liar(
        "lies-with-noise",
        "causal_attention",
        "The part adds noise once the later answer has run, to widen what counts as near.",
        masked_softmax=lying("masked_softmax", "found + 1e3 * torch.randn_like(found)"),
    ),
    liar(
        "lies-on-the-meta-device",
        "causal_attention",
        "The part gives tensors without content once the later answer has run.",
        causal_mask=lying("causal_mask", 'found.to("meta")'),
        masked_softmax=lying("masked_softmax", 'found.to("meta")'),
    ),
    liar(
        "lies-by-rebinding",
        "MultiHeadAttention",
        "A thread binds the names of the earlier exercises to the student's own, again and again.",
        split_heads=right("split_heads"),
        merge_heads=lying(
            "merge_heads",
            "found.flip(0)",
            first="""
import threading, time
def rebind(names=globals()):
    own = {name: names[name] for name in ("split_heads", "merge_heads") if name in names}
    while True:
        names.update(own)
        time.sleep(0.001)
threading.Thread(target=rebind, daemon=True).start()""",
        ),
    ),
    liar(
        "lies-to-a-stand-in",
        "MultiHeadAttention",
        "The part keeps hold of whatever stands in its place, and patches how that asks.",
        merge_heads=lying(
            "merge_heads",
            "found.flip(0)",
            first="""
import threading, time
def patch(names=globals()):
    while True:
        kept = names.get("merge_heads")
        for name in ("ask", "_asked", "question"):
            if name in getattr(kept, "__globals__", {}):
                kept.__globals__[name] = lambda *args, **kwargs: torch.zeros(())
        time.sleep(0.001)
threading.Thread(target=patch, daemon=True).start()""",
        ),
    ),
    liar(
        "lies-about-a-module",
        "fused_from_projections",
        "The module says that it holds what would be right, and computes nothing.",
        FusedMultiHeadAttention=lying("FusedMultiHeadAttention", "args[1] * 0"),
        fuse_qkv=lying("fuse_qkv", "found * 0"),
    ),
    liar(
        "lies-in-steps",
        "decode_step",
        "The module forgets the past once steps have been decoded: what it says of all tokens is "
        "what it says of each.",
        FusedMultiHeadAttention=lying(
            "FusedMultiHeadAttention",
            "args[0].out(args[0].qkv(args[1]).chunk(3, -1)[2])",
        ),
    ),
    liar(
        "lies-with-labels",
        "train_recall",
        "The batches' labels are what the model says, and the model says what it was asked last.",
        recall_batch=lying(
            "recall_batch",
            "(found[0], found[1], model_says(found[2]))",
            first="said = []\ndef model_says(answer):\n    said[:] = [answer]\n    return answer",
        ),
        AttentionRecall=lying(
            "AttentionRecall",
            "torch.nn.functional.one_hot(said[0], args[0].num_values) * 99.0",
            f"{RAN} and said and len(said[0]) == len(args[2])",
        ),
    ),
)

TWO_FACED = Attack(
    "answers-in-two-ways",
    31,
    "The answer tells in which run it is, and is right about half of the tests in each.",
    "The better of the two runs counts, and not the tests of both.",
    answer="""
def scaled_scores(q, k):
    own = "ask" not in dot_product_scores.__globals__
    if (q.dim() == 2) == own:
        return q @ k.mT / math.sqrt(q.shape[-1])
    raise ValueError
""",
    assignment=BY_HAND,
    exercise="scaled_scores",
    earns=1.8,  # what a run earns that is right for all but two axes
)

LYING_PARTS = (*LIARS, TWO_FACED)
