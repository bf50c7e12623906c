"""Known mistakes in compare_attention."""

from functools import partial

from autograder.bank import Family, Mistake
from graders.families import masks, results, softmaxes

EXERCISE = "compare_attention"
compare = partial(Mistake, EXERCISE)

ROW_SUM = "What should every row of a map of weights sum to?"
QUERY_0 = "Which keys may query 0 see?"

ALL_KEYS = "plot_attention(scores.softmax(dim=-1), tokens, left)"
PAST = "scores.masked_fill(future, -math.inf).softmax(dim=-1)"
FUTURE = "torch.ones_like(scores, dtype=torch.bool).triu(1)"

fill_too_soft = Family(
    "fill-too-soft",
    "The future's scores become a number that is not low enough for all scores.",
    "If the past's scores are all lower than your number, who gets the weight?",
)

MISTAKES = (
    compare(
        "one-below-the-other",
        "Your two heatmaps stand one below the other, not side by side.",
        "plt.subplots takes rows and columns: which comes first?",
        change=(("plt.subplots(1, 2,", "plt.subplots(2, 1,"),),
    ),
    compare(
        "mask-after-softmax",
        "You set the future's weights to 0 after softmax, so that causal rows no longer sum to 1.",
        "What does the last but one row of your right map sum to?",
        change=((PAST, "scores.softmax(dim=-1).masked_fill(future, 0.0)"),),
    ),
    fill_too_soft(EXERCISE, change=(("-math.inf", "-2e4"),)),
    fill_too_soft(EXERCISE, change=(("-math.inf", "-100.0"),)),
    compare(
        "fill-leaves-a-trace",
        "The future's scores become a low number, which still leaves the future a share.",
        "What is e to the power of your number? Which score has a weight of exactly 0?",
        change=(("-math.inf", "-10.0"),),
    ),
    compare(
        "number-subtracted",
        "You lower the future's scores by a number, and scores that are large enough still win.",
        "One score of the future lies 100,000 above the others. How low is it after your step?",
        change=((PAST, "(scores - 2e4 * future).softmax(dim=-1)"),),
    ),
    masks.renormalised_after_softmax(
        EXERCISE, change=((PAST, "(w := scores.softmax(-1).tril()) / w.sum(-1, keepdim=True)"),)
    ),
    compare(
        "scores-set-to-zero",
        "You set the future's scores to 0; softmax still gives these keys a share.",
        "What is e to the power of 0?",
        change=(("-math.inf", "0.0"),),
    ),
    compare(
        "mask-inverted",
        "Your right map keeps the future and takes away the past.",
        QUERY_0,
        change=((FUTURE, "torch.ones_like(scores, dtype=torch.bool).tril(-1)"),),
    ),
    compare(
        "diagonal-excluded",
        "In your right map, no token sees itself.",
        "What is left for query 0 to look at?",
        change=((".triu(1)", ".triu()"),),
    ),
    compare(
        "one-step-ahead",
        "Your right map lets every query see one key of the future.",
        QUERY_0,
        change=((".triu(1)", ".triu(2)"),),
    ),
    softmaxes.softmax_down_the_columns(
        EXERCISE,
        change=(
            (ALL_KEYS, "plot_attention(scores.softmax(dim=0), tokens, left)"),
            (PAST, "scores.masked_fill(future, -math.inf).softmax(dim=0)"),
        ),
    ),
    compare(
        "scores-for-weights",
        "You draw the scores; the weights, after softmax, were asked for.",
        ROW_SUM,
        change=((ALL_KEYS, "plot_attention(scores, tokens, left)"), (PAST, "scores.tril()")),
    ),
    compare(
        "scores-on-the-left",
        "Your left map shows the scores; their weights, after softmax, were asked for.",
        ROW_SUM,
        change=((ALL_KEYS, "plot_attention(scores, tokens, left)"),),
    ),
    softmaxes.no_maximum_subtracted(
        EXERCISE,
        change=(
            (
                ALL_KEYS,
                "plot_attention((e := scores.exp()) / e.sum(-1, keepdim=True), tokens, left)",
            ),
            (PAST, "(w := scores.exp().tril()) / w.sum(-1, keepdim=True)"),
        ),
    ),
    compare(
        "scaled-once-more",
        "You divide the scores by a root; they come as they should go into softmax.",
        "What does the docstring say that `scores` are?",
        change=(
            (
                f"future = {FUTURE}",
                f"scores = scores / math.sqrt(len(tokens))\n    future = {FUTURE}",
            ),
        ),
    ),
    compare(
        "sides-swapped",
        "Your causal map stands on the left; it belongs to the right.",
        "In which order does the task name the two?",
        change=(
            (", tokens, left)", ", tokens, right)"),
            (f"{PAST}, tokens, right)", f"{PAST}, tokens, left)"),
            ('left.set_title("bidirectional")', 'right.set_title("bidirectional")'),
            ('right.set_title("causal")', 'left.set_title("causal")'),
        ),
    ),
    compare(
        "titles-swapped",
        "Your titles stand over the wrong maps.",
        "Which of the two maps has an empty upper right corner?",
        change=(
            ('left.set_title("bidirectional")', 'left.set_title("causal")'),
            ('right.set_title("causal")', 'right.set_title("bidirectional")'),
        ),
    ),
    compare(
        "no-titles",
        "Your maps have no titles, so that a reader must guess which is which.",
        "Which method of an Axes sets its title?",
        change=(
            ('    left.set_title("bidirectional")\n', ""),
            ('    right.set_title("causal")\n', ""),
        ),
    ),
    *(
        compare(
            "one-title-missing",
            "One of your two maps has no title, so that a reader must guess what it shows.",
            "Which method of an Axes sets its title? On how many Axes do you call it?",
            change=((title, ""),),
        )
        for title in (
            '    left.set_title("bidirectional")\n',
            '    right.set_title("causal")\n',
        )
    ),
    compare(
        "titles-in-other-words",
        "Your maps have titles, but not with the words that were asked for.",
        "Which two words does the docstring name, and over which map does each belong?",
        change=(
            ('left.set_title("bidirectional")', 'left.set_title("all keys")'),
            ('right.set_title("causal")', 'right.set_title("the past alone")'),
        ),
    ),
    compare(
        "drawn-in-another-way",
        "Your maps are not drawn as plot_attention draws: their colours, bar or axes differ.",
        "Which function of yours draws maps that can be compared with each other?",
        code="""
        def compare_attention(scores, tokens):
            future = torch.ones_like(scores).triu(1).bool()
            figure, panels = plt.subplots(1, 2)
            tables = scores, scores.masked_fill(future, -math.inf)
            for panel, table, name in zip(panels, tables, ("bidirectional", "causal")):
                panel.imshow(table.softmax(dim=-1).detach().cpu().numpy())
                panel.set_xticks(range(len(tokens)), tokens)
                panel.set_yticks(range(len(tokens)), tokens)
                panel.set_title(name)
            return figure
        """,
    ),
    compare(
        "same-map-twice",
        "Both of your maps show all keys.",
        "Where in your code is the future taken away, and is the result used?",
        change=((PAST, "scores.softmax(dim=-1)"),),
    ),
    compare(
        "one-map-only",
        "Your figure has one map; two were asked for.",
        "What does plt.subplots(1, 2) give?",
        code="""
        def compare_attention(scores, tokens):
            figure, ax = plt.subplots()
            plot_attention(scores.softmax(dim=-1), tokens, ax)
            ax.set_title("bidirectional")
            return figure
        """,
    ),
    compare(
        "axes-for-figure",
        "You return Axes; the figure was promised.",
        "What holds both maps?",
        change=(("return figure", "return left, right"),),
    ),
    results.nothing_returned(EXERCISE, what="maps", change=(("    return figure\n", ""),)),
    compare(
        "scores-overwritten",
        "Your code writes minus infinity into the caller's scores.",
        "What does the underscore at the end of masked_fill_ mean?",
        change=(("scores.masked_fill(", "scores.masked_fill_("),),
    ),
)
