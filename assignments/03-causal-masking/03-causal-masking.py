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
# About 10 minutes. Afterwards you can
#
# - say why a model that writes must not see what comes next, and build the mask that forbids it,
# - tell apart the two opposite conventions for masks,
# - explain why a masked weight is 0, and not nearly 0.
#
# **Conventions.** A mask is boolean and **True where attention is allowed**. Row i belongs to query
# i, column j to key j. A mask is made on the device that the caller names. Your functions never
# change their inputs.
#
# **How to work.** Fill in the cell in place of the line that raises `NotImplementedError`, run it,
# then run the check below it: it says what it called, what came back and what was expected, and
# draws your result. When all is done, choose *Restart kernel and run all cells*;
# `nbgrader validate` does the same from a terminal. Then save and submit. Grading runs more checks
# than you see here; there a cell may run 10 seconds, and a call of your code 5.
#
# Text and pictures: CC BY 4.0.

# %%
import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F
from jaxtyping import Bool
from torch import Tensor

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
# ## The idea
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

# %%
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
# ## Two opposite conventions
#
# A boolean mask may say who is **allowed** or who is **forbidden**, and both are in use.
# `F.scaled_dot_product_attention` takes True for *allowed*, and so does this course.
# `nn.MultiheadAttention`, and many a tutorial, take True for *forbidden*. A mask of the wrong kind
# raises no error. It lets every token see just what it must not see, and the loss looks wonderful.
#
# ## Your turn
#
# The mask must be made on the `device` that the caller names, since a mask on the CPU cannot meet
# scores on a graphics card.

# %% exercise="causal_mask" points=2

# %% [markdown]
# ## What the mask does
#
# A mask acts on the scores, *before* softmax: a forbidden score becomes $-\infty$, and
# $e^{-\infty}$ is exactly 0. The others then share out the whole. By hand, for the three tokens of
# notebook 1 that score 1 with themselves and 0 with the others:
#
# | query | weights without mask | weights with mask |
# |---|---|---|
# | 0 | 0.5761  0.2119  0.2119 | 1  0  0 |
# | 1 | 0.2119  0.5761  0.2119 | 0.2689  0.7311  0 |
# | 2 | 0.2119  0.2119  0.5761 | 0.2119  0.2119  0.5761 |
#
# In row 1, $e / (e + 1) = 0.7311$: one term has left the sum. Setting weights to 0 *after* softmax
# would leave 0.2119 and 0.5761 there, which do not sum to 1. This cell uses your mask:

# %%
tokens = torch.eye(3)
print(F.scaled_dot_product_attention(tokens, tokens, tokens, attn_mask=causal_mask(3), scale=1.0))

# %% [markdown]
# (The values are the identity matrix here, so that the output *is* the weights.)
#
# Is the future really without any effect, or with a very small one? Change the last token as wildly
# as you like and compare the outputs before it, bit for bit:

# %%
numbers = torch.Generator().manual_seed(0)
x = torch.randn(6, 4, generator=numbers)
changed = x.clone()
changed[-1] = 1e30
before = F.scaled_dot_product_attention(x, x, x, attn_mask=causal_mask(6))
after = F.scaled_dot_product_attention(changed, changed, changed, attn_mask=causal_mask(6))
print("first five outputs identical:", torch.equal(before[:5], after[:5]))

# %% [markdown]
# Identical, because a weight of exactly 0 times any finite number is 0. Filling in -10 or -20 in
# place of $-\infty$ would pass for right on most days, and leak on this one.
#
# Encoders such as BERT read whole texts and need no causal mask; decoders such as GPT write, and
# need one; an encoder-decoder such as T5 has it in the decoder only. Source: Vaswani et al. 2017,
# section 3.2.3.
