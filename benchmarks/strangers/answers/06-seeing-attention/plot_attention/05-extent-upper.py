from matplotlib.ticker import FixedFormatter, FixedLocator

def plot_attention(weights, tokens, ax=None):
    seq = weights.shape[0]
    for side in weights.shape:
        if side != len(tokens):
            raise ValueError(f"{len(tokens)} tokens given, {side} needed")
    ax = ax if ax is not None else plt.subplots(layout="constrained")[1]
    picture = ax.imshow(
        weights.detach().float().cpu(), vmin=0, vmax=1, cmap="magma", extent=(0, seq, seq, 0)
    )
    middles = [i + 0.5 for i in range(seq)]
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(FixedLocator(middles))
        axis.set_major_formatter(FixedFormatter(list(tokens)))
    ax.tick_params(axis="x", labelrotation=90)
    ax.set_xlabel("keys →")
    ax.set_ylabel("← queries")
    ax.get_figure().colorbar(picture, ax=ax)
    return ax
