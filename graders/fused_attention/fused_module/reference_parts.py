"""Pieces of the reference's source that mistakes replace."""

CUT = "(3, self.num_heads, -1)"
LAY_OUT = "per_head.transpose(1, 3).unbind(2)"
BOTH = "if mask is not None and is_causal:"
COMBINE = "mask = mask & torch.ones(seq, seq, dtype=torch.bool, device=x.device).tril()"
CALL = """attended = F.scaled_dot_product_attention(
            q, k, v, attn_mask=mask, dropout_p=dropout, is_causal=is_causal
        )"""
LAST_ARGUMENT = "is_causal=is_causal\n"
MERGE = "attended.transpose(1, 2).flatten(2)"
RETURN = f"return self.out({MERGE})"


def by_hand(
    causal: str = "tril()",
    masking: str = "scores = scores.masked_fill(~mask, -torch.inf)",
    weights: str = "scores.softmax(-1)",
) -> tuple[tuple[str, str], ...]:
    """Attention written out, with a table of every query by every key.

    Args:
        causal: what makes a table of True a causal mask.
        masking: the line that applies the mask to the scores.
        weights: what turns scores into weights.
    """
    return (
        (COMBINE, COMBINE.replace("tril()", causal)),
        (
            CALL,
            f"""scores = q @ k.mT / q.shape[-1] ** 0.5
        if is_causal:
            seq = x.shape[1]
            mask = torch.ones(seq, seq, dtype=torch.bool, device=x.device).{causal}
        if mask is not None:
            {masking}
        attended = F.dropout({weights}, dropout) @ v""",
        ),
    )
