def scaled_scores(q, k):
    dk = torch.tensor(q.shape[-1], dtype=q.dtype, device=q.device)
    return torch.div(dot_product_scores(q, k), torch.sqrt(dk))
