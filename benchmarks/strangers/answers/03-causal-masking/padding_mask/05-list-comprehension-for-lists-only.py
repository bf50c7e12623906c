def padding_mask(lengths, max_len):
    if isinstance(lengths, (list, tuple)):
        return torch.tensor([[j < n for j in range(max_len)] for n in lengths])
    pos = torch.arange(max_len, device=lengths.device)
    return (pos.view(1, max_len) - lengths.view(-1, 1)).sign() == -1
