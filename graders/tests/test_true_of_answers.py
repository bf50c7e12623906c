"""Answers of strangers: what they meet earns its marks, and what they are told is true."""

import pytest
from grading import Answer, grade

REPAIRED_BUT_SCORES = """
class RepairedAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v, bias=False):
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k, bias)
        self.w_k = nn.Linear(d_model, d_k, bias)
        self.w_v = nn.Linear(d_model, d_v, bias)
        self.scale = math.sqrt(d_k)

    def forward(self, x, mask=None):
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        scores = q @ k.mT / self.scale
        if mask is not None:
            scores = torch.where(mask, scores, -math.inf)
        return torch.softmax(scores, dim=-1) @ v, scores
"""
NOT_RESCALED = """
def tiled_attention(q, k, v, block_size, is_causal=False):
    m = torch.full_like(q[..., :1], -torch.inf)
    l, o = torch.zeros_like(m), q.new_zeros(*q.shape[:-1], v.shape[-1])
    for start in range(0, k.shape[-2], block_size):
        part = slice(start, start + block_size)
        s = q @ k[..., part, :].mT / math.sqrt(q.shape[-1])
        if is_causal:
            i = torch.arange(q.shape[-2], device=q.device)[:, None]
            s = s.masked_fill(start + torch.arange(s.shape[-1], device=q.device) > i, -torch.inf)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = torch.exp(s - new)
        l, o, m = l * torch.exp(m - new) + p.sum(-1, keepdim=True), o + p @ v[..., part, :], new
    return o / l
"""
OWN_MAXIMUM = NOT_RESCALED.replace(
    "torch.maximum(m, s.amax(-1, keepdim=True))", "s.amax(-1, keepdim=True)"
).replace("o + p @ v", "o * torch.exp(m - new) + p @ v")
KEYS_FROM_QUERIES = """
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError(f"{d_model} features, {num_heads} heads")
        self.heads = num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias))

    def forward(self, x, mask=None):
        q, k, v = (
            layer(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for layer in (self.w_q, self.w_q, self.w_v)
        )
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        weights = scores.softmax(-1)
        return self.w_o((weights @ v).transpose(1, 2).flatten(2)), weights
"""
FROM_THE_BOTTOM = """
def plot_attention(weights, tokens, ax=None):
    if len(tokens) != len(weights):
        raise ValueError(f"{len(tokens)} tokens for {len(weights)} rows")
    if ax is None:
        _, ax = plt.subplots()
    table = weights.detach().cpu().float()
    image = ax.imshow(table, vmin=0, vmax=1, origin="lower")
    ax.figure.colorbar(image, ax=ax)
    ax.set_xticks(range(len(tokens)), tokens)
    ax.set_yticks(range(len(tokens)), tokens)
    ax.set(xlabel="key", ylabel="query")
    return ax
"""
IN_BITS = """
def classify_pattern(weights):
    n = len(weights)
    bits = -(weights * torch.log2(weights.clamp_min(1e-30))).sum(1).mean()
    if bits >= 0.95 * math.log(n):
        return "uniform"
    if weights.trace() / n >= 0.8:
        return "diagonal"
    if weights.max() >= 0.7:
        return "focused"
    band = torch.ones(n, n).tril(1).triu(-1)
    return "local" if (weights * band).sum(1).mean() >= 0.8 else "mixed"
"""
FOCUSED_FIRST = """
def classify_pattern(weights):
    n = len(weights)
    if attention_entropy(weights).mean() >= 0.95 * math.log(n):
        return "uniform"
    if weights.amax(-1).mean() >= 0.7:
        return "focused"
    if weights.diagonal().mean() >= 0.8:
        return "diagonal"
    band = torch.ones(n, n).tril(1).triu(-1)
    return "local" if (weights * band).sum(1).mean() >= 0.8 else "mixed"
"""
STRICT = FOCUSED_FIRST.replace(">=", ">")
IN_CAPITALS = """
def classify_pattern(weights):
    n = len(weights)
    if attention_entropy(weights).mean() >= 0.95 * math.log(n):
        return "Uniform"
    if weights.diagonal().mean() >= 0.8:
        return "Diagonal"
    if weights.amax(-1).mean() >= 0.7:
        return "Focused"
    band = torch.ones(n, n).tril(1).triu(-1)
    return "Local" if (weights * band).sum(1).mean() >= 0.8 else "Mixed"
"""
OVER_QUERIES = """
def causal_attention(q, k, v):
    if q.shape[-2] != k.shape[-2]:
        raise ValueError(f"{q.shape[-2]} queries, {k.shape[-2]} keys")
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    future = torch.ones_like(scores, dtype=torch.bool).triu(1)
    weights = scores.masked_fill(future, -torch.inf).softmax(-2)
    return weights @ v, weights
"""
NEW_LAYERS = """
def project_qkv(x, w_q, w_k, w_v):
    layers = [nn.Linear(x.shape[-1], w.shape[1], bias=False) for w in (w_q, w_k, w_v)]
    return tuple(layer(x) for layer in layers)
"""
MINUS_1E6 = """
def masked_softmax(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, -1e6), dim=-1)
"""
UNDEFINED = """
def scaled_scores(q, k):
    scale = math.sqrt(d_k)
    return q @ k.mT / scale
"""
TRAINED = """
def train_recall(model, steps, pairs, seed):
    optimizer, losses = torch.optim.Adam(model.parameters(), lr=0.01), []
    for step in range(steps):
        tokens, query, answer = recall_batch(
            64, pairs, model.num_keys, model.num_values, seed * steps + step
        )
        loss = F.cross_entropy(model(tokens, query), answer)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
"""
SOFTMAX_FIRST = TRAINED.replace("model(tokens, query)", "model(tokens, query).softmax(-1)")
ONE_BATCH = TRAINED.replace("seed * steps + step", "seed").replace("optimizer.zero_grad()", "pass")
ONE_MORE = TRAINED.replace("64, pairs,", "64, min(pairs + 1, model.num_keys),")
OF_64_IN_PER_CENT = """
def recall_by_length(models, pair_counts, seed):
    def measured(model, pairs):
        tokens, query, answer = recall_batch(
            64, pairs, model.num_keys, model.num_values, seed + pairs
        )
        with torch.no_grad():
            right = model(tokens, query).argmax(-1) == answer
        return 100 * right.float().mean().item()

    return {name: [measured(model, n) for n in pair_counts] for name, model in models.items()}
"""
NO_ATTENTION = """
class AttentionRecall(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.num_keys, self.num_values = num_keys, num_values
        self.tok = nn.Embedding(num_keys * num_values, d_model)
        self.qry = nn.Embedding(num_keys, d_model)
        self.mlp = nn.Sequential(
            nn.Linear(2 * d_model, d_model), nn.ReLU(), nn.Linear(d_model, num_values)
        )

    def forward(self, tokens, query):
        return self.mlp(torch.cat([self.tok(tokens).mean(1), self.qry(query)], dim=-1))
"""

