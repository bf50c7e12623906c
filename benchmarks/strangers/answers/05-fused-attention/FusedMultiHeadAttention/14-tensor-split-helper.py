class FusedMultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        ok = num_heads >= 1 and d_model // max(num_heads, 1) * num_heads == d_model
        if not ok:
            raise ValueError("%s heads for width %s" % (num_heads, d_model))
        self.num_heads = num_heads
        self.rate = float(dropout)
        self.add_module("qkv", nn.Linear(d_model, 3 * d_model, bias=bias))
        self.add_module("out", nn.Linear(d_model, d_model, bias=bias))

    @staticmethod
    def _join(mask, is_causal, seq, device):
        if mask is None or not is_causal:
            return mask, is_causal
        rows = torch.arange(seq, device=device).unsqueeze(1)
        columns = torch.arange(seq, device=device).unsqueeze(0)
        return mask & (columns <= rows), False

    def forward(self, x, mask=None, is_causal=False):
        batch, seq, d_model = x.shape
        packed = F.linear(x, self.qkv.weight, self.qkv.bias)
        split = [
            part.reshape(batch, seq, self.num_heads, -1).swapaxes(1, 2)
            for part in torch.tensor_split(packed, 3, dim=-1)
        ]
        mask, is_causal = self._join(mask, is_causal, seq, x.device)
        heads = F.scaled_dot_product_attention(
            *split, attn_mask=mask, is_causal=is_causal, dropout_p=self.rate if self.training else 0.0
        )
        return self.out(torch.cat(heads.unbind(1), dim=-1))
