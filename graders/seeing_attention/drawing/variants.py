"""Right answers to plot_attention and compare_attention."""

from functools import partial

from autograder.bank import Variant

plot = partial(Variant, "plot_attention")
compare = partial(Variant, "compare_attention")

PLOT = (
    plot(
        "pcolormesh, turned round",
        """
        def plot_attention(weights, tokens, ax=None):
            n = len(tokens)
            if list(weights.shape) != [n, n]:
                raise ValueError(f"{list(weights.shape)} weights, {n} tokens")
            if ax is None:
                fig, ax = plt.subplots()
            mesh = ax.pcolormesh(weights.detach().cpu().double().numpy(), vmin=0, vmax=1)
            ax.invert_yaxis()
            plt.colorbar(mesh, ax=ax)
            middles = [i + 0.5 for i in range(n)]
            ax.set_xticks(middles)
            ax.set_yticks(middles)
            ax.set_xticklabels(tokens, rotation=45, ha="right")
            ax.set_yticklabels(tokens)
            ax.set_xlabel("Key")
            ax.set_ylabel("Query")
            return ax
        """,
    ),
    plot(
        "pcolormesh of the rows in reverse",
        """
        def plot_attention(weights, tokens, ax=None):
            n = len(tokens)
            if weights.shape[0] != n or weights.shape[1] != n:
                raise ValueError(f"{weights.shape[0]} rows, {weights.shape[1]} columns, {n} tokens")
            if ax is None:
                ax = plt.figure().add_subplot()
            mesh = ax.pcolormesh(weights.detach().cpu().float().flip(0).numpy(), cmap="viridis")
            mesh.set_clim(0, 1)
            ax.figure.colorbar(mesh, ax=ax)
            ax.set_xticks(torch.arange(n) + 0.5, tokens)
            ax.set_yticks(torch.arange(n) + 0.5, tokens[::-1])
            ax.set(xlabel="keys", ylabel="queries")
            return ax
        """,
    ),
    plot(
        "matshow with names on top and numbers in the cells",
        """
        def plot_attention(weights, tokens, ax=None):
            table = weights.detach().cpu().double().numpy()
            if table.shape != (len(tokens), len(tokens)):
                raise ValueError(f"{len(tokens)} tokens for a table of {table.shape}")
            if ax is None:
                ax = plt.figure(figsize=(6, 5)).gca()
            shown = ax.matshow(table, vmin=0.0, vmax=1.0, cmap="cividis")
            ax.get_figure().colorbar(shown, ax=ax, shrink=0.8)
            ax.set_xticks(range(len(tokens)), labels=tokens)
            ax.set_yticks(range(len(tokens)), labels=tokens)
            ax.set_xlabel("attending to (key)")
            ax.set_ylabel("attending from (query)")
            for i in range(len(tokens)):
                for j in range(len(tokens)):
                    ax.text(j, i, f"{table[i, j]:.2f}", ha="center", color="white")
            return ax
        """,
    ),
    plot(
        "by pyplot, on the axes made current",
        """
        def plot_attention(weights, tokens, ax=None, title=None):
            n = len(tokens)
            if tuple(weights.shape) != (n, n):
                raise ValueError(f"{tuple(weights.shape)} and {n}")
            if ax is None:
                plt.figure()
            else:
                plt.sca(ax)
            plt.imshow(weights.detach().to("cpu", torch.float32), vmin=0, vmax=1)
            here = plt.gca()
            plt.colorbar()
            plt.sca(here)
            plt.xticks(range(n), tokens, rotation=90)
            plt.yticks(range(n), tokens)
            plt.xlabel("Keys")
            plt.ylabel("Queries")
            if title:
                plt.title(title)
            return here
        """,
    ),
    plot(
        "small names at a slant, without frame, grid or tick marks, a little room around",
        """
        def plot_attention(weights, tokens, ax=None):
            n = len(tokens)
            if weights.shape != (n, n):
                raise ValueError(f"{n} tokens for weights of {tuple(weights.shape)}")
            ax = ax or plt.figure(facecolor="0.95").subplots()
            shown = ax.imshow(weights.detach().cpu().float(), vmin=0, vmax=1, aspect="auto")
            plt.colorbar(shown, ax=ax, orientation="horizontal", ticks=[0, 0.5, 1])
            ax.set_xticks(range(n), tokens, rotation=30, ha="right", fontsize=4)
            ax.set_yticks(range(n), tokens, fontsize=4, color="navy")
            ax.set_xlim(-0.6, n - 0.4)
            ax.set_ylim(n - 0.4, -0.6)
            ax.grid(False)
            ax.spines[:].set_visible(False)
            ax.tick_params(length=0)
            ax.set_xlabel("keys", fontsize=6)
            ax.set_ylabel("queries", fontsize=6)
            return ax
        """,
    ),
    plot(
        "names at minor ticks, on top, and a bar made of the colours alone",
        """
        def plot_attention(weights, tokens, ax=None):
            n = len(tokens)
            if weights.shape != (n, n):
                raise ValueError(f"{tuple(weights.shape)} weights, {n} tokens")
            ax = plt.subplots()[1] if ax is None else ax
            colours = plt.cm.ScalarMappable(plt.Normalize(0, 1), "magma")
            table = weights.detach().cpu().double().numpy()
            ax.pcolormesh(table, cmap=colours.cmap, norm=colours.norm, edgecolor="white")
            ax.figure.colorbar(colours, ax=ax)
            ax.invert_yaxis()
            for axis in (ax.xaxis, ax.yaxis):
                axis.set_ticks(range(n + 1), [""] * (n + 1))
                axis.set_ticks([i + 0.5 for i in range(n)], tokens, minor=True)
            ax.xaxis.tick_top()
            ax.xaxis.set_label_position("top")
            ax.set(xlabel="key", ylabel="query")
            return ax
        """,
    ),
    plot(
        "rows in reverse, drawn from below",
        """
        def plot_attention(weights, tokens, ax=None):
            seq = len(tokens)
            if weights.shape != torch.Size([seq, seq]):
                raise ValueError(f"{seq} tokens, weights {list(weights.shape)}")
            if ax is None:
                _, ax = plt.subplots()
            picture = ax.imshow(
                torch.clone(weights.detach()).cpu().float().flipud(), origin="lower", clim=(0, 1)
            )
            plt.gcf().colorbar(picture, ax=ax)
            ax.set_xticks(list(range(seq)), tokens)
            ax.set_yticks(list(range(seq)), list(reversed(tokens)))
            ax.set_xlabel("key position")
            ax.set_ylabel("query position")
            return ax
        """,
    ),
)

