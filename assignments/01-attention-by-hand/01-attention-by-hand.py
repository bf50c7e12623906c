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
# # 1 Attention by hand
#
# About 15 minutes of reading, and an hour for the exercises. Afterwards you can
#
# - turn scores into shares with a softmax that survives any score,
# - score queries against keys, and say why the scores are divided by a root,
# - turn scores into attention weights along the right axis,
# - average values by these weights, and so attend: from raw vectors to an output.
#
# **Conventions**, the same in all notebooks: a query, key or value is a *row*; shapes are written
# `(..., queries, d_k)`, where `...` stands for any number of leading dimensions: a batch of texts,
# say, or **heads**, which are several attentions side by side (notebook 4 is about them). Your
# functions never change their inputs, and what they return has the dtype and the device of what
# came in. No axis is dropped because its length is 1. Tensors are worked on as tensors: a detour
# through NumPy or lists would stop a GPU. And a model learns by gradients: they must flow back
# through your code to every tensor that came in. (The first exercise is about NumPy arrays, and the
# rest are about tensors.)
#
# **How to work.** Read a section, fill in the cell under it in place of the line that raises
# `NotImplementedError`, run it, then run the check below it: it says what it called, what came back
# and what was expected, and draws your result. Some questions ask you to predict what comes next:
# answer before you read on. Stuck? `from checks import hint`, then `hint("softmax")` in a cell of
# your own shows a hint, and once more the next. When all is done, choose *Restart kernel and run
# all cells*, save and submit. In a terminal, `python -m checks` runs the saved notebook and its
# checks, and so does `nbgrader validate` where nbgrader is installed. Grading runs more checks than
# you see here, on other inputs; there a cell may run 10 seconds, and a call of your code 5.
#
# Text and pictures: CC BY 4.0.

# %%
import math

import matplotlib.pyplot as plt
import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

# %% [markdown]
# Some questions have numbers of your own, drawn from the id under which you hand in. Put it here.

# %%
student_id = ...  # the id under which you hand in, in quotation marks: "ada"

# %% [markdown]
# ## A question to start with
#
# *The cat sat.* To understand **sat**, a model should look at **cat** (who sat?) more than at
# **The**. Say that it finds by some rule the scores 2 for *cat*, 1 for *sat* itself and 0 for
# *The*. How much of each word should it take, if all it takes together is one whole?
#
# Shares in proportion to the scores, 2/3, 1/3 and 0, are tempting. But what are the shares when the
# scores are 2, 0 and -2? Write down an idea before you read on.

# %% [markdown]
# ## Softmax: from scores to shares
#
# Two things are needed: no share may be below 0, and they must sum to 1. The exponential makes any
# number positive; dividing by the sum does the rest:
#
# $$\operatorname{softmax}(x)_i = \frac{e^{x_i}}{\sum_j e^{x_j}}$$
#
# By hand, for the scores 2, 1 and 0:
#
# | score | $e^{x}$ | share |
# |---|---|---|
# | 2 | 7.389 | 7.389 / 11.107 = **0.6652** |
# | 1 | 2.718 | 2.718 / 11.107 = **0.2447** |
# | 0 | 1.000 | 1.000 / 11.107 = **0.0900** |
# | sum | 11.107 | 1 |
#
# Of two scores that differ by 1, the higher one gets a share $e$ times as large, wherever the two
# lie: only *differences* count. So the scores 12, 11 and 10 give the same three shares, and so do
# 2 - 99, 1 - 99 and 0 - 99.
#
# This matters more than it seems to. A computer's exponential soon runs out of numbers:

# %% demonstration=true
with np.errstate(over="ignore"):
    print(np.exp(np.array([10.0, 100.0, 1000.0])))

# %% [markdown]
# $e^{1000}$ is far too large for a floating-point number, so `inf` comes out, and `inf / inf` is
# `nan`, not a number. Yet the share of a score of 1000 beside one of 999 is nothing special:
# 0.7311. Which of the many equal ways to write the same scores keeps every exponential small?

# %% exercise="softmax" points=2

# %% [markdown]
# ### How sharp is it?
#
# Eight random scores, and the same scores times 100. Predict before you run the cell below.

# %% quiz="k1"

# %% demonstration=true
scores = torch.randn(8, generator=torch.Generator().manual_seed(0))
figure, panels = plt.subplots(1, 2, figsize=(8, 2.6), sharey=True, layout="constrained")
for panel, factor in ((panels[0], 1), (panels[1], 100)):
    panel.bar(range(8), torch.softmax(factor * scores, dim=0).numpy(), color="#3b528b")
    panel.set(title=f"softmax of the scores × {factor}", xlabel="score number", ylim=(0, 1))
panels[0].set_ylabel("share")
plt.show()

# %% [markdown]
# *In words:* on the left, eight bars of different heights, none above 0.4. On the right, one bar
# reaches 1 and the other seven are too small to be seen.
#
# Large differences turn softmax into a switch: one score takes all. A switch hardly learns, since
# moving a score a little moves the shares next to nothing: the gradient is nearly 0. Keep this in
# mind for the section after next.

