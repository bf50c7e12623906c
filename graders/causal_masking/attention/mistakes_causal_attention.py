"""Known mistakes in causal_attention."""

from functools import partial

from autograder.bank import Family, Mistake
from graders.families import (
    devices,
    gradients,
    inputs,
    masks,
    precision,
    refusals,
    results,
    scaling,
    shapes,
    softmaxes,
)

EXERCISE = "causal_attention"
mistake = partial(Mistake, EXERCISE)

SCALE = "math.sqrt(k.shape[-1])"
MASK = "causal_mask(keys, device=q.device)"
WEIGHTS = f"masked_softmax(scores, {MASK})"
RETURN = "return weights @ v, weights"
REFUSAL = """if queries != keys:
        raise ValueError(f"causal attention needs as many keys as queries: {queries} and {keys}")
    """


def instead(weights: str) -> tuple[tuple[str, str], ...]:
    """The reference with other weights; `mask` is the right mask there."""
    return ((f"weights = {WEIGHTS}", f"mask = {MASK}\n    weights = {weights}"),)


mask_added = Family(
    "mask-added",
    "You add the mask to the scores, and a score of the future that is infinite becomes NaN.",
    "What is infinity minus infinity? Which operation does not care what the score was?",
)

MISTAKES = (
    mistake(
        "mask-forgotten",
        "Your attention is not causal: every position sees the whole text.",
        "Where in your code is the future forbidden?",
        change=instead("torch.softmax(scores, dim=-1)"),
    ),
    scaling.no_scale(EXERCISE, change=((f" / {SCALE}", ""),)),
    scaling.scale_without_root(EXERCISE, change=((SCALE, "k.shape[-1]"),)),
    scaling.scale_by_width_of_values(EXERCISE, change=((SCALE, "math.sqrt(v.shape[-1])"),)),
    scaling.scale_by_number_of_keys(EXERCISE, change=((SCALE, "math.sqrt(keys)"),)),
    scaling.root_cut_to_a_whole_number(EXERCISE, around=SCALE),
    scaling.scale_by_second_axis(EXERCISE, change=((SCALE, "math.sqrt(k.shape[1])"),)),
    scaling.constant_scale(EXERCISE, change=((SCALE, "8"),)),
    mistake(
        "scaled-after-masking",
        "You scale the weights, not the scores: the softmax has already been taken.",
        "What does a row of weights add up to after you divide it?",
        change=((f" / {SCALE}", ""), (WEIGHTS, f"{WEIGHTS} / {SCALE}")),
    ),
    *(
        mistake(
            "mask-inverted",
            "Your positions see the future only: the mask is read the wrong way round.",
            "Here True means allowed. Which convention does your code have?",
            change=change,
        )
        for change in (
            ((MASK, f"~{MASK}"),),
            instead("scores.masked_fill(mask, -1e9).softmax(-1)"),
            instead("scores.masked_fill(mask, -math.inf).softmax(-1)"),
        )
    ),
    masks.mask_turned_round(EXERCISE, change=((MASK, f"{MASK}.mT"),)),
    masks.one_step_ahead(
        EXERCISE, change=((MASK, "torch.ones_like(scores, dtype=torch.bool).tril(1)"),)
    ),
    masks.diagonal_excluded(
        EXERCISE, change=((MASK, "torch.ones_like(scores, dtype=torch.bool).tril(-1)"),)
    ),
    masks.diagonal_excluded(
        EXERCISE, change=instead("scores.masked_fill(~mask.tril(-1), -1e9).softmax(-1)")
    ),
    masks.masked_after_softmax(EXERCISE, change=instead("torch.softmax(scores, dim=-1) * mask")),
    masks.renormalised_after_softmax(
        EXERCISE,
        change=instead(
            "torch.softmax(scores, dim=-1) * mask\n"
            "    weights = weights / weights.sum(dim=-1, keepdim=True)"
        ),
    ),
    masks.filled_with_zero(
        EXERCISE, change=instead("torch.softmax(scores.masked_fill(~mask, 0.0), dim=-1)")
    ),
    masks.filled_with_zero(EXERCISE, change=instead("torch.softmax(scores.tril(), dim=-1)")),
    masks.filled_with_zero(
        EXERCISE, change=instead("torch.softmax(scores.masked_fill(~mask, 1e-9), dim=-1)")
    ),
    masks.fill_too_soft(
        EXERCISE,
        where="the past",
        change=instead("torch.softmax(scores.masked_fill(~mask, -20.0), dim=-1)"),
    ),
    masks.fill_too_soft(
        EXERCISE,
        where="the past",
        change=instead("torch.softmax(scores.masked_fill(~mask, -10.0), dim=-1)"),
    ),
    precision.fill_too_large_for_float16(
        EXERCISE, change=instead("torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)")
    ),
    precision.mask_in_single_precision(
        EXERCISE,
        maker="torch.full",
        change=instead(
            "torch.where(mask, scores, torch.full(mask.shape, -torch.inf, device=q.device))\n"
            "    weights = torch.softmax(weights, dim=-1)"
        ),
    ),
    mistake(
        "scores-cut-off",
        "You cut large scores off, so that unequal scores become equal ones.",
        "Which weights should scores of 200 and 300 get? Why is a softmax safe without the cut?",
        change=instead("torch.softmax(scores.clamp(-100, 100).masked_fill(~mask, -torch.inf), -1)"),
    ),
    precision.minus_1e9_added(
        EXERCISE, change=instead("torch.softmax(scores + (~mask).to(scores.dtype) * -1e9, dim=-1)")
    ),
    mask_added(
        EXERCISE,
        change=instead("torch.softmax(scores + additive_mask(mask, scores.dtype), dim=-1)"),
    ),
    mask_added(
        EXERCISE,
        change=instead(
            "torch.softmax(scores + torch.finfo(scores.dtype).min * (~mask).to(scores), dim=-1)"
        ),
    ),
    masks.zero_times_infinity(
        EXERCISE, change=instead("torch.softmax(scores + (~mask) * -torch.inf, dim=-1)")
    ),
    masks.fill_dropped(
        EXERCISE,
        code="""
        def causal_attention(q, k, v):
            queries, keys = q.shape[-2], k.shape[-2]
            if queries != keys:
                raise ValueError(f"{queries} queries and {keys} keys")
            scores = q @ k.mT / math.sqrt(k.shape[-1])
            scores.masked_fill(~causal_mask(keys, device=q.device), -torch.inf)
            weights = torch.softmax(scores, dim=-1)
            return scores @ v, weights
        """,
    ),
    softmaxes.softmax_over_queries(
        EXERCISE, change=instead("torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-2)")
    ),
    softmaxes.softmax_over_second_axis(
        EXERCISE, change=instead("torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=1)")
    ),
    mistake(
        "scores-for-weights",
        "You average the values by scores; softmax is missing.",
        softmaxes.SUM_OF_WEIGHTS,
        change=instead("scores.masked_fill(~mask, 0.0)"),
    ),
    softmaxes.no_maximum_subtracted(
        EXERCISE,
        change=instead(
            "scores.exp() * mask\n    weights = weights / weights.sum(dim=-1, keepdim=True)"
        ),
    ),
    mistake(
        "keys-averaged",
        "Your output is an average of keys; it is the values that are handed over.",
        "What does a key decide, and what does a value?",
        change=(("weights @ v,", "weights @ k,"),),
    ),
    shapes.keys_by_queries(EXERCISE, change=(("q @ k.mT", "k @ q.mT"),)),
    shapes.transpose_of_a_batch_only(EXERCISE, change=(("k.mT", "k.transpose(1, 2)"),)),
    mistake(
        "output-alone",
        "You return the output alone; output and weights were promised.",
        "What stands behind the arrow in the function's first line?",
        change=((RETURN, "return weights @ v"),),
    ),
    results.weights_first(EXERCISE, change=((RETURN, "return weights, weights @ v"),)),
    mistake(
        "weights-averaged",
        "You average the weights over an axis; they come back for every head.",
        "Which shape was promised for the weights?",
        change=((RETURN, "return weights @ v, weights.mean(dim=-3, keepdim=True)"),),
    ),
    *(
        mistake(
            "lengths-not-compared",
            "Queries and keys of different numbers are not refused with a ValueError.",
            "Which two lengths have to be equal here? Who compares them?",
            change=((REFUSAL, ""), *otherwise),
        )
        for otherwise in ((), ((MASK, "torch.ones_like(scores, dtype=torch.bool).tril()"),))
    ),
    mistake(
        "width-of-values-compared",
        "You refuse values of another width than the keys, which is allowed.",
        "Which two numbers have to be equal for the product of weights and values?",
        change=(("if queries != keys:", "if q.shape != k.shape or k.shape != v.shape:"),),
    ),
    refusals.error_without_numbers(EXERCISE, change=((": {queries} and {keys}", ""),)),
    refusals.another_kind_of_error(
        EXERCISE,
        what="the lengths differ",
        change=((REFUSAL, 'assert queries == keys, f"{queries} and {keys}"\n    '),),
    ),
    devices.mask_made_on_the_cpu(EXERCISE, given="q", change=((", device=q.device", ""),)),
    gradients.gradient_cut(
        EXERCISE,
        result="your weights",
        source="queries and keys",
        change=((RETURN, f"weights = weights.detach()\n    {RETURN}"),),
    ),
    precision.float32_always(
        EXERCISE,
        given="q",
        change=(
            ("q @ k.mT", "q.float() @ k.float().mT"),
            ("weights @ v,", "weights @ v.float(),"),
        ),
    ),
    precision.double_precision_lost(
        EXERCISE,
        change=(
            (
                RETURN,
                "dtype = torch.float32 if q.dtype == torch.float64 else q.dtype\n"
                "    return (weights @ v).to(dtype), weights.to(dtype)",
            ),
        ),
    ),
    inputs.queries_changed(
        EXERCISE, change=((f"scores = q @ k.mT / {SCALE}", f"q /= {SCALE}\n    scores = q @ k.mT"),)
    ),
    mistake(
        "residual-added",
        "You add the values to the output; that is the work of the block around attention.",
        "What does the formula say stands behind the softmax?",
        change=(("weights @ v,", "weights @ v + v,"),),
    ),
    mistake(
        "batch-added",
        "You put an axis in front that nobody asked for.",
        "Compare the shapes of q and of your output.",
        change=(("queries, keys =", "q, k, v = q[None], k[None], v[None]\n    queries, keys ="),),
    ),
)
