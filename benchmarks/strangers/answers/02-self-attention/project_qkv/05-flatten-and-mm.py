def project_qkv(x, w_q, w_k, w_v):
    d_model = x.shape[-1]
    rows = x.reshape(-1, d_model)

    def back(flat):
        return flat.reshape(*x.shape[:-1], flat.shape[-1])

    return back(rows.mm(w_q)), back(rows.mm(w_k)), torch.tensordot(x, w_v, dims=1)
