"""Known mistakes in scaled_dot_product_attention about scores, scale, softmax and form."""

from functools import partial

from autograder.bank import Mistake
from graders.families import (
    devices,
    gradients,
    inputs,
    precision,
    results,
    scaling,
    shapes,
    softmaxes,
)
from graders.self_attention.scaled_dot_product_attention.formula_parts import (
    RETURN,
    SCORES,
    WEIGHTS,
    returns,
    root,
    weights,
)

EXERCISE = "scaled_dot_product_attention"
mistake = partial(Mistake, EXERCISE)

MISTAKES = (
    scaling.no_scale(EXERCISE, change=((SCORES, "q @ k.mT"),)),
    scaling.scale_without_root(EXERCISE, change=root("k.shape[-1]")),
    scaling.scale_by_width_of_values(EXERCISE, change=root("math.sqrt(v.shape[-1])")),
    scaling.scale_by_number_of_keys(EXERCISE, change=root("math.sqrt(k.shape[-2])")),
    scaling.scale_by_number_of_queries(EXERCISE, change=root("math.sqrt(q.shape[-2])")),
    scaling.multiplied_by_root(EXERCISE, change=((SCORES, "q @ k.mT * math.sqrt(k.shape[-1])"),)),
    scaling.root_cut_to_a_whole_number(EXERCISE, around="math.sqrt(k.shape[-1])"),
    scaling.scale_by_second_axis(EXERCISE, change=root("math.sqrt(k.shape[1])")),
    scaling.scale_by_second_axis(EXERCISE, change=root("math.sqrt(q.shape[1])")),
    scaling.scale_made_on_the_cpu(
        EXERCISE, change=root("torch.sqrt(torch.Tensor([k.shape[-1]])).to(q.dtype)")
    ),
    scaling.scale_made_on_the_cpu(EXERCISE, change=root("torch.sqrt(torch.Tensor([k.shape[-1]]))")),
    softmaxes.softmax_axis_left_out(
        EXERCISE, change=weights("torch.nn.functional.softmax(scores)")
    ),
    scaling.constant_scale(EXERCISE, change=root("8")),
    mistake(
        "scaled-twice",
        "You divide by the root of d_k twice: the scores are scaled, and the weights' input again.",
        "Count the divisions between q kᵀ and softmax.",
        change=weights("torch.softmax(scores / k.shape[-1], dim=-1)"),
    ),
    mistake(
        "scaled-after-softmax",
        "You divide by the root after the softmax, so that weights no longer sum to one.",
        "What does the root tame: the scores, or the weights?",
        change=(
            (SCORES, "q @ k.mT"),
            (WEIGHTS, "torch.softmax(scores, dim=-1) / math.sqrt(k.shape[-1])"),
        ),
    ),
    shapes.keys_not_transposed(EXERCISE, change=((SCORES, "q @ k / math.sqrt(k.shape[-1])"),)),
    shapes.all_axes_reversed(EXERCISE, change=((SCORES, "q @ k.T / math.sqrt(k.shape[-1])"),)),
    shapes.transpose_of_a_batch_only(
        EXERCISE, change=((SCORES, "q @ k.transpose(1, 2) / math.sqrt(k.shape[-1])"),)
    ),
    shapes.one_batch_axis_only(
        EXERCISE,
        given="q",
        change=(
            (SCORES, "torch.bmm(q, k.mT) / math.sqrt(k.shape[-1])"),
            (RETURN, "return torch.bmm(weights, v), weights"),
        ),
    ),
    shapes.one_batch_axis_only(
        EXERCISE,
        given="q",
        change=((f"scores = {SCORES}", f"batch, seq, width = q.shape\n    scores = {SCORES}"),),
    ),
    mistake(
        "two-axes-in-front-only",
        "Your code takes exactly two axes in front of q, as with heads; there may be fewer.",
        "What is the shape of q for one text without heads? Which of your lines needs four axes?",
        change=(
            (f"scores = {SCORES}", f"batch, heads, seq, width = q.shape\n    scores = {SCORES}"),
        ),
    ),
    mistake(
        "queries-and-keys-swapped",
        "You score every key against every query: your rows belong to keys.",
        shapes.ROW_I,
        change=((SCORES, "k @ q.mT / math.sqrt(k.shape[-1])"),),
    ),
    softmaxes.softmax_over_queries(EXERCISE, change=weights("torch.softmax(scores, dim=-2)")),
    softmaxes.softmax_over_second_axis(EXERCISE, change=weights("torch.softmax(scores, dim=1)")),
    softmaxes.softmax_over_first_axis(EXERCISE, change=weights("torch.softmax(scores, dim=0)")),
    softmaxes.softmax_over_the_matrix(
        EXERCISE, change=weights("torch.softmax(scores.flatten(-2), dim=-1).view_as(scores)")
    ),
    softmaxes.no_maximum_subtracted(
        EXERCISE, change=weights("torch.exp(scores) / torch.exp(scores).sum(-1, keepdim=True)")
    ),
    softmaxes.no_softmax(EXERCISE, change=weights("scores")),
    softmaxes.log_softmax(EXERCISE, change=weights("torch.log_softmax(scores, dim=-1)")),
    softmaxes.applied_twice(EXERCISE, around=WEIGHTS),
    mistake(
        "softmax-of-the-output",
        "You multiply by v first and apply softmax to the product.",
        "Which numbers should sum to one: a query's weights, or its output?",
        change=returns("torch.softmax(scores @ v, dim=-1), weights"),
    ),
    results.scores_returned(EXERCISE, change=returns("weights @ v, scores")),
    results.only_the_output(EXERCISE, change=returns("weights @ v")),
    results.weights_first(EXERCISE, change=returns("weights, weights @ v")),
    mistake(
        "average-of-keys",
        "You average the keys; what is handed over are the values.",
        "Where is v used in your code?",
        change=returns("weights @ k, weights"),
    ),
    shapes.weights_transposed(EXERCISE, change=returns("weights.mT @ v, weights")),
    results.residual_inside(
        EXERCISE, change=returns("weights @ v + v.mean(dim=-2, keepdim=True), weights")
    ),
    gradients.gradient_cut(
        EXERCISE,
        result="your output",
        source="queries, keys and values",
        change=returns("(weights @ v).detach(), weights.detach()"),
    ),
    gradients.weights_cut_off(
        EXERCISE,
        then="queries and keys cannot learn",
        change=returns("weights.detach() @ v, weights"),
    ),
    devices.through_numpy(
        EXERCISE,
        change=(
            (
                RETURN,
                "output = torch.from_numpy(weights.detach().numpy() @ v.detach().numpy())\n"
                "    return output, weights",
            ),
        ),
    ),
    precision.float32_always(
        EXERCISE,
        given="q",
        change=(
            (
                f"scores = {SCORES}",
                f"q, k, v = q.float(), k.float(), v.float()\n    scores = {SCORES}",
            ),
        ),
    ),
    precision.double_precision_lost(
        EXERCISE,
        change=(
            (
                RETURN,
                "single = torch.float32 if q.dtype == torch.float64 else q.dtype\n"
                "    return (weights @ v).to(single), weights",
            ),
        ),
    ),
    inputs.queries_changed(
        EXERCISE,
        change=((f"scores = {SCORES}", "q /= math.sqrt(k.shape[-1])\n    scores = q @ k.mT"),),
    ),
    devices.through_the_cpu(
        EXERCISE,
        change=(
            (
                RETURN,
                "output = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=v.dtype)\n"
                "    output[...] = weights @ v\n    return output, weights",
            ),
        ),
    ),
)
