"""Known mistakes in attention_weights."""

from functools import partial

from autograder.bank import Mistake
from graders.attention_by_hand.attention_weights import mistakes_in_corners
from graders.families import devices, gradients, inputs, masks, precision, shapes, softmaxes

EXERCISE = "attention_weights"
mistake = partial(Mistake, EXERCISE)

SOFTMAX = "torch.softmax(scores, dim=-1)"


def instead(call: str) -> tuple[tuple[str, str], ...]:
    """The reference with another call in place of softmax over the keys."""
    return ((SOFTMAX, call),)


MISTAKES = (
    softmaxes.softmax_over_queries(EXERCISE, change=instead("torch.softmax(scores, dim=-2)")),
    softmaxes.softmax_over_second_axis(EXERCISE, change=instead("torch.softmax(scores, dim=1)")),
    softmaxes.softmax_over_first_axis(EXERCISE, change=instead("torch.softmax(scores, dim=0)")),
    softmaxes.softmax_over_third_axis(EXERCISE, change=instead("torch.softmax(scores, dim=2)")),
    mistake(
        "softmax-over-fourth-axis",
        "Your softmax runs over axis 3, which is there only with batch and heads in front.",
        softmaxes.FROM_THE_END,
        change=instead("torch.softmax(scores, dim=3)"),
    ),
    mistake(
        "softmax-over-heads",
        "Your softmax runs over the axis before the last two, such as the heads.",
        "Which axes are left for queries and keys when you count from the end?",
        change=instead("torch.softmax(scores, dim=-3)"),
    ),
    softmaxes.softmax_over_the_matrix(
        EXERCISE, change=instead("torch.softmax(scores.flatten(-2), dim=-1).view_as(scores)")
    ),
    mistake(
        "softmax-over-everything",
        "Your weights sum to one over everything, batch and all, not over each row.",
        "How many totals of one should there be: one in all, or one a query?",
        change=instead("torch.softmax(scores.flatten(), dim=0).view_as(scores)"),
    ),
    softmaxes.no_maximum_subtracted(
        EXERCISE, change=instead("scores.exp() / scores.exp().sum(-1, keepdim=True)")
    ),
    softmaxes.one_maximum_for_all_rows(
        EXERCISE,
        code="""
        def attention_weights(scores):
            e = torch.exp(scores - scores.max())
            return e / e.sum(dim=-1, keepdim=True)
        """,
    ),
    softmaxes.one_maximum_for_all_rows(
        EXERCISE,
        code="""
        def attention_weights(scores):
            e = torch.exp(scores - scores.max())
            return e / (e.sum(dim=-1, keepdim=True) + 1e-9)
        """,
    ),
    softmaxes.sum_loses_its_axis(
        EXERCISE,
        code="""
        def attention_weights(scores):
            e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
            return e / e.sum(dim=-1)
        """,
    ),
    mistake(
        "scores-returned",
        "You return the scores as they came.",
        softmaxes.SUM_OF_WEIGHTS,
        change=instead("scores"),
    ),
    mistake(
        "not-normalised",
        "You return exponentials that are not divided by their sum.",
        softmaxes.SUM_OF_WEIGHTS,
        change=instead("torch.exp(scores - scores.amax(-1, keepdim=True))"),
    ),
    softmaxes.log_softmax(EXERCISE, change=instead("torch.log_softmax(scores, dim=-1)")),
    softmaxes.applied_twice(EXERCISE, around=SOFTMAX),
    softmaxes.no_exponential(
        EXERCISE,
        share="weight",
        shares="weights",
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
    softmaxes.sign_turned(EXERCISE, change=instead("torch.softmax(-scores, dim=-1)")),
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
    masks.causal_already(
        EXERCISE,
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
    shapes.first_of_the_batch(
        EXERCISE, given="scores", change=instead("torch.softmax(scores[0], dim=-1)")
    ),
    softmaxes.softmax_axis_left_out(
        EXERCISE,
        change=(("torch.softmax(scores, dim=-1)", "torch.nn.functional.softmax(scores)"),),
    ),
    gradients.gradient_cut(
        EXERCISE,
        result="your weights",
        source="the scores",
        change=instead("torch.softmax(scores.detach(), dim=-1)"),
    ),
    devices.through_numpy(
        EXERCISE,
        result="your weights",
        code="""
        def attention_weights(scores):
            x = scores.detach().numpy()
            e = np.exp(x - x.max(axis=-1, keepdims=True))
            return torch.from_numpy(e / e.sum(axis=-1, keepdims=True))
        """,
    ),
    precision.float32_always(
        EXERCISE,
        given="scores",
        name="weights",
        change=instead("torch.softmax(scores, dim=-1, dtype=torch.float32)"),
    ),
    precision.double_precision_lost(
        EXERCISE,
        given="scores",
        name="weights",
        change=instead(
            f"{SOFTMAX}.to(torch.float32 if scores.dtype == torch.float64 else scores.dtype)"
        ),
    ),
    mistake(
        "scores-changed",
        "You work on the scores where they lie, so that the caller's tensor changes.",
        inputs.what_does("-="),
        code="""
        def attention_weights(scores):
            scores -= scores.amax(dim=-1, keepdim=True)
            e = scores.exp()
            return e / e.sum(dim=-1, keepdim=True)
        """,
    ),
    devices.through_the_cpu(
        EXERCISE,
        result="your weights",
        code="""
        def attention_weights(scores):
            weights = torch.zeros(scores.shape, dtype=scores.dtype)
            weights[:] = torch.softmax(scores, dim=-1)
            return weights
        """,
    ),
    mistake(
        "two-values-returned",
        "You return the scores as well; the weights alone were promised.",
        "What does the docstring list under Returns: one value, or two?",
        code="""
        def attention_weights(scores):
            return torch.softmax(scores, dim=-1), scores
        """,
    ),
    *mistakes_in_corners.MISTAKES,
)
