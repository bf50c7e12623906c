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
# About 15 minutes of reading, and an hour for the exercises. Afterwards you can
#
# - say what several heads can do that one cannot, and what they cost,
# - split a batch of vectors over heads and put the heads back together,
# - write multi-head attention, and show that it is the same function as PyTorch's own,
# - tell the two conventions for masks apart, and translate one into the other.
#
# **Conventions.** Vectors come as `(batch, seq, d_model)`, heads as `(batch, heads, seq, d_head)`
# with `d_head = d_model / num_heads`, the `d_k` of one head. Head h owns a *contiguous block* of
# features, from `h * d_head` on. A mask is boolean and **True where attention is allowed**. Your
# functions never change their inputs, and what they return has the dtype and the device of what
# came in, with no detour through NumPy or lists, and gradients flow back through them (through the
# weights of attention that come back, nobody follows them). A number of heads that does not fit
# raises `ValueError`, with both numbers in its text.
#
# **How to work.** Read a section, fill in the cell under it in place of the line that raises
# `NotImplementedError`, run it, then run the check below it: it says what it called, what came back
# and what was expected, and draws your result. Some questions ask you to predict what comes next:
# answer before you read on. Stuck? `from checks import hint`, then `hint("split_heads")` in a cell
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
from jaxtyping import Bool, Float
from torch import Tensor, nn

# %% [markdown]
# Some questions have numbers of your own, drawn from the id under which you hand in. Put it here.

# %%
student_id = ...  # the id under which you hand in, in quotation marks: "ada"

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
# let each piece run its own attention with its own softmax. Then lay the results side by side, and
# let one last projection mix them:
#
# $$\text{head}_h = \operatorname{softmax}\!\left(
# \frac{Q_h K_h^{\mathsf T}}{\sqrt{d_\text{head}}}\right) V_h
# \qquad \text{out} = [\text{head}_0\;\text{head}_1\;\dots]\,W_o^{\mathsf T} + b_o$$
#
# Note the root: a head's dot product adds up `d_head` products only. Queries, keys and values come
# from three projections of the whole vector, $Q = X W_q^{\mathsf T} + b_q$ and so on. So a head
# reads *all* of a token, and makes its own few features of it.
#
# What does that cost? Before you read on, count the parameters:

# %% quiz="k1" points=1

# %% [markdown]
# The number of heads is nowhere in it. Width 512 with eight heads takes $4 \cdot 512 \cdot 513 =
# 1{,}050{,}624$ parameters, and so it does with one head or with 64. The products cost the same as
# well: eight heads of width 64 add up $8 \cdot 64 = 512$ products for a pair of tokens, as one head
# of width 512 does. Several heads are not more of the same; they are the same, cut up:

# %% demonstration=true
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
# There is a price all the same. Each head compares tokens by fewer features, so it sees less
# detail; and there are as many tables of weights to keep as there are heads.
#
# ### A small example
#
# Three tokens of width 4 (the first three rows of the identity matrix), two heads, projections
# filled from seed 42, no biases. Slicing shows what each head gets:

# %% demonstration=true
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
# One score you can check by hand. Token 0's query in head 0 is above; the key of the same token and
# head is the start of the first row of `k`. Multiply, add, divide by $\sqrt 2$, and compare with
# `q[0, :2] @ k[0, :2] / math.sqrt(2)` in a cell of your own.
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
# `[1 2]` and `[5 6]`. In memory the eight numbers lie in the order 1 to 8.

# %% quiz="k2"

# %% [markdown]
# The shape is right, and no error warns you. This is a common mistake in code for heads: the
# model trains, a little worse than it should, and nobody sees why. So look at numbers, not only at
# shapes. The picture under your next check does: every cell names the token and the feature that it
# came from, and the colour is the token's.

# %% exercise="split_heads" points=2

# %% [markdown]
# ## Merging
#
# The way back, and the exact inverse: every token gets its heads' outputs side by side, head 0
# first. Merging what was split must give the same numbers in the same places.
#
# $$\text{out}_{b,\,s,\;h\,d_\text{head} + c} = x_{b,\,h,\,s,\,c}$$
#
# With the numbers from above: head 0 holds `[1 2]` and `[5 6]`, head 1 holds `[3 4]` and `[7 8]`.
# Token 0 must come out as `[1 2 3 4]`. Which two axes have to stand next to each other before they
# become one?

# %% exercise="merge_heads" points=2

# %% [markdown]
# The small example again, without a loop. This cell uses your functions; the numbers must be those
# from above.

# %% demonstration=true
with torch.no_grad():
    heads_q, heads_k, heads_v = (split_heads(part[None], 2) for part in (q, k, v))
    weights = torch.softmax(heads_q @ heads_k.mT / math.sqrt(2), dim=-1)
    print("weights of token 0 in head 0:", weights[0, 0, 0])
    print("side by side, token 0:       ", merge_heads(weights @ heads_v)[0, 0])

# %% quiz="k3" points=1

# %% [markdown]
# ## The whole module
#
# Everything is there: project, split, score, mask, softmax, weigh, merge, project. As shapes, for a
# batch of 2, five tokens, width 12 and three heads:
#
# | step | shape |
# |---|---|
# | x | (2, 5, 12) |
# | q, k, v, each through its projection | (2, 5, 12) |
# | the same, split | (2, 3, 5, 4) |
# | scores, and weights | (2, 3, 5, 5) |
# | weights times values | (2, 3, 5, 4) |
# | merged, and through `w_o` | (2, 5, 12) |
#
# A mask may have two to four axes: `(queries, keys)` for all alike, such as a causal one, or
# `(batch, 1, 1, keys)` for padding, or any shape that broadcasts to the scores, so that three axes
# are `(heads, queries, keys)`. Every query may attend to at least one key.
#
# Return the output *and* the weights of every head. Pictures, and all of notebook 6, live on the
# weights; a class that promises two values and returns one breaks wherever it is used.

