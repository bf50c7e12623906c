def padding_mask(valid_len, max_len):
    valid_len = torch.as_tensor(valid_len)
    mask = torch.arange(max_len, dtype=torch.float32)[:, None] < valid_len[None, :]
    return mask.float()
