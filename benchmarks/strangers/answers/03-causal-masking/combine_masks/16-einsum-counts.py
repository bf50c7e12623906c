def combine_masks(causal, padding):
    both = torch.einsum("ij,bj->bij", causal.float(), padding.float())
    return (both > 0.5).unsqueeze(1)