# %% [markdown]
# ## Scores: how well does a key answer a query?
#
# Where do scores come from? In attention, every token has a **query** (what it looks for) and a
# **key** (what it can be found by). The score of a query for a key is their **dot product**:
# multiply number by number, then add up. As geometry, for vectors of lengths $|q|$ and $|k|$ at an
# angle $\theta$,
#
# $$q \cdot k = \sum_{c} q_c\,k_c = |q|\,|k|\cos\theta :$$
#
# large when both point the same way, 0 at a right angle, negative when they point apart. Length
# counts as well: a long key scores high with everyone it agrees with.
#
# Three tokens of width 4, whose vectors serve as queries and as keys:
#
# | token | vector | · The | · cat | · sat |
# |---|---|---|---|---|
# | The | 1 0 1 0 | 2 | 0 | 1 |
# | cat | 0 1 0 1 | 0 | 2 | 1 |
# | sat | 1 1 0 0 | 1 | 1 | 2 |
#
# Row by row: query *The* meets keys *The*, *cat* and *sat*. A table like this is a matrix product:
#
# $$\text{scores} = q\,k^{\mathsf T}$$
#
# Rows of $q$ meet columns of $k^{\mathsf T}$, and those are the rows of $k$. Nothing forces as many
# queries as keys: with the queries *The* and *cat* alone, the table has its first two rows. And
# nothing but the width has to agree: each of the two may be a whole batch, or a batch of heads.

# %% quiz="k2" points=1

# %% quiz="k3"

# %% exercise="dot_product_scores" points=2

# %% [markdown]
# ## Why a root?
#
# A dot product adds up as many products as the vectors are wide. Take queries and keys filled with
# standard normal random numbers: each product has mean 0 and variance 1, so a sum of $d_k$ of them
# has variance $d_k$. How far, then, do the products spread for widths 64 and 512? The cell below
# measures it; first work it out for a width of your own.

# %% quiz="k4" points=1

# %% demonstration=true
numbers = torch.Generator().manual_seed(1)
figure, panel = plt.subplots(figsize=(6, 2.8), layout="constrained")
for width, style in ((64, "-"), (512, "--")):
    queries, keys = torch.randn(2, 3_000, width, generator=numbers)
    products = (queries * keys).sum(dim=-1)
    print(f"width {width}: standard deviation {products.std():.1f}")
    height, edges = np.histogram(products.numpy(), bins=60, range=(-80, 80), density=True)
    panel.plot((edges[1:] + edges[:-1]) / 2, height, style, label=f"width {width}")
panel.set(xlabel="dot product", ylabel="how often", title="Wider vectors, wider spread")
panel.legend()
plt.show()

# %% [markdown]
# *In words:* two bells around 0. The one for width 64 is narrow and high, most of it between -16
# and 16; the dashed one for width 512 is nearly three times as wide.
#
# The deviations are 8 and 22.6: the roots of 64 and 512. With scores that far apart, softmax is the
# switch of the picture above. Dividing by $\sqrt{d_k}$ brings the spread back to 1, whatever the
# width:
#
# $$\text{scores} = \frac{q\,k^{\mathsf T}}{\sqrt{d_k}}$$
#
# In the small table $d_k = 4$, so *The* has the scores 1, 0 and 0.5.

# %% [markdown]
# ### Slide the width
#
# Nothing has to be written for this picture: run the cell, and slide $d_k$. At which width does one
# share have nearly all of the whole, so that hardly any gradient is left in the lowest row? Then
# divide by the root, and slide again.

# %% demonstration=true
from checks import play

play("scale")  # run this cell again whenever you want to move it

# %% exercise="scaled_scores" points=2

# %% [markdown]
# ## Weights: each query shares out one whole
#
# Now put the two together: softmax over the scores of *one query*, for every query by itself. Take
# tokens that have nothing in common, the rows of an identity matrix. Unscaled, each scores 1 with
# itself and 0 with the others.

# %% quiz="k5" points=1

# %% [markdown]
# By hand for three tokens, with $e = 2.7183$:
#
# $$\frac{e}{e + 1 + 1} = \frac{2.7183}{4.7183} = 0.5761
# \qquad \frac{1}{e + 1 + 1} = 0.2119$$
#
# So even here no token looks only at itself: a good two fifths of its attention goes to the others.
# A score of 0 is no refusal, since $e^0$ is 1. Only a score of $-\infty$ has a share of exactly 0.
#
# With a batch and several heads the scores have the shape `(batch, heads, queries, keys)`. A
# query's scores stand in one row. Along which axis do they lie, whatever stands in front?

# %% exercise="attention_weights" points=2

# %% [markdown]
# This cell uses two of your functions. Look at the row of *The*: its scaled scores were 1, 0 and
# 0.5.

# %% demonstration=true
tokens = torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0]])
weights = attention_weights(scaled_scores(tokens, tokens))
for position, name in enumerate(("The", "cat", "sat")):
    print(name, [f"{weight:.4f}" for weight in weights[position]])

