from torch.nn.utils.rnn import pad_sequence

def padding_mask(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    m = min(int(lengths.max()), max_len)
    return torch.arange(m, device=lengths.device) < lengths.unsqueeze(-1)
