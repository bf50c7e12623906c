def _product_flops(rows, inner, columns):
    return 2 * rows * inner * columns  # 2 per multiply-add


def attention_cost(seq_len, d_model, num_heads, dtype, verbose=False):
    one = torch.ones((), dtype=dtype)
    flops = _product_flops(seq_len, d_model, seq_len) + _product_flops(seq_len, seq_len, d_model)
    memory = num_heads * seq_len**2 * one.untyped_storage().nbytes()
    if verbose:
        print(f"{flops:,} flops, {memory / 2**20:.1f} MiB")
    return {"score_bytes": memory, "flops": flops}
