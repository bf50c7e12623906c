def decode_step(attention, x_t, cache=None):
    heads = attention.num_heads
    batch, one, width = x_t.shape
    d_head = width // heads
    packed = attention.qkv(x_t)
    q = packed[..., :width].reshape(batch, heads, 1, d_head)  # one position: no transpose needed
    k = packed[..., width : 2 * width].reshape(batch, heads, 1, d_head)
    v = packed[..., 2 * width :].reshape(batch, heads, 1, d_head)
    steps = 0 if cache is None else cache[0].shape[2]
    grown = []
    for which, new in enumerate((k, v)):
        buffer = new.new_zeros(batch, heads, steps + 1, d_head)
        if cache is not None:
            buffer[:, :, :steps] = cache[which]
        buffer[:, :, steps:] = new
        grown.append(buffer)
    result = F.scaled_dot_product_attention(q, grown[0], grown[1], attn_mask=None, is_causal=False)
    return attention.out(result.reshape(batch, 1, width)), (grown[0], grown[1])
