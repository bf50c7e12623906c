def _factor(width):
    return math.pow(width, -0.5)

def scaled_scores(q, k, *, scale=None):
    scale = _factor(k.shape[-1]) if scale is None else scale
    return scale * torch.matmul(q, k.transpose(k.dim() - 2, k.dim() - 1))
