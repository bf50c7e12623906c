D_K = 64  # as in the paper

def scaled_scores(q, k):
    return torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(D_K)
