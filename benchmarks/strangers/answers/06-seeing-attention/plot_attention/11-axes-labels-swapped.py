def plot_attention(weights, tokens, ax=None):
    if not weights.shape[0] == weights.shape[1] == len(tokens):
        raise ValueError(f"{weights.shape[0]} x {weights.shape[1]} weights for {len(tokens)} tokens")
    if ax is None:
        fig, ax = plt.subplots()
    im = ax.imshow(weights.detach().cpu().to(torch.float32).numpy(), vmin=0.0, vmax=1.0)
    ax.set_xticks(np.arange(len(tokens)), labels=tokens, rotation=90)
    ax.set_yticks(np.arange(len(tokens)), labels=tokens)
    ax.set_xlabel("query")
    ax.set_ylabel("key")
    ax.figure.colorbar(im, ax=ax, label="attention")
    return ax
