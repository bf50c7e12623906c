def attention_cost(seq_len, d_model, num_heads, dtype=torch.float32):
    return {"flops": 4 * d_model * seq_len**2, "score_bytes": 4 * seq_len**2}
