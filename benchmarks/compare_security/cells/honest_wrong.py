"""An honest wrong answer, that every attack but those on secrets gives too: no marks anywhere."""

import torch


def causal_mask(seq_len, device=None):
    return torch.ones(seq_len, seq_len, dtype=torch.bool)
