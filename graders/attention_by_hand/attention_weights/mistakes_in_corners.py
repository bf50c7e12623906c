"""Known mistakes in attention_weights that ordinary scores do not show."""

from functools import partial

from autograder.bank import Mistake
from graders.families import corners, inputs

EXERCISE = "attention_weights"
mistake = partial(Mistake, EXERCISE)

MISTAKES = (
    mistake(
        "over-queries-when-square",
        "In a batch of square tables, your softmax runs over the queries.",
        "Which axis lists the keys? Does it move when there are as many queries?",
        code="""
        def attention_weights(scores):
            square = scores.shape[-1] == scores.shape[-2] and scores.ndim > 2
            return torch.softmax(scores, -2 if square else -1)
        """,
    ),
    mistake(
        "scores-changed-in-a-batch",
        "Where nothing learns, you subtract from the scores of a batch where they lie.",
        inputs.UNDERSCORES,
        code="""
        def attention_weights(scores):
            if not scores.requires_grad and scores.ndim > 2:
                scores.sub_(scores.amax(-1, keepdim=True))
            return scores.softmax(-1)
        """,
    ),
    corners.order_of_memory_assumed(
        EXERCISE,
        given="scores",
        code="""
        def attention_weights(scores):
            rows = scores.view(-1, scores.shape[-1])
            return torch.softmax(rows, -1).view(scores.shape)
        """,
    ),
    corners.first_of_many_axes(
        EXERCISE,
        given="scores",
        code="""
        def attention_weights(scores):
            while scores.ndim > 4:
                scores = scores[0]
            return torch.softmax(scores, -1)
        """,
    ),
    mistake(
        "exponentials-divided-in-place",
        "You divide the exponentials where they lie, but their gradient still needs them.",
        "What does `/=` leave of the numbers that going backwards has to know?",
        code="""
        def attention_weights(scores):
            e = (scores - scores.amax(-1, keepdim=True)).exp()
            e /= e.sum(-1, keepdim=True)
            return e
        """,
    ),
    corners.small_weights_dropped(
        EXERCISE,
        code="""
        def attention_weights(scores):
            w = scores.softmax(-1)
            return torch.where(w < 1e-4, 0.0, w)
        """,
    ),
    corners.axes_of_one_lost(
        EXERCISE,
        single="one query",
        code="""
        def attention_weights(scores):
            return torch.softmax(scores.squeeze(), -1)
        """,
    ),
)
