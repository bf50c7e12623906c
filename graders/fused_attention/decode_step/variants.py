"""Right answers to decode_step."""

from functools import partial

from autograder.bank import Variant

decoding = partial(Variant, "decode_step")

VARIANTS = (
    decoding(
        "chunk, view and transpose",
        """
        def decode_step(attention, x_t, cache=None):
            b, _, d = x_t.shape
            h = attention.num_heads
            q, k, v = attention.qkv(x_t).chunk(3, dim=-1)
            q, k, v = (t.view(b, 1, h, d // h).transpose(1, 2) for t in (q, k, v))
            if cache is not None:
                k = torch.cat([cache[0], k], dim=-2)
                v = torch.cat([cache[1], v], dim=-2)
            y = F.scaled_dot_product_attention(q, k, v)
            return attention.out(y.reshape(b, 1, d)), (k, v)
        """,
    ),
    decoding(
        "written out, without gradients",
        """
        @torch.no_grad()
        def decode_step(attention, x_t, cache=None):
            batch, one, width = x_t.shape
            qkv = F.linear(x_t, attention.qkv.weight, attention.qkv.bias)
            qkv = qkv.view(batch, one, 3, attention.num_heads, -1).permute(2, 0, 3, 1, 4)
            q, k, v = qkv[0], qkv[1], qkv[2]
            if cache is not None:
                past_k, past_v = cache
                k, v = torch.cat((past_k, k), 2), torch.cat((past_v, v), 2)
            scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / q.shape[-1] ** 0.5
            y = torch.einsum("bhqk,bhkd->bqhd", scores.softmax(-1), v)
            return attention.out(y.flatten(2)), (k, v)
        """,
    ),
    decoding(
        "an empty cache to begin with, and a list",
        """
        def decode_step(attention, x_t, cache=None):
            heads = attention.num_heads
            q, k, v = (
                t.unflatten(-1, (heads, -1)).movedim(-2, 1)
                for t in attention.qkv(x_t).split(x_t.shape[-1], dim=-1)
            )
            if cache is None:
                cache = (k[:, :, :0], v[:, :, :0])
            cache = [torch.cat(pair, dim=2) for pair in zip(cache, (k, v))]
            mask = torch.ones(1, cache[0].shape[2], dtype=torch.bool, device=x_t.device)
            y = F.scaled_dot_product_attention(q, *cache, attn_mask=mask)
            return attention.out(y.transpose(1, 2).flatten(-2)), cache
        """,
    ),
    decoding(
        "a longer tensor filled",
        """
        def decode_step(attention, x_t, cache=None):
            def heads(t):
                return t.reshape(t.shape[0], 1, attention.num_heads, -1).transpose(1, 2)

            def grown(old, new):
                if old is None:
                    return new
                longer = new.new_empty(*old.shape[:2], old.shape[2] + 1, old.shape[3])
                longer[:, :, :-1], longer[:, :, -1:] = old, new
                return longer

            d = x_t.shape[-1]
            qkv = attention.qkv(x_t)
            q, k, v = heads(qkv[..., :d]), heads(qkv[..., d:2 * d]), heads(qkv[..., 2 * d:])
            old_k, old_v = cache if cache is not None else (None, None)
            k, v = grown(old_k, k), grown(old_v, v)
            weights = torch.softmax((q * k).sum(-1, keepdim=True) * q.shape[-1] ** -0.5, dim=2)
            y = (weights * v).sum(2).flatten(1).unsqueeze(1)
            return attention.out(y), (k, v)
        """,
    ),
)
