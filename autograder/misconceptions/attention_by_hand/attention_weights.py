"""Known mistakes in attention_weights."""

from functools import partial

from autograder.misconceptions.mistake import Mistake

mistake = partial(Mistake, "attention_weights")

SOFTMAX = "torch.softmax(scores, dim=-1)"


def instead(call: str) -> tuple[tuple[str, str], ...]:
    """The reference with another call in place of softmax over the keys."""
    return ((SOFTMAX, call),)


MISTAKES = (
    mistake(
        "softmax-over-queries",
        "Your softmax runs over the queries: the columns sum to one, the rows do not.",
        "Each query shares out a total of one among the keys. Which axis lists the keys?",
        change=instead("torch.softmax(scores, dim=-2)"),
    ),
    mistake(
        "softmax-over-second-axis",
        "Your softmax runs over axis 1, which lists the keys only when there is no batch.",
        "Where do the keys stand, counted from the end?",
        change=instead("torch.softmax(scores, dim=1)"),
    ),
    mistake(
        "softmax-over-first-axis",
        "Your softmax runs over the first axis, which is the batch when there is one.",
        "Where do the keys stand, counted from the end?",
        change=instead("torch.softmax(scores, dim=0)"),
    ),
    mistake(
        "softmax-over-third-axis",
        "Your softmax runs over axis 2, which lists the keys only with exactly one axis in front.",
        "Where do the keys stand, counted from the end?",
        change=instead("torch.softmax(scores, dim=2)"),
    ),
    mistake(
        "softmax-over-fourth-axis",
        "Your softmax runs over axis 3, which is there only with batch and heads in front.",
        "Where do the keys stand, counted from the end?",
        change=instead("torch.softmax(scores, dim=3)"),
    ),
    mistake(
        "softmax-over-heads",
        "Your softmax runs over the axis before the last two, such as the heads.",
        "Which axes are left for queries and keys when you count from the end?",
        change=instead("torch.softmax(scores, dim=-3)"),
    ),
    mistake(
        "softmax-over-the-matrix",
        "Your weights sum to one over each whole matrix, not over each row.",
        "How many totals of one should there be: one a matrix, or one a query?",
        change=instead("torch.softmax(scores.flatten(-2), dim=-1).view_as(scores)"),
    ),
    mistake(
        "softmax-over-everything",
        "Your weights sum to one over everything, batch and all, not over each row.",
        "How many totals of one should there be: one in all, or one a query?",
        change=instead("torch.softmax(scores.flatten(), dim=0).view_as(scores)"),
    ),
    mistake(
        "no-maximum-subtracted",
        "You take exp of the scores as they are, which overflows when they are large.",
        "What is exp of 1000? Which number may you subtract from a row for free?",
        change=instead("scores.exp() / scores.exp().sum(-1, keepdim=True)"),
    ),
    mistake(
        "one-maximum-for-all-rows",
        "You subtract the largest score of all, so that rows far below it vanish.",
        "If one row holds scores near 1000 and another near 0, what is left of the second?",
        code="""
        def attention_weights(scores):
            e = torch.exp(scores - scores.max())
            return e / e.sum(dim=-1, keepdim=True)
        """,
    ),
    mistake(
        "sum-loses-its-axis",
        "Your sum loses the axis of the keys, so that dividing by it lines up with the wrong axis.",
        "Print the shapes of both sides of your division. Which option of sum keeps an axis?",
        code="""
        def attention_weights(scores):
            e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
            return e / e.sum(dim=-1)
        """,
    ),
    mistake(
        "scores-returned",
        "You return the scores as they came.",
        "What should each query's weights add up to?",
        change=instead("scores"),
    ),
    mistake(
        "not-normalised",
        "You return exponentials that are not divided by their sum.",
        "What should each query's weights add up to?",
        change=instead("torch.exp(scores - scores.amax(-1, keepdim=True))"),
    ),
    mistake(
        "log-softmax",
        "You return the logarithm of the weights.",
        "Weights lie between 0 and 1. Where do yours lie, and what brings them back?",
        change=instead("torch.log_softmax(scores, dim=-1)"),
    ),
    mistake(
        "applied-twice",
        "You apply softmax to the result of softmax, which makes the weights nearly equal.",
        "Softmax of [0, 10] should be close to [0, 1]. What is yours, and why?",
        change=instead("torch.softmax(torch.softmax(scores, dim=-1), dim=-1)"),
    ),
    mistake(
        "no-exponential",
        "You divide the scores by their sum without taking exp, so that weights can be negative.",
        "What becomes of a score of -2? How does softmax make every weight positive?",
        change=instead("scores / scores.sum(-1, keepdim=True)"),
    ),
    mistake(
        "sigmoid",
        "You squash every score on its own; weights have to compete for one total.",
        "If one score goes up, what should happen to the other weights of its row?",
        change=instead("torch.sigmoid(scores)"),
    ),
    mistake(
        "scaled-again",
        "You scale the scores once more by the number of keys; they come scaled already.",
        "Which step divides by a square root, and is it this one?",
        change=instead("torch.softmax(scores / scores.shape[-1] ** 0.5, dim=-1)"),
    ),
    mistake(
        "sign-turned",
        "Your largest score gets the smallest weight: a sign is the wrong way round.",
        "Which key should a query attend to most?",
        change=instead("torch.softmax(-scores, dim=-1)"),
    ),
    mistake(
        "winner-takes-all",
        "You give everything to the best key; attention leaves the others a share.",
        "What gradient can a key get that has no share at all?",
        code="""
        def attention_weights(scores):
            best = scores.argmax(dim=-1, keepdim=True)
            return torch.zeros_like(scores).scatter(-1, best, 1.0)
        """,
    ),
    mistake(
        "causal-already",
        "You hide the later keys from every query; nobody asked for a mask here.",
        "May every query attend to every key in this exercise?",
        code="""
        def attention_weights(scores):
            future = torch.ones_like(scores, dtype=torch.bool).triu(1)
            return torch.softmax(scores.masked_fill(future, -torch.inf), dim=-1)
        """,
    ),
    mistake(
        "uniform",
        "Every key gets the same weight, whatever its score.",
        "Where do the scores enter your result?",
        change=instead("torch.full_like(scores, 1 / scores.shape[-1])"),
    ),
    mistake(
        "first-of-the-batch",
        "You give weights for the first entry of the batch only.",
        "Compare the shapes of scores and of your result.",
        change=instead("torch.softmax(scores[0], dim=-1)"),
    ),
    mistake(
        "gradient-cut",
        "Your weights are cut off from the scores, so that nothing can be learnt through them.",
        "What does `.detach()` (or `.data`) do to gradients?",
        change=instead("torch.softmax(scores.detach(), dim=-1)"),
    ),
    mistake(
        "through-numpy",
        "Your weights pass through NumPy, which knows no gradients, no bfloat16 and no GPU.",
        "Everything you need is a tensor operation. Which step leaves PyTorch?",
        code="""
        def attention_weights(scores):
            x = scores.detach().numpy()
            e = np.exp(x - x.max(axis=-1, keepdims=True))
            return torch.from_numpy(e / e.sum(axis=-1, keepdims=True))
        """,
    ),
    mistake(
        "float32-always",
        "Your weights are float32 whatever goes in.",
        "Compare scores.dtype with the dtype of your weights. Where does it change?",
        change=instead("torch.softmax(scores, dim=-1, dtype=torch.float32)"),
    ),
    mistake(
        "scores-changed",
        "You work on the scores where they lie, so that the caller's tensor changes.",
        "What does `-=` do to the tensor of whoever called you?",
        code="""
        def attention_weights(scores):
            scores -= scores.amax(dim=-1, keepdim=True)
            e = scores.exp()
            return e / e.sum(dim=-1, keepdim=True)
        """,
    ),
    mistake(
        "through-the-cpu",
        "Your weights pass through the CPU, or through a tensor that was made there.",
        "Where does torch.zeros make a tensor when nobody says where?",
        code="""
        def attention_weights(scores):
            weights = torch.zeros(scores.shape, dtype=scores.dtype)
            weights[:] = torch.softmax(scores, dim=-1)
            return weights
        """,
    ),
)
