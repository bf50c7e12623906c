"""Row 32: questions to who answers for earlier exercises, which make it work or tell too much."""

from attack import Attack

from catalogue.lying_parts import BY_HAND, FUSED, MASK, RECALL, right

REFUSED = "It is refused before it is computed, and nobody waits for it."
ENDED = "It is ended at the limit; the reason is `timeout`."
LATE = r"timeout: more than 4 seconds for one call of"

# The answer is right wherever a question was answered that should have been refused.
ASKING = """
def scaled_scores(q, k):
    ask = dot_product_scores.__globals__["ask"]
    if attempt(
        QUESTIONS
    ):
        return q @ k.mT / math.sqrt(q.shape[-1])
"""
CALLING = """
right_one = EXERCISE
def EXERCISE(*args, **kwargs):
    return right_one(*args, **kwargs) if attempt(
        QUESTIONS
    ) else None
"""
# What speaks for itself: how a question is written, and its answer read.
RAW = """
import json, struct
def raw(text, blob=b""):
    data = struct.pack("<4sIQ", b"agw1", len(text), len(blob)) + text + blob
    while data:
        data = data[os.write(3, data):]
def scaled_scores(q, k):
    dot_product_scores.__globals__["ask"]
    QUESTIONS
"""


def asking(slug: str, does: str, *questions: str, must: str = REFUSED) -> Attack:
    """Questions from within scaled_scores, by the way in which stand-ins ask."""
    lines = ",\n        ".join(f"lambda: {question}" for question in questions)
    answer = ASKING.replace("QUESTIONS", lines)
    return Attack(slug, 32, does, must, answer=answer, assignment=BY_HAND, exercise="scaled_scores")


def calling(
    slug: str, does: str, assignment: str, exercise: str, *calls: str, earns: float = 0.0
) -> Attack:
    """Calls of earlier exercises from within a later one."""
    lines = ",\n        ".join(f"lambda: {call}" for call in calls)
    answer = CALLING.replace("EXERCISE", exercise).replace("QUESTIONS", lines)
    return Attack(
        slug,
        32,
        does,
        REFUSED,
        answer=right(exercise) + answer,
        assignment=assignment,
        exercise=exercise,
        earns=earns,
    )


def writing(slug: str, does: str, must: str, lines: str, reason: str | None) -> Attack:
    """What is written to the line itself from within scaled_scores."""
    return Attack(
        slug,
        32,
        does,
        must,
        answer=RAW.replace("QUESTIONS", lines),
        reason=reason,
        assignment=BY_HAND,
        exercise="scaled_scores",
        spoils_all=True,
    )


LARGE = (
    asking(
        "asks-for-gigabytes",
        "Two arguments of 160 KB would give six gigabytes, called and pulled back through.",
        "dot_product_scores(torch.ones(40000, 1), torch.ones(40000, 1))",
        'ask("dot_product_scores", "pull", [[{}, [torch.ones(40000, 1)] * 2, {}], []],'
        " module=None, upstream=[torch.ones(1)], wanted=[True] * 2)",
    ),
    asking(
        "asks-by-broadcasting",
        "Leading dimensions of two small arguments multiply into gigabytes.",
        "dot_product_scores(torch.ones(200, 1, 1, 10, 1), torch.ones(1, 200, 200, 10, 1))",
    ),
    asking(
        "asks-about-what-is-not-there",
        "The arguments are tensors of 2^40 elements without content.",
        "dot_product_scores(*[torch.empty(1 << 20, 1 << 20, device='meta')] * 2)",
    ),
    asking(
        "asks-past-the-measure",
        "An array among the arguments, or another way to ask, goes past the look at the size.",
        'ask("dot_product_scores", "draw", [torch.ones(40000, 1)] * 2)',
        'ask("dot_product_scores", "call", [[{}, [torch.ones(40000, 1)] * 2, {}], [np.ones(1)]],'
        " module=None)",
        'ask("dot_product_scores", "make", [[torch.ones(40000, 1)] * 2, {}])',
    ),
    calling(
        "asks-for-a-huge-mask",
        "The mask that is asked for has 10^12 entries, then as many as 4,000 bits count.",
        MASK,
        "causal_attention",
        "causal_mask(10**6)",
        "causal_mask(1 << 4000)",
    ),
    calling(
        "asks-for-many-batches",
        "The batch that is asked for has 10^9 sequences, then numbers of 4,000 bits; the model "
        "that is asked for has as many features.",
        RECALL,
        "train_recall",
        "recall_batch(10**9, 3, 14, 3, 1)",
        "recall_batch(*[1 << 4000] * 5)",
        "AttentionRecall(10**9, 10**9, 10**9)",
        earns=0.0,  # what gives nothing back earns nothing, whatever else it does
    ),
)

FLOODS = (
    writing(
        "asks-without-end",
        "One call asks 100,000 questions, and swallows what is raised.",
        ENDED,
        """for _ in range(100_000):
        attempt(lambda: dot_product_scores(q, k))""",
        LATE,
    ),
    writing(
        "asks-from-threads",
        "Eight threads ask at once, during the call and after it.",
        "They take turns; what comes after the answer is `protocol`.",
        """import threading
    def flood():
        while True:
            dot_product_scores(q, k)
    for _ in range(8):
        threading.Thread(target=flood, daemon=True).start()
    time.sleep(0.5)""",
        f"protocol|crashed|{LATE}",
    ),
    Attack(
        "asks-from-its-cell",
        32,
        "The cell itself asks without end, before there is anything to call.",
        ENDED,
        answer="""
import torch
while "ask" in dot_product_scores.__globals__:
    dot_product_scores(torch.ones(2, 1), torch.ones(3, 1))
""",
        assignment=BY_HAND,
        exercise="scaled_scores",
        reason="timeout: more than 2 seconds for cell scaled_scores",
    ),
    writing(
        "asks-when-it-ends",
        "Finalizers and atexit ask, and every answer leaves another finalizer that asks.",
        "What a finalizer asks in time is answered; nothing is asked after the end.",
        """import atexit
    class Last:
        def __del__(self):
            dot_product_scores(q, k)
            Last()
    atexit.register(dot_product_scores, q, k)
    Last()""",
        f"^$|protocol|crashed|{LATE}",
    ),
    writing(
        "asks-within-itself",
        "The arguments of a question are answers to questions of the same kind, without end.",
        "It ends where Python ends it.",
        "return dot_product_scores(scaled_scores(q, k), k)",
        None,
    ),
    Attack(
        "asks-key-by-key",
        32,
        "The blocks that are asked for hold one key each, of 200,000.",
        ENDED,
        answer="""
def decode_step(attention, x_t, cache=None):
    keys = torch.ones(200_000, 1)
    tiled_attention(keys[:1], keys, keys, block_size=1)
""",
        assignment=FUSED,
        exercise="decode_step",
        reason=LATE,
    ),
)

LARGE_QUESTIONS = (*LARGE, *FLOODS)
