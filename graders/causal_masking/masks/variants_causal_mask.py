"""Right answers to causal_mask."""

from functools import partial

from autograder.bank import Variant

mask = partial(Variant, "causal_mask")

VARIANTS = (
    mask(
        "not triu",
        """
        def causal_mask(seq_len, device=None):
            future = torch.triu(torch.ones(seq_len, seq_len, device=device), diagonal=1)
            return future == 0
        """,
    ),
    mask(
        "positions compared",
        """
        def causal_mask(seq_len, device=None):
            i = torch.arange(seq_len, device=device)
            return i[None, :] <= i[:, None]
        """,
    ),
    mask(
        "positions compared the other way",
        """
        def causal_mask(seq_len, device=None):
            positions = torch.arange(seq_len, device=device)
            return torch.ge(positions.unsqueeze(1), positions.unsqueeze(0))
        """,
    ),
    mask(
        "tril, then bool",
        """
        def causal_mask(seq_len, device=None):
            return torch.tril(torch.ones((seq_len, seq_len), device=device)).bool()
        """,
    ),
    mask(
        "tril, then comparison with one",
        """
        def causal_mask(seq_len, device=None):
            return torch.tril(torch.ones(seq_len, seq_len, device=device)) == 1
        """,
    ),
    mask(
        "a loop over rows",
        """
        def causal_mask(seq_len, device=None):
            mask = torch.zeros(seq_len, seq_len, dtype=torch.bool, device=device)
            for i in range(seq_len):
                mask[i, : i + 1] = True
            return mask
        """,
    ),
    mask(
        "lists",
        """
        def causal_mask(seq_len, device=None):
            rows = [[j <= i for j in range(seq_len)] for i in range(seq_len)]
            return torch.tensor(rows, device=device)
        """,
    ),
    mask(
        "a running sum of the identity",
        """
        def causal_mask(seq_len, device=None):
            return torch.eye(seq_len, device=device).cumsum(dim=0).bool()
        """,
    ),
    mask(
        "indices of the lower triangle",
        """
        def causal_mask(seq_len, device=None):
            mask = torch.zeros(seq_len, seq_len, dtype=torch.bool)
            rows, columns = torch.tril_indices(seq_len, seq_len)
            mask[rows, columns] = True
            return mask.to(device) if device is not None else mask
        """,
    ),
    mask(
        "an upper triangle inverted, and an extra argument",
        """
        def causal_mask(seq_len, device=None, dtype=torch.bool):
            return ~torch.full((seq_len, seq_len), True, device=device).triu(1).to(dtype)
        """,
    ),
    mask(
        "a check of its own result",
        """
        def causal_mask(seq_len, device=None):
            m = torch.ones(seq_len, seq_len, dtype=torch.bool, device=device).tril()
            assert m[0, 0], "the first token sees itself"
            return m
        """,
    ),
    mask(
        "a helper, other names and more arguments",
        """
        def _positions(n, device):
            return torch.arange(n, device=device)

        def causal_mask(length, device=None, *, strict=False, dtype=None):
            p = _positions(length, device)
            allowed = p[:, None] > p if strict else p[:, None] >= p
            return allowed if dtype is None else allowed.to(dtype)
        """,
    ),
    mask(
        "a table made on the device that is the default for as long",
        """
        def causal_mask(seq_len, device=None):
            with torch.device(device if device is not None else torch.get_default_device()):
                return torch.ones(seq_len, seq_len).tril().bool()
        """,
    ),
)
