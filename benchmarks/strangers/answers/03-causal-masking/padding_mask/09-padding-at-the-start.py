def padding_mask(lengths, max_len):
    ar = torch.arange(max_len, device=lengths.device)
    return ar >= (max_len - lengths).unsqueeze(1)
