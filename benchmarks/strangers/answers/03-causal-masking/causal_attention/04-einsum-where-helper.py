def _check(q, k):
    num_q, num_k = q.shape[-2], k.shape[-2]
    if num_q != num_k:
        raise ValueError(
            f"causal attention needs equal lengths, but q has {num_q} rows and k has {num_k}."
        )
    return num_q

def causal_attention(
    q: Float[Tensor, "... seq d_k"],
    k: Float[Tensor, "... seq d_k"],
    v: Float[Tensor, "... seq d_v"],
) -> tuple[Float[Tensor, "... seq d_v"], Float[Tensor, "... seq seq"]]:
    n = _check(q, k)
    pos = torch.arange(n, device=q.device)
    s = torch.einsum("...id,...jd->...ij", q * q.shape[-1] ** -0.5, k)
    s = torch.where(pos[:, None] >= pos, s, -torch.inf)
    w = s.softmax(-1)
    return torch.einsum("...ij,...jd->...id", w, v), w
