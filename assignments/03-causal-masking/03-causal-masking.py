# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 3 Causal masking
#
# About 20 minutes of reading, and an hour and a half for the exercises. Afterwards you can
#
# - say why a model that writes must not see what comes next, and build the mask that forbids it,
# - hide padding in a batch, and combine that with any other mask,
# - tell apart the two opposite conventions for masks, and boolean masks from additive ones,
# - write a masked softmax that survives a row with nothing in it,
# - explain why a masked weight is 0, and not nearly 0, and test that it is.
#
# **Conventions.** A mask is boolean and **True where attention is allowed**. Row i belongs to query
# i, column j to key j; shapes are written `(..., queries, keys)`. A mask fits scores when it
# broadcasts to them. Your functions never change their inputs, and what they return is on the
# device of what came in, or where the caller says. What comes in as a tensor is worked on as a
# tensor: a detour through NumPy or lists would stop a GPU. Gradients flow back through attention
# to queries, keys, values and scores.
#
# **How to work.** Read a section, fill in the cell under it in place of the line that raises
# `NotImplementedError`, run it, then run the check below it: it says what it called, what came back
# and what was expected, and draws your result. Some questions ask you to predict what comes next:
# answer before you read on. Stuck? `from checks import hint`, then `hint("causal_mask")` in a cell
# of your own shows a hint, and once more the next. When all is done, choose *Restart kernel and run
# all cells*, save and submit. In a terminal, `python -m checks` runs the saved notebook and its
# checks, and so does `nbgrader validate` where nbgrader is installed. Grading runs more checks than
# you see here, on other inputs; there a cell may run 10 seconds, and a call of your code 5.
#
# Text and pictures: CC BY 4.0.

# %%
import math

import matplotlib.pyplot as plt
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

# %% [markdown]
# Some questions have numbers of your own, drawn from the id under which you hand in. Put it here.

# %%
student_id = ...  # the id under which you hand in, in quotation marks: "ada"

# %% [markdown]
# ## A question to start with
#
# A model learns to write by guessing, at every position of a text, which token comes next. In
# training the whole text is there, and all guesses are made at once, in one pass. At the position
# of **cat** in *The cat sat on the mat* the right guess is **sat**.
#
# What is the easiest way for a model with attention to guess right every time? And what will it
# write when there is nobody to put the next word in front of it?

# %% [markdown]
# ## Nobody sees the future
#
# It would simply look: attend to the next position and copy. In training that is perfect, and the
# model learns nothing. So every position may attend to itself and to what came before, and to
# nothing else:
#
# $$\text{mask}_{ij} = (j \le i)$$
#
# For three tokens, with the query on the left and the key above:
#
# | | The | cat | sat |
# |---|---|---|---|
# | **The** | True | False | False |
# | **cat** | True | True | False |
# | **sat** | True | True | True |
#
# The first token can only see itself. The last one sees all. No row is empty: why is that lucky?

# %% demonstration=true
allowed = {"The": ["The"], "cat": ["The", "cat"], "sat": ["The", "cat", "sat"]}
place = {token: number for number, token in enumerate(allowed)}
figure, panel = plt.subplots(figsize=(5, 2.6), layout="constrained")
for query, keys in allowed.items():
    for key in keys:
        arrow = {"arrowstyle": "->", "lw": 2, "color": "#3b528b"}
        panel.annotate("", (place[query], 0.86), (place[key], 0.14), arrowprops=arrow)
    panel.text(place[query], 1, query, ha="center", va="center")
    panel.text(place[query], 0, query, ha="center", va="center")
panel.set(xlim=(-0.9, 2.4), ylim=(-0.2, 1.2), title="What flows where, from keys up to queries")
panel.text(-0.8, 1, "queries", va="center")
panel.text(-0.8, 0, "keys", va="center")
panel.axis("off")
plt.show()

# %% [markdown]
# *In words:* two rows of the tokens The, cat, sat: keys below, queries above. Arrows go straight up
# or up to the right, three from The, two from cat, one from sat. None goes to the left: nothing
# flows from a later token to an earlier one.
#
# The mask must be made on the `device` that the caller names, since a mask on the CPU cannot meet
# scores on a graphics card.

# %% exercise="causal_mask" points=2

# %% [markdown]
# ## Before softmax, or after it?
#
# Where does the mask act? Take the three one-hot tokens of notebook 1. Unscaled, each scores 1 with
# itself and 0 with the others, and its weights are 0.5761 for itself and 0.2119 for each of the
# others. A tempting way to forbid the future is to set its weights to 0, once softmax has made
# them.

# %% quiz="k1" points=1

