"""Reference solutions of 07-attention-vs-recurrence: one task for attention and for an LSTM."""

import math
from collections.abc import Sequence

import torch
import torch.nn.functional as F  # noqa: N812 - torch's own documentation calls it F
from jaxtyping import Float, Int
from torch import Tensor, nn


def attention_cost(
    seq_len: int, d_model: int, num_heads: int, dtype: torch.dtype
) -> dict[str, int]:
    """Count what attention over one sequence costs: arithmetic, and memory for the scores.

    flops = 4 · seq_len² · d_model: q kᵀ takes seq_len² · d_model multiply-adds over all heads
    together, weights · v takes as many, and a multiply-add counts as 2. score_bytes = num_heads ·
    seq_len² · bytes a number. Projections and softmax are left out, and nothing is masked.

    Args:
        seq_len: how many tokens attend to each other.
        d_model: width of all heads together.
        num_heads: how many heads share d_model.
        dtype: of the scores.
    Returns:
        a dictionary with the whole numbers "flops" and "score_bytes".
    Source: Vaswani et al. 2017, section 4, table 1.
    """
    ### BEGIN SOLUTION
    pairs = seq_len**2
    return {"flops": 4 * pairs * d_model, "score_bytes": num_heads * pairs * dtype.itemsize}
    ### END SOLUTION


def recall_batch(
    batch: int, pairs: int, num_keys: int, num_values: int, seed: int
) -> tuple[Int[Tensor, "batch pairs"], Int[Tensor, " batch"], Int[Tensor, " batch"]]:
    """Draw sequences of (key, value) pairs, each with a key to look up and the value to answer.

    token = key · num_values + value: one number a pair. The keys of one sequence are distinct,
    drawn at random and in random order; each value is drawn by itself. The query is one of the
    sequence's keys, and the answer is the value paired with it. Whatever is drawn, all have an
    equal chance.

    Args:
        batch: how many sequences.
        pairs: how many pairs a sequence holds, from 1 to num_keys.
        num_keys: keys are the numbers 0 to num_keys - 1.
        num_values: values are the numbers 0 to num_values - 1.
        seed: the same seed gives the same batch, another seed another. All numbers come from a
            generator of their own: no global random state, torch's, NumPy's or Python's, matters
            or changes.
    Returns:
        tokens, query and answer; each torch.int64.
    Raises:
        ValueError: pairs is below 1 or above num_keys. The text names both numbers.
    """
    ### BEGIN SOLUTION
    if not 1 <= pairs <= num_keys:
        raise ValueError(f"pairs ({pairs}) must be from 1 to num_keys ({num_keys})")
    numbers = torch.Generator().manual_seed(seed)
    keys = torch.rand(batch, num_keys, generator=numbers).argsort(dim=1)[:, :pairs]
    values = torch.randint(num_values, (batch, pairs), generator=numbers)
    asked = torch.randint(pairs, (batch, 1), generator=numbers)  # the place of the pair asked for
    query, answer = (row.gather(1, asked).squeeze(1) for row in (keys, values))
    return keys * num_values + values, query, answer
    ### END SOLUTION


class AttentionRecall(nn.Module):
    """One layer of attention that looks a key up among pairs.

    logits = w_o(softmax(q kᵀ / sqrt(d_model)) v), where q is the query's embedding, and k and v are
    projections of the tokens' embeddings. One head is enough.

    No token is told its position, so the order of the pairs changes nothing, and any number of
    pairs will do. Logits have the dtype and the device of the parameters. `num_keys` and
    `num_values` are kept as attributes: training needs them.

    Args:
        num_keys: keys, and so queries, are the numbers 0 to num_keys - 1.
        num_values: values are the numbers 0 to num_values - 1; tokens go to num_keys · num_values
            - 1.
        d_model: width of the embeddings.
    """

    def __init__(self, num_keys: int, num_values: int, d_model: int) -> None:
        """Make embeddings of tokens and of queries, and the projections."""
        super().__init__()
        ### BEGIN SOLUTION
        self.num_keys, self.num_values = num_keys, num_values
        self.tokens = nn.Embedding(num_keys * num_values, d_model)
        self.queries = nn.Embedding(num_keys, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, num_values)
        ### END SOLUTION

    def forward(
        self, tokens: Int[Tensor, "batch pairs"], query: Int[Tensor, " batch"]
    ) -> Float[Tensor, "batch num_values"]:
        """Score every value as the answer to each query.

        Args:
            tokens: one token a pair, key · num_values + value.
            query: one key a sequence.
        Returns:
            logits, one row a sequence; their softmax is the model's belief about the answer.
        """
        ### BEGIN SOLUTION
        pairs = self.tokens(tokens)  # (batch, pairs, d_model)
        q, k, v = self.queries(query)[:, None], self.w_k(pairs), self.w_v(pairs)
        weights = (q @ k.mT / math.sqrt(k.shape[-1])).softmax(dim=-1)  # (batch, 1, pairs)
        return self.w_o(weights @ v).squeeze(1)
        ### END SOLUTION


