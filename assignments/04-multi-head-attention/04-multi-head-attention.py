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
# # 4 Multi-head attention
#
# About 15 minutes. Afterwards you can
#
# - say what several heads can do that one cannot, and what they cost,
# - split a batch of vectors over heads and put the heads back together,
# - spot a tensor that has the right shape and the wrong numbers.
#
# **Conventions.** Vectors come as `(batch, seq, d_model)`, heads as `(batch, heads, seq, d_head)`
# with `d_head = d_model / num_heads`. Head h owns a *contiguous block* of features, from
# `h * d_head` on. Your functions never change their inputs, and what they return has the dtype and
# the device of what came in. A number of heads that does not fit raises `ValueError`, with both
# numbers in its text.
#
# **How to work.** Fill in each cell in place of the line that raises `NotImplementedError`, run
# it, then run the check below it: it says what it called, what came back and what was expected,
# and draws your result. When all is done, choose *Restart kernel and run all cells*;
# `nbgrader validate` does the same from a terminal. Then save and submit. Grading runs more checks
# than you see here; there a cell may run 10 seconds, and a call of your code 5.
#
# Text and pictures: CC BY 4.0.

# %%
import math

import matplotlib.pyplot as plt
import torch
from jaxtyping import Float
from torch import Tensor, nn

# %% [markdown]
# ## A question to start with
#
# *The cat that chased the mouse sat.* For **sat**, two other words matter: **cat** (who sat?) and
# **that** (what kind of sentence is this?). But softmax gives one row of weights per token, and
# they sum to 1: what goes to *that* is taken from *cat*, and the output is one blend of both.
#
# How could a token attend to two places for two reasons, without mixing them up, and without a
# model twice as large?

# %% [markdown]
# ## The idea: several narrow heads
#
# Cut every query, key and value of width `d_model` into `num_heads` pieces of width `d_head`, and
# let each piece run its own attention with its own softmax. Then lay the results side by side:
#
# $$\text{head}_h = \operatorname{softmax}\!\left(
# \frac{Q_h K_h^{\mathsf T}}{\sqrt{d_\text{head}}}\right) V_h
# \qquad \text{out} = [\text{head}_0\;\text{head}_1\;\dots]\,W_o$$
#
# The pieces together are as wide as before, so the products cost the same. Note the root: a head's
# dot product adds up `d_head` products only.

# %%
num_heads, d_head, seq = 2, 3, 4
owner = torch.arange(num_heads * d_head).repeat(seq, 1) // d_head
figure, panel = plt.subplots(figsize=(5.6, 2.6), layout="constrained")
panel.imshow(owner.numpy(), cmap="cividis", aspect="auto", vmin=0, vmax=1)
for token in range(seq):
    for feature in range(num_heads * d_head):
        head = int(owner[token, feature])
        colour = "black" if head else "white"
        panel.text(feature, token, f"head {head}", ha="center", va="center", color=colour)
panel.set(xlabel="feature", ylabel="token", title="Which head owns which feature (d_model 6)")
panel.set_yticks(range(seq))
plt.show()

# %% [markdown]
# *In words:* a table of four tokens by six features. In every row, features 0, 1 and 2 belong to
# head 0, features 3, 4 and 5 to head 1.
#
# ### A small example
#
# Three tokens of width 4 (the first three rows of the identity matrix), two heads, projections
# filled from seed 42. Slicing shows what each head gets:

# %%
torch.manual_seed(42)
project_q, project_k, project_v = (nn.Linear(4, 4, bias=False) for _ in range(3))
for layer in (project_q, project_k, project_v):
    nn.init.xavier_uniform_(layer.weight)
project_out = nn.Linear(4, 4, bias=False)
torch.manual_seed(42)
nn.init.xavier_uniform_(project_out.weight)

torch.set_printoptions(precision=4, sci_mode=False)
tokens = torch.eye(4)[:3]
with torch.no_grad():
    q, k, v = project_q(tokens), project_k(tokens), project_v(tokens)
    outputs = []
    for head, block in enumerate((slice(0, 2), slice(2, 4))):
        weights = torch.softmax(q[:, block] @ k[:, block].T / math.sqrt(2), dim=-1)
        outputs.append(weights @ v[:, block])
        print(f"head {head}: queries of token 0 {q[0, block]}\nweights\n{weights}\n")
    side_by_side = torch.cat(outputs, dim=-1)
    print("side by side, token 0:      ", side_by_side[0])
    print("after the output projection:", project_out(side_by_side)[0])

# %% [markdown]
# Follow token 0 through it. Its query in head 0 is `0.4398 -0.6643`, its weights there are `0.4005
# 0.3486 0.2509`; in head 1 token 2 has `0.4776 0.2712 0.2512`: two heads, two patterns. Side by
# side the outputs are `-0.2697 0.2631 -0.0389 0.1989`, and the output projection, which lets the
# heads' findings mix, makes `0.1767 0.2147 -0.3701 -0.1822` of them.
#
# A slice for each head and a loop are easy to read. Real code handles all heads at once, with the
# heads as an axis of their own: then one batched matrix product serves all.
#
# ## Splitting
#
# Move from `(batch, seq, d_model)` to `(batch, heads, seq, d_head)`:
#
# $$\text{out}_{b,\,h,\,s,\,c} = x_{b,\,s,\;h\,d_\text{head} + c}$$
#
# Take a pencil: a batch of one, two tokens `[1 2 3 4]` and `[5 6 7 8]`, two heads. Head 0 must hold
# `[1 2]` and `[5 6]`. In memory the eight numbers lie in the order 1 to 8. Someone just reads them
# into the shape `(1, 2, 2, 2)` in that order: what does head 0 hold then? The shape is right. Are
# the numbers?

# %% exercise="split_heads" points=2

# %% [markdown]
# ## Merging
#
# The way back, and the exact inverse: every token gets its heads' outputs side by side, head 0
# first. Merging what was split must give the same numbers in the same places.
#
# $$\text{out}_{b,\,s,\;h\,d_\text{head} + c} = x_{b,\,h,\,s,\,c}$$

# %% exercise="merge_heads" points=2

# %% [markdown]
# ## The small example again, without a loop
#
# This cell uses your functions; the numbers must be those from above.

# %%
with torch.no_grad():
    heads_q, heads_k, heads_v = (split_heads(part[None], 2) for part in (q, k, v))
    weights = torch.softmax(heads_q @ heads_k.mT / math.sqrt(2), dim=-1)
    print("weights of all heads:", tuple(weights.shape))
    print("side by side, token 0:", merge_heads(weights @ heads_v)[0, 0])

# %% [markdown]
# What do heads do once a model is trained? Some look at a fixed distance, some follow the grammar,
# some seek rare words, and many can be removed without much harm (Voita et al. 2019; Michel et al.
# 2019). Source of the method: Vaswani et al. 2017, section 3.2.2.