# An answer, tests whose claims it meets, and tests whose claims it does not.
MET = [
    (
        Answer("RepairedAttention", "all mended, scores returned", REPAIRED_BUT_SCORES),
        ("the_scale_follows_the_width_of_the_keys", "the_repaired_module_attends_rightly"),
        ("every_token_shares_out_one_whole",),
    ),
    (
        Answer("tiled_attention", "output not rescaled", NOT_RESCALED),
        ("memory_grows_with_the_block", "keys_are_worked_through_in_blocks_of_that_size"),
        ("blocks_of_every_size_give_the_whole",),
    ),
    (
        Answer("tiled_attention", "each block's own maximum", OWN_MAXIMUM),
        (
            "memory_grows_with_the_block",
            "pytorchs_attention_is_not_called",
            "keys_are_worked_through_in_blocks_of_that_size",
        ),
        ("causal_queries_attend_to_the_past",),
    ),
    (
        Answer("plot_attention", "from the bottom up", FROM_THE_BOTTOM),
        ("every_row_and_column_carries_its_token", "weights_of_any_kind_can_be_drawn"),
        ("row_i_is_query_i_from_the_top_down",),
    ),
    (
        Answer("classify_pattern", "in bits, and the largest for the mean", IN_BITS),
        ("a_bound_that_is_just_reached_is_enough",),
        ("uniform_is_judged_by_entropy_for_any_length",),
    ),
    (
        Answer("classify_pattern", "focused first", FOCUSED_FIRST),
        ("a_bound_that_is_just_reached_is_enough",),
        ("the_first_rule_that_holds_decides",),
    ),
    (
        Answer("classify_pattern", "focused first, and strict", STRICT),
        (),
        ("a_bound_that_is_just_reached_is_enough", "the_first_rule_that_holds_decides"),
    ),
    (
        Answer("classify_pattern", "in capitals", IN_CAPITALS),
        (
            "diagonal_and_focused_are_judged_by_the_mean_over_rows",
            "local_counts_both_neighbours_and_the_token_itself",
            "the_first_rule_that_holds_decides",
        ),
        ("the_four_examples_are_sorted_rightly",),
    ),
    (
        Answer("train_recall", "softmax before the loss", SOFTMAX_FIRST),
        ("every_steps_loss_comes_back", "as_many_pairs_as_asked_for"),
        ("the_losses_are_the_models_own",),
    ),
    (
        Answer("train_recall", "one batch, and gradients kept", ONE_BATCH),
        ("the_losses_are_the_models_own", "as_many_pairs_as_asked_for"),
        ("every_step_draws_a_new_batch",),
    ),
    (
        Answer("train_recall", "a pair too many", ONE_MORE),
        ("every_steps_loss_comes_back", "the_model_recalls_afterwards"),
        ("as_many_pairs_as_asked_for",),
    ),
]
TOLD = [
    (
        Answer("causal_attention", "softmax over queries", OVER_QUERIES),
        "What comes out for the past still depends on the future.",
    ),
    (
        Answer("scaled_scores", "an undefined name", UNDEFINED),
        "your code raised NameError: the name `d_k` is not defined",
    ),
    (
        Answer("project_qkv", "new layers", NEW_LAYERS),
        "Your code gives another result for the same input: it is random.",
    ),
]
FILLED = Answer("masked_softmax", "-1e6", MINUS_1E6)
NAMED = [
    (MET[8][0], ("softmax-before-the-loss",)),
    (
        Answer("AttentionRecall", "no attention", NO_ATTENTION),
        ("mean-and-query-through-layers",),
    ),
    (FILLED, ("minus-1e9-for-infinity",)),
    (
        Answer("MultiHeadAttention", "keys from queries", KEYS_FROM_QUERIES),
        ("keys-from-queries",),
    ),
    (
        Answer("recall_by_length", "of 64, in per cent", OF_64_IN_PER_CENT),
        ("per-cent", "too-few-sequences"),
    ),
]


