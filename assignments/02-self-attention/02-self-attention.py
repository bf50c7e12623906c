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
# # 2 Self-attention
#
# About 15 minutes of reading, and an hour for the exercises. Afterwards you can
#
# - make queries, keys and values with three learnt matrices, and say why there are three,
# - write the whole formula of attention, mask and all, and check it by hand,
# - build it as a module, and count what it learns,
# - use the same function for two sequences (cross-attention),
# - find what is wrong in code that runs without an error.
#
# **Conventions.** A token is a *row*. The functions take matrices of shape `(d_model, d_k)` and
# `(d_model, d_v)`, so that a query is `x @ w_q`. A mask is boolean and **True where attention is
# allowed**. Attention gives back two tensors: the output first, then the weights. Any number of
# dimensions may stand in front; inputs are never changed; dtype and device stay what they were;
# gradients flow back to all inputs and parameters (through the weights of attention that come back,
# nobody follows them); nothing takes a detour through NumPy or lists.
#
# **How to work.** Read a section, fill in the cell under it in place of the line that raises
# `NotImplementedError`, run it, then run the check below it: it says what it called, what came back
# and what was expected, and draws your result. Some questions ask you to predict what comes next:
# answer before you read on. Stuck? `from checks import hint`, then `hint("project_qkv")` in a cell
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
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

# %% [markdown]
# Some questions have numbers of your own, drawn from the id under which you hand in. Put it here.

# %%
student_id = ...  # the id under which you hand in, in quotation marks: "ada"

# %% [markdown]
# ## A question to start with
#
# *The animal did not cross the street because it was too tired.* To understand **it**, a model must
# look at **animal**, and look hard. Must **animal** look just as hard at **it**?
#
# In notebook 1 it must: each token has one vector, and a dot product is the same both ways. How
# could one token look for a thing that it is not, and be found by tokens that it does not look for?

# %% [markdown]
# ## Three vectors from one
#
# Give every token three vectors in place of one: a **query** that says what it looks for, a **key**
# that says what it can be found by, and a **value** that it hands over. All three are made from the
# token's own vector $x_i$ by a matrix that is learnt, the same for all tokens:
#
# $$q = x\,W_q \qquad k = x\,W_k \qquad v = x\,W_v$$
#
# A matrix learns to pick out what matters: *I am a pronoun, I look for a noun that can be tired*
# may become a direction in the space of queries, and *I am a noun for a living thing* the same
# direction in the space of keys. Nobody programs these directions; training finds them.

# %% quiz="k1"

# %% [markdown]
# Tokens are rows, so the token stands on the left, and `(seq, d_model)` times `(d_model, d_k)`
# gives `(seq, d_k)`. Two tokens of width 3, by hand:
#
# $$x = \begin{pmatrix} 1 & 0 & 2 \\ 0 & 1 & 1 \end{pmatrix} \quad
# W_q = \begin{pmatrix} 1 & 0 \\ 0 & 1 \\ 1 & 1 \end{pmatrix} \quad
# W_k = \begin{pmatrix} 0 & 1 \\ 1 & 0 \\ 0 & 1 \end{pmatrix} \quad
# W_v = \begin{pmatrix} 2 \\ 1 \\ 0 \end{pmatrix}$$
#
# | token | query | key | value |
# |---|---|---|---|
# | (1, 0, 2) | (1 + 2, 0 + 2) = **(3, 2)** | **(0, 3)** | **(2)** |
# | (0, 1, 1) | (0 + 1, 1 + 1) = **(1, 2)** | **(1, 1)** | **(1)** |
#
# Each token is projected by itself; tokens meet only later, in the scores.

# %% exercise="project_qkv" points=2

# %% quiz="k2"

