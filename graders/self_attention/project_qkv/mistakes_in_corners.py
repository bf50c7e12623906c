"""Known mistakes in project_qkv that ordinary inputs do not show."""

from autograder.bank import Mistake
from graders.families import corners, shapes

EXERCISE = "project_qkv"

MISTAKES = (
    corners.turned_when_square(
        EXERCISE,
        given="a matrix",
        code="""
        def project_qkv(x, w_q, w_k, w_v):
            ws = [w.mT if w.shape[0] == w.shape[1] else w for w in (w_q, w_k, w_v)]
            return tuple(x @ w for w in ws)
        """,
    ),
    Mistake(
        EXERCISE,
        "axes-in-front-joined",
        "Where several axes stand in front, they come back as one.",
        shapes.ANY_AXES.format(given="x", batch="a batch of batches"),
        code="""
        def project_qkv(x, w_q, w_k, w_v):
            x = x.flatten(0, -3) if x.ndim > 3 else x
            return x @ w_q, x @ w_k, x @ w_v
        """,
    ),
    corners.axes_of_one_lost(
        EXERCISE,
        code="""
        def project_qkv(x, w_q, w_k, w_v):
            return (x @ w_q).squeeze(), (x @ w_k).squeeze(), (x @ w_v).squeeze()
        """,
    ),
)
