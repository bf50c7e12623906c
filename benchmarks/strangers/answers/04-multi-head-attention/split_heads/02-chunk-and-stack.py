def split_heads(x: Float[Tensor, "batch seq d_model"], num_heads: int):
    # every head gets a slice, then I pile up the slices on a new axis 1
    width = x.shape[2]
    try:
        d_head, rest = divmod(width, num_heads)
    except ZeroDivisionError:
        rest = 1
    if rest or num_heads < 0:
        raise ValueError("cannot share out " + str(width) + " features over " + str(num_heads) + " heads")
    pieces = torch.chunk(x, num_heads, dim=-1)
    return torch.stack(pieces, dim=1)