# %% [markdown]
# ## A score with a direction
#
# Put the two projections into the score of token $i$ for token $j$:
#
# $$q_i\,k_j^{\mathsf T} = x_i\,W_q\,W_k^{\mathsf T}\,x_j^{\mathsf T}$$
#
# This is a *bilinear form*: a dot product with the matrix $W_q W_k^{\mathsf T}$ in the middle. In
# the example above,
#
# $$W_q W_k^{\mathsf T} = \begin{pmatrix} 0 & 1 & 0 \\ 1 & 0 & 1 \\ 1 & 1 & 1 \end{pmatrix}
# \qquad\text{and}\qquad
# q\,k^{\mathsf T} = \begin{pmatrix} 6 & 5 \\ 6 & 3 \end{pmatrix}$$
#
# Token 0 scores 5 for token 1, token 1 scores 6 for token 0: the score has a direction now. With
# the identity in the middle it would be the raw similarity of notebook 1.
#
# The next cell makes three matrices as a public tutorial does, in the same order and from the
# same seed, so that its printed numbers come out again. The words are three rows of the identity.

# %% demonstration=true
words = ("cat", "sat", "mat")
x = torch.eye(4)[:3]
layers = [nn.Linear(4, 4, bias=False) for _ in range(3)]
torch.manual_seed(42)
for layer in layers:
    nn.init.xavier_uniform_(layer.weight)
w_q, w_k, w_v = (layer.weight.detach().T for layer in layers)
scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(4)
print(scores)

figure, panels = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
tables = (x @ x.T, "raw similarity"), (scores, "through two matrices, scaled")
for panel, (table, title) in zip(panels, tables, strict=True):
    panel.imshow(table.numpy(), cmap="cividis", vmin=-0.5, vmax=1)
    for i in range(3):
        for j in range(3):
            shade = "black" if table[i, j] > 0.3 else "white"
            panel.text(j, i, f"{table[i, j]:.2f}", ha="center", va="center", color=shade)
    panel.set_xticks(range(3), words)
    panel.set_yticks(range(3), words)
    panel.set(xlabel="keys (attended to)", title=title)
panels[0].set_ylabel("queries (attending)")
plt.show()

# %% [markdown]
# *In words:* two tables of queries by keys. On the left 1.00 on the diagonal and 0.00 elsewhere,
# the same above and below the diagonal. On the right nine different numbers between -0.37 and 0.43:
# *cat* scores -0.37 for *sat*, and *sat* scores 0.43 for *cat*.
#
# Words without anything in common can score high now, and in one direction only. These matrices are
# random, so the numbers mean nothing yet: training is what gives them a meaning.

# %% [markdown]
# ## The whole formula
#
# The rest you know from notebook 1: divide by the root of the keys' width, take the softmax of each
# query's row, average the values.
#
# $$\operatorname{Attention}(q, k, v) =
# \operatorname{softmax}\!\left(\frac{q\,k^{\mathsf T}}{\sqrt{d_k}}\right) v$$
#
# For *cat* in the table on the right: the scaled scores 0.0241, -0.3740 and 0.0564 become the
# weights **0.3698, 0.2483 and 0.3819**, since
#
# $$\frac{e^{0.0241}}{e^{0.0241} + e^{-0.3740} + e^{0.0564}} =
# \frac{1.0244}{1.0244 + 0.6880 + 1.0580} = 0.3698$$
#
# The first features of the three values are 0.6686, 0.1441 and -0.2812, so the output of *cat*
# begins with $0.3698 \cdot 0.6686 + 0.2483 \cdot 0.1441 - 0.3819 \cdot 0.2812 = 0.1756$.
#
# **A mask** says which keys a query may attend to at all. Where it is False, the score becomes
# $-\infty$ *before* the softmax; $e^{-\infty}$ is exactly 0, and the keys that are left share out
# the whole. *The* of notebook 1 has the scaled scores 1, 0 and 0.5:
#
# | mask for *The* | The | cat | sat |
# |---|---|---|---|
# | True, True, True | 0.5065 | 0.1863 | 0.3072 |
# | True, True, False | $e / (e + 1)$ = 0.7311 | $1 / (e + 1)$ = 0.2689 | 0 |
#
# Notebook 3 is about where masks come from. Here one is given, and anything that broadcasts to the
# scores will do: `(queries, keys)` for all of a batch, `(1, keys)` for all queries.

# %% quiz="k3" points=1

# %% exercise="scaled_dot_product_attention" points=3

# %% [markdown]
# This cell uses both of your functions. The tutorial prints 0.3698 0.2483 0.3819 in the first row
# of the weights, and 0.1756 0.2598 0.1669 0.2820 in the first row of the output.