# %% exercise="MultiHeadAttention" points=5

# %% [markdown]
# ### What has a new module learned?
#
# Here is your module on the three tokens from above, straight from the constructor, after seed 42.
# (The numbers depend on what was drawn before: first an output layer is filled, as in the tutorial
# that these figures come from. They also depend on the order in which your constructor makes its
# layers, here `w_q`, `w_k`, `w_v`, `w_o`: in another order you see other numbers, which is no
# fault, and nobody looks.)

# %% demonstration=true
first = nn.Linear(4, 4, bias=False)
torch.manual_seed(42)
nn.init.xavier_uniform_(first.weight)
fresh = MultiHeadAttention(4, 2, bias=False)
with torch.no_grad():
    _, weights = fresh(tokens[None])
figure, panels = plt.subplots(1, 2, figsize=(7, 2.9), sharey=True, layout="constrained")
for head, panel in enumerate(panels):
    image = panel.imshow(weights[0, head].numpy(), cmap="cividis", vmin=0.3, vmax=0.4)
    for row in range(3):
        for column in range(3):
            share = weights[0, head, row, column].item()
            colour = "black" if share > 0.343 else "white"
            panel.text(column, row, f"{share:.3f}", ha="center", va="center", color=colour)
    panel.set(title=f"head {head}", xlabel="key", xticks=range(3), yticks=range(3))
panels[0].set_ylabel("query")
figure.colorbar(image, ax=panels, label="weight")
plt.show()

# %% [markdown]
# *In words:* two tables of three queries by three keys, all numbers between 0.305 and 0.386. In
# head 0, word 0 has the weights `0.365 0.319 0.316`, and the words look most at words 0, 0 and 2;
# in head 1 they look most at words 1, 1 and 0.
#
# The tutorial prints these numbers, and says that they show what each head "learned to focus on".
# Keep that sentence in mind for the questions below.
#
# ## Two conventions for one word
#
# Two of the tutorials that this course was made from hide the future with a mask. One writes
#
# ```python
# mask = torch.tril(torch.ones(seq, seq))
# scores = scores.masked_fill(mask == 0, -1e9)
# ```
#
# and the other
#
# ```python
# mask = torch.triu(torch.ones(seq, seq), diagonal=1).bool()
# scores = scores.masked_fill(mask, float("-inf"))
# ```
#
# Both are right. In the first the mask says what is *allowed*, in the second what is *forbidden*;
# the same name, the same shape, the opposite meaning. PyTorch itself has both:
#
# | | True means |
# |---|---|
# | ours, and `F.scaled_dot_product_attention` | allowed |
# | `nn.MultiheadAttention`: `attn_mask`, `key_padding_mask` | forbidden |
#
# Nothing in a boolean tensor tells which is meant. Take a causal mask of ours for four tokens: True
# on and below the diagonal.

# %% quiz="k4"

# %% [markdown]
# Token 0 would look at tokens 1 to 3, its future. Every row of the output is wrong, and one of them
# loudly so. (With `need_weights=False` not even that one: recent versions of PyTorch then put zeros
# in the place of `nan`.) With a mask that leaves every row something, such as one for padding,
# nothing is loud at all. A translation in one place, with a name and a test, is cheap insurance.

# %% exercise="to_torch_mask" points=1

# %% [markdown]
# ### The same function as PyTorch's
#
# `nn.MultiheadAttention` keeps the weights of q, k and v in one tensor, one below the other. With
# weights copied over and the mask translated, the two modules must agree:

# %% demonstration=true
torch.manual_seed(0)
mine = MultiHeadAttention(12, 3)
theirs = nn.MultiheadAttention(12, 3, batch_first=True)
with torch.no_grad():
    projections = (mine.w_q, mine.w_k, mine.w_v)
    theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in projections]))
    theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in projections]))
    theirs.out_proj.load_state_dict(mine.w_o.state_dict())
    x = torch.randn(2, 5, 12)
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    output, weights = mine(x, causal)
    for name, mask in (("translated", to_torch_mask(causal)), ("as it is", causal)):
        other, _ = theirs(x, x, x, attn_mask=mask)
        print(f"mask {name:10}: largest difference {(output - other).abs().max().item():.1g}")

# %% [markdown]
# The first difference is rounding, the second is `nan`. Now you know what the library does inside,
# and can change it: many papers on attention change one of the lines that you have written.
#
# What do heads do once a model *is* trained? Some look at a fixed distance, some follow the
# grammar, some seek rare words, and many can be removed without much harm (Voita et al. 2019;
# Michel et al. 2019). Notebook 6 looks at them. Source of the method: Vaswani et al. 2017, section
# 3.2.2.
#
# ## Questions
#
# Put your answer in place of the dots; the comment behind them says which form it takes. The check
# looks at the form of your answer only.

# %% quiz="q1" points=1

# %% quiz="q2" points=1

# %% quiz="q3" points=1

# %% quiz="q4" points=1

# %% quiz="q5" points=1

# %% [markdown]
# And one to write about: a person reads it.

# %% written="w1" points=3
