import numpy as np

def fuse_qkv(w_q, w_k, w_v):
    parts = [w.detach().cpu().numpy() for w in (w_q, w_k, w_v)]
    return torch.from_numpy(np.concatenate(parts, axis=0))