# %% [markdown]
# What was crossed out is missing: the rows no longer sum to 1, and an average whose weights do not
# sum to 1 is no average. So the mask acts on the scores, *before* softmax. A forbidden score
# becomes $-\infty$, and $e^{-\infty}$ is exactly 0. The others then share out the whole:
#
# | query | no mask | zeros after softmax | $-\infty$ before softmax |
# |---|---|---|---|
# | 0 | 0.5761  0.2119  0.2119 | 0.5761  0  0 | 1  0  0 |
# | 1 | 0.2119  0.5761  0.2119 | 0.2119  0.5761  0 | 0.2689  0.7311  0 |
# | 2 | 0.2119  0.2119  0.5761 | 0.2119  0.2119  0.5761 | 0.2119  0.2119  0.5761 |
#
# In row 1 of the last column, $e / (e + 1) = 0.7311$: one term has left the sum.


# %% demonstration=true
def draw_table(panel, table, title, rows="query", columns="key"):
    """Draw a table of weights, or of True and False, with its numbers."""
    panel.imshow(table.float().numpy(), cmap="cividis", vmin=0, vmax=1)
    for i, row in enumerate(table.tolist()):
        for j, value in enumerate(row):
            text = ("no", "yes")[value] if type(value) is bool else f"{value:.2f}"
            panel.text(j, i, text, ha="center", va="center", color="k" if value > 0.5 else "w")
    panel.set(title=title, xlabel=columns, ylabel=rows)
    panel.set(xticks=range(table.shape[1]), yticks=range(table.shape[0]))


scores, past = torch.eye(3), causal_mask(3)
three_ways = {
    "no mask": scores.softmax(-1),
    "zeros after softmax": scores.softmax(-1) * past,
    "−∞ before softmax": torch.where(past, scores, -torch.inf).softmax(-1),
}
figure, panels = plt.subplots(1, 3, figsize=(9, 3.2), layout="constrained")
for panel, (title, shown) in zip(panels, three_ways.items(), strict=True):
    draw_table(panel, shown, title)
plt.show()

# %% [markdown]
# *In words:* three tables of 3 by 3 weights, those of the table above. The upper right triangle is
# empty in the second and the third. In the second, the rows sum to 0.58, 0.79 and 1; in the third,
# every row sums to 1.
#
# Which kinds of models need such a mask, and where?

# %% quiz="k2"

# %% [markdown]
# An **encoder** such as BERT reads: the whole text is there, and every token may see every other. A
# **decoder** such as GPT writes, and hides the future in every layer. An **encoder-decoder** such
# as T5 does both: its encoder reads without a mask; in its decoder, output tokens attend to each
# other causally, and to the input without restriction. (Vaswani et al. 2017, section 3.2.3.)
#
# ## Padding: tokens that are none
#
# A batch is one tensor, so all its texts must have one length. Shorter ones are filled up with
# **padding**, and attending to filling is as wrong as attending to the future. Sequences of 2 and 4
# real tokens, padded to 4:
#
# | | 0 | 1 | 2 | 3 |
# |---|---|---|---|---|
# | **2 tokens** | True | True | False | False |
# | **4 tokens** | True | True | True | True |
#
# $$\text{padding}_{bj} = (j < \text{length}_b)$$
#
# One row a sequence: whether a key is padding does not depend on who asks.

# %% exercise="padding_mask" points=2

# %% [markdown]
# ## Two masks become one
#
# A key may be attended to if the causal mask allows it *and* it is a real token:
#
# $$\text{mask}_{b0ij} = \text{causal}_{ij} \wedge \text{padding}_{bj}$$
#
# The scores have the shape `(batch, heads, queries, keys)`. Broadcasting lines up axes from the
# *right*, and adds missing ones on the left. The causal mask, `(queries, keys)`, fits by itself.
# The padding mask does not.

# %% quiz="k3" points=1

# %% [markdown]
# Read the indices of the formula: padding depends on b and j, and on nothing else. Where a mask
# does not depend on an axis, it has length 1 there, and broadcasting repeats it at no cost. Heads
# share one mask, so the combination has length 1 in their place.
#
# What about the *row* of a padding token, its own query? It may keep what it has. Nobody uses what
# comes out there, and an empty row makes trouble, as you will see.

# %% exercise="combine_masks" points=2

# %% [markdown]
# Six positions, four of them real; this cell uses your functions.

# %% demonstration=true
causal, padding = causal_mask(6), padding_mask([4], 6)
figure, panels = plt.subplots(1, 3, figsize=(11, 3.6), layout="constrained")
draw_table(panels[0], causal, "causal")
draw_table(panels[1], padding, "padding", rows="sequence")
draw_table(panels[2], combine_masks(causal, padding)[0, 0], "both")
plt.show()

