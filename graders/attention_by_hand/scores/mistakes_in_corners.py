"""Known mistakes in dot_product_scores and scaled_scores that ordinary inputs do not show."""

from autograder.bank import Mistake
from graders.families import corners, inputs

DOT, SCALED = "dot_product_scores", "scaled_scores"

QUERIES_AND_KEYS = "queries and keys"
ONE_OF_EACH = "one query, or one key"
NARROWEST = "What does the formula say for d_k = 1, and what does your code do there?"

DOT_PRODUCTS = (
    corners.turned_when_square(
        DOT,
        given="scores",
        code="""
        def dot_product_scores(q, k):
            s = q @ k.mT
            return s.mT if s.shape[-1] == s.shape[-2] else s
        """,
    ),
    corners.large_scores_cut_off(
        DOT,
        code="""
        def dot_product_scores(q, k):
            return (q @ k.mT).clamp(-1000, 1000)
        """,
    ),
    corners.overflow_on_the_way(
        DOT,
        code="""
        def dot_product_scores(q, k):
            return (q * q.shape[-1]) @ k.mT / q.shape[-1]
        """,
    ),
    Mistake(
        DOT,
        "scaled-with-heads",
        "Where batch and heads stand in front, you divide by the root of d_k: nobody asked for it.",
        corners.ONE_IN_FRONT,
        code="""
        def dot_product_scores(q, k):
            s = q @ k.mT
            return s / math.sqrt(k.shape[-1]) if q.ndim == 4 else s
        """,
    ),
    corners.order_of_memory_assumed(
        DOT,
        given=QUERIES_AND_KEYS,
        code="""
        def dot_product_scores(q, k):
            flat = q.view(-1, *q.shape[-2:]), k.view(-1, *k.shape[-2:])
            return (flat[0] @ flat[1].mT).view(*q.shape[:-1], k.shape[-2])
        """,
    ),
    corners.axes_of_one_lost(
        DOT, single=ONE_OF_EACH, change=(("q @ k.mT", "(q @ k.mT).squeeze(-1)"),)
    ),
    corners.axes_of_one_lost(
        DOT, single=ONE_OF_EACH, change=(("q @ k.mT", "(q @ k.mT).squeeze()"),)
    ),
)

SCALED_SCORES = (
    corners.turned_when_square(
        SCALED,
        given="scores",
        code="""
        def scaled_scores(q, k):
            s = q @ k.mT / math.sqrt(q.shape[-1])
            return s.mT if s.shape[-1] == s.shape[-2] else s
        """,
    ),
    inputs.queries_changed(
        SCALED,
        code="""
        def scaled_scores(q, k):
            if not q.requires_grad and q.ndim > 2:
                q.div_(math.sqrt(q.shape[-1]))
                return q @ k.mT
            return q @ k.mT / math.sqrt(q.shape[-1])
        """,
    ),
    Mistake(
        SCALED,
        "other-scale-with-heads",
        "Where batch and heads stand in front, you divide by the root of the width of all heads.",
        "How wide is one query of one head? Does it matter how many heads there are?",
        code="""
        def scaled_scores(q, k):
            width = q.shape[-1] if q.ndim < 4 else q.shape[1] * q.shape[-1]
            return q @ k.mT / math.sqrt(width)
        """,
    ),
    corners.large_scores_cut_off(
        SCALED,
        code="""
        def scaled_scores(q, k):
            return (q @ k.mT / math.sqrt(q.shape[-1])).clamp(-20, 20)
        """,
    ),
    corners.overflow_on_the_way(
        SCALED,
        code="""
        def scaled_scores(q, k):
            return (q * q.shape[-1]) @ k.mT / (q.shape[-1] * math.sqrt(q.shape[-1]))
        """,
    ),
    corners.axes_of_one_lost(
        SCALED,
        single=ONE_OF_EACH,
        code="""
        def scaled_scores(q, k):
            return (q @ k.mT / math.sqrt(q.shape[-1])).squeeze(-1)
        """,
    ),
    corners.axes_of_one_lost(
        SCALED,
        single=ONE_OF_EACH,
        code="""
        def scaled_scores(q, k):
            return (q @ k.mT / math.sqrt(q.shape[-1])).squeeze(-2)
        """,
    ),
    Mistake(
        SCALED,
        "narrowest-width-widened",
        "Vectors of one feature are scaled as if they had two.",
        NARROWEST,
        code="""
        def scaled_scores(q, k):
            return q @ k.mT / math.sqrt(max(q.shape[-1], 2))
        """,
    ),
)

MISTAKES = DOT_PRODUCTS + SCALED_SCORES