class LSTMRecall(nn.Module):
    """One LSTM that reads the pairs in order, then the query, and answers from its last state.

    h_t, c_t = LSTM(x_t, h_(t-1), c_(t-1)) over the embeddings of the tokens and, last, of the
    query; logits = w_o(h_last). All it knows of the pairs is in h and c when the query comes.

    Logits have the dtype and the device of the parameters. `num_keys` and `num_values` are kept as
    attributes: training needs them.

    Args:
        num_keys: keys, and so queries, are the numbers 0 to num_keys - 1.
        num_values: values are the numbers 0 to num_values - 1; tokens go to num_keys · num_values
            - 1.
        d_model: width of the embeddings and of the state.
    Source: Hochreiter and Schmidhuber 1997, "Long short-term memory"; its forget gate is by Gers,
        Schmidhuber and Cummins 2000, "Learning to forget".
    """

    def __init__(self, num_keys: int, num_values: int, d_model: int) -> None:
        """Make embeddings of tokens and of queries, the LSTM, and the projection to logits."""
        super().__init__()
        ### BEGIN SOLUTION
        self.num_keys, self.num_values = num_keys, num_values
        self.tokens = nn.Embedding(num_keys * num_values, d_model)
        self.queries = nn.Embedding(num_keys, d_model)
        self.lstm = nn.LSTM(d_model, d_model, batch_first=True)
        self.w_o = nn.Linear(d_model, num_values)
        ### END SOLUTION

    def forward(
        self, tokens: Int[Tensor, "batch pairs"], query: Int[Tensor, " batch"]
    ) -> Float[Tensor, "batch num_values"]:
        """Score every value as the answer to each query.

        Args:
            tokens: one token a pair, key · num_values + value.
            query: one key a sequence.
        Returns:
            logits, one row a sequence; their softmax is the model's belief about the answer.
        """
        ### BEGIN SOLUTION
        read = torch.cat([self.tokens(tokens), self.queries(query)[:, None]], dim=1)
        states, _ = self.lstm(read)  # (batch, pairs + 1, d_model)
        return self.w_o(states[:, -1])
        ### END SOLUTION


def train_recall(
    model: "AttentionRecall | LSTMRecall", steps: int, pairs: int, seed: int
) -> list[float]:
    """Train a model on freshly drawn sequences, and tell the loss of every step.

    Each step draws a new batch with `recall_batch` (64 sequences do), takes the mean cross-entropy
    of the model's logits, and lets an optimiser change the parameters (Adam with a learning rate of
    0.01 does).

    Args:
        model: the model, which is changed; called again, training goes on from where it is.
        steps: how many steps, and so how many batches.
        pairs: how many pairs each sequence holds.
        seed: decides all batches; the same seed on the same model gives the same losses. No global
            random state matters or changes.
    Returns:
        the loss of each step, as a float, in order.
    """
    ### BEGIN SOLUTION
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
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
    ### END SOLUTION


def recall_by_length(
    models: "dict[str, AttentionRecall | LSTMRecall]", pair_counts: Sequence[int], seed: int
) -> dict[str, list[float]]:
    """Measure which share of queries each model answers rightly, for sequences of each length.

    accuracy = (sequences whose largest logit is the answer's) / (all sequences), over 1,000
    sequences or more, drawn with `recall_batch`.

    Args:
        models: the models by name; they are asked, and their parameters stay as they are, and can
            learn as before.
        pair_counts: the numbers of pairs to ask with.
        seed: decides the sequences; models with equal num_keys and num_values get the same ones.
            No global random state matters or changes.
    Returns:
        for each name one accuracy a pair count, in order, each a float from 0 to 1.
    """
    ### BEGIN SOLUTION
    accuracies: dict[str, list[float]] = {name: [] for name in models}
    with torch.no_grad():
        for name, model in models.items():
            for pairs in pair_counts:
                tokens, query, answer = recall_batch(
                    1000, pairs, model.num_keys, model.num_values, seed
                )
                right = model(tokens, query).argmax(dim=-1) == answer
                accuracies[name].append(right.float().mean().item())
    return accuracies
    ### END SOLUTION
