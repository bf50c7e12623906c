"""Known mistakes in AttentionRecall."""

from functools import partial

from autograder.bank import Family, Mistake
from graders.families import devices, gradients, recall

EXERCISE = "AttentionRecall"
mistake = partial(Mistake, EXERCISE)

ONE_WHOLE = "One query shares out one whole among its pairs. Which axis lists the pairs?"
WHICH_LAYER = "Which layer makes v, and which one makes k?"

PAIRS = "pairs = self.tokens(tokens)"
SCORES = "(q @ k.mT / math.sqrt(k.shape[-1]))"
WEIGHTS = f"{SCORES}.softmax(dim=-1)"
PARTS = "q, k, v = self.queries(query)[:, None], self.w_k(pairs), self.w_v(pairs)"
RETURN = "return self.w_o(weights @ v).squeeze(1)"
SIZES = "self.num_keys, self.num_values = num_keys, num_values"
W_K, W_V = (f"self.{name} = nn.Linear(d_model, d_model)" for name in ("w_k", "w_v"))
TABLE = "nn.Embedding(num_keys * num_values, d_model)"

weights_by_another_measure = Family(
    "weights-by-another-measure",
    "Your weights are another function of the query and the tokens than the equation's.",
    "What does a score consist of, before it is divided and goes through softmax?",
)

query_passed_by = Family(
    "query-passed-by",
    "Your logits hold the query itself, not only what it found among the pairs.",
    "With one pair alone, what should the query still be able to change?",
)

layer_left_idle = Family(
    "layer-left-idle",
    "You make a projection that is never used: keys and values should each have their own.",
    "Which of your layers does `forward` not call?",
)

