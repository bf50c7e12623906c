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
# About 25 minutes of reading, and two hours for the exercises; the last one, which is optional,
# takes three quarters of an hour more. Afterwards you can
#
# - say where plain attention wastes time and memory, and put numbers to it,
# - write multi-head attention as it stands in models that are used today,
# - average over any number of keys without ever holding their whole row of scores,
# - let a model write token by token without doing its work again and again.
#
# **Conventions.** A mask is boolean and **True where attention is allowed**. The module takes
# `(batch, seq, d_model)`; functions that work on heads take them as leading dimensions, `(...,
# queries, d_k)`. Inputs are never changed; what comes back has their dtype (but for autocast) and
# their device. Where a text promises `ValueError`, it names both numbers that do not fit together;
# nobody tries others. Gradients flow back through `fuse_qkv`, the module, `tiled_attention` and
# `grouped_query_attention`; elsewhere nobody looks for any.
#
# **How to work.** Read a section, fill in the cell under it in place of the line that raises
# `NotImplementedError`, run it, then run the check below it: it says what it called, what came back
# and what was expected, and draws your result. Some questions ask you to predict what comes next:
# answer before you read on. Stuck? `from checks import hint`, then `hint("tiled_attention")` in a
# cell of your own shows a hint, and once more the next. When all is done, choose *Restart kernel
# and run all cells*, save and submit. In a terminal, `python -m checks` runs the saved notebook and
# its checks, and so does `nbgrader validate` where nbgrader is installed. Grading runs more checks
# than you see here, on other inputs; there a cell may run 10 seconds, and a call of your code 5.
#
# Text and pictures: CC BY 4.0.

# %%
import math
import os
from types import SimpleNamespace

import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

# For the last exercise, which is optional. Without a GPU, Triton runs kernels in Python, when told
# so before it is imported; without Triton, names stand in its place, and everything else runs.
if not torch.cuda.is_available():
    os.environ["TRITON_INTERPRET"] = "1"
try:
    import triton
    import triton.language as tl
except ImportError:
    triton, tl = SimpleNamespace(jit=lambda kernel: kernel), SimpleNamespace(constexpr=None)

# %% [markdown]
# Some questions have numbers of your own, drawn from the id under which you hand in. Put it here.

# %%
student_id = ...  # the id under which you hand in, in quotation marks: "ada"

# %% [markdown]
# ## A question to start with
#
# One layer of a model attends within one text. For each head it makes a table of scores, one number
# for each query and key. How much memory is that? Guess first, then work it out.

# %% quiz="k1" points=1

# %% [markdown]
# ## Where plain attention wastes
#
# Take 4,096 tokens, 32 heads and two bytes a number: $32 \cdot 4096 \cdot 4096 \cdot 2 =
# 2^{5 + 12 + 12 + 1} = 2^{30}$ bytes, **1 GiB**, for one layer and one text. The layer's input,
# 4,096 features wide, takes 32 MiB. Twice the length takes twice the input and four times the
# scores:

# %% demonstration=true
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
# Yet nobody wants the scores: they are a step on the way to the output. **Fused** attention makes
# them a block at a time and never has the whole table (Dao et al. 2022, *FlashAttention*). The
# numbers that come out are the same up to rounding. In PyTorch it is one call:
#
# $$\texttt{F.scaled\_dot\_product\_attention}(q, k, v) =
# \operatorname{softmax}\!\left(\frac{q\,k^{\mathsf T}}{\sqrt{d_k}}\right) v$$
#
# It splits no heads and projects nothing, but takes heads as leading dimensions. It is fused for
# `(batch, heads, seq, d_head)`; given fewer axes, PyTorch makes the whole table. By hand: tokens
# that are rows of the 4x4 identity, as q, k and v, score $1/\sqrt 4 = 0.5$ with themselves and 0
# with others. For three of them, $e^{0.5} = 1.6487$, so a token weighs itself $1.6487 / 3.6487 =
# 0.4519$ and the others $0.2741$:

