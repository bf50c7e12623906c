def simple_attention(x):
    B, T, C = x.shape
    x /= x.norm(dim=-1, keepdim=True)
    w = torch.softmax(torch.bmm(x, x.transpose(1, 2)), dim=2)
    return torch.bmm(w, x), w
