"""Known mistakes in AttentionRecall."""

from functools import partial

from autograder.misconceptions.mistake import Mistake

mistake = partial(Mistake, "AttentionRecall")

PAIRS = "pairs = self.tokens(tokens)"
SCORES = "(q @ k.mT / math.sqrt(k.shape[-1]))"
WEIGHTS = f"{SCORES}.softmax(dim=-1)"
PARTS = "q, k, v = self.queries(query)[:, None], self.w_k(pairs), self.w_v(pairs)"
RETURN = "return self.w_o(weights @ v).squeeze(1)"
SIZES = "self.num_keys, self.num_values = num_keys, num_values"
W_K, W_V = (f"self.{name} = nn.Linear(d_model, d_model)" for name in ("w_k", "w_v"))
TABLE = "nn.Embedding(num_keys * num_values, d_model)"

MISTAKES = (
    mistake(
        "query-ignored",
        "Your model never looks at the query.",
        "Where in your forward pass does `query` make a difference?",
        change=((PARTS, PARTS.replace("self.queries(query)[:, None]", "self.w_k(pairs)[:, :1]")),),
    ),
    mistake(
        "mean-of-all-pairs",
        "Your model takes the mean of all pairs and adds the query; nothing is chosen.",
        "Which step lets the query decide how much each pair counts?",
        change=((RETURN, "return self.w_o(v.mean(dim=1) + q[:, 0])"),),
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
        "One query shares out one whole among its pairs. Which axis lists the pairs?",
        change=((WEIGHTS, f"{SCORES}.softmax(dim=0)"),),
    ),
    mistake(
        "softmax-over-queries",
        "Your softmax runs over the queries; there is one a sequence, so every weight is 1.",
        "One query shares out one whole among its pairs. Which axis lists the pairs?",
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
    mistake(
        "weights-by-another-measure",
        "Your weights are another function of the query and the tokens than the equation's.",
        "What does a score consist of, before it is divided and goes through softmax?",
        change=((WEIGHTS, f"{SCORES}.tanh().softmax(dim=-1)"),),
    ),
    mistake(
        "weights-by-another-measure",
        "Your weights are another function of the query and the tokens than the equation's.",
        "What does a score consist of, before it is divided and goes through softmax?",
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
        "Which layer makes v, and which one makes k?",
        change=((W_V, ""), (PARTS, PARTS.replace("self.w_v(pairs)", "pairs"))),
    ),
    mistake(
        "keys-not-projected",
        "Your keys are the embeddings themselves; a projection of them was asked for.",
        "Which layer makes v, and which one makes k?",
        change=((W_K, ""), (PARTS, PARTS.replace("self.w_k(pairs)", "pairs"))),
    ),
    mistake(
        "nothing-projected",
        "Your keys and values are the embeddings themselves; projections were asked for.",
        "Which layer makes v, and which one makes k?",
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
    mistake(
        "query-passed-by",
        "Your logits hold the query itself, not only what it found among the pairs.",
        "With one pair alone, what should the query still be able to change?",
        change=((RETURN, "return self.w_o(weights @ v + q).squeeze(1)"),),
    ),
    mistake(
        "query-passed-by",
        "Your logits hold the query itself, not only what it found among the pairs.",
        "With one pair alone, what should the query still be able to change?",
        change=(
            (
                PARTS,
                "q = self.queries(query)[:, None]\n"
                "        pairs = torch.cat([pairs, q], dim=1)\n"
                "        k, v = self.w_k(pairs), self.w_v(pairs)",
            ),
        ),
    ),
    mistake(
        "layer-left-idle",
        "You make a projection that is never used: keys and values should each have their own.",
        "Which of your layers does `forward` not call?",
        change=((PARTS, PARTS.replace("self.w_v(pairs)", "self.w_k(pairs)")),),
    ),
    mistake(
        "layer-left-idle",
        "You make a projection that is never used: keys and values should each have their own.",
        "Which of your layers does `forward` not call?",
        change=((PARTS, PARTS.replace("self.w_k(pairs)", "pairs")),),
    ),
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
    mistake(
        "weights-cut-off",
        "Your weights are cut off from the parameters: what to look for cannot be learnt.",
        "What do `.detach()` and `.data` do to gradients?",
        change=((WEIGHTS, f"{WEIGHTS}.detach()"),),
    ),
    mistake(
        "output-cut-off",
        "Your logits are cut off from all parameters, so nothing can be learnt.",
        "What do `.detach()`, `.data` and `no_grad` do to gradients?",
        change=((RETURN, f"{RETURN}.detach()"),),
    ),
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
    mistake(
        "values-lost",
        "Your embedding knows the key of each pair and not its value.",
        "What is a token divided by num_values, and what is left over?",
        change=((PAIRS, "pairs = self.tokens(tokens // self.num_values)"),),
    ),
    mistake(
        "keys-lost",
        "Your embedding knows the value of each pair and not its key.",
        "What is a token divided by num_values, and what is left over?",
        change=((PAIRS, "pairs = self.tokens(tokens % self.num_values)"),),
    ),
    mistake(
        "too-few-tokens",
        "Your table of embeddings has too few rows: there is one token for each key *and* value.",
        "How many pairs can be made of 14 keys and 3 values?",
        change=((TABLE, "nn.Embedding(num_keys + num_values, d_model)"),),
    ),
    mistake(
        "a-logit-for-each-key",
        "You give one logit a key; the answer is a value.",
        "Among how many answers does the model choose?",
        change=(
            (
                "self.w_o = nn.Linear(d_model, num_values)",
                "self.w_o = nn.Linear(d_model, num_keys)",
            ),
        ),
    ),
    mistake(
        "shares-for-logits",
        "You return shares that sum to one; cross_entropy applies softmax itself, to logits.",
        "What does F.cross_entropy expect: before or after softmax?",
        change=((RETURN, f"{RETURN}.softmax(dim=-1)"),),
    ),
    mistake(
        "axis-left-over",
        "Your logits have an axis too many.",
        "Print the shape of your logits. Which axis has length one?",
        change=((RETURN, "return self.w_o(weights @ v)"),),
    ),
    mistake(
        "axes-squeezed-away",
        "You squeeze all axes of length one, also the batch when it holds one sequence.",
        "What shape has your result for a batch of one?",
        change=((RETURN, "return self.w_o(weights @ v).squeeze()"),),
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
        "You return two values; logits alone were promised.",
        "What does a caller hand to cross_entropy?",
        change=((RETURN, f"{RETURN}, weights"),),
    ),
    mistake(
        "sizes-not-kept",
        "Your model does not keep num_keys and num_values.",
        "Where will training find out how many keys there are?",
        change=((SIZES, "pass"),),
    ),
    mistake(
        "sizes-swapped",
        "Your model keeps num_keys and num_values under each other's names.",
        "Make a model of 7 keys and 3 values, and print what it keeps.",
        change=((SIZES, "self.num_keys, self.num_values = num_values, num_keys"),),
    ),
    mistake(
        "seeded-inside",
        "Your model seeds torch itself, so that all models begin alike.",
        "What happens to everyone else's random numbers?",
        change=((SIZES, f"{SIZES}\n        torch.manual_seed(0)"),),
    ),
    mistake(
        "through-the-cpu",
        "Your model makes something on the CPU, wherever its tokens are.",
        "On which device are the tokens, and on which one is the tensor that you make?",
        change=((PARTS, f"{PARTS}\n        v = v + torch.zeros(1, pairs.shape[1], 1)"),),
    ),
)
