def to_torch_mask(mask):
    yes = torch.tensor(True, device=mask.device)
    no = torch.tensor(False, device=mask.device)
    return torch.where(mask, no, yes)