# %% demonstration=true
tokens = torch.eye(4)[:3]
print(F.scaled_dot_product_attention(tokens, tokens, tokens))

# %% [markdown]
# In this notebook you use that function first, then write what it does inside, and then let it
# serve a model that writes one token after the other.
#
# ## One product in place of three
#
# Queries, keys and values are three products of the *same* input. A graphics card does one large
# product faster than three small ones, and reads the input once. So stack the three weights:
#
# $$[\,q\;\;k\;\;v\,] = x\,W_{qkv}^{\mathsf T},
# \qquad W_{qkv} = \begin{bmatrix} W_q \\ W_k \\ W_v \end{bmatrix}$$
#
# `nn.Linear` holds its weight with one row for each *output* feature. By hand, for two features and
# $x = [3\;\,5]$:
#
# | weight | rows | makes of $x$ |
# |---|---|---|
# | $W_q$ | [1 0], [0 1] | 3, 5 |
# | $W_k$ | [0 1], [1 0] | 5, 3 |
# | $W_v$ | [2 0], [0 2] | 6, 10 |
#
# Six rows below each other make six numbers at once: `[3 5 5 3 6 10]`. Nothing is saved in the
# multiplications, which are as many as before. What is saved are trips.

# %% exercise="fuse_qkv" points=1

# %% [markdown]
# ### Who owns which output?
#
# The order is a contract, and model files differ in it. Ours: **first all features of q, then all
# of k, then all of v**, and within each of them head h owns the contiguous block of features that
# starts at `h * d_head`. Weights that are cut in another order fit, run, and give nonsense.

# %% quiz="k2" points=1

# %% [markdown]
# ## The fused module
#
# With `d_model` 6 and 3 heads, `qkv` has 18 outputs. The keys are outputs 6 to 11, two for each
# head: head 1 has 8 and 9. The cut that gives you q, k and v of all heads is the heart of the
# module; PyTorch's function does the rest. One of its arguments is `dropout_p`, the probability
# with which an attention weight is dropped.

# %% quiz="k3"

# %% [markdown]
# What else must hold:
#
# - **Fused means fused.** One matrix product with `qkv.weight` gives q, k and v, and
#   `F.scaled_dot_product_attention` does the attention. Graders look at which operations run.
# - **Dropout** acts on the attention weights, in training only, and training and evaluation may take
#   turns. `F.scaled_dot_product_attention` is a plain function and does not know whether you are
#   training: `self.training` does.
# - **Masks.** `is_causal=True` saves making a mask. `mask` may say anything else, for instance
#   where padding is; it has two to four dimensions that broadcast to `(batch, heads, queries,
#   keys)`. PyTorch's function refuses the two together in most cases; yours must let *both* apply.
# - **Devices.** Whatever you make inside `forward` is made where `x` is, and `forward` never reads
#   a tensor's value back into Python (`.item()`, `if tensor:`, NumPy): on a graphics card that
#   waits for everything before it. Shapes are free to read.
# - **Compilation.** No Python loop runs over the batch or over single queries, and
#   `torch.compile(fullgraph=True)` can take the module as it is. (Grading compiles it where it has
#   a graphics card, and nowhere else.)
# - **Memory.** Without a mask, no seq × seq tensor is kept. On a graphics card, a sequence runs
#   whose table of scores would be larger than the card's memory.
# - **Time.** On a graphics card, 4,096 tokens take less than twice as long as with the reference.
# - **Autocast.** `torch.autocast` runs matrix products in half precision by itself. Everything
#   works under it as it is, unless you force a dtype.
#
# Grading loads weights into your `qkv` and `out`, so names and order matter.

# %% exercise="FusedMultiHeadAttention" points=6

