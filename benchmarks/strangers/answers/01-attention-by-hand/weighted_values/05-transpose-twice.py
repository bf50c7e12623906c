def weighted_values(weights, v):
    v_cols = v.transpose(-1, -2)
    w_cols = weights.transpose(-1, -2)
    out_cols = torch.matmul(v_cols, w_cols)   # (..., d_v, queries)
    return out_cols.transpose(-1, -2)
