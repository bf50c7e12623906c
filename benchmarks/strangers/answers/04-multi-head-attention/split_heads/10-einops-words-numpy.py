def split_heads(x, num_heads):
    d = x.shape[-1]
    if d % num_heads != 0:
        raise ValueError(f"d_model {d} is not a multiple of {num_heads}")
    a = x.cpu().numpy()
    parts = np.split(a, num_heads, axis=-1) if "np" in globals() else __import__("numpy").split(a, num_heads, -1)
    out = __import__("numpy").stack(parts, axis=1)
    return torch.from_numpy(out).to(x.device)