# %% [markdown]
# The check draws how strongly each output depends on each input when `is_causal=True`. A right
# module has numbers on and below the diagonal and exact zeros above it. Which cell would a leak of
# one step into the future fill?
#
# ## From four projections to one module
#
# A model was trained with four separate projections, as you wrote them in notebook 4. It should run
# with the fused module, and answer as before. Nothing is computed: numbers move, each to its place.
# For 2 features there are 24 of them.
#
# | from | to | shape |
# |---|---|---|
# | weights of `w_q`, `w_k`, `w_v` | `qkv.weight`, rows 0-1, 2-3, 4-5 | (6, 2) |
# | their biases | `qkv.bias`, entries 0-1, 2-3, 4-5 | (6,) |
# | weight and bias of `w_o` | `out.weight`, `out.bias` | (2, 2), (2,) |
#
# Three traps. Projections may have no bias: then `layer.bias` is `None`, and the module should have
# none either. A parameter is not yours to write into while PyTorch records operations for
# gradients: copying weights is no step of the computation. `torch.no_grad()` says so. And the
# module must own its numbers: when it is trained further, the old model should answer as before.

# %% exercise="fused_from_projections" points=3

# %% [markdown]
# This cell uses your function. `nn.MultiheadAttention` with the same weights is the same function:

# %% demonstration=true
torch.manual_seed(0)
projections = [nn.Linear(12, 12) for _ in range(4)]
mine = fused_from_projections(*projections, 3)
theirs = nn.MultiheadAttention(12, 3, batch_first=True)
x = torch.randn(2, 5, 12)
theirs.in_proj_weight.data, theirs.in_proj_bias.data = mine.qkv.weight.data, mine.qkv.bias.data
theirs.out_proj.weight.data, theirs.out_proj.bias.data = mine.out.weight.data, mine.out.bias.data
with torch.no_grad():
    wanted, _ = theirs(x, x, x, need_weights=False)
    print(f"largest difference: {(mine(x) - wanted).abs().max().item():.0e}")

# %% [markdown]
# ## Tiles: a softmax that never sees its whole row
#
# How can a softmax be known before its row is complete? Its denominator is a sum over *all* keys,
# and its stability needs the maximum of *all* scores. You may keep, for each query, one vector as
# wide as a value and two numbers. Which two? Think for a minute before you read on.
#
# Keep the maximum $m$ so far, the sum $l$ of the exponentials so far, and the values' sum $o$, each
# value times its exponential; not yet divided by anything. When a new block of scores $s_j$ with
# values $v_j$ comes:
#
# $$m' = \max(m, \max_j s_j) \qquad l' = e^{m - m'}\,l + \sum_j e^{s_j - m'}
# \qquad o' = e^{m - m'}\,o + \sum_j e^{s_j - m'}\,v_j$$
#
# The factor $e^{m - m'}$ is the point. What was collected was made with the old maximum: every term
# $e^{s - m}$ should now read $e^{s - m'}$, and that is the same factor for all. After the last
# block, $o / l$ is the output. It starts with $m = -\infty$, $l = 0$, $o = 0$.
#
# By hand, for one query whose four scores are 1, 2, 3 and 0, with values 10, 20, 30 and 40, in
# blocks of two:
#
# | block | $m'$ | factor | $l'$ | $o'$ |
# |---|---|---|---|---|
# | 1, 2 | 2 | 0 | 0 + 0.3679 + 1 = **1.3679** | 0 + 3.679 + 20 = **23.679** |
# | 3, 0 | 3 | 0.3679 | 0.5032 + 1 + 0.0498 = **1.5530** | 8.711 + 30 + 1.991 = **40.702** |
#
# (Here $e^{-1} = 0.3679$ and $e^{-3} = 0.0498$; the first term of each sum is the factor times what
# was there.) And $40.702 / 1.5530 = 26.209$. The whole row at once, without any maximum:
#
# $$\frac{e^1 \cdot 10 + e^2 \cdot 20 + e^3 \cdot 30 + e^0 \cdot 40}{e^1 + e^2 + e^3 + e^0} =
# \frac{817.53}{31.193} = 26.209$$
#
# Now a row of your own to do in your head, or nearly:

# %% quiz="k4"

# %% [markdown]
# Nothing has to be written for this picture. It goes through the row from above and four keys more:
# slide the blocks, and watch what becomes of the bars that were there. Which block makes them
# shrink most, and which leaves them as they were? Then put all eight keys into one block: is a
# factor needed at all?

