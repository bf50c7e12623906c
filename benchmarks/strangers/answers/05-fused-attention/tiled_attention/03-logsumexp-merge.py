def tiled_attention(q, k, v, block_size, is_causal=False):
    q = q / math.sqrt(q.shape[-1])
    positions = torch.arange(q.shape[-2], device=q.device)[:, None]
    out, lse = None, None
    for begin in range(0, k.shape[-2], block_size):
        keys = k[..., begin : begin + block_size, :]
        values = v[..., begin : begin + block_size, :]
        scores = q @ keys.mT
        if is_causal:
            here = torch.arange(begin, begin + keys.shape[-2], device=q.device)
            # a large negative number, so that rows without a key give no nan
            scores = torch.where(here <= positions, scores, torch.finfo(q.dtype).min / 4)
        block_lse = torch.logsumexp(scores, dim=-1, keepdim=True)
        block_out = torch.exp(scores - block_lse) @ values
        if out is None:
            out, lse = block_out, block_lse
        else:
            both = torch.logaddexp(lse, block_lse)
            out = out * torch.exp(lse - both) + block_out * torch.exp(block_lse - both)
            lse = both
    return out
