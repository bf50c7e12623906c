"""Pieces of RepairedAttention that mistakes replace, and what writes SelfAttention out the same."""

ROWS = (("q", "k"), ("k", "k"), ("v", "v"))  # layer, and whose width it makes
LAYERS = LAYER_Q, LAYER_K, LAYER_V = tuple(
    f"self.w_{name} = nn.Linear(d_model, d_{width}, bias)" for name, width in ROWS
)
SCALE = "self.scale = math.sqrt(d_k)"
PROJECT = "q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)"
SCORES = "q @ k.mT / self.scale"
IF_MASK = "if mask is not None:"
MASKED = "scores = torch.where(mask, scores, -math.inf)"
WEIGHTS = "torch.softmax(scores, dim=-1)"
RETURN = "return weights @ v, weights"

Change = tuple[tuple[str, str], ...]

WRITTEN_OUT: Change = (
    *((layer.replace("bias)", "bias=bias)"), layer) for layer in (LAYER_Q, LAYER_K)),
    (LAYER_V.replace("bias)", "bias=bias)"), f"{LAYER_V}\n        {SCALE}"),
    (
        "return scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x), mask)",
        f"""{PROJECT}
        scores = {SCORES}
        if mask is not None:
            {MASKED}
        weights = {WEIGHTS}
        {RETURN}""",
    ),
)


def unmasked(after: str) -> Change:
    """No mask before the softmax, and this line after it."""
    line = f"if mask is not None:\n            {after}\n        {RETURN}"
    return ((MASKED, "pass"), (RETURN, line))