# %% demonstration=true
from checks import play

play("tiles")  # run this cell again whenever you want to move it

# %% [markdown]
# How much does it save? With 32 heads, two bytes a number and blocks of 128 keys, the scores that
# exist at one time take
#
# | tokens | whole table | one block of keys |
# |---|---|---|
# | 4,096 | 1 GiB | 32 MiB |
# | 16,384 | 16 GiB | 128 MiB |
# | 65,536 | 256 GiB | 512 MiB |
#
# The multiplications are as many as before, and a few more for the factors. It is faster all the
# same: a card multiplies far faster than it can fetch numbers, and a block fits into the small
# memory beside its arithmetic units. (FlashAttention cuts the queries into blocks, too.)
#
# Your version cuts the keys and takes all queries at once. A block size need not divide the number
# of keys. With `is_causal=True` there are as many queries as keys: which of a block's keys may
# query i see? Their positions do not start at 0.

# %% exercise="tiled_attention" points=5 not_checked="No check looks at the table that is_causal needs, or counts the keys that you take at a time." unseen="table-when-causal whole-rows block-size-ignored"

# %% [markdown]
# This cell uses your function. It follows one query through 64 keys, whose values rise evenly from
# -1 to 1: what would the average be if the keys ended here?

# %% demonstration=true
numbers = torch.Generator().manual_seed(3)
query, keys = 3 * torch.randn(1, 8, generator=numbers), torch.randn(64, 8, generator=numbers)
values = torch.linspace(-1, 1, 64)[:, None]
seen = list(range(4, 65, 4))
averages = [tiled_attention(query, keys[:end], values[:end], 4).item() for end in seen]
whole = F.scaled_dot_product_attention(query, keys, values).item()
figure, panel = plt.subplots(figsize=(6, 2.6), layout="constrained")
panel.step(seen, averages, where="post", marker="o", color="#00204d", label="o / l so far")
panel.axhline(whole, color="black", linestyle=":", label="all keys at once")
panel.set(xlabel="keys seen", ylabel="average of the values", title="Sixteen blocks of four keys")
panel.legend()
plt.show()

# %% [markdown]
# *In words:* a line of sixteen steps, one for each block of four keys, that rises from -0.97 to
# -0.16. It takes a large step where a block holds a key with a high score, a small one elsewhere,
# and ends on the dotted line: the average over all keys at once.
#
# ## Writing: one token at a time
#
# A model that writes attends causally. It has written 1,000 tokens and wants the next one. What of
# the work on the first 1,000 must it do again?
#
# Nothing. Causal means that nothing a token is made of comes after it: its key and its value do not
# change when more tokens follow. So keep them, in a **cache**, and compute for the newest token
# alone: its query, its key and its value. Its query meets all keys in the cache and its own.
#
# $$y_t = \operatorname{softmax}\!\left(\frac{q_t\,[k_0 \dots k_t]^{\mathsf T}}
# {\sqrt{d_\text{head}}}\right)[v_0 \dots v_t]$$
#
# Three steps by hand, with one head of width 1, so that the root is 1. Every query is 1, so that a
# key is its own score:
#
# | step | new k, v | keys in the cache | weights | output |
# |---|---|---|---|---|
# | 0 | 0, 4 | 0 | 1 | 4 |
# | 1 | 1, 8 | 0, 1 | 0.2689, 0.7311 | $0.2689 \cdot 4 + 0.7311 \cdot 8 = 6.9242$ |
# | 2 | 0, 5 | 0, 1, 0 | 0.2119, 0.5761, 0.2119 | $0.8478 + 4.6089 + 1.0597 = 6.5164$ |
#
# Step 2 uses the 0 and the 1 of the steps before, and makes neither again. For 1,000 tokens one
# head computes $1 + 2 + \dots + 1000 = 500{,}500$ scores. Starting anew for every token, with a
# causal pass over all that is there, it computes the whole square each time: $1^2 + 2^2 + \dots +
# 1000^2 = 333{,}833{,}500$.
#
# One trap is laid by PyTorch. Its `is_causal=True` is the lower triangle of queries by keys, drawn
# from the *top left* corner.

