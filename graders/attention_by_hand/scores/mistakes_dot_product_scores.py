"""Known mistakes in dot_product_scores."""

from functools import partial

from autograder.bank import Mistake
from graders.families import devices, gradients, inputs, precision, results, shapes

EXERCISE = "dot_product_scores"
mistake = partial(Mistake, EXERCISE)

PRODUCT = "q @ k.mT"

MISTAKES = (
    shapes.keys_not_transposed(EXERCISE, change=(("k.mT  #", "k  #"),)),
    shapes.elementwise_product(EXERCISE, change=((PRODUCT, "(q * k).sum(-1)"),)),
    shapes.keys_by_queries(EXERCISE, change=((PRODUCT, "k @ q.mT"),)),
    shapes.all_axes_reversed(EXERCISE, change=((PRODUCT, "q @ k.T"),)),
    shapes.transpose_of_a_matrix_only(EXERCISE, change=((PRODUCT, "q @ k.transpose(0, 1)"),)),
    shapes.transpose_of_a_batch_only(EXERCISE, change=((PRODUCT, "q @ k.transpose(1, 2)"),)),
    shapes.one_batch_axis_only(EXERCISE, given="k", change=((PRODUCT, "torch.bmm(q, k.mT)"),)),
    shapes.one_batch_axis_only(
        EXERCISE,
        given="k",
        change=((f"return {PRODUCT}", f"batch, seq, width = k.shape\n    return {PRODUCT}"),),
    ),
    shapes.transpose_of_heads_only(EXERCISE, change=((PRODUCT, "q @ k.transpose(2, 3)"),)),
    shapes.reshaped_for_transposed(
        EXERCISE, change=((PRODUCT, "q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])"),)
    ),
    mistake(
        "features-meet-features",
        "You multiply with q transposed, so that your table compares features, not tokens.",
        "What does one row of your table stand for, and how many rows should there be?",
        change=((PRODUCT, "q.mT @ k"),),
    ),
    mistake(
        "scaled-already",
        "You divide by the root of the width here; that is the next exercise.",
        "The equation in the docstring has no fraction line. Does yours?",
        change=((PRODUCT, "q @ k.mT / math.sqrt(k.shape[-1])"),),
    ),
    mistake(
        "mean-for-sum",
        "You divide by the width: your scores are means of products, where sums are asked for.",
        "Multiply number by number, and then: add up, or average?",
        change=((PRODUCT, "q @ k.mT / k.shape[-1]"),),
    ),
    results.weights_for_scores(EXERCISE, change=((PRODUCT, "torch.softmax(q @ k.mT, dim=-1)"),)),
    shapes.cosine_similarity(
        EXERCISE,
        change=(
            (
                f"return {PRODUCT}",
                "q, k = (t / t.norm(dim=-1, keepdim=True) for t in (q, k))\n    return q @ k.mT",
            ),
        ),
    ),
    shapes.distance_for_similarity(EXERCISE, change=((PRODUCT, "-torch.cdist(q, k)"),)),
    mistake(
        "negative-scores-dropped",
        "You turn negative scores into 0; vectors that point apart score below it.",
        "What is the cosine of an angle of 180 degrees?",
        change=((PRODUCT, "torch.relu(q @ k.mT)"),),
    ),
    shapes.first_of_the_batch(EXERCISE, given="q", change=((PRODUCT, "q[0] @ k[0].mT"),)),
    shapes.every_entry_with_every_other(
        EXERCISE, change=(("q @ k.mT", "torch.tensordot(q, k, dims=([-1], [-1]))"),)
    ),
    gradients.gradient_cut(
        EXERCISE,
        result="your scores",
        source="q and k",
        change=((PRODUCT, "q.detach() @ k.detach().mT"),),
    ),
    gradients.keys_cut_off(EXERCISE, change=((PRODUCT, "q @ k.detach().mT"),)),
    devices.through_numpy(
        EXERCISE,
        result="your scores",
        change=(
            (
                PRODUCT,
                "torch.from_numpy(q.detach().numpy() @ k.detach().numpy().swapaxes(-1, -2))",
            ),
        ),
    ),
    precision.float32_always(
        EXERCISE, given="q", name="scores", change=((PRODUCT, "q.float() @ k.float().mT"),)
    ),
    mistake(
        "queries-changed",
        "You write into the queries that you were given, so that the caller's tensor changes.",
        inputs.UNDERSCORES,
        code="""
        def dot_product_scores(q, k):
            scores = q @ k.mT
            q.zero_()
            return scores
        """,
    ),
    devices.through_the_cpu(
        EXERCISE, result="your scores", change=((PRODUCT, "(q.cpu() @ k.cpu().mT).to(q.device)"),)
    ),
)
