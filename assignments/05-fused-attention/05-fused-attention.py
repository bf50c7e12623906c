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
# # 5 Fused attention
#
# About 20 minutes. Afterwards you can
#
# - say where plain attention wastes time and memory,
# - write multi-head attention as it stands in models that are used today,
# - keep it free of what breaks later: a fixed device, dropout at the wrong time, masks that clash.
#
# **Conventions.** A mask is boolean and **True where attention is allowed**; it has two to four
# dimensions that broadcast to `(batch, heads, queries, keys)`. Inputs are `(batch, seq, d_model)`
# and are never changed; what comes back has their dtype (but for autocast) and their device. A
# number of heads that does not fit raises `ValueError`, with both numbers in its text.
#
# **How to work.** Fill in the cell in place of the lines that raise `NotImplementedError`, run it,
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
from jaxtyping import Bool, Float
from torch import Tensor, nn

# %% [markdown]
# ## A question to start with
#
# One text of 4,096 tokens, 32 heads, two bytes a number. The input of a layer 4,096 features wide
# takes 32 MiB. How much memory do the scores of that one layer take, one number for each head,
# query and key? Work it out before you read on; powers of two make it easy.

# %% [markdown]
# ## Where plain attention wastes
#
# $32 \cdot 4096 \cdot 4096 \cdot 2 = 2^{5 + 12 + 12 + 1} = 2^{30}$ bytes: **1 GiB**, 32 times as
# much as the input, for one layer and one text. Twice the length takes four times that:

# %%
lengths = [2**power for power in range(10, 17)]
scores = [32 * length**2 * 2 / 2**30 for length in lengths]
inputs = [length * 4096 * 2 / 2**30 for length in lengths]
figure, panel = plt.subplots(figsize=(6, 3), layout="constrained")
panel.loglog(lengths, scores, "o-", color="#00204d", base=2, label="scores, 32 heads")
panel.loglog(lengths, inputs, "s--", color="#a69d75", base=2, label="input, 4,096 features")
panel.axhline(80, color="black", linestyle=":")
panel.annotate("a card with 80 GiB", (1024, 80), va="bottom")
panel.set(xlabel="tokens", ylabel="GiB", title="One layer, one text, two bytes a number")
panel.legend()
plt.show()

# %% [markdown]
# *In words:* two straight lines over the length, both axes in powers of two. The input grows from
# 1/128 GiB at 1,024 tokens to half a GiB at 65,536. The scores start at 1/16 GiB, reach 1 GiB at
# 4,096 tokens and 256 GiB at 65,536, and cross the 80 GiB of a large card before 40,000 tokens.
#
# Yet nobody wants the scores: they are a step on the way to the output. **Fused** attention works
# through the keys block by block, keeps for every query a running maximum, a running sum and a
# running average of the values, and never has the whole table (Dao et al. 2022, *FlashAttention*).
# The numbers that come out are the same up to rounding. In PyTorch it is one call:
#
# $$\texttt{F.scaled\_dot\_product\_attention}(q, k, v) =
# \operatorname{softmax}\!\left(\frac{q\,k^{\mathsf T}}{\sqrt{d_\text{head}}}\right) v$$
#
# It splits no heads and projects nothing, but takes heads as leading dimensions. By hand: tokens
# that are rows of the 4x4 identity, as q, k and v, score $1/\sqrt 4 = 0.5$ with themselves and 0
# with others. For three of them, $e^{0.5} = 1.6487$, so a token weighs itself $1.6487 / 3.6487 =
# 0.4519$ and the others $0.2741$:

# %%
tokens = torch.eye(4)[:3]
print(F.scaled_dot_product_attention(tokens, tokens, tokens))

# %% [markdown]
# ## One product in place of three
#
# Queries, keys and values are three products of the *same* input. A graphics card does one large
# product faster than three small ones, and reads the input once. So stack the three weights:
#
# $$[\,q\;\;k\;\;v\,] = x\,W_{qkv}^{\mathsf T} + b_{qkv},
# \qquad W_{qkv} = \begin{bmatrix} W_q \\ W_k \\ W_v \end{bmatrix}
# \text{ with } 3\,d_\text{model} \text{ rows}$$
#
# The order is a contract, and model files differ in it. Ours: **first all features of q, then all
# of k, then all of v**, and within each of them head h owns the contiguous block of features that
# starts at `h * d_head`. Grading loads weights into your `qkv` and `out`, so names and order
# matter. With `d_model` 6 and 3 heads, which of the 18 outputs of `qkv` are the key of head 1?
# (Count from 0.)
#
# <details><summary>Answer</summary>The keys are outputs 6 to 11, two for each head: head 1 has 8
# and 9.</details>
#
# ## What else must hold
#
# - **Dropout** acts on the attention weights, in training only. The function that computes them
#   takes a probability, and does not know whether you are training: `self.training` does.
# - **Masks.** `is_causal=True` saves making a mask. `mask` may say anything else, for instance
#   where padding is. PyTorch's function refuses the two together in most cases; yours must let
#   *both* apply.
# - **Devices.** Whatever you make inside `forward` is made where `x` is, and `forward` never reads
#   a tensor's value back into Python (`.item()`, `if tensor:`, NumPy): on a graphics card that
#   waits for everything before it. Shapes are free to read.
# - **Compilation.** No Python loop runs over the batch or over single queries, and
#   `torch.compile(fullgraph=True)` can take the module as it is.
# - **Memory.** Without a mask, no seq × seq tensor is kept.
# - **Autocast.** Under `torch.autocast` everything works as it is, unless you force a dtype.

# %% exercise="FusedMultiHeadAttention" points=6

# %% [markdown]
# ## What the picture says
#
# The check draws how strongly each output depends on each input when `is_causal=True`. A right
# module has numbers on and below the diagonal and exact zeros above it. Which cell would a leak of
# one step into the future fill?
#
# This cell uses your module. It is the same function as `nn.MultiheadAttention`, once the weights
# are the same:

# %%
torch.manual_seed(0)
mine = FusedMultiHeadAttention(12, 3)
theirs = nn.MultiheadAttention(12, 3, batch_first=True)
theirs.in_proj_weight.data, theirs.in_proj_bias.data = mine.qkv.weight.data, mine.qkv.bias.data
theirs.out_proj.weight.data, theirs.out_proj.bias.data = mine.out.weight.data, mine.out.bias.data
x = torch.randn(2, 5, 12)
with torch.no_grad():
    expected, _ = theirs(x, x, x, need_weights=False)
    print("largest difference:", (mine(x) - expected).abs().max().item())