# %% quiz="k5"

# %% [markdown]
# In notebook 3 you made the mask that is anchored at the other corner. Here there is a single
# query, the newest, and nothing in the cache is later than it. Which mask does it need?
#
# The cache that came in must stay as it was. Somebody may try two continuations of one text, and
# both start from it.

# %% exercise="decode_step" points=4

# %% [markdown]
# This cell uses your class and your function:

# %% demonstration=true
torch.manual_seed(1)
writer = FusedMultiHeadAttention(12, 3).eval()
text = torch.randn(2, 6, 12)
steps, cache = [], None
with torch.no_grad():
    for position in range(6):
        y, cache = decode_step(writer, text[:, position : position + 1], cache)
        steps.append(y)
        print(f"after step {position}: keys {tuple(cache[0].shape)}")
    difference = (torch.cat(steps, dim=1) - writer(text, is_causal=True)).abs().max().item()
print(f"largest difference from the full pass: {difference:.0e}")

# %% [markdown]
# ### What the cache costs
#
# Memory, in exchange for time. Every layer keeps two vectors of `d_model` numbers for every token
# of every text that is being written:

# %% quiz="k6" points=1

# %% [markdown]
# ## For those who want more: fewer heads for keys and values
#
# The exercise of this section is the last but one, and its two points count like the others.
#
# A model of 32 layers with `d_model` 4096 and two bytes a number keeps $2 \cdot 32 \cdot 4096
# \cdot 2 = 2^{19}$ bytes for each token: half a MiB. A text of 32,768 tokens takes 16 GiB, and
# every single step reads all of it. The cache, not the arithmetic, then sets the pace.
#
# The queries are not in the cache. So keep as many heads of queries, and let several of them share
# one head of keys and values (Ainslie et al. 2023, *GQA*). With 32 query heads and 8 key heads, as
# in Llama 3 8B, the cache is a quarter: 4 GiB. With $g = \text{heads} / \text{key heads}$,
#
# $$\text{output}_h = \operatorname{softmax}\!\left(\frac{q_h\,k_j^{\mathsf T}}
# {\sqrt{d_k}}\right) v_j \qquad j = \lfloor h / g \rfloor$$