# %% demonstration=true
output, weights = scaled_dot_product_attention(*project_qkv(x, w_q, w_k, w_v))
print(weights)
print(output)

# %% [markdown]
# ## As a module
#
# In a model, matrices live in layers. `nn.Linear(d_in, d_out)` computes $x\,W^{\mathsf T} + b$ and
# keeps its `weight` with the shape `(d_out, d_in)`: transposed against ours, which is why the cell
# above took `layer.weight.T`. Three of them, named `w_q`, `w_k` and `w_v`, are all that one head of
# attention learns. The softmax and the products between them have no parameters.

# %% quiz="k4" points=1

# %% quiz="k5"

# %% exercise="SelfAttention" points=3

# %% [markdown]
# This cell uses your module. PyTorch's own function gives the same output, from the same queries,
# keys and values; it does not give the weights.

# %% demonstration=true
attention = SelfAttention(d_model=16, d_k=4, d_v=6)
print(sum(parameter.numel() for parameter in attention.parameters()), "parameters")
texts = torch.randn(2, 5, 16, generator=torch.Generator().manual_seed(0))
with torch.no_grad():
    output, weights = attention(texts)
    theirs = F.scaled_dot_product_attention(
        attention.w_q(texts), attention.w_k(texts), attention.w_v(texts)
    )
print("output", tuple(output.shape), "weights", tuple(weights.shape))
print("largest difference:", (output - theirs).abs().max().item())

# %% [markdown]
# $16 \cdot (4 + 4 + 6) = 224$ parameters, however long the texts are.
#
# ## Cross-attention: one sequence asks, another answers
#
# Nothing in the formula says that queries and keys come from the same text. In translation, a
# decoder that has written *Le chat* asks, and the encoded *The cat sat* answers: queries come from
# the one, keys **and** values from the other. This is how attention began: in the recurrent
# translators of Bahdanau et al. (2015), the decoder's state was the query, and the encoder's states
# were keys and values at once.

# %% quiz="k6" points=1

# %% [markdown]
# It takes no new function; yours does it as it is. (The vectors are random: look at the shape.)

# %% demonstration=true
numbers = torch.Generator().manual_seed(3)
source, target = torch.randn(3, 4, generator=numbers), torch.randn(2, 4, generator=numbers)
output, weights = scaled_dot_product_attention(target @ w_q, source @ w_k, source @ w_v)

figure, panel = plt.subplots(figsize=(4.6, 2.6), layout="constrained")
image = panel.imshow(weights.numpy(), cmap="cividis", vmin=0, vmax=1)
for i in range(2):
    for j in range(3):
        shade = "black" if weights[i, j] > 0.6 else "white"
        panel.text(j, i, f"{weights[i, j]:.2f}", ha="center", va="center", color=shade)
panel.set_xticks(range(3), ("The", "cat", "sat"))
panel.set_yticks(range(2), ("Le", "chat"))
panel.set(xlabel="keys: the source", ylabel="queries: the target", title="2 queries, 3 keys")
figure.colorbar(image, label="weight")
plt.show()

# %% [markdown]
# *In words:* a table of two rows and three columns. Each row holds the three weights that a word of
# the target, *Le* or *chat*, gives to *The*, *cat* and *sat* in the source, and sums to 1.
#
# ## Code that runs
#
# The class below is put together from slips that stand in published lectures and tutorials. It has
# the right layers, it takes a mask, it raises no error, and a model with it even learns a little.
# Three things are wrong: one breaks a promise, one is a number, one is an axis. Read it against the
# formula and against its own docstring, and mark the three *before* you run the check. Then mend
# them. (Here the cell runs as it stands; change what is wrong in it.)

# %% exercise="RepairedAttention" points=3

# %% [markdown]
# ## Questions
#
# Put your answer in place of the dots, for instance `q1 = "A"`. The check looks at the form of your
# answer only.

# %% quiz="q1" points=1

# %% quiz="q2" points=1

# %% quiz="q3" points=1

# %% quiz="q4" points=1

# %% quiz="q5" points=1

# %% quiz="q6" points=1

# %% written="w1" points=3
