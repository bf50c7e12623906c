def attention_cost(seq_len, d_model, num_heads, dtype):
    table = torch.empty(num_heads, seq_len, seq_len, dtype=dtype, device="meta")
    flops = 0
    for feature in range(d_model):  # whichever head it belongs to
        for product in ("q k", "w v"):
            flops += 2 * seq_len * seq_len
    return {"flops": flops, "score_bytes": table.nelement() * table.element_size()}