# %% demonstration=true
figure, panels = plt.subplots(1, 3, figsize=(8, 2.8), sharey=True, layout="constrained")
kinds = {8: "one for each", 2: "one for four", 1: "one for all"}
for panel, (key_heads, kind) in zip(panels, kinds.items(), strict=True):
    served = torch.arange(8)[:, None] // (8 // key_heads) == torch.arange(key_heads)
    panel.imshow(served.numpy(), cmap="cividis", vmin=0, vmax=1, aspect="auto")
    for head in range(8):
        panel.text(head * key_heads // 8, head, "uses", ha="center", va="center", fontsize=8)
    panel.set(title=kind, xlabel="key head", xticks=range(key_heads), yticks=range(8))
panels[0].set_ylabel("query head")
plt.show()

# %% [markdown]
# *In words:* three tables of eight query heads. On the left each uses a key head of its own. In the
# middle query heads 0 to 3 use key head 0, and 4 to 7 use key head 1. On the right all use the only
# one.
#
# Key head j serves a *contiguous block* of query heads. Dealt out in turn, key head 0 would serve
# heads 0, 2, 4 and 6: the shapes would be the same, and every weight of a trained model would be
# used in the wrong place. With `is_causal=True` there are as many queries as keys.

# %% exercise="grouped_query_attention" points=2

# %% [markdown]
# ## For those who want to know how it is done: a kernel
#
# `tiled_attention` never makes the whole table, and yet it is slow on a graphics card. Each of its
# operations is a **kernel**, a program that the card runs: it fetches its numbers from the card's
# memory, computes and writes them back, and the next one fetches them again. Blocks save memory
# there; they save *time* only when one kernel does everything to a block before it lets go. Such
# kernels are written in Triton (Tillet et al. 2019): a small language that looks like Python, is
# compiled for the card, and works on blocks.
#
# This last exercise is optional. Triton is made for Linux (`pip install triton`); a card is not
# needed, since its interpreter runs kernels in Python, slowly. Where there is no Triton, the cells
# below run all the same, the check says that it could not look, and you lose nothing.
#
# A kernel is started many times at once. Each of these **programs** asks for its number, works out
# which numbers are its own, loads them, computes and stores. Here each of them takes the means of
# 64 rows off:
#
# ```python
# @triton.jit
# def take_means_off(x_ptr, y_ptr, rows, width, ROWS: tl.constexpr, WIDTH: tl.constexpr):
#     row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)  # this program's rows
#     column = tl.arange(0, WIDTH)
#     at = row[:, None] * width + column[None, :]  # (ROWS, WIDTH): where each number stands
#     inside = (row[:, None] < rows) & (column[None, :] < width)
#     x = tl.load(x_ptr + at, mask=inside, other=0.0)
#     tl.store(y_ptr + at, x - tl.sum(x, axis=1)[:, None] / width, mask=inside)
#
# x = torch.rand(1000, 20)
# y = torch.empty_like(x)
# programs = (triton.cdiv(1000, 64),)  # 1000 / 64, rounded up: 16
# take_means_off[programs](x, y, 1000, 20, ROWS=64, WIDTH=32)
# ```
#
# By hand: program 15 has rows 960 to 1023, of which the last 24 do not exist; number 3 of row 960
# stands at $960 \cdot 20 + 3 = 19{,}203$. What to know:
#
# - **A tensor comes in as the place where its memory begins.** Its shape and its strides do not.
#   `x.contiguous()` lies row after row without gaps: x itself, or a copy where x does not.
# - **Sides of a block are powers of two**, known when the kernel is compiled (`tl.constexpr`), and
#   at least 16 for `tl.dot`. So blocks stick out over the edge, and a **mask** says what is there.
#   Without one a kernel reads what happens to lie behind, or writes into it: nobody stops it, and
#   the whole process may end.
# - **A block has to fit on the chip**: take 16 to 64 keys at a time, and as many queries.
# - **Programs run in any order**, many at once: none may wait for a number that another has stored.
# - `tl.dot(a, b, input_precision="ieee")` multiplies two blocks and adds up in float32. Without
#   that argument a card rounds float32 to 10 binary digits first. `tl.trans` turns a block.
# - `tl.max` and `tl.sum` take an `axis`; `tl.maximum`, `tl.where` and `tl.exp` work number by
#   number; `tl.zeros` and `tl.full` make blocks; `.to(...)` gives them another dtype.
# - **What you carry from block to block is float32**, also where q, k and v are float16. (In
#   bfloat16 the interpreter multiplies wrongly, and a card is right: it is graded on cards alone.
#   Nobody tries float64.)
# - **Time.** On a graphics card, 32 heads of 4,096 tokens take less than 50 times as long as with
#   the reference. A program with a single query would read all keys and values for it alone, and a
#   kernel that is defined inside of your function would be compiled anew at every call.
# - PyTorch sees no operation, so **no gradient** flows back.
#
# Given are the kernel's arguments and how it finds its queries; a program belongs to one head, and
# all heads of all texts are counted through. You write the loop over the keys, which you know from
# `tiled_attention`, and the function that starts the programs. How many along each of the two axes?

# %% exercise="triton_attention" points=2 bonus not_checked="No check tries more than 128 keys." unseen="long-rows-by-pytorch"

# %% [markdown]
# ## Questions
#
# Put your answer in place of the dots; the comment behind them says which form it takes. The check
# looks at the form of your answer only.

# %% quiz="q1" points=1

# %% quiz="q2" points=1

# %% quiz="q3" points=1

# %% quiz="q4" points=1

# %% quiz="q5" points=1

# %% quiz="q6" points=1

# %% [markdown]
# And one to write about: a person reads it.

# %% written="w1" points=3