# %% [markdown]
# *In words:* on the left, a full lower triangle of "yes". In the middle, one row with four times
# "yes" and two times "no". On the right, the triangle without its last two columns: rows 3, 4 and 5
# are alike and allow keys 0 to 3.
#
# ## Two opposite conventions
#
# A boolean mask may say who is **allowed** or who is **forbidden**, and both are in use.
# `F.scaled_dot_product_attention` takes True for *allowed*, and so does this course.
# `nn.MultiheadAttention`, and many a tutorial, take True for *forbidden*. You will meet code that
# makes `torch.triu(ones, diagonal=1)` and calls it a causal mask, and code that makes
# `torch.tril(ones)` and calls it the same. Each is right in its own convention.
#
# A mask of the wrong kind raises no error.

# %% quiz="k4" points=1

# %% [markdown]
# What goes through is just what must not be seen: every token sees its future and nothing else. In
# training, the loss looks wonderful. To convert, turn round every entry; the way back is the same.
#
# ## Numbers to add
#
# There is a third form. Much code, and the formula softmax(scores + mask), wants a mask of numbers
# to **add** to the scores: 0 where attention is allowed, and $-\infty$ where it is not. Adding 0
# changes nothing, and $s - \infty = -\infty$ for every finite score.
#
# Why $-\infty$, when many tutorials write -1e9? Look at what becomes of a forbidden weight if its
# score is filled with a finite number, beside one allowed score of 0:

# %% demonstration=true
depths = torch.arange(0.0, 121.0)
figure, panel = plt.subplots(figsize=(7, 3.2), layout="constrained")
for dtype, line in ((torch.float32, {"lw": 5, "color": "0.75"}), (torch.float16, {"ls": "--"})):
    pairs = torch.stack([torch.zeros(121), -depths], dim=-1).to(dtype)
    weights = pairs.softmax(-1)[:, 1].float().numpy()
    end = int((weights > 0).sum())
    name = f"{dtype}, exactly 0 below {1 - end}".removeprefix("torch.")
    panel.plot(
        -depths[:end].numpy(), weights[:end], label=name, **{"lw": 2, "color": "#00204d"} | line
    )
    panel.plot(1 - end, weights[end - 1], "o", color="k")
panel.set(yscale="log", xlabel="number filled in", ylabel="forbidden weight")
panel.set_title("A soft fill leaves a weight")
panel.invert_xaxis()
panel.legend()
plt.show()

# %% [markdown]
# *In words:* a weight on a logarithmic scale against the number that is filled in, from 0 to -120.
# Both lines start at 0.5 and fall evenly, to 4.5e-5 at -10. The dashed dark one, for float16, ends
# at -17; the broad grey one, for float32, passes 2.1e-9 at -20 and ends at -103. Beyond the ends,
# the weight is too small for the dtype and becomes exactly 0.
#
# So -1e9 is deep enough for ordinary scores: as a *fill* it gives the same bits as $-\infty$, in
# float32 and bfloat16. But float16 ends at -65504 and cannot hold it. And a finite number that is
# *added* can be outweighed: a score of 1e30 stays 1e30. Minus infinity exists in every
# floating-point dtype, and nothing finite outweighs it.

# %% exercise="additive_mask" points=2

# %% [markdown]
# ## Softmax with a mask
#
# Now the step that all of this is for: softmax over the allowed keys of each query,
#
# $$w_{ij} = \frac{\text{mask}_{ij}\,e^{s_{ij}}}{\sum_{j'} \text{mask}_{ij'}\,e^{s_{ij'}}}$$
#
# If every row allows something, filling in $-\infty$ and calling softmax is all there is to it.
# Under a causal mask that is so, since everybody sees at least themselves. But combine it with
# padding at the *start*:

# %% quiz="k5" points=1

# %% [markdown]
# A row of $-\infty$ has no finite maximum to subtract, and its exponentials sum to 0: 0 / 0 is NaN.
# One NaN spoils everything that it touches. In the loss it makes *every* parameter NaN, although
# nobody wanted that row's output. (A row filled with -1e9 is no better. Its scores are equal, so
# the query attends evenly to everything that it must not see, and nothing looks odd.)
#
# Such a query attends to nothing, so its weights should be **zeros**. Two ways lead there, and one
# is a trap. Repairing NaN at the end gives the right numbers; but on the way back, the gradient
# passes through the softmax that made the NaN, and 0 times NaN is NaN. (Some ways to mask happen to
# stop it there; adding numbers does not.) It is safer if no NaN ever arises: give such a row
# harmless scores first, and set its weights to 0 at the end.

# %% exercise="masked_softmax" points=3

