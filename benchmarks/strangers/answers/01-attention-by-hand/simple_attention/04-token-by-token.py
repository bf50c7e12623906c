def simple_attention(x):
    outputs, weights = [], []
    n = x.shape[-2]
    for i in range(n):
        x_i = x[..., i, :]
        score = torch.stack([(x_i * x[..., j, :]).sum(-1) for j in range(n)], dim=-1)
        w = torch.softmax(score, dim=-1)
        o = sum(w[..., j, None] * x[..., j, :] for j in range(n))
        outputs.append(o)
        weights.append(w)
    return torch.stack(outputs, dim=-2), torch.stack(weights, dim=-2)
