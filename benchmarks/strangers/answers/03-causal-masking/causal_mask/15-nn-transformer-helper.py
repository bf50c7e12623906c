from torch import nn

def causal_mask(seq_len, device=None):
    additive = nn.Transformer.generate_square_subsequent_mask(seq_len, device=device)
    return additive == 0