# %% [markdown]
# ## Causal attention
#
# All parts are there. Score and scale, mask, softmax, average the values:
#
# $$\operatorname{CausalAttention}(Q, K, V) =
# \operatorname{softmax}\!\left(\frac{Q K^{\mathsf T}}{\sqrt{d_k}} + M\right) V$$
#
# with $M_{ij} = 0$ for $j \le i$ and $-\infty$ elsewhere. By hand, with the weights from above and
# the values 0, 10 and 20: the outputs are $0$, $0.7311 \cdot 10 = 7.31$, and $0.2119 \cdot 10 +
# 0.5761 \cdot 20 = 13.64$. The value 20 reaches the last output only.
#
# The promise is exact. Whatever finite numbers stand in the future, the past must not change by one
# bit: a weight of exactly 0 times any finite number is 0. (Only infinity breaks this, since 0 times
# infinity is NaN. No healthy model holds infinities; in float16, though, everything beyond 65504 is
# one.) A large key can make a *score* infinite, and infinity plus $-\infty$ is NaN: on a computer,
# putting $-\infty$ in the place of a score is safer than adding it.
#
# And when the lengths differ? A causal mask says that query i and key i stand at the same position.
# With other numbers of queries and keys it would have to guess, so refuse them: ValueError, with
# both numbers in the text.

# %% exercise="causal_attention" points=3

# %% [markdown]
# ### Looking for leaks
#
# A soft fill passes for right on most days. A test that always finds a leak changes one token, as
# wildly as it likes, and asks which outputs have changed by a bit or more. This cell puts 1e30 into
# the key and the value of each of six tokens in turn, with a fill of -20 and with your function.


# %% demonstration=true
def attend_softly(q, k, v):
    """Causal attention with -20 where minus infinity belongs."""
    weights = torch.where(causal_mask(len(q)), q @ k.T / 2, -20.0).softmax(-1)
    return weights @ v, weights


def reached(attend):
    """Which output (row) changes when a token (column) does."""
    x = torch.randn(6, 4, generator=torch.Generator().manual_seed(0))
    before, columns = attend(x, x, x)[0], []
    for token in range(6):
        changed = x.clone()
        changed[token] = 1e30
        after = attend(x, changed, changed)[0]
        columns.append((after != before).any(dim=-1))
    return torch.stack(columns, dim=-1)


figure, panels = plt.subplots(1, 2, figsize=(8, 3.8), layout="constrained")
for panel, attend, title in zip(
    panels, (attend_softly, causal_attention), ("a fill of -20", "your function"), strict=True
):
    draw_table(panel, reached(attend), title, rows="output that changes", columns="changed token")
plt.show()

# %% [markdown]
# *In words:* on the left, "yes" in all 36 places: each token reaches every output, those before it
# too. On the right, "yes" on and below the diagonal and "no" above it: no token reaches an output
# before it.
#
# ## One token at a time
#
# A model that writes makes one token after another. The keys and values of earlier tokens do not
# change any more, so they are kept in a **cache**, and only the new tokens ask. Now there are fewer
# queries than keys, and the queries stand at the *end*:

# %% quiz="k6" points=1

# %% [markdown]
# With three keys in the cache and two new tokens, the queries stand at positions 3 and 4:
#
# | | 0 | 1 | 2 | 3 | 4 |
# |---|---|---|---|---|---|
# | **query 0, at position 3** | True | True | True | True | False |
# | **query 1, at position 4** | True | True | True | True | True |
#
# $$\text{mask}_{ij} = (j \le i + \text{keys} - \text{queries})$$
#
# The triangle now hangs in the *bottom right* corner. A mask from the top left corner would let a
# single new token see key 0 alone.

# %% exercise="causal_mask_for_cache" points=2

# %% [markdown]
# ## For those who want more: a sliding window
#
# This exercise is a small one, and its one point counts like the others. For long texts, some
# models let a token see only the last `window` positions, itself included: $i - \text{window} < j
# \le i$. A row then allows at most `window` keys, however long the text is. Nothing is out of reach
# for ever: in the next layer, the oldest token in the window has seen a window of its own, so that
# 4 layers with a window of 3 reach back 8 positions.

# %% [markdown]
# Nothing has to be written for this picture. Make the window narrow, and look at the rows on the
# left: their weights still sum to 1. Then add layers. With a window of 2, after how many does *mat*
# know of *cat*? With a window of 3? Looking both ways is what an encoder does.

# %% demonstration=true
from checks import play

play("window")  # run this cell again whenever you want to move it

# %% exercise="sliding_window_mask" points=1

# %% [markdown]
# ## Questions
#
# Put your answer in place of the dots, for instance `q1 = "A"`, or `q2 = ["A", "B"]` where several
# may be right. The check looks at the form of your answer only.

# %% quiz="q1" points=1

# %% quiz="q2" points=1

# %% quiz="q3" points=1

# %% quiz="q4" points=1

# %% quiz="q5" points=1

# %% quiz="q6" points=1

# %% written="w1" points=3
