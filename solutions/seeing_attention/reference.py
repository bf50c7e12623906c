"""Reference solutions of 06-seeing-attention: pictures, measures and a checkpoint's attention."""

import math

import bert
import matplotlib.pyplot as plt
import torch
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor


def plot_attention(
    weights: Float[Tensor, "seq seq"], tokens: list[str], ax: Axes | None = None
) -> Axes:
    """Draw one head's weights as a heatmap: row i is query i, column j is key j.

    Queries run down from the top, as a matrix is written. Every row and every column carries its
    token at the middle of the cell. The x axis is labelled with a text that has "key" or "keys" in
    it, the y axis with one that has "query" or "queries". A colour bar tells what the colours mean;
    they run from 0 to 1 whatever the weights are, so that two pictures can be compared.

    Args:
        weights: one head's weights, any floating dtype, any device, with or without a gradient; it
            is not changed.
        tokens: the sequence's tokens; some may be the same.
        ax: where to draw; None makes a new figure.
    Returns:
        the Axes that were drawn in.
    Raises:
        ValueError: there are not as many tokens as rows and columns. The text names both numbers.
    """
    ### BEGIN SOLUTION
    seq = len(tokens)
    if weights.shape != (seq, seq):
        raise ValueError(f"weights of shape {tuple(weights.shape)} do not fit {seq} tokens")
    if ax is None:
        ax = plt.figure(layout="constrained").add_subplot()
    table = weights.detach().float().cpu().numpy()
    image = ax.imshow(table, cmap="cividis", vmin=0, vmax=1)
    ax.figure.colorbar(image, ax=ax, label="weight")
    ax.set_xticks(range(seq), tokens, rotation=90)
    ax.set_yticks(range(seq), tokens)
    ax.set(xlabel="key (attended to)", ylabel="query (attending)")
    return ax
    ### END SOLUTION


def strongest_links(
    weights: Float[Tensor, "queries keys"], tokens: list[str], k: int = 3
) -> list[list[tuple[str, float]]]:
    """List for each query the k keys with the largest weights, largest first.

    Of two equal weights, the one at the earlier position comes first.

    Args:
        weights: one head's weights, of any floating dtype; it is not changed.
        tokens: the keys' tokens; some may be the same.
        k: how many links a query gets, 1 or more; with fewer keys, all of them.
    Returns:
        a list for each query, of pairs: the key's token and its weight as a Python float.
    Raises:
        ValueError: there are not as many tokens as keys. The text names both numbers.
    """
    ### BEGIN SOLUTION
    if weights.shape[-1] != len(tokens):
        raise ValueError(f"{weights.shape[-1]} keys, but {len(tokens)} tokens")
    ordered, places = weights.sort(dim=-1, descending=True, stable=True)  # stable: ties stay put
    return [
        [(tokens[place], weight) for weight, place in zip(row[:k], where[:k], strict=True)]
        for row, where in zip(ordered.tolist(), places.tolist(), strict=True)
    ]
    ### END SOLUTION


def compare_attention(scores: Float[Tensor, "seq seq"], tokens: list[str]) -> Figure:
    """Draw two heatmaps of the same scores side by side: bidirectional, then causal.

    Left, softmax over all keys; right, softmax over keys 0 to i alone for query i. Both are drawn
    as by `plot_attention`. The left title has the word "bidirectional" in it, the right title the
    word "causal".

    Args:
        scores: one head's scaled scores, up to 200,000 either way, row i for query i; not changed.
        tokens: the sequence's tokens.
    Returns:
        a new figure with the two heatmaps.
    """
    ### BEGIN SOLUTION
    future = torch.ones_like(scores, dtype=torch.bool).triu(1)  # True where key j comes after i
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    plot_attention(scores.softmax(dim=-1), tokens, left)
    plot_attention(scores.masked_fill(future, -math.inf).softmax(dim=-1), tokens, right)
    left.set_title("bidirectional")
    right.set_title("causal")
    return figure
    ### END SOLUTION


