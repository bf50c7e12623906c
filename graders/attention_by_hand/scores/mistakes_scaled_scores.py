"""Known mistakes in scaled_scores."""

from dataclasses import replace
from functools import partial

from autograder.bank import Mistake
from graders.families import devices, gradients, inputs, precision, results, scaling, shapes

EXERCISE = "scaled_scores"
mistake = partial(Mistake, EXERCISE)

WRITTEN_OUT = ("dot_product_scores(q, k)", "q @ k.mT")

# in a reference whose dot products are written out
CHANGES = (
    scaling.no_scale(EXERCISE, change=((" / math.sqrt(k.shape[-1])", ""),)),
    scaling.scale_without_root(EXERCISE, change=(("math.sqrt(k.shape[-1])", "k.shape[-1]"),)),
    scaling.scale_by_number_of_keys(EXERCISE, change=(("k.shape[-1]", "k.shape[-2]"),)),
    scaling.scale_by_number_of_queries(EXERCISE, change=(("k.shape[-1]", "q.shape[-2]"),)),
    mistake(
        "scale-by-first-axis",
        "Your scale is taken from the first axis, which is the batch when there is one.",
        "Print q.shape for a batch. Which place does d_k have, counted from the end?",
        change=(("k.shape[-1]", "q.shape[0]"),),
    ),
    scaling.scale_by_second_axis(EXERCISE, change=(("k.shape[-1]", "k.shape[1]"),)),
    scaling.scale_by_second_axis(EXERCISE, change=(("k.shape[-1]", "q.shape[1]"),)),
    scaling.root_cut_to_a_whole_number(EXERCISE, around="math.sqrt(k.shape[-1])"),
    mistake(
        "scores-standardised",
        "You divide by the spread of the scores at hand; it should be by a root of d_k alone.",
        "Should one score change because another query has larger ones?",
        change=(("math.sqrt(k.shape[-1])", "(q @ k.mT).std()"),),
    ),
    scaling.multiplied_by_root(EXERCISE, change=(("mT / math", "mT * math"),)),
    scaling.constant_scale(EXERCISE, change=(("math.sqrt(k.shape[-1])", "8"),)),
    mistake(
        "root-of-root",
        "You take the square root twice, so that the scores are divided by too little.",
        "Which power of d_k does the formula ask for, and which one do you compute?",
        change=(("math.sqrt(k.shape[-1])", "math.sqrt(math.sqrt(k.shape[-1]))"),),
    ),
    shapes.keys_by_queries(EXERCISE, change=(("q @ k.mT", "k @ q.mT"),)),
    shapes.keys_not_transposed(EXERCISE, change=(("k.mT", "k"),)),
    shapes.reshaped_for_transposed(
        EXERCISE, change=(("k.mT", "k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])"),)
    ),
    shapes.elementwise_product(EXERCISE, change=(("q @ k.mT", "(q * k).sum(-1)"),)),
    shapes.all_axes_reversed(EXERCISE, change=(("k.mT", "k.T"),)),
    shapes.transpose_of_a_batch_only(EXERCISE, change=(("k.mT", "k.transpose(1, 2)"),)),
    shapes.one_batch_axis_only(EXERCISE, given="k", change=(("q @ k.mT", "torch.bmm(q, k.mT)"),)),
    shapes.transpose_of_heads_only(EXERCISE, change=(("k.mT", "k.transpose(2, 3)"),)),
    shapes.transpose_of_a_matrix_only(EXERCISE, change=(("k.mT", "k.transpose(0, 1)"),)),
    results.weights_for_scores(
        EXERCISE,
        change=(
            (
                "return q @ k.mT / math.sqrt(k.shape[-1])",
                "return torch.softmax(q @ k.mT / math.sqrt(k.shape[-1]), dim=-1)",
            ),
        ),
    ),
    shapes.cosine_similarity(
        EXERCISE,
        change=(
            (
                "return q @ k.mT / math.sqrt(k.shape[-1])",
                "q, k = (t / t.norm(dim=-1, keepdim=True) for t in (q, k))\n    return q @ k.mT",
            ),
        ),
    ),
    shapes.distance_for_similarity(EXERCISE, change=(("q @ k.mT", "-torch.cdist(q, k)"),)),
    mistake(
        "whole-division",
        "`//` rounds the scores down to whole numbers.",
        "What is 7 // 2, and what is 7 / 2?",
        change=(("mT / math", "mT // math"),),
    ),
    gradients.gradient_cut(
        EXERCISE,
        result="your scores",
        source="q and k",
        change=(("q @ k.mT", "q.detach() @ k.detach().mT"),),
    ),
    gradients.keys_cut_off(EXERCISE, change=(("k.mT", "k.detach().mT"),)),
    devices.through_numpy(
        EXERCISE,
        result="your scores",
        change=(
            (
                "return q @ k.mT / math.sqrt(k.shape[-1])",
                "scores = q.detach().numpy() @ k.detach().numpy().swapaxes(-1, -2)\n"
                "    return torch.from_numpy(scores / np.sqrt(k.shape[-1]).astype(scores.dtype))",
            ),
        ),
    ),
    precision.float32_always(
        EXERCISE, given="q", name="scores", change=(("q @ k.mT", "q.float() @ k.float().mT"),)
    ),
    inputs.queries_changed(
        EXERCISE,
        change=(
            (
                "return q @ k.mT / math.sqrt(k.shape[-1])",
                "q /= math.sqrt(k.shape[-1])\n    return q @ k.mT",
            ),
        ),
    ),
    scaling.scale_made_on_the_cpu(
        EXERCISE,
        change=(("math.sqrt(k.shape[-1])", "torch.sqrt(torch.Tensor([k.shape[-1]])).to(q.dtype)"),),
    ),
    scaling.scale_made_on_the_cpu(
        EXERCISE, change=(("math.sqrt(k.shape[-1])", "torch.sqrt(torch.Tensor([k.shape[-1]]))"),)
    ),
    shapes.every_entry_with_every_other(
        EXERCISE, change=(("q @ k.mT", "torch.tensordot(q, k, dims=([-1], [-1]))"),)
    ),
    devices.through_the_cpu(
        EXERCISE,
        result="your scores",
        change=(
            (
                "q @ k.mT / math.sqrt(k.shape[-1])",
                "(q.cpu() @ k.cpu().mT).to(q.device) / math.sqrt(k.shape[-1])",
            ),
        ),
    ),
)

MISTAKES = tuple(replace(entry, change=(WRITTEN_OUT, *entry.change)) for entry in CHANGES)
