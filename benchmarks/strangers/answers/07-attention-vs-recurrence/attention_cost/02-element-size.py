def attention_cost(seq_len: int, d_model: int, num_heads: int, dtype: torch.dtype) -> dict[str, int]:
    bytes_per_number = torch.empty(0, dtype=dtype).element_size()
    qk = 2 * seq_len * seq_len * d_model
    wv = 2 * seq_len * seq_len * d_model
    scores = num_heads * seq_len * seq_len
    result = dict(flops=qk + wv, score_bytes=scores * bytes_per_number)
    print(result)
    return result