def attention_entropy(weights: Float[Tensor, "... queries keys"]) -> Float[Tensor, "... queries"]:
    """Measure how widely each query spreads its attention: H_i = -Σ_j w_ij ln w_ij, in nats.

    0 · ln 0 counts as 0, its limit. The gradient is finite as well: a weight of exactly 0, as a
    causal mask leaves it, gets no infinite gradient and no NaN.

    Args:
        weights: any number of leading dimensions; each query's row sums to 1; it is not changed.
    Returns:
        one entropy a query, from 0 (all on one key) to ln keys (the same on every key); same dtype
        and device as weights.
    Source: Shannon 1948, "A Mathematical Theory of Communication", section 6.
    """
    ### BEGIN SOLUTION
    safe = torch.where(weights > 0, weights, 1.0)  # ln 1 = 0, and its gradient is finite
    return -(weights * safe.log()).sum(dim=-1)
    ### END SOLUTION


def classify_pattern(weights: Float[Tensor, "seq seq"]) -> str:
    """Name the pattern of one head's weights; the first of these rules that holds decides.

    1. "uniform": the mean of the rows' entropies is at least 0.95 ln seq;
    2. "diagonal": the mean of the diagonal is at least 0.8;
    3. "focused": the mean of the rows' largest weights is at least 0.7;
    4. "local": the mean of what a row gives to keys at most one position away, itself included, is
       at least 0.8;
    5. "mixed": none of these.

    Args:
        weights: one head's weights, of any floating dtype, for two tokens or more; it is not
            changed.
    Returns:
        the pattern's name.
    """
    ### BEGIN SOLUTION
    seq = len(weights)
    position = torch.arange(seq, device=weights.device)
    near = (position - position[:, None]).abs() <= 1
    if attention_entropy(weights).mean() >= 0.95 * math.log(seq):
        return "uniform"
    if weights.diagonal().mean() >= 0.8:
        return "diagonal"
    if weights.amax(dim=-1).mean() >= 0.7:
        return "focused"
    return "local" if (weights * near).sum(dim=-1).mean() >= 0.8 else "mixed"
    ### END SOLUTION


def load_attention(
    model_dir: str, text: str, text_pair: str | None = None
) -> tuple[list[str], Float[Tensor, "layers heads seq seq"]]:
    """Run a BERT checkpoint on a text, or on a pair of texts, and keep every head's weights.

    The tokens are [CLS], the text's word pieces, [SEP]; with a pair, then the second text's pieces
    and another [SEP], which form segment 1, all before them being segment 0. In each layer, weights
    = softmax(q kᵀ / sqrt(d_head)) for every head, and the layer's output is the next one's input.
    Nothing is masked. `bert` has the parts: `load`, `split`, `embed`, `project` and `finish`.

    Args:
        model_dir: the checkpoint's folder.
        text: the first text, or the only one.
        text_pair: the second text; None where there is none. An empty one is a second text without
            pieces: it still brings its [SEP].
    Returns:
        the tokens, and the weights in float32, first axis the layers, second the heads.
    Raises:
        ValueError: there are more tokens than the model has positions; the text names both numbers.
    Source: Devlin et al. 2019, section 3.
    """
    ### BEGIN SOLUTION
    model = bert.load(model_dir)
    tokens = ["[CLS]", *model.split(text), "[SEP]"]
    segments = [0] * len(tokens)
    if text_pair is not None:
        second = [*model.split(text_pair), "[SEP]"]
        tokens, segments = tokens + second, segments + [1] * len(second)
    x = model.embed(tokens, segments)  # (seq, d_model)
    maps = []
    for layer in model.layers:
        q, k, v = layer.project(x)  # each (heads, seq, d_head)
        maps.append(torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1))
        x = layer.finish(x, maps[-1] @ v)
    return tokens, torch.stack(maps)
    ### END SOLUTION
