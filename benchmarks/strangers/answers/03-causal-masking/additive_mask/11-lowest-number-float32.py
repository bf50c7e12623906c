def additive_mask(mask, dtype):
    fill = torch.finfo(torch.float32).min
    return torch.where(mask, torch.tensor(0.0), torch.tensor(fill)).float()
