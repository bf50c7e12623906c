def weighted_values(weights, v):
    w = weights.detach().cpu().numpy()
    vals = v.detach().cpu().numpy()
    return torch.from_numpy(np.dot(w, vals))
