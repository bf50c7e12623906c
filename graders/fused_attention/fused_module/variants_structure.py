"""Right answers to FusedMultiHeadAttention whose operations are unusual."""

from graders.fused_attention.fused_module.variants_module import forward

ATTEND = """
if mask is not None and is_causal:
    mask, is_causal = mask & torch.ones(s, s, dtype=torch.bool, device=x.device).tril(), False
y = F.scaled_dot_product_attention(
    q, k, v, attn_mask=mask, dropout_p=self.dropout if self.training else 0.0, is_causal=is_causal
)
"""

VARIANTS = (
    forward(
        "the weight itself, by einsum",
        """
b, s, d = x.shape
w = self.qkv.weight.view(3, self.num_heads, self.d_head, d)
q, k, v = torch.einsum("bsd,thed->tbhse", x, w)
if self.qkv.bias is not None:
    q, k, v = (
        t + bias.view(self.num_heads, 1, self.d_head)
        for t, bias in zip((q, k, v), self.qkv.bias.split(d))
    )
"""
        + ATTEND
        + """
return F.linear(y.movedim(1, 2).reshape(x.shape), self.out.weight, self.out.bias)
""",
    ),
    forward(
        "a product with the weight turned, then tensor_split",
        """
b, s, d = x.shape
qkv = x.flatten(0, 1) @ self.qkv.weight.T
if self.qkv.bias is not None:
    qkv += self.qkv.bias
q, k, v = (
    t.view(b, s, self.num_heads, self.d_head).permute(0, 2, 1, 3)
    for t in qkv.tensor_split(3, dim=1)
)
"""
        + ATTEND
        + """
merged = torch.empty_like(x).type_as(y)
merged.view(b, s, self.num_heads, -1)[:] = y.transpose(1, 2)
return self.out(merged)
""",
    ),
    forward(
        "called by its parameters, token by token in vmap",
        """
b, s, d = x.shape
qkv = torch.func.functional_call(self.qkv, dict(self.qkv.named_parameters()), (x,))
q, k, v = torch.func.vmap(lambda row: row.reshape(3, self.num_heads, s, -1), in_dims=0, out_dims=1)(
    qkv.unflatten(-1, (3, self.num_heads, -1)).movedim(1, 3)
)
"""
        + ATTEND
        + """
return self.out(torch.cat(y.unbind(1), dim=-1))
""",
    ),
    forward(
        "the triangle of the widened mask",
        """
b, s, d = x.shape
q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
if mask is not None and is_causal:
    mask, is_causal = mask.expand(b, self.num_heads, s, s).tril(), False
p = self.dropout if self.training else 0.0
y = F.scaled_dot_product_attention(q, k, v, mask, p, is_causal, enable_gqa=True)
return self.out(y.transpose(1, 2).flatten(2))
""",
    ),
    forward(
        "minus infinity put in by index, a second time where causal",
        """
b, s, d = x.shape
q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
if mask is not None:
    bias = q.new_zeros(b, self.num_heads, s, s)
    bias[~mask.expand_as(bias)] = float("-inf")
    if is_causal:
        bias = bias + torch.full((s, s), float("-inf"), dtype=q.dtype, device=x.device).triu(1)
    mask, is_causal = bias, False
p = self.dropout if self.training else 0.0
y = F.scaled_dot_product_attention(q, k, v, mask, p, is_causal)
return self.out(y.transpose(1, 2).flatten(2))
""",
    ),
    forward(
        "the lowest number times what is forbidden",
        """
b, s, d = x.shape
q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
if mask is not None:
    past = torch.ones(s, s, device=x.device, dtype=torch.bool).tril()
    mask = mask.masked_fill(~past, False) if is_causal else mask
    mask, is_causal = (1.0 - mask.to(q.dtype)) * torch.finfo(q.dtype).min, False
y = F.scaled_dot_product_attention(
    q.contiguous(), k.contiguous(), v.contiguous(), attn_mask=mask, is_causal=is_causal,
    dropout_p=self.training * self.dropout,
)
return self.out(y.movedim(1, 2).reshape(b, s, d))
""",
    ),
    forward(
        "three axes under a mask, four without",
        """
b, s, d = x.shape
q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
p = self.dropout if self.training else 0.0
if mask is None:
    y = F.scaled_dot_product_attention(q, k, v, dropout_p=p, is_causal=is_causal)
else:
    mask = mask.expand(b, self.num_heads, s, s)
    if is_causal:
        past = nn.Transformer.generate_square_subsequent_mask(s, device=x.device).isfinite()
        mask = torch.where(past, mask, False)
    folded = (t.flatten(0, 1) for t in (q, k, v, mask))
    y = F.scaled_dot_product_attention(*folded, dropout_p=p).unflatten(0, (b, -1))
return self.out(y.transpose(1, 2).flatten(2))
""",
    ),
    forward(
        "a causal mask kept from the first call on, made anew on another device",
        """
b, s, d = x.shape
q, k, v = self.qkv(x).unflatten(-1, (3, self.num_heads, -1)).permute(2, 0, 3, 1, 4)
if is_causal and mask is not None:
    past = getattr(self, "past", None)
    if past is None or past.shape[0] < s or past.device != x.device:
        self.past = past = torch.ones(s, s, dtype=torch.bool, device=x.device).tril()
    mask, is_causal = mask & past[:s, :s], False
y = F.scaled_dot_product_attention(
    q, k, v, attn_mask=mask, dropout_p=self.dropout if self.training else 0.0, is_causal=is_causal
)
return self.out(y.transpose(1, 2).flatten(2))
""",
    ),
)
