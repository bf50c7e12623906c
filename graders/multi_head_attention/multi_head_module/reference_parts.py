"""Pieces of the reference MultiHeadAttention's source that mistakes replace."""

PROJECTIONS = (
    "q, k, v = (split_heads(w(x), self.num_heads) for w in (self.w_q, self.w_k, self.w_v))"
)
SCORES = "q @ k.mT / math.sqrt(q.shape[-1])"
IF_MASK = "if mask is not None:"
FILL = "scores = scores.masked_fill(~mask, -math.inf)"
WEIGHTS = "scores.softmax(dim=-1)"
OUTPUT = "self.w_o(merge_heads(weights @ v))"
RETURN = f"return {OUTPUT}, weights"
CHECK = "if num_heads < 1 or d_model % num_heads:"
