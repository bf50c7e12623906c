def attention_cost(seq_len, d_model, num_heads, dtype):
    n2 = seq_len * seq_len
    cost = {}
    cost["flops"] = 2 * (n2 * d_model + n2 * d_model)
    cost["score_bytes"] = num_heads * n2 * (torch.finfo(dtype).bits // 8)
    return cost
