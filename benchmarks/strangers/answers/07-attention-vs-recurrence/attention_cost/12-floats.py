def attention_cost(seq_len, d_model, num_heads, dtype):
    n2 = math.pow(seq_len, 2)
    return {"flops": 4 * n2 * d_model, "score_bytes": num_heads * n2 * torch.finfo(dtype).bits / 8}