COMPARE = (
    compare(
        "outer labels alone, and the lowest number of the dtype",
        """
        def compare_attention(scores, tokens):
            past = torch.ones_like(scores, dtype=torch.bool).tril()
            hidden = torch.where(past, scores, torch.finfo(scores.dtype).min)
            figure, panels = plt.subplots(1, 2, sharey=True, figsize=(10, 5))
            for panel, table, name in zip(panels, (scores, hidden), ("BIDIRECTIONAL", "CAUSAL")):
                plot_attention(table.softmax(-1), tokens, panel)
                panel.set_title(name, fontsize=9)
                panel.label_outer()
            return figure
        """,
    ),
    compare(
        "-1e9, row by row",
        """
        def compare_attention(scores, tokens):
            causal = scores.clone()
            for query in range(len(tokens)):
                causal[query, query + 1 :] = -1e9
            figure, (left, right) = plt.subplots(nrows=1, ncols=2)
            plot_attention(scores.softmax(-1), tokens, left).set_title("bidirectional")
            plot_attention(causal.softmax(-1), tokens, right).set_title("causal")
            return figure
        """,
    ),
    compare(
        "the right map drawn first, on a grid",
        """
        def compare_attention(scores, tokens):
            figure = plt.figure(figsize=(9, 4))
            grid = figure.add_gridspec(1, 2)
            future = torch.triu(torch.ones(scores.shape, device=scores.device), 1) > 0
            right = figure.add_subplot(grid[0, 1])
            left = figure.add_subplot(grid[0, 0])
            plot_attention(scores.masked_fill(future, -torch.inf).softmax(-1), tokens, right)
            plot_attention(scores.softmax(-1), tokens, left)
            right.set_title("causal")
            left.set_title("bidirectional")
            return figure
        """,
    ),
    compare(
        "two subfigures",
        """
        def compare_attention(scores, tokens):
            figure = plt.figure(figsize=(9, 4), layout="constrained")
            future = torch.ones_like(scores).triu(1).bool()
            tables = (scores, scores.masked_fill(future, -math.inf))
            titles = ("Bidirectional", "Causal")
            for part, table, title in zip(figure.subfigures(1, 2), tables, titles):
                plot_attention(table.softmax(dim=1), tokens, part.subplots()).set_title(title)
            return figure
        """,
    ),
    compare(
        "a loop over both ways",
        """
        def compare_attention(scores, tokens):
            seq = scores.shape[0]
            past = torch.tril(torch.ones(seq, seq)) == 1
            fig, axes = plt.subplots(ncols=2, figsize=(12, 5))
            ways = {
                "Bidirectional (BERT-style)": scores,
                "Causal (GPT-style)": torch.where(past, scores, torch.tensor(float("-inf"))),
            }
            for ax, (name, table) in zip(axes, ways.items()):
                plot_attention(torch.softmax(table, -1), tokens, ax=ax)
                ax.set_title(name)
            fig.tight_layout()
            return fig
        """,
    ),
    compare(
        "exponentials by hand, masked and renormalised",
        """
        def compare_attention(scores, tokens):
            n = len(tokens)
            weights = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
            both = weights / weights.sum(-1, keepdim=True)
            past = scores.clone()
            for i in range(n):
                past[i, i + 1 :] = -float("inf")
            figure = plt.figure(figsize=(9, 4))
            left, right = figure.add_subplot(1, 2, 1), figure.add_subplot(1, 2, 2)
            plot_attention(both, tokens, left).set_title("bidirectional")
            plot_attention(past.softmax(-1), tokens, right).set_title("causal")
            return figure
        """,
    ),
    compare(
        "one colour bar for both, drawn without plot_attention",
        """
        def compare_attention(scores, tokens):
            with torch.no_grad():
                mask = torch.full_like(scores, float("-inf")).triu(diagonal=1)
                maps = [scores.softmax(dim=1), (scores + mask).softmax(dim=1)]
            fig, axs = plt.subplots(1, 2, sharey=True, layout="constrained")
            for ax, table, title in zip(axs, maps, ["Bidirectional", "Causal"]):
                image = ax.imshow(table.numpy(), vmin=0, vmax=1)
                ax.set_title(title)
                ax.set_xticks(range(len(tokens)), tokens)
                ax.set_yticks(range(len(tokens)), tokens)
                ax.set_xlabel("key")
                ax.set_ylabel("query")
            fig.colorbar(image, ax=axs)
            return fig
        """,
    ),
    compare(
        "an extra argument and a title over both",
        """
        def compare_attention(scores, tokens, figsize=(11, 5)):
            allowed = torch.arange(len(tokens))[None, :] <= torch.arange(len(tokens))[:, None]
            figure, axes = plt.subplots(1, 2, figsize=figsize)
            figure.suptitle("the same scores twice")
            hidden = scores.masked_fill(allowed.logical_not(), torch.finfo(scores.dtype).min)
            for ax, s in zip(axes.flat, (scores, hidden)):
                plot_attention(torch.nn.functional.softmax(s, dim=-1), tokens, ax)
            axes[0].set_title("bidirectional", loc="left")
            axes[1].set_title("causal", loc="left")
            return figure
        """,
    ),
)

VARIANTS = (*PLOT, *COMPARE)
