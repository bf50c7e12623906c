"""Known mistakes in plot_attention."""

from functools import partial

from autograder.bank import Family, Mistake
from graders.families import refusals, results

EXERCISE = "plot_attention"
plot = partial(Mistake, EXERCISE)

LAST_CELL = "The middle of cell i stands at i. Where does the last cell end?"

TABLE = "weights.detach().float().cpu()"
IMAGE = 'ax.imshow(table, cmap="cividis", vmin=0, vmax=1)'
GIVEN = """    if ax is None:
        ax = plt.figure(layout="constrained").add_subplot()
"""
BAR = '    ax.figure.colorbar(image, ax=ax, label="weight")\n'
ROWS = "    ax.set_yticks(range(seq), tokens)\n"
COLUMNS = "    ax.set_xticks(range(seq), tokens, rotation=90)\n"
LABELS = 'ax.set(xlabel="key (attended to)", ylabel="query (attending)")'

queries_from_the_bottom = Family(
    "queries-from-the-bottom",
    "Query 0 stands at the bottom of your map; queries should run down from the top.",
    "Compare your picture with the printed tensor. Which way does the vertical axis run?",
)

tokens_not_seen = Family(
    "tokens-not-seen",
    "No tokens can be seen at your axes: none are set, or they are switched off or too small.",
    "Show the picture to a friend. Can they find *cat* in it?",
)

tokens_without_places = Family(
    "tokens-without-places",
    "You set the ticks' texts, not their places, so that tokens stand at the wrong cells.",
    "Print ax.get_xticks() beside your tokens. Which text goes where?",
)

given_axes_ignored = Family(
    "given-axes-ignored",
    "You draw in another place than the Axes that the caller gives.",
    "Call it twice with two Axes of one figure. Where do the maps appear?",
)