MISTAKES = (
    mistake(
        "query-ignored",
        "Your model never looks at the query.",
        recall.USE_OF_THE_QUERY,
        change=((PARTS, PARTS.replace("self.queries(query)[:, None]", "self.w_k(pairs)[:, :1]")),),
    ),
    mistake(
        "mean-of-all-pairs",
        "Your model takes the mean of all pairs and adds the query; nothing is chosen.",
        "Which step lets the query decide how much each pair counts?",
        change=((RETURN, "return self.w_o(v.mean(dim=1) + q[:, 0])"),),
    ),
    mistake(
        "mean-and-query-through-layers",
        "Your model puts the mean of all pairs and the query through layers; nothing is chosen.",
        "Layers see one mean of all pairs. What tells them which value belongs to the query's key?",
        change=(
            (W_K, "self.mixed = nn.Sequential(nn.Linear(2 * d_model, d_model), nn.ReLU())"),
            (W_V, ""),
            (PARTS, "mean = torch.cat([pairs.mean(dim=1), self.queries(query)], dim=-1)"),
            (f"weights = {WEIGHTS}", ""),
            (RETURN, "return self.w_o(self.mixed(mean))"),
        ),
    ),
    mistake(
        "query-as-a-last-token",
        "You put the query behind the pairs and read what the last position found in itself.",
        "From where to where should the attention go: from the query, to what?",
        change=((PARTS, f"{PARTS}\n        k = v = q.expand_as(v)"),),
    ),
    mistake(
        "softmax-over-batch",
        "Your softmax runs over the batch, so that sequences compete with each other.",
        ONE_WHOLE,
        change=((WEIGHTS, f"{SCORES}.softmax(dim=0)"),),
    ),
    mistake(
        "softmax-over-queries",
        "Your softmax runs over the queries; there is one a sequence, so every weight is 1.",
        ONE_WHOLE,
        change=((WEIGHTS, f"{SCORES}.softmax(dim=-2)"),),
    ),
    mistake(
        "no-softmax",
        "Your weights are scores; softmax is missing.",
        "What do the weights of one query add up to, for 4 pairs and for 13?",
        change=((WEIGHTS, SCORES),),
    ),
    mistake(
        "scores-not-scaled",
        "You do not divide your scores by sqrt(d_model).",
        "What stands below q kᵀ in the equation?",
        change=((" / math.sqrt(k.shape[-1])", ""),),
    ),
    mistake(
        "scores-divided-by-the-width",
        "You divide your scores by d_model; its square root was asked for.",
        "What stands below q kᵀ in the equation, and of what is it the root?",
        change=(("math.sqrt(k.shape[-1])", "k.shape[-1]"),),
    ),
    mistake(
        "scores-divided-by-another-number",
        "You divide your scores by another number than sqrt(d_model).",
        "Of which size is the root that stands below q kᵀ? Which axis of your vectors has it?",
        change=(("math.sqrt(k.shape[-1])", "math.sqrt(self.num_keys)"),),
    ),
    weights_by_another_measure(EXERCISE, change=((WEIGHTS, f"{SCORES}.tanh().softmax(dim=-1)"),)),
    weights_by_another_measure(
        EXERCISE,
        change=(
            (W_K, f"{W_K}\n        self.rate = nn.Linear(d_model, 1)"),
            (WEIGHTS, "self.rate((q + k).tanh()).mT.softmax(dim=-1)"),
        ),
    ),
    mistake(
        "bent-on-the-way-to-the-logits",
        "What was found is bent on its way to the logits; one projection is all that follows.",
        "Between the weighted mean of the values and the logits, what does the equation have?",
        change=((RETURN, "return self.w_o((weights @ v).relu()).squeeze(1)"),),
    ),
    mistake(
        "values-changed",
        "Your values are no projections of the embeddings: something else is done to them.",
        "Which step makes v of an embedding, and does anything follow it?",
        change=((PARTS, PARTS.replace("self.w_v(pairs)", "self.w_v(pairs).relu()")),),
    ),
    mistake(
        "values-not-projected",
        "Your values are the embeddings themselves; a projection of them was asked for.",
        WHICH_LAYER,
        change=((W_V, ""), (PARTS, PARTS.replace("self.w_v(pairs)", "pairs"))),
    ),
    mistake(
        "keys-not-projected",
        "Your keys are the embeddings themselves; a projection of them was asked for.",
        WHICH_LAYER,
        change=((W_K, ""), (PARTS, PARTS.replace("self.w_k(pairs)", "pairs"))),
    ),
    mistake(
        "nothing-projected",
        "Your keys and values are the embeddings themselves; projections were asked for.",
        WHICH_LAYER,
        change=(
            (W_K, ""),
            (W_V, ""),
            (PARTS, PARTS.replace("self.w_k(pairs), self.w_v(pairs)", "pairs, pairs")),
        ),
    ),
    mistake(
        "one-projection-for-both",
        "Your keys and values come out of the same projection; each should have its own.",
        "What one looks for and what one hands over: must these be the same numbers?",
        change=((W_V, ""), (PARTS, PARTS.replace("self.w_v(pairs)", "self.w_k(pairs)"))),
    ),
    query_passed_by(EXERCISE, change=((RETURN, "return self.w_o(weights @ v + q).squeeze(1)"),)),
    query_passed_by(
        EXERCISE,
        change=(
            (
                PARTS,
                "q = self.queries(query)[:, None]\n"
                "        pairs = torch.cat([pairs, q], dim=1)\n"
                "        k, v = self.w_k(pairs), self.w_v(pairs)",
            ),
        ),
    ),
    layer_left_idle(
        EXERCISE, change=((PARTS, PARTS.replace("self.w_v(pairs)", "self.w_k(pairs)")),)
    ),
    layer_left_idle(EXERCISE, change=((PARTS, PARTS.replace("self.w_k(pairs)", "pairs")),)),
    mistake(
        "hard-choice",
        "You take the pair with the largest score, through which no gradient reaches the scores.",
        "What is the gradient of argmax?",
        change=(
            (
                WEIGHTS,
                f"torch.zeros_like(q @ k.mT).scatter(-1, {SCORES}.argmax(dim=-1, keepdim=True), 1)",
            ),
        ),
    ),
    gradients.weights_cut_off(
        EXERCISE,
        result="your weights",
        source="the parameters",
        then="what to look for cannot be learnt",
        hint=gradients.CUTS,
        around=WEIGHTS,
    ),
    gradients.logits_cut_off(EXERCISE, around=RETURN),
    mistake(
        "positions-added",
        "You tell each pair its position, so that the order of the pairs counts.",
        "Does it matter at which place a pair stands?",
        change=(
            (
                PAIRS,
                f"{PAIRS}\n        places = torch.arange(tokens.shape[1], device=tokens.device)\n"
                "        pairs = pairs + torch.cos(places[:, None] * (1 + "
                "torch.arange(pairs.shape[-1], device=tokens.device))).to(pairs.dtype)",
            ),
        ),
    ),
    recall.values_lost(
        EXERCISE, change=((PAIRS, "pairs = self.tokens(tokens // self.num_values)"),)
    ),
    recall.keys_lost(EXERCISE, change=((PAIRS, "pairs = self.tokens(tokens % self.num_values)"),)),
    recall.too_few_tokens(
        EXERCISE, change=((TABLE, "nn.Embedding(num_keys + num_values, d_model)"),)
    ),
    recall.a_logit_for_each_key(
        EXERCISE,
        change=(
            (
                "self.w_o = nn.Linear(d_model, num_values)",
                "self.w_o = nn.Linear(d_model, num_keys)",
            ),
        ),
    ),
    recall.shares_for_logits(EXERCISE, around=RETURN),
    mistake(
        "axis-left-over",
        "Your logits have an axis too many.",
        "Print the shape of your logits. Which axis has length one?",
        change=((RETURN, "return self.w_o(weights @ v)"),),
    ),
    recall.axes_squeezed_away(
        EXERCISE, change=((RETURN, "return self.w_o(weights @ v).squeeze()"),)
    ),
    mistake(
        "a-row-for-each-pair",
        "You return logits for every pair; one row a sequence was promised.",
        "Who asks, and how many of them are there in a sequence?",
        change=(
            (PARTS, "q, k, v = self.w_k(pairs), self.w_k(pairs), self.w_v(pairs)"),
            (RETURN, "return self.w_o(weights @ v)"),
        ),
    ),
    mistake(
        "logits-and-weights",
        recall.TWO_VALUES,
        recall.HANDED_TO_CROSS_ENTROPY,
        change=((RETURN, f"{RETURN}, weights"),),
    ),
    recall.sizes_not_kept(EXERCISE, change=((SIZES, "pass"),)),
    recall.sizes_swapped(
        EXERCISE, change=((SIZES, "self.num_keys, self.num_values = num_values, num_keys"),)
    ),
    recall.seeded_inside(EXERCISE, around=SIZES),
    devices.tensor_made_on_the_cpu(
        EXERCISE,
        what="a tensor",
        given="pairs",
        change=((PARTS, f"{PARTS}\n        v = v + torch.zeros(1, pairs.shape[1], 1)"),),
    ),
)
