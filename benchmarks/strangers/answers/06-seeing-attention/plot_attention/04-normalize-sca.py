import matplotlib.colors as mcolors

def plot_attention(weights, tokens, ax=None):
    if not (len(tokens) == weights.size(0) == weights.size(1)):
        raise ValueError(f"len(tokens)={len(tokens)}, weights.shape={list(weights.shape)}")
    with torch.no_grad():
        w = weights.cpu().to(torch.float64).numpy()
    if ax is None:
        plt.figure()
        ax = plt.gca()
    plt.sca(ax)
    plt.imshow(w, norm=mcolors.Normalize(vmin=0, vmax=1), aspect="auto")
    plt.colorbar(label="attention weight")
    plt.sca(ax)
    plt.xticks(np.arange(len(tokens)), tokens, rotation="vertical")
    plt.yticks(np.arange(len(tokens)), tokens)
    plt.xlabel("Key position")
    plt.ylabel("Query position")
    return ax
