"""Families of mistakes over heads: how they are cut, joined and told apart."""

from autograder.bank import Family

BESIDE_ITS_WEIGHT = "What does nn.Linear hold besides its weight?"
BIAS_WHEN_ASKED = "What should w_q.bias be when bias=True?"
ORDER_OF_QKV = "In which order do q, k and v stand along qkv's output?"
ORDER_IN_MEMORY = (
    "A reshape keeps the order of the numbers in memory. Which number comes second there?"
)
CHANGES_SLOWEST = "Which of the two axes that you join should change slowest?"
BESIDE_D_HEAD = "Which axis should stand beside d_head when you flatten?"
TOLD_OF_BIAS = "What does nn.Linear do when it is not told about bias?"

queries_and_keys_swapped = Family(
    "queries-and-keys-swapped",
    "You take the keys for the queries, and the queries for the keys.",
    ORDER_OF_QKV,
)

keys_and_values_swapped = Family(
    "keys-and-values-swapped",
    "You take the values for the keys, and the keys for the values.",
    ORDER_OF_QKV,
)

values_from_keys = Family(
    "values-from-keys",
    "You use the keys as values, too.",
    "What is looked up, and what is handed over? Follow v from {layer} to the end.",
    made="{}\n        v = k",
)

queries_from_keys = Family(
    "queries-from-keys",
    "You use the keys as queries, too.",
    "Who asks, and who answers? Follow q from {layer} to the scores.",
    made="{}\n        q = k",
)

keys_from_queries = Family(
    "keys-from-queries",
    "You use the queries as keys, too.",
    "Who asks, and who answers? Follow k from {layer} to the scores.",
    made="{}\n        k = q",
)

interleaved_features = Family(
    "interleaved-features",
    "You deal the features out to the heads in turn; each head should own a whole block.",
    "Which features should head 0 hold? Which of the two new axes has to come first?",
)

view_straight_to_heads = Family(
    "view-straight-to-heads",
    "You reshape straight to (batch, heads, seq, d_head), so that tokens get mixed up.",
    ORDER_IN_MEMORY,
)

view_straight_and_back = Family(
    "view-straight-and-back",
    "You reshape straight to heads and back, so that heads hold pieces of neighbouring tokens.",
    ORDER_IN_MEMORY,
)

merge_interleaved = Family(
    "merge-interleaved",
    "You join the heads feature by feature; head 0's block should come first, whole.",
    CHANGES_SLOWEST,
)

no_merge_transpose = Family(
    "no-merge-transpose",
    "You join the heads without moving them next to their features first.",
    BESIDE_D_HEAD,
)

heads_attend_to_heads = Family(
    "heads-attend-to-heads",
    "You leave the heads behind the positions, so that heads attend to heads within a token.",
    "Print the shape of your scores. Which two axes should list queries and keys?",
)

thirds_within_each_head = Family(
    "thirds-within-each-head",
    "You cut qkv's output into heads first and into q, k and v second.",
    "All of q's features stand before all of k's. Which cut comes first, then?",
)

no_output_projection = Family(
    "no-output-projection",
    "Your output is the heads side by side; it should pass through `{layer}`.",
    "Where is self.{layer} used?",
)

heads_ignored = Family(
    "heads-ignored",
    "You attend with one wide head, whatever num_heads says.",
    "Where in your forward pass does num_heads make a difference?",
)

layer_norm_inside = Family(
    "layer-norm-inside",
    "You normalise the input; that belongs outside of attention.",
    "Does twice the input give other scores in your module? Should it?",
)

bias_ignored = Family(
    "bias-ignored", "Your projections have a bias even when bias=False.", TOLD_OF_BIAS
)

trace_of_the_first_text = Family(
    "trace-of-the-first-text",
    "A little of the first text of the batch comes out for the others as well.",
    "What may the output for one text depend on? Which of your indices leave out the batch?",
)