MISTAKES = (
    plot(
        "not-copied-from-the-gpu",
        "You draw the weights where they are; Matplotlib draws on the CPU alone.",
        "What does weights.numpy() say of a tensor on a GPU?",
        change=((TABLE, "weights.detach().float()"),),
    ),
    plot(
        "limits-from-the-data",
        "Your colours reach from the smallest to the largest weight of each map; 0 to 1 was asked.",
        "Draw a map in which all weights are nearly the same. What would a reader think of it?",
        change=((", vmin=0, vmax=1", ""),),
    ),
    plot(
        "upper-limit-from-the-data",
        "Your colours begin at 0 but end at the largest weight of each map.",
        "Which colour has a weight of 0.3 in your map, if 0.3 is the largest? And if 0.9 is?",
        change=((", vmin=0, vmax=1", ", vmin=0"),),
    ),
    plot(
        "no-colour-bar",
        "Your map has no colour bar, so that no colour can be read as a number.",
        "What does a figure need to draw the bar: which image, and beside which Axes?",
        change=((BAR, ""),),
    ),
    plot(
        "map-transposed",
        "Your map has keys for rows and queries for columns.",
        "What stands in weights[0, 2]: who looks at whom? Where is that cell in your picture?",
        change=((TABLE, f"{TABLE}.mT"),),
    ),
    plot(
        "labels-swapped",
        "Your axes are labelled the wrong way round: rows are queries, columns are keys.",
        "What stands in weights[0, 2]: who looks at whom? Which axis counts the 0, which the 2?",
        change=((LABELS, 'ax.set(xlabel="query (attending)", ylabel="key (attended to)")'),),
    ),
    queries_from_the_bottom(EXERCISE, change=((", vmin=0", ', origin="lower", vmin=0'),)),
    queries_from_the_bottom(
        EXERCISE,
        change=(
            (IMAGE, "ax.pcolormesh(table, vmin=0, vmax=1)"),
            (ROWS, "    ax.set_yticks([i + 0.5 for i in range(seq)], tokens)\n"),
            (COLUMNS, "    ax.set_xticks([i + 0.5 for i in range(seq)], tokens)\n"),
        ),
    ),
    queries_from_the_bottom(EXERCISE, change=((IMAGE, "ax.pcolormesh(table, vmin=0, vmax=1)"),)),
    plot(
        "ticks-at-the-corners",
        "Your tokens stand at the cells' corners; with pcolormesh, cell i reaches from i to i + 1.",
        "Where is the middle of the first cell?",
        change=((IMAGE, "ax.pcolormesh(table, vmin=0, vmax=1)\n    ax.invert_yaxis()"),),
    ),
    tokens_not_seen(
        EXERCISE, change=((f"    {LABELS}\n", f"    {LABELS}\n    ax.tick_params(labelsize=0)\n"),)
    ),
    tokens_not_seen(
        EXERCISE, change=((ROWS, "    ax.set_yticks([])\n"), (COLUMNS, "    ax.set_xticks([])\n"))
    ),
    plot(
        "bare-axes",
        "Neither tokens nor names can be seen at your axes: a picture that only you can read.",
        "What else goes away when axis('off') takes away the frame?",
        change=(("    return ax\n", '    ax.axis("off")\n    return ax\n'),),
    ),
    plot(
        "last-column-cut-off",
        "The last column of your map is out of view.",
        LAST_CELL,
        change=(("    return ax\n", "    ax.set_xlim(-0.5, seq - 1.5)\n    return ax\n"),),
    ),
    plot(
        "last-row-cut-off",
        "The last row of your map is out of view.",
        LAST_CELL,
        change=(("    return ax\n", "    ax.set_ylim(seq - 1.5, -0.5)\n    return ax\n"),),
    ),
    plot(
        "numbers-for-tokens",
        "Your ticks carry numbers, not the tokens.",
        "What would a reader have to know to find *cat* in your map?",
        change=((ROWS, ""), (COLUMNS, "")),
    ),
    plot(
        "tokens-on-one-axis",
        "Only one axis of your map carries the tokens.",
        "Every token is a query and a key. Can a reader name both partners of a bright cell?",
        change=((ROWS, ""),),
    ),
    tokens_without_places(
        EXERCISE,
        change=(
            (ROWS, "    ax.yaxis.set_major_formatter(lambda i, _: tokens[int(i) // 2 % seq])\n"),
            (COLUMNS, "    ax.xaxis.set_major_formatter(lambda i, _: tokens[int(i) // 2 % seq])\n"),
        ),
    ),
    tokens_without_places(
        EXERCISE,
        change=(
            (ROWS, "    ax.set_yticklabels(tokens)\n"),
            (COLUMNS, "    ax.set_xticklabels(tokens, rotation=90)\n"),
        ),
    ),
    tokens_without_places(
        EXERCISE,
        change=(
            (IMAGE, "ax.matshow(table, vmin=0, vmax=1)"),
            (ROWS, '    ax.set_yticklabels(["", *tokens])\n'),
            (COLUMNS, '    ax.set_xticklabels(["", *tokens], rotation=90)\n'),
        ),
    ),
    plot(
        "axes-without-names",
        "Your axes have no names, so that a reader cannot tell queries from keys.",
        "Which axis lists who is looking? Does the picture say so?",
        change=((f"    {LABELS}\n", ""),),
    ),
    plot(
        "axes-with-other-names",
        "Your axes have names, but these do not say which lists the keys and which the queries.",
        "Which two words does the docstring ask for, and at which axis is each?",
        change=((LABELS, 'ax.set(xlabel="attended to", ylabel="attending")'),),
    ),
    plot(
        "drawn-in-the-current-figure",
        "Without Axes you draw where something was drawn last; a new figure was promised.",
        "Call it twice in one cell. How many figures are there, and what became of the first map?",
        change=((GIVEN, "    if ax is None:\n        ax = plt.gca()\n"),),
    ),
    given_axes_ignored(
        EXERCISE, change=((GIVEN, '    ax = plt.figure(layout="constrained").add_subplot()\n'),)
    ),
    given_axes_ignored(
        EXERCISE,
        change=((GIVEN, "    if ax is None:\n        plt.figure()\n    ax = plt.gca()\n"),),
    ),
    plot(
        "figure-for-axes",
        "You return the figure; the Axes were promised.",
        "What would the caller set a title on?",
        change=(("return ax", "return ax.figure"),),
    ),
    results.nothing_returned(EXERCISE, change=(("    return ax\n", ""),)),
    plot(
        "gradient-not-cut",
        "Your code fails on weights that carry a gradient or are in bfloat16; NumPy takes neither.",
        "Which two steps turn any tensor into one that NumPy takes?",
        change=((TABLE, "weights"),),
    ),
    plot(
        "half-precision-forgotten",
        "Your code fails on weights in bfloat16, which NumPy does not know.",
        "Which dtype does NumPy have for every weight of yours?",
        change=((TABLE, "weights.detach().cpu()"),),
    ),
    plot(
        "no-check-of-tokens",
        "You draw also where tokens and weights do not fit together.",
        "What does a map of five rows show to a reader when it names four?",
        change=(("if weights.shape != (seq, seq):", "if False:"),),
    ),
    refusals.numbers_not_named(
        EXERCISE,
        change=(
            (
                'f"weights of shape {tuple(weights.shape)} do not fit {seq} tokens"',
                '"the tokens do not fit the weights"',
            ),
        ),
    ),
    plot(
        "weights-normalised-again",
        "You divide by the largest weight before drawing, so that the picture shows other numbers.",
        "Which number stands behind the brightest cell of your map, and which in the tensor?",
        change=((TABLE, f"({TABLE} / {TABLE}.max())"),),
    ),
    plot(
        "softmax-in-the-picture",
        "You take the softmax of weights, which were weights already.",
        results.ROWS_OF_THE_ARGUMENT,
        change=((TABLE, f"{TABLE}.softmax(dim=-1)"),),
    ),
)
