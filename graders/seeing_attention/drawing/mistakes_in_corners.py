"""Known mistakes in pictures that show in Axes that are given, or for a score of 0."""

from autograder.bank import Family, Mistake

PLOT, COMPARE = "plot_attention", "compare_attention"

LABELS = 'ax.set(xlabel="key (attended to)", ylabel="query (attending)")'
ROWS = "ax.set_yticks(range(seq), tokens)"

drawn_elsewhere = Family(
    "labels-in-the-current-axes",
    "Some of your words go to the Axes that were used last, not to those that were given.",
    "Of two Axes side by side, which one does `plt` write into?",
)

MISTAKES = (
    drawn_elsewhere(PLOT, change=((LABELS, 'plt.xlabel("key"), plt.ylabel("query")'),)),
    drawn_elsewhere(PLOT, change=((ROWS, "plt.yticks(range(seq), tokens)"),)),
    Mistake(
        PLOT,
        "no-colour-bar-in-given-axes",
        "Axes that are given and stand alone get no colour bar.",
        "Who needs the colour bar: whoever made the Axes, or whoever reads the picture?",
        change=(
            (
                "ax.figure.colorbar",
                "ax.get_subplotspec().get_gridspec().ncols > 1 or ax.figure.colorbar",
            ),
        ),
    ),
    Mistake(
        COMPARE,
        "score-of-zero-masked",
        "A score of exactly 0 is taken for one that the mask forbids.",
        "What share does softmax give a score of 0? What says who may be seen?",
        change=(
            (
                "scores.masked_fill(future, -math.inf)",
                "scores.masked_fill(future | (scores == 0), -math.inf)",
            ),
        ),
    ),
)
