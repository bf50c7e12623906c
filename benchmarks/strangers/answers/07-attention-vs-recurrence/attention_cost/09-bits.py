def attention_cost(seq_len, d_model, num_heads, dtype):
    size = torch.finfo(dtype).bits
    return {"flops": 4 * seq_len * seq_len * d_model, "score_bytes": num_heads * seq_len * seq_len * size}
