def attention_entropy(weights):
    w = weights.detach().cpu().numpy()
    with np.errstate(divide="ignore", invalid="ignore"):
        h = -np.where(w > 0, w * np.log(w), 0).sum(axis=-1)
    return torch.from_numpy(np.asarray(h)).to(weights.dtype)