@pytest.fixture(scope="module")
def graded():
    """What grading finds of every answer, each once, and what it tells."""
    told = {}
    answers = [row[0] for row in (*MET, *TOLD, *NAMED[1:])]
    return grade(answers, b"secret", told=told), {answer: one for (answer, _), one in told.items()}


@pytest.mark.parametrize(("answer", "met", "failed"), MET, ids=lambda one: str(one)[:60])
@pytest.mark.slow
def test_an_answer_fails_no_claim_that_it_meets(graded, answer, met, failed):
    outcomes = {one.name: one.outcome for one in graded[0][answer].found if one.device == "cpu"}
    assert {name: outcomes[name] for name in met} == dict.fromkeys(met, "passed")
    assert {name: outcomes[name] for name in failed} == dict.fromkeys(failed, "failed")


@pytest.mark.parametrize(("answer", "said"), TOLD, ids=lambda one: str(one)[:60])
@pytest.mark.slow
def test_what_is_told_is_what_was_seen(graded, answer, said):
    symptoms = [one.symptom for one in graded[0][answer].found if one.symptom]
    assert said in symptoms


@pytest.mark.slow
def test_an_undefined_name_is_told_with_its_line_and_no_word_of_the_input(graded):
    answer = TOLD[1][0]
    said = "Your code raised NameError: the name `d_k` is not defined, in line 3 of your cell."
    assert graded[1][answer].told.startswith(said)


@pytest.mark.slow
def test_a_number_for_minus_infinity_is_told_as_one_of_its_kind(graded):
    assert graded[1][FILLED].told.startswith("With a number like -1e9, ")


@pytest.mark.parametrize(("answer", "slugs"), NAMED, ids=lambda one: str(one)[:60])
@pytest.mark.slow
def test_these_mistakes_are_called_by_their_names(graded, answer, slugs):
    assert graded[0][answer].named == slugs
