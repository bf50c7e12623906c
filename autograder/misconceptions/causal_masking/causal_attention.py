"""Known mistakes in causal_attention."""

from functools import partial

from autograder.misconceptions.mistake import Mistake

mistake = partial(Mistake, "causal_attention")

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


MISTAKES = (
    mistake(
        "mask-forgotten",
        "Your attention is not causal: every position sees the whole text.",
        "Where in your code is the future forbidden?",
        change=instead("torch.softmax(scores, dim=-1)"),
    ),
    mistake(
        "no-scale",
        "Your scores are plain dot products: the division is missing.",
        "How does the spread of a dot product change when the vectors get wider?",
        change=((f" / {SCALE}", ""),),
    ),
    mistake(
        "scale-without-root",
        "You divide by d_k itself, not by its square root.",
        "A sum of d_k random terms: is it its variance or its spread that grows like d_k?",
        change=((SCALE, "k.shape[-1]"),),
    ),
    mistake(
        "scale-by-width-of-values",
        "Your scale depends on how wide the values are; scores are made of queries and keys.",
        "Which vectors does a dot product multiply here?",
        change=((SCALE, "math.sqrt(v.shape[-1])"),),
    ),
    mistake(
        "scale-by-number-of-keys",
        "Your scale depends on how many keys there are; it should depend on how wide they are.",
        "Which axis of k counts the keys, and which one holds one key's features?",
        change=((SCALE, "math.sqrt(keys)"),),
    ),
    mistake(
        "constant-scale",
        "You divide by a fixed number, which fits one width only.",
        "The books divide by 8 because their d_k is 64. What is yours?",
        change=((SCALE, "8"),),
    ),
    mistake(
        "scaled-after-masking",
        "You scale the weights, not the scores: the softmax has already been taken.",
        "What does a row of weights add up to after you divide it?",
        change=((f" / {SCALE}", ""), (WEIGHTS, f"{WEIGHTS} / {SCALE}")),
    ),
    mistake(
        "mask-inverted",
        "Your positions see the future only: the mask is read the wrong way round.",
        "Here True means allowed. Which convention does your code have?",
        change=((MASK, f"~{MASK}"),),
    ),
    mistake(
        "mask-transposed",
        "Your positions see themselves and the future in place of the past.",
        "Row i belongs to query i. Which keys does your first row allow?",
        change=((MASK, f"{MASK}.mT"),),
    ),
    mistake(
        "one-step-ahead",
        "Every position sees one step into the future.",
        "Which keys may the first position see?",
        change=((MASK, "torch.ones_like(scores, dtype=torch.bool).tril(1)"),),
    ),
    mistake(
        "diagonal-excluded",
        "Your positions do not attend to themselves.",
        "What is left for the first position to attend to?",
        change=((MASK, "torch.ones_like(scores, dtype=torch.bool).tril(-1)"),),
    ),
    mistake(
        "masked-after-softmax",
        "You remove the future after the softmax, so that the rest no longer sums to one.",
        "What do the weights of the first row add up to?",
        change=instead("torch.softmax(scores, dim=-1) * mask"),
    ),
    mistake(
        "renormalised-after-softmax",
        "You mask after the softmax and divide again, where the future may have taken everything.",
        "One future score is 1000 above the past. What is left of the past after softmax?",
        change=instead(
            "torch.softmax(scores, dim=-1) * mask\n"
            "    weights = weights / weights.sum(dim=-1, keepdim=True)"
        ),
    ),
    mistake(
        "filled-with-zero",
        "You set forbidden scores to zero, or close to it, which still earns a weight.",
        "What is exp of 0? Which score has a weight of exactly 0?",
        change=instead("torch.softmax(scores.masked_fill(~mask, 0.0), dim=-1)"),
    ),
    mistake(
        "filled-with-zero",
        "You set forbidden scores to zero, or close to it, which still earns a weight.",
        "What is exp of 0? Which score has a weight of exactly 0?",
        change=instead("torch.softmax(scores.tril(), dim=-1)"),
    ),
    mistake(
        "filled-with-zero",
        "You set forbidden scores to zero, or close to it, which still earns a weight.",
        "What is exp of 0? Which score has a weight of exactly 0?",
        change=instead("torch.softmax(scores.masked_fill(~mask, 1e-9), dim=-1)"),
    ),
    mistake(
        "fill-too-soft",
        "A trace of the future still reaches the past.",
        "Is each forbidden weight exactly 0? What is exp of your fill value?",
        change=instead("torch.softmax(scores.masked_fill(~mask, -20.0), dim=-1)"),
    ),
    mistake(
        "fill-too-soft",
        "A trace of the future still reaches the past.",
        "Is each forbidden weight exactly 0? What is exp of your fill value?",
        change=instead("torch.softmax(scores.masked_fill(~mask, -10.0), dim=-1)"),
    ),
    mistake(
        "fill-too-large-for-float16",
        "You fill forbidden scores with a number that float16 cannot hold.",
        "What is the lowest number of torch.finfo(torch.float16)?",
        change=instead("torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)"),
    ),
    mistake(
        "mask-in-single-precision",
        "You turn the mask into float32 numbers, which turn scores in half precision into float32.",
        "Which dtype has torch.full when nobody says which? And which one have your scores?",
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
    mistake(
        "minus-1e9-added",
        "You add -1e9 to forbidden scores, and a score that is large enough climbs out again.",
        "What is 1e30 - 1e9 in float32? Which operation does not care what the score was?",
        change=instead("torch.softmax(scores + (~mask).to(scores.dtype) * -1e9, dim=-1)"),
    ),
    mistake(
        "mask-added",
        "You add the mask to the scores, and a score of the future that is infinite becomes NaN.",
        "What is infinity minus infinity? Which operation does not care what the score was?",
        change=instead("torch.softmax(scores + additive_mask(mask, scores.dtype), dim=-1)"),
    ),
    mistake(
        "mask-added",
        "You add the mask to the scores, and a score of the future that is infinite becomes NaN.",
        "What is infinity minus infinity? Which operation does not care what the score was?",
        change=instead(
            "torch.softmax(scores + torch.finfo(scores.dtype).min * (~mask).to(scores), dim=-1)"
        ),
    ),
    mistake(
        "zero-times-infinity",
        "You multiply the mask by minus infinity, and 0 times infinity is NaN.",
        "Which operation chooses between two values without computing with both?",
        change=instead("torch.softmax(scores + (~mask) * -torch.inf, dim=-1)"),
    ),
    mistake(
        "fill-dropped",
        "You drop the result of filling the scores, so that the future stays.",
        "Does `masked_fill` change its tensor, or does it give back a new one?",
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
    mistake(
        "softmax-over-queries",
        "Your softmax runs over the queries: the columns sum to one, the rows do not.",
        "Each query shares out a total of one among the keys. Which axis lists the keys?",
        change=instead("torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-2)"),
    ),
    mistake(
        "scores-for-weights",
        "You average the values by scores; softmax is missing.",
        "What should each query's weights add up to?",
        change=instead("scores.masked_fill(~mask, 0.0)"),
    ),
    mistake(
        "no-maximum-subtracted",
        "You take exp of the scores as they are, which overflows when they are large.",
        "What is exp of 1000? Which number may you subtract from a row for free?",
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
    mistake(
        "keys-by-queries",
        "Your scores are transposed: your rows belong to keys and your columns to queries.",
        "Row i should tell how query i likes every key. Which factor comes first?",
        change=(("q @ k.mT", "k @ q.mT"),),
    ),
    mistake(
        "transpose-of-a-batch-only",
        "You swap axes 1 and 2, which are the right ones only with exactly one axis in front.",
        "Axes can be counted from the end, too.",
        change=(("k.mT", "k.transpose(1, 2)"),),
    ),
    mistake(
        "output-alone",
        "You return the output alone; output and weights were promised.",
        "What stands behind the arrow in the function's first line?",
        change=((RETURN, "return weights @ v"),),
    ),
    mistake(
        "weights-first",
        "You return the weights first; the output comes first.",
        "In which order does the docstring name what is returned?",
        change=((RETURN, "return weights, weights @ v"),),
    ),
    mistake(
        "weights-averaged",
        "You average the weights over an axis; they come back for every head.",
        "Which shape was promised for the weights?",
        change=((RETURN, "return weights @ v, weights.mean(dim=-3, keepdim=True)"),),
    ),
    mistake(
        "lengths-not-compared",
        "Queries and keys of different numbers are not refused with a ValueError.",
        "Which two lengths have to be equal here? Who compares them?",
        change=((REFUSAL, ""),),
    ),
    mistake(
        "error-without-numbers",
        "Your error does not say how many queries and how many keys there are.",
        "Which two numbers would you want to see when this error meets you at midnight?",
        change=((": {queries} and {keys}", ""),),
    ),
    mistake(
        "another-kind-of-error",
        "You refuse different lengths with another error than ValueError.",
        "What kind of error does an assertion raise?",
        change=((REFUSAL, 'assert queries == keys, f"{queries} and {keys}"\n    '),),
    ),
    mistake(
        "mask-made-on-the-cpu",
        "Your mask is made on the CPU, wherever the queries are.",
        "On which device is q, and on which one is the mask that you make?",
        change=((", device=q.device", ""),),
    ),
    mistake(
        "gradient-cut",
        "Your weights are cut off from queries and keys, so that nothing is learnt through them.",
        "What does `.detach()` (or `.data`) do to gradients?",
        change=((RETURN, f"weights = weights.detach()\n    {RETURN}"),),
    ),
    mistake(
        "float32-always",
        "Your result is float32 whatever goes in.",
        "Compare q.dtype with the dtype of your output. Where does it change?",
        change=(
            ("q @ k.mT", "q.float() @ k.float().mT"),
            ("weights @ v,", "weights @ v.float(),"),
        ),
    ),
    mistake(
        "queries-changed",
        "You scale the queries where they lie, so that the caller's tensor changes.",
        "What does `/=` do to the tensor of whoever called you?",
        change=((f"scores = q @ k.mT / {SCALE}", f"q /= {SCALE}\n    scores = q @ k.mT"),),
    ),
    mistake(
        "residual-added",
        "You add the values to the output; that is the work of the block around attention.",
        "What does the formula say stands behind the softmax?",
        change=(("weights @ v,", "weights @ v + v,"),),
    ),
)
