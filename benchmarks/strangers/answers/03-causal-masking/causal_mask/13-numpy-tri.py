import numpy as np

def causal_mask(seq_len, device=None):
    mask = torch.from_numpy(np.tri(seq_len, dtype=bool))
    return mask.to(device) if device is not None else mask
