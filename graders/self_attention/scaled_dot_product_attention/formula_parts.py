"""Pieces of attention written out, as the references have them, that mistakes replace."""

SCORES = "q @ k.mT / math.sqrt(k.shape[-1])"
ROOT = "math.sqrt(k.shape[-1])"
MASKED = "scores = scores.masked_fill(~mask, -math.inf)"
WEIGHTS = "torch.softmax(scores, dim=-1)"
RETURN = "return weights @ v, weights"

Change = tuple[tuple[str, str], ...]


def root(instead: str) -> Change:
    """Another number below the fraction line."""
    return ((ROOT, instead),)


def masked(*lines: str) -> Change:
    """Other lines in place of the one that applies the mask."""
    return ((MASKED, ("\n" + " " * 8).join(lines)),)


def weights(instead: str) -> Change:
    """Another softmax."""
    return ((WEIGHTS, instead),)


def returns(values: str) -> Change:
    """Other results."""
    return ((RETURN, f"return {values}"),)


def without_mask(*lines: str) -> Change:
    """No mask before the softmax, and these lines after it."""
    body = "\n        ".join(lines)
    return (
        (MASKED, "pass"),
        (RETURN, f"if mask is not None:\n        {body}\n    {RETURN}" if lines else RETURN),
    )
