"""Right answers to strongest_links, attention_entropy and classify_pattern."""

from functools import partial

from autograder.bank import Variant

links = partial(Variant, "strongest_links")
entropy = partial(Variant, "attention_entropy")
pattern = partial(Variant, "classify_pattern")

LINKS = (
    links(
        "Python's sort",
        """
        def strongest_links(weights, tokens, k=3):
            if weights.size(1) != len(tokens):
                raise ValueError(f"{len(tokens)} tokens for {weights.size(1)} keys")
            result = []
            for row in weights.tolist():
                pairs = sorted(zip(tokens, row), key=lambda pair: pair[1], reverse=True)
                result.append(pairs[:k])
            return result
        """,
    ),
    links(
        "sorted by weight, then by position",
        """
        def strongest_links(weights, tokens, k=3):
            n = weights.shape[1]
            if n != len(tokens):
                raise ValueError(f"{n} != {len(tokens)}")
            def best(row):
                order = sorted(range(n), key=lambda j: (-row[j].item(), j))
                return [(tokens[j], row[j].item()) for j in order[:k]]
            return [best(row) for row in weights.detach()]
        """,
    ),
    links(
        "argsort of the negative",
        """
        def strongest_links(weights, tokens, k=3):
            assert weights.dim() == 2
            if len(tokens) != weights.shape[-1]:
                raise ValueError(f"got {len(tokens)} tokens, want {weights.shape[-1]}")
            order = torch.argsort(-weights, dim=-1, stable=True)[:, :k]
            return [
                [(tokens[int(j)], float(weights[i, j])) for j in order[i]]
                for i in range(weights.shape[0])
            ]
        """,
    ),
    links(
        "NumPy's stable sort",
        """
        import numpy as np

        def strongest_links(weights, tokens, k=3):
            w = weights.detach().cpu().to(torch.float64).numpy()
            if w.shape[1] != len(tokens):
                raise ValueError(f"{w.shape[1]} keys and {len(tokens)} tokens do not fit")
            out = []
            for i in range(w.shape[0]):
                top = np.argsort(-w[i], kind="stable")[:k]
                out.append([(tokens[t], float(w[i][t])) for t in top])
            return out
        """,
    ),
    links(
        "the maximum again and again",
        """
        def strongest_links(weights, tokens, k=3):
            if len(tokens) != weights.shape[-1]:
                raise ValueError(f"{len(tokens)} {weights.shape[-1]}")
            everything = []
            for row in weights.tolist():
                left, found = dict(enumerate(row)), []
                while left and len(found) < k:
                    place = max(left, key=left.get)
                    found.append((tokens[place], left.pop(place)))
                everything.append(found)
            return everything
        """,
    ),
)

ENTROPY = (
    entropy(
        "the logarithm clamped",
        """
        def attention_entropy(weights):
            smallest = torch.finfo(weights.dtype).tiny
            return -(weights * weights.clamp(min=smallest).log()).sum(dim=-1)
        """,
    ),
    entropy(
        "masked before the logarithm",
        """
        def attention_entropy(weights):
            zero = weights == 0
            logs = torch.log(weights.masked_fill(zero, 1))
            return torch.sum(-weights * logs, dim=-1)
        """,
    ),
    entropy(
        "einsum",
        """
        def attention_entropy(weights):
            logs = torch.where(weights > 0, weights, torch.ones_like(weights)).log()
            return -torch.einsum("...qk,...qk->...q", weights, logs)
        """,
    ),
    entropy(
        "in float32 inside, with a small number",
        """
        def attention_entropy(weights):
            w = weights.double()
            return -(w * (w + 1e-12).log()).sum(-1).to(weights.dtype)
        """,
    ),
    entropy(
        "a loop over keys",
        """
        def attention_entropy(weights):
            total = torch.zeros_like(weights[..., 0])
            for j in range(weights.shape[-1]):
                w = weights[..., j]
                total = total - w * torch.where(w > 0, w, torch.ones_like(w)).log()
            return total
        """,
    ),
    entropy(
        "the rows divided by their sum once more, as a library's distribution does",
        """
        def attention_entropy(weights):
            shares = weights / weights.sum(dim=-1, keepdim=True)
            logs = shares.clamp(min=torch.finfo(shares.dtype).tiny).log()
            return -(shares * logs).sum(dim=-1)
        """,
    ),
    entropy(
        "by weights and scores",
        """
        def attention_entropy(weights):
            positive = weights > 0
            logs = torch.zeros_like(weights).masked_scatter(positive, weights[positive].log())
            return (weights * logs).sum(dim=-1).neg()
        """,
    ),
)

PATTERN = (
    pattern(
        "all measures first",
        """
        def classify_pattern(weights):
            n = weights.shape[0]
            w = weights.detach().double()
            entropy = attention_entropy(w).mean().item() / math.log(n)
            diagonal = torch.diag(w).mean().item()
            sharpest = w.max(dim=1).values.mean().item()
            band = torch.ones(n, n).triu(-1).tril(1)
            near = (w * band).sum(1).mean().item()
            if entropy >= 0.95:
                return "uniform"
            elif diagonal >= 0.8:
                return "diagonal"
            elif sharpest >= 0.7:
                return "focused"
            elif near >= 0.8:
                return "local"
            else:
                return "mixed"
        """,
    ),
    pattern(
        "rules in a table",
        """
        def classify_pattern(weights):
            rows = weights.tolist()
            n = len(rows)
            def mean(numbers):
                return sum(numbers) / n
            rules = [
                ("uniform", attention_entropy(weights).float().mean() / math.log(n) >= 0.95),
                ("diagonal", mean(rows[i][i] for i in range(n)) >= 0.8),
                ("focused", mean(max(row) for row in rows) >= 0.7),
                ("local", mean(sum(rows[i][max(0, i - 1) : i + 2]) for i in range(n)) >= 0.8),
            ]
            return next((name for name, holds in rules if holds), "mixed")
        """,
    ),
    pattern(
        "diagonals and traces, without attention_entropy",
        """
        def classify_pattern(weights):
            w = weights.to(torch.float64)
            n = w.shape[-1]
            if torch.special.entr(w).sum() / n >= 0.95 * math.log(n):
                return "uniform"
            if w.trace() / n >= 0.8:
                return "diagonal"
            if torch.max(w, dim=1)[0].mean() >= 0.7:
                return "focused"
            near = w.trace() + w.diagonal(1).sum() + w.diagonal(-1).sum()
            return "local" if near / n >= 0.8 else "mixed"
        """,
    ),
    pattern(
        "NumPy",
        """
        import numpy as np

        def classify_pattern(weights):
            w = weights.detach().float().cpu().numpy()
            n = w.shape[0]
            h = attention_entropy(torch.from_numpy(w)).numpy().mean() / np.log(n)
            i, j = np.indices((n, n))
            if h >= 0.95:
                name = "uniform"
            elif np.diag(w).mean() >= 0.8:
                name = "diagonal"
            elif w.max(axis=1).mean() >= 0.7:
                name = "focused"
            elif np.where(abs(i - j) <= 1, w, 0).sum(axis=1).mean() >= 0.8:
                name = "local"
            else:
                name = "mixed"
            return name
        """,
    ),
)

VARIANTS = (*LINKS, *ENTROPY, *PATTERN)
