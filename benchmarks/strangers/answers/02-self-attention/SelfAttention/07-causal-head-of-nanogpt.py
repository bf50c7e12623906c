class SelfAttention(nn.Module):
    """ one head of self-attention """
    def __init__(self, d_model, d_k, d_v, bias=False, block_size=256):
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k, bias=bias)
        self.w_k = nn.Linear(d_model, d_k, bias=bias)
        self.w_v = nn.Linear(d_model, d_v, bias=bias)
        self.register_buffer('tril', torch.tril(torch.ones(block_size, block_size)), persistent=False)

    def forward(self, x, mask=None):
        T = x.shape[-2]
        q = self.w_q(x)
        k = self.w_k(x)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float('-inf'))
        wei = F.softmax(wei, dim=-1)
        return wei @ self.w_v(x), wei
