"""Right answers to triton_attention."""

from functools import partial

from autograder.bank import Variant

kernel = partial(Variant, "triton_attention")

VARIANTS = (
    kernel(
        "strides passed, so that nothing is copied",
        """
        @triton.jit
        def attend(
            Q, K, V, O, sqh, sqn, sqd, skh, skn, skd, svh, svn, svd, soh, son, sod,
            n_q, n_k, d_k, d_v, scale, CAUSAL: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
            DK: tl.constexpr, DV: tl.constexpr,
        ):
            pid, head = tl.program_id(0), tl.program_id(1)
            m_idx = pid * BM + tl.arange(0, BM)
            dk, dv = tl.arange(0, DK), tl.arange(0, DV)
            q = tl.load(
                Q + head * sqh + m_idx[:, None] * sqn + dk[None, :] * sqd,
                mask=(m_idx[:, None] < n_q) & (dk[None, :] < d_k), other=0.0,
            ).to(tl.float32)
            q = q * (scale * 1.4426950408889634)  # powers of 2 in place of e
            m = tl.zeros([BM], dtype=tl.float32) - float("inf")
            l = tl.zeros([BM], dtype=tl.float32)
            acc = tl.zeros([BM, DV], dtype=tl.float32)
            for start in range(0, n_k, BN):
                n_idx = start + tl.arange(0, BN)
                k = tl.load(  # already turned
                    K + head * skh + n_idx[None, :] * skn + dk[:, None] * skd,
                    mask=(n_idx[None, :] < n_k) & (dk[:, None] < d_k), other=0.0,
                ).to(tl.float32)
                s = tl.dot(q, k, input_precision="ieee")
                s = tl.where(n_idx[None, :] < n_k, s, float("-inf"))
                if CAUSAL:
                    s = tl.where(m_idx[:, None] >= n_idx[None, :], s, float("-inf"))
                m_new = tl.maximum(m, tl.max(s, 1))
                p = tl.exp2(s - m_new[:, None])
                alpha = tl.exp2(m - m_new)
                l = l * alpha + tl.sum(p, 1)
                v = tl.load(
                    V + head * svh + n_idx[:, None] * svn + dv[None, :] * svd,
                    mask=(n_idx[:, None] < n_k) & (dv[None, :] < d_v), other=0.0,
                ).to(tl.float32)
                acc = acc * alpha[:, None] + tl.dot(p, v, input_precision="ieee")
                m = m_new
            tl.store(
                O + head * soh + m_idx[:, None] * son + dv[None, :] * sod, acc / l[:, None],
                mask=(m_idx[:, None] < n_q) & (dv[None, :] < d_v),
            )

        def triton_attention(q, k, v, is_causal=False):
            if q.size(-1) != k.size(-1):
                raise ValueError(f"d_k differs: {q.size(-1)} and {k.size(-1)}")
            if k.size(-2) != v.size(-2):
                raise ValueError(f"{k.size(-2)} keys, {v.size(-2)} values")
            shape = q.shape[:-1] + v.shape[-1:]
            q, k, v = (t.reshape(-1, *t.shape[-2:]) for t in (q, k, v))
            o = q.new_empty((*q.shape[:-1], v.size(-1)))
            grid = (triton.cdiv(q.size(1), 16), q.size(0))
            attend[grid](
                q, k, v, o, *q.stride(), *k.stride(), *v.stride(), *o.stride(),
                q.size(1), k.size(1), q.size(2), v.size(2), q.size(2) ** -0.5,
                CAUSAL=is_causal, BM=16, BN=64,
                DK=max(triton.next_power_of_2(q.size(2)), 16),
                DV=max(triton.next_power_of_2(v.size(2)), 16),
            )
            return o.view(shape)
        """,
    ),
    kernel(
        "one query a program, sums in place of dot",
        """
        @triton.jit
        def one_query(q_ptr, k_ptr, v_ptr, o_ptr, queries, keys, d_k, d_v, scale,
                      causal: tl.constexpr, BLOCK: tl.constexpr, DK: tl.constexpr,
                      DV: tl.constexpr):
            row = tl.program_id(0)
            head, place = row // queries, row % queries
            dk, dv = tl.arange(0, DK), tl.arange(0, DV)
            q = tl.load(q_ptr + row * d_k + dk, mask=dk < d_k, other=0.0).to(tl.float32) * scale
            m = -float("inf")
            l = 0.0
            o = tl.zeros((DV,), tl.float32)
            for start in range(0, keys, BLOCK):
                j = start + tl.arange(0, BLOCK)
                seen = j < keys
                if causal:
                    seen = seen & (j <= place)
                at = head * keys + j
                k = tl.load(k_ptr + at[:, None] * d_k + dk[None, :],
                            mask=seen[:, None] & (dk[None, :] < d_k), other=0.0)
                v = tl.load(v_ptr + at[:, None] * d_v + dv[None, :],
                            mask=seen[:, None] & (dv[None, :] < d_v), other=0.0)
                s = tl.where(seen, tl.sum(k.to(tl.float32) * q[None, :], axis=1), -1e38)
                new = tl.maximum(m, tl.max(s, axis=0))
                p = tl.where(seen, tl.exp(s - new), 0.0)
                l = l * tl.exp(m - new) + tl.sum(p, axis=0)
                o = o * tl.exp(m - new) + tl.sum(p[:, None] * v.to(tl.float32), axis=0)
                m = new
            tl.store(o_ptr + row * d_v + dv, o / l, mask=dv < d_v)

        def triton_attention(q, k, v, is_causal=False):
            *lead, queries, d_k = q.shape
            keys, d_v = v.shape[-2:]
            if k.shape[-2] != keys or k.shape[-1] != d_k:
                raise ValueError(f"q {tuple(q.shape)}, k {tuple(k.shape)} and v {tuple(v.shape)}")
            o = q.new_zeros((*lead, queries, d_v))
            one_query[(math.prod(lead) * queries,)](
                q.contiguous(), k.contiguous(), v.contiguous(), o, queries, keys, d_k, d_v,
                d_k ** -0.5, is_causal, 128,
                triton.next_power_of_2(d_k), triton.next_power_of_2(d_v),
            )
            return o
        """,
    ),
    kernel(
        "two passes, the first for maximum and sum, heads one after the other",
        """
        @triton.jit
        def scores_of(q, k_ptr, cols, rows, keys, d_k, dk, scale, causal: tl.constexpr):
            k = tl.load(k_ptr + cols[:, None] * d_k + dk[None, :],
                        mask=(cols[:, None] < keys) & (dk[None, :] < d_k), other=0.0)
            s = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
            allowed = cols[None, :] < keys
            if causal:
                allowed &= cols[None, :] <= rows[:, None]
            return tl.where(allowed, s, float("-inf"))

        @triton.jit
        def two_passes(q_ptr, k_ptr, v_ptr, o_ptr, queries, keys, d_k, d_v, scale,
                       causal: tl.constexpr, BQ: tl.constexpr, BK: tl.constexpr,
                       DK: tl.constexpr, DV: tl.constexpr):
            rows = tl.program_id(0) * BQ + tl.arange(0, BQ)
            dk, dv = tl.arange(0, DK), tl.arange(0, DV)
            q = tl.load(q_ptr + rows[:, None] * d_k + dk[None, :],
                        mask=(rows[:, None] < queries) & (dk[None, :] < d_k), other=0.0)
            m = tl.full((BQ,), float("-inf"), tl.float32)
            l = tl.zeros((BQ,), tl.float32)
            for start in range(0, keys, BK):
                cols = start + tl.arange(0, BK)
                s = scores_of(q, k_ptr, cols, rows, keys, d_k, dk, scale, causal)
                new = tl.maximum(m, tl.max(s, 1))
                l = l * tl.exp(m - new) + tl.sum(tl.exp(s - new[:, None]), 1)
                m = new
            o = tl.zeros((BQ, DV), tl.float32)
            for start in range(0, keys, BK):
                cols = start + tl.arange(0, BK)
                s = scores_of(q, k_ptr, cols, rows, keys, d_k, dk, scale, causal)
                w = tl.exp(s - m[:, None]) / l[:, None]
                v = tl.load(v_ptr + cols[:, None] * d_v + dv[None, :],
                            mask=(cols[:, None] < keys) & (dv[None, :] < d_v), other=0.0)
                o += tl.dot(w, v.to(tl.float32), input_precision="ieee")
            tl.store(o_ptr + rows[:, None] * d_v + dv[None, :], o.to(o_ptr.dtype.element_ty),
                     mask=(rows[:, None] < queries) & (dv[None, :] < d_v))

        def triton_attention(q, k, v, is_causal=False):
            if k.shape[-1] != q.shape[-1]:
                raise ValueError(f"widths {q.shape[-1]} and {k.shape[-1]} differ")
            if k.shape[-2] != v.shape[-2]:
                raise ValueError(f"{k.shape[-2]} keys but {v.shape[-2]} values")
            flat = [t.contiguous().view(-1, *t.shape[-2:]) for t in (q, k, v)]
            out = q.new_empty(*flat[0].shape[:2], v.shape[-1])
            for qh, kh, vh, oh in zip(*flat, out):
                (n, d_k), (keys, d_v) = qh.shape, vh.shape
                two_passes[(triton.cdiv(n, 32),)](
                    qh, kh, vh, oh, n, keys, d_k, d_v, 1 / math.sqrt(d_k), is_causal,
                    BQ=32, BK=16, DK=max(16, triton.next_power_of_2(d_k)),
                    DV=max(16, triton.next_power_of_2(d_v)),
                )
            return out.view(*q.shape[:-1], v.shape[-1])
        """,
    ),
    kernel(
        "always normalised, in a float32 tensor, kernel inside",
        """
        def triton_attention(q, k, v, is_causal=False):
            if k.shape[-1] != q.shape[-1] or k.shape[-2] != v.shape[-2]:
                raise ValueError(f"{tuple(q.shape)}, {tuple(k.shape)}, {tuple(v.shape)} do not fit")

            @triton.jit
            def kernel(qp, kp, vp, op, nq, nk, dk, dv, scale, causal: tl.constexpr,
                       B: tl.constexpr, WK: tl.constexpr, WV: tl.constexpr):
                h = tl.program_id(0)
                i = tl.program_id(1) * B + tl.arange(0, B)
                a, b = tl.arange(0, WK), tl.arange(0, WV)
                q = tl.load(qp + (h * nq + i[:, None]) * dk + a[None, :],
                            mask=(i[:, None] < nq) & (a[None, :] < dk), other=0.0).to(tl.float32)
                out = tl.zeros((B, WV), tl.float32)
                lse = tl.full((B,), float("-inf"), tl.float32)
                for s in range(0, nk, B):
                    j = s + tl.arange(0, B)
                    kk = tl.load(kp + (h * nk + j[:, None]) * dk + a[None, :],
                                 mask=(j[:, None] < nk) & (a[None, :] < dk), other=0.0)
                    vv = tl.load(vp + (h * nk + j[:, None]) * dv + b[None, :],
                                 mask=(j[:, None] < nk) & (b[None, :] < dv), other=0.0)
                    x = tl.dot(q, tl.trans(kk.to(tl.float32)), input_precision="ieee") * scale
                    x = tl.where(j[None, :] < nk, x, float("-inf"))
                    if causal:
                        x = tl.where(j[None, :] <= i[:, None], x, float("-inf"))
                    top = tl.maximum(lse, tl.max(x, 1))
                    p = tl.exp(x - top[:, None])
                    kept = tl.exp(lse - top)
                    mass = kept + tl.sum(p, 1)
                    new = tl.dot(p, vv.to(tl.float32), input_precision="ieee")
                    out = (out * kept[:, None] + new) / mass[:, None]
                    lse = top + tl.log(mass)
                tl.store(op + (h * nq + i[:, None]) * dv + b[None, :], out,
                         mask=(i[:, None] < nq) & (b[None, :] < dv))

            heads, nq, nk = q[..., 0, 0].numel(), q.shape[-2], k.shape[-2]
            dk, dv = q.shape[-1], v.shape[-1]
            o = q.float().new_empty((*q.shape[:-1], dv))
            kernel[lambda meta: (heads, triton.cdiv(nq, meta["B"]))](
                q.contiguous(), k.contiguous(), v.contiguous(), o, nq, nk, dk, dv, dk ** -0.5,
                causal=is_causal, B=64, WK=max(16, 2 ** (dk - 1).bit_length()),
                WV=max(16, 2 ** (dv - 1).bit_length()),
            )
            return o.to(q.dtype)
        """,
    ),
)