# %% [markdown]
# ## Values: what is handed over
#
# What are the weights for? Every token also has a **value**: what it hands over when it is attended
# to. A query gets all values, each times its weight:
#
# $$\text{output}_i = \sum_j w_{ij}\,v_j$$
#
# Two queries and three values of width 2, by hand:
#
# | | weights | $v_0 = (4, 0)$ | $v_1 = (0, 8)$ | $v_2 = (2, 2)$ | output |
# |---|---|---|---|---|---|
# | query 0 | 0.5, 0, 0.5 | (2, 0) | (0, 0) | (1, 1) | **(3, 1)** |
# | query 1 | 0.25, 0.5, 0.25 | (1, 0) | (0, 4) | (0.5, 0.5) | **(1.5, 4.5)** |
#
# This, too, is a matrix product. Weights that sum to 1, none of them below 0, make it an *average*,
# and an average cannot leave the ground that its values span:

# %% demonstration=true
values = np.array([[4.0, 0.0], [0.0, 8.0], [2.0, 2.0]])
outputs = np.array([[3.0, 1.0], [1.5, 4.5]])
figure, panel = plt.subplots(figsize=(5, 3.4), layout="constrained")
panel.fill(*values.T, facecolor="0.9", edgecolor="0.4", linestyle="--", label="all averages")
panel.plot(*values.T, "s", color="#00204d", label="values")
panel.plot(*outputs.T, "o", color="#a05a00", label="outputs")
for points, what in ((values, "v"), (outputs, "query ")):
    for number, (x, y) in enumerate(points):
        panel.annotate(f"{what}{number}", (x, y), xytext=(6, 4), textcoords="offset points")
panel.set(xlabel="feature 0", ylabel="feature 1", title="An average stays among its values")
panel.set(xlim=(-0.4, 5), ylim=(-0.6, 9))
panel.legend()
plt.show()

# %% [markdown]
# *In words:* three squares, the values, are the corners of a grey triangle. The output of query 0
# is a dot halfway between $v_0$ and $v_2$; that of query 1 is a dot inside the triangle, halfway
# between that first dot and $v_1$. The triangle holds every average that any weights can make.
#
# Values may be wider or narrower than queries and keys.

# %% quiz="k6" points=1

# %% exercise="weighted_values" points=2

# %% [markdown]
# ### Turn a query
#
# Three keys of width 2, and the triangle from above. Turn the query by its angle, and watch where
# the output goes: what does it come near when the query points halfway between two keys? Then make
# the query longer. How close to a corner does it get, and does it ever arrive?

# %% demonstration=true
from checks import play

play("query")  # run this cell again whenever you want to move it

# %% [markdown]
# ## All together: attention with nothing learnt
#
# Let every token be a query, a key and a value at once: its own vector serves for all three. Tokens
# then attend to each other by raw similarity, and nothing needs to be learnt:
#
# $$\operatorname{output} = \operatorname{softmax}(x\,x^{\mathsf T})\,x$$
#
# There is no root here: the plain scores do for narrow vectors, and one step less stands between
# you and the numbers. For *cat*, *sat* and *mat* as the first three rows of the 4x4 identity, the
# weights of *cat* are 0.5761, 0.2119 and 0.2119, so its output is
#
# $$0.5761 \cdot (1,0,0,0) + 0.2119 \cdot (0,1,0,0) + 0.2119 \cdot (0,0,1,0) =
# (0.5761,\ 0.2119,\ 0.2119,\ 0)$$
#
# Three words that had nothing in common went in. What comes out for *cat* knows of *sat* and *mat*.

# %% exercise="simple_attention" points=2

# %% [markdown]
# This cell uses your function. What two words have in common is their dot product; see what
# attending has done to it.

# %% demonstration=true
words = torch.eye(4)[:3]  # cat, sat, mat
output, weights = simple_attention(words)
print(output)
print(f"cat · sat: before {words[0] @ words[1]:.4f}, after {output[0] @ output[1]:.4f}")

# %% [markdown]
# From nothing to 0.2891: each output is a mixture now, and the mixtures share their ingredients.
#
# ## What is missing
#
# One vector for three purposes is a poor fit. *sat* should look for a noun, and be found by whoever
# looks for a verb; one vector cannot say both. With one vector, the score of *cat* for *sat* is
# always that of *sat* for *cat*. And since nothing can be learnt, nothing gets better. In notebook
# 2 every token makes its query, its key and its value with three matrices that *are* learnt, and
# the root comes back:
#
# $$\operatorname{Attention}(Q, K, V) =
# \operatorname{softmax}\!\left(\frac{Q K^{\mathsf T}}{\sqrt{d_k}}\right) V$$
#
# (Vaswani et al. 2017, *Attention Is All You Need*, section 3.2.1.)
#
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

# %% quiz="q7" points=1

# %% quiz="q8" points=1

# %% written="w1" points=3
