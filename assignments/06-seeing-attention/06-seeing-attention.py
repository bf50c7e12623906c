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
# # 6 Seeing attention
#
# About 25 minutes of reading, and an hour and a half for the exercises. Afterwards you can
#
# - draw a head's weights so that a reader gets them right, and read such a picture,
# - put a number on how widely a head looks, and a name on its pattern,
# - open a BERT checkpoint, take out the weights of every head, and say what each is for,
# - say what a picture of attention does not show.
#
# **Conventions**, the same in all notebooks: weights of one head are `(queries, keys)`, of many
# `(..., queries, keys)`; row i belongs to query i and sums to 1. A mask is True where attention is
# allowed. Your functions never change their inputs. Positions, layers and heads are counted from 0;
# head 2.1 is head 1 of layer 2. Beside this notebook lie `bert.py` and the folder `tiny-bert`,
# which the last section needs.
#
# **How to work.** Read a section, fill in the cell under it in place of the line that raises
# `NotImplementedError`, run it, then run the check below it: it says what it called, what came back
# and what was expected, and draws your result. Some questions ask you to predict what comes next:
# answer before you read on. Stuck? `from checks import hint`, then `hint("plot_attention")` in a
# cell of your own shows a hint, and once more the next. When all is done, choose *Restart kernel
# and run all cells*, save and submit. In a terminal, `python -m checks` runs the saved notebook and
# its checks, and so does `nbgrader validate` where nbgrader is installed. Grading runs more checks
# than you see here, on other inputs; there a cell may run 10 seconds, and a call of your code 5.
#
# Text and pictures: CC BY 4.0.

# %%
import math

import bert
import matplotlib.pyplot as plt
import numpy as np
import torch
from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

# %% [markdown]
# Some questions have numbers of your own, drawn from the id under which you hand in. Put it here.

# %%
student_id = ...  # the id under which you hand in, in quotation marks: "ada"

# %% [markdown]
# ## A question to start with
#
# BERT base has 12 layers with 12 heads each. For one sentence of ten tokens that makes 144 tables
# of a hundred weights. Somewhere in them the model finds out that *it* means *the cat*. Where would
# you look first, and how would you know that you have found it?
#
# Nobody reads 14,400 numbers. So you need three things: a picture of one table, a number that says
# what kind of table it is, and a way to get the tables out of a model.
#
# ## One table
#
# A head's weights for six tokens, made up, but plausible:

# %% demonstration=true
tokens = ["The", "cat", "sat", "on", "the", "mat"]
weights = torch.tensor(
    [
        [0.40, 0.15, 0.10, 0.10, 0.15, 0.10],
        [0.10, 0.50, 0.25, 0.05, 0.05, 0.05],
        [0.08, 0.35, 0.40, 0.12, 0.03, 0.02],
        [0.05, 0.05, 0.10, 0.35, 0.15, 0.30],
        [0.40, 0.08, 0.07, 0.10, 0.25, 0.10],
        [0.05, 0.10, 0.05, 0.25, 0.15, 0.40],
    ]
)
print("sums of the rows:", weights.sum(dim=1))

# %% quiz="k1"

# %% [markdown]
# If you had to stop and think which axis is which, so will everyone who sees your picture. A
# heatmap of weights needs four things:
#
# - **rows are queries, from the top down**, as in the table, and both axes say so;
# - **a token at every row and column**, also where one comes twice;
# - **a colour bar**;
# - **colours from 0 to 1, always.** Left alone, matplotlib gives its brightest colour to the
#   largest number it finds, whatever that is.
#
# What the last one does is best seen. Below, one head gives every key nearly the same; the other
# gives nearly all to one.


# %% demonstration=true
def two_heads_twice():
    """Draw an even and a sharp head, each with both kinds of colours."""
    even = 0.25 + 0.01 * torch.tensor([[1, -1, 0, 0], [0, 1, -1, 0], [-1, 0, 1, 0], [0, 0, -1, 1]])
    sharp = 0.02 + 0.92 * torch.eye(4)
    figure, panels = plt.subplots(2, 2, figsize=(6.4, 5.2), layout="constrained")
    for row, (colours, limits) in enumerate((("left alone", ()), ("from 0 to 1", (0, 1)))):
        for panel, (name, table) in zip(
            panels[row], (("even", even), ("sharp", sharp)), strict=True
        ):
            image = panel.imshow(table.numpy(), cmap="cividis")
            if limits:
                image.set_clim(*limits)
            panel.set(title=f"{name} head, colours {colours}", xlabel="key", ylabel="query")
            figure.colorbar(image, ax=panel, label="weight")
    plt.show()


two_heads_twice()

# %% [markdown]
# *In words:* four heatmaps of four queries and four keys. In the upper two, with colours left
# alone, the even head (0.24 to 0.26) looks as striking as the sharp head (0.02 to 0.94): both have
# bright and dark cells. In the lower two, with colours from 0 to 1, the even head is one dull blue
# and only the sharp head has a bright diagonal.
#
# Write a function that gets all four right; you will use it for the rest of the notebook. Weights
# that come from a model may carry a gradient, stand on a GPU, or be in bfloat16; matplotlib takes
# none of these. What turns any tensor into one that it takes?

# %% exercise="plot_attention" points=3

# %% demonstration=true
plot_attention(weights, tokens).set_title("six tokens, one head")
plt.show()

# %% [markdown]
# *In words:* a heatmap of six queries by six keys. The diagonal is bright, from 0.25 to 0.50. Off
# it, the brightest cells are *the* looking at the first *The* (0.40), *sat* at *cat* (0.35) and
# *on* at *mat* (0.30).
#
# ## Links in words
#
# A picture gives an impression. To talk about a head you need words: "*sat* looks at *cat*". So
# list, for each query, the keys with the largest weights. By hand, three for each:
#
# | query | first | second | third |
# |---|---|---|---|
# | The | The 0.40 | cat 0.15 | the 0.15 |
# | sat | sat 0.40 | cat 0.35 | on 0.12 |
# | mat | mat 0.40 | on 0.25 | the 0.15 |
#
# In the first row *cat* and *the* have the same weight. Which comes first must not be left to
# chance, or two runs tell two stories: here the earlier position does. Sorting upwards and reading
# the result backwards would give *the* before *cat*. Does the sort that you want to use say
# anything about equal numbers?

# %% exercise="strongest_links" points=2

# %% demonstration=true
for token, links in zip(tokens, strongest_links(weights, tokens, k=2), strict=True):
    print(f"{token:>4} looks at", ", ".join(f"{key} ({weight:.2f})" for key, weight in links))

# %% [markdown]
# ## Two ways to read one sentence
#
# An encoder such as BERT reads **bidirectionally**: every token sees every other. A decoder such as
# GPT reads **causally**: a token sees itself and what came before. From the same scores, how do the
# two tables differ? In the cells to the right of the diagonal, clearly: there the causal one is 0.
# But what happens to the others?

# %% quiz="k2" points=1

# %% [markdown]
# Take query 1 of three, with scores 2, 1 and 0. Bidirectionally, its weights are 0.6652, 0.2447 and
# 0.0900. Causally it sees the first two keys, which share out one whole: 0.7311, 0.2689 and 0. Both
# of them grew by the same factor, 1 / (1 - 0.0900). And query 0 sees one key: its weight is 1,
# whatever its score.

# %% exercise="compare_attention" points=2

# %% demonstration=true
random = torch.Generator().manual_seed(3)
compare_attention(2 * torch.randn(6, 6, generator=random), tokens)
plt.show()

# %% [markdown]
# *In words:* two heatmaps of the same random scores for the six tokens. Left, titled
# "bidirectional", bright cells lie on both sides of the diagonal. Right, titled "causal", the upper
# right triangle is dark; in the first row the first cell is at 1, and the last row is the same as
# on the left.
#
# The bright first cell is no discovery of the model's. Whoever averages causal maps over many
# sentences finds that "everything attends to the first token"; part of that is this triangle.
#
# ## How widely does a query look?
#
# Weights are shares that sum to 1, so a measure of chance applies: Shannon's **entropy**,
#
# $$H_i = -\sum_j w_{ij}\,\ln w_{ij}$$
#
# with the natural logarithm, in *nats*. By hand:
#
# | weights of one query | entropy | $e^H$ |
# |---|---|---|
# | 1, 0, 0, 0 | 0 | 1 |
# | 0.5, 0.5, 0, 0 | 2 · 0.5 · ln 2 = **0.6931** | 2 |
# | 0.7, 0.1, 0.1, 0.1 | 0.7 · 0.3567 + 3 · 0.1 · 2.3026 = **0.9404** | 2.56 |
# | 0.25, 0.25, 0.25, 0.25 | 4 · 0.25 · ln 4 = **1.3863** | 4 |
#
# The last column reads as "how many keys, in effect". Divided by the largest value that is possible
# with so many keys, entropy says how even a row is, from 0 to 1, for a sentence of any length.

# %% quiz="k3" points=1

# %% [markdown]
# One thing stands in the way. A causal mask makes weights of exactly 0, and a computer says:

# %% demonstration=true
zero = torch.tensor(0.0, requires_grad=True)
product = zero * zero.log()
product.backward()
print("0 · ln 0 =", product.item(), " its gradient:", zero.grad.item())

# %% [markdown]
# The limit of $w \ln w$ for small $w$ is 0, so 0 · ln 0 counts as 0. Replacing a NaN at the end
# mends the value, but not the gradient: that has run through $\ln 0$ already. (Entropy is also
# trained on, to make heads sharp or keep them from it.) Adding a small number such as 1e-12 helps,
# except in float16, where 1e-12 is 0. Which number could stand in for a weight of 0 *before* the
# logarithm, so that nothing infinite is ever computed?

# %% exercise="attention_entropy" points=2

# %% demonstration=true
print("entropy of each query:", attention_entropy(weights))
print("in effect, keys:      ", attention_entropy(weights).exp())

# %% [markdown]
# *cat* and *sat* look most narrowly, at about four keys in effect; *The* most widely, at five.
#
# ## A name for a pattern
#
# With 144 tables, let the computer sort them first. Four patterns are easy to name:
#
# | | example | mean entropy / ln n | mean diagonal | mean row maximum | mean within 1 |
# |---|---|---|---|---|---|
# | uniform | a third each | **1.00** | 0.33 | 0.33 | 0.78 |
# | diagonal | 0.9 on itself, 0.05 elsewhere | 0.36 | **0.90** | 0.90 | 0.97 |
# | focused | 0.90, 0.80, 0.85 on other tokens | 0.47 | 0.07 | **0.85** | 0.70 |
# | local | 0.5 to 0.7 on itself, 0.2 beside it | 0.73 | 0.60 | 0.60 | **0.90** |
#
# (*n* is the number of tokens; *within 1* is what a row gives to keys at most one position away.)
# The columns overlap: the diagonal example would pass for focused and for local as well. So the
# rules are asked in this order, and the first that holds decides:
#
# 1. mean entropy / ln n at least 0.95: **uniform**
# 2. mean diagonal at least 0.8: **diagonal**
# 3. mean row maximum at least 0.7: **focused**
# 4. mean within 1 at least 0.8: **local**
# 5. none of these: **mixed**

# %% quiz="k4"

# %% exercise="classify_pattern" points=2

# %% demonstration=true
examples = {
    "0.9 on itself": [[0.9, 0.05, 0.05], [0.05, 0.9, 0.05], [0.05, 0.05, 0.9]],
    "a third each": [[1 / 3, 1 / 3, 1 / 3]] * 3,
    "others": [[0.05, 0.90, 0.05], [0.10, 0.10, 0.80], [0.85, 0.10, 0.05]],
    "a band": [[0.7, 0.2, 0.1, 0], [0.2, 0.5, 0.2, 0.1], [0.1, 0.2, 0.5, 0.2], [0, 0.1, 0.2, 0.7]],
}
for told, rows in examples.items():
    print(f"{told:>16}: {classify_pattern(torch.tensor(rows))}")
print(f"{'the six tokens':>16}: {classify_pattern(weights)}")

# %% [markdown]
# ## The tables of a whole model
#
# Where do real tables come from? From a **checkpoint**: a folder with the model's settings
# (`config.json`), its words (`vocab.txt`) and its tensors (`model.safetensors`). `bert.py` reads
# such a folder; open it, it is short. It does all but attention:
#
# - `model = bert.load(folder)` opens the checkpoint;
# - `model.split(text)` cuts a text into word pieces, lower-case;
# - `model.embed` makes the input of the first layer, `(seq, d_model)`, from a list of tokens and a
#   list of their segments;
# - for every `layer` in `model.layers`, `layer.project(x)` gives queries, keys and values, each
#   `(heads, seq, d_head)`, and `layer.finish(x, found)` makes the next layer's input from what the
#   heads found, their weights times their values.
#
# BERT wants its tokens in a fixed form: **[CLS]** first, a token that stands for the whole text;
# then the text's pieces; then **[SEP]**. A second text goes behind that, with a [SEP] of its own.
# Every token has a segment: 0 up to and with the first [SEP], 1 after it.
#
# | | [CLS] | a | cat | [SEP] | it | sat | [SEP] |
# |---|---|---|---|---|---|---|---|
# | segment | 0 | 0 | 0 | 0 | 1 | 1 | 1 |
#
# A layer's output is the next layer's input. So whatever you want from layer 2, you must run layers
# 0 and 1 to the end: weights alone are not enough, the values must flow as well.

# %% quiz="k5" points=1

# %% exercise="load_attention" points=4

# %% [markdown]
# ## Twelve heads
#
# `tiny-bert` has 3 layers of 4 heads. It was not trained: its matrices were put together by hand,
# so that each head does one thing that trained heads have been seen to do, and does it plainly. It
# knows some 250 words and spells all others letter by letter; it has positions for 32 tokens.

# %% demonstration=true
first, second = "The cat sat on the mat.", "A tired kitten slept near the quokka."
pieces, maps = load_attention("tiny-bert", first, second)
print(len(pieces), "tokens; weights", tuple(maps.shape))


# %% demonstration=true
def gallery(pieces, maps):
    """Draw all heads, each with its pattern's name and its mean entropy."""
    figure, panels = plt.subplots(3, 4, figsize=(13, 10.5), layout="constrained")
    for (layer, head), panel in np.ndenumerate(panels):
        table = maps[layer, head]
        image = panel.imshow(table.numpy(), cmap="cividis", vmin=0, vmax=1)
        mean = attention_entropy(table).mean()
        panel.set_title(f"{layer}.{head}: {classify_pattern(table)}, {mean:.2f} nats")
        panel.set_xticks(
            range(len(pieces)), pieces if layer == 2 else [""] * len(pieces), rotation=90
        )
        panel.set_yticks(range(len(pieces)), pieces if head == 0 else [""] * len(pieces))
    figure.supxlabel("key (attended to)")
    figure.supylabel("query (attending)")
    figure.colorbar(image, ax=panels, label="weight", shrink=0.5)
    plt.show()


gallery(*load_attention("tiny-bert", first, second))

# %% [markdown]
# *In words:* twelve heatmaps of 18 tokens. Layer 0 shows a bright line just below the diagonal
# (0.0), just above it (0.1), on it (0.2), and a band of three (0.3). In layer 1, 1.0 is one
# even dark blue; 1.1 has one bright column at [CLS]; 1.2 has four dimmer columns, at the full stops
# and at [SEP]; 1.3 has one bright column at *quokka*. In layer 2 single cells are bright: in 2.0
# *the*, *on* and *slept* look at a noun nearby, and *cat* and *kitten* at their verbs; in 2.1 *cat*
# and *kitten* look at each other and at themselves, and so do *sat* and *slept*; 2.2 shows the same
# cells one column to the right; 2.3 has no order at all.
#
# Six kinds of heads come up again and again in trained models:
#
# | kind | looks at | in `tiny-bert` |
# |---|---|---|
# | positional | a fixed distance | 0.0 to 0.3 |
# | syntactic | the partner in the grammar: article and noun, verb and subject | 2.0 |
# | semantic | related words | 2.1 |
# | rare word | the least common word around | 1.3 |
# | delimiter | [SEP], [CLS], punctuation | 1.1, 1.2 |
# | broadcast | everything alike | 1.0 |
#
# Head 2.2 is none of the six, and the most interesting. Query *kitten* looks at *sat* and at
# *slept*. Why there? Head 0.0 has told every token what stands before it, and 2.2 looks for tokens
# with the asker's own topic before them: what followed when cats were spoken of? That takes two
# layers. In models that write text, the second head of such a pair is called an *induction head*
# (Olsson et al. 2022).
#
# And note the titles: 0.0, 1.1, 1.3 and 2.0 are all "focused". The rules ask how much, not whom; a
# pattern's name is not a head's purpose.

# %% demonstration=true
pieces, maps = load_attention("tiny-bert", first, second)
for place, token in ((2, "cat"), (11, "kitten")):
    for head in (1, 2):
        links = strongest_links(maps[2, head], pieces, k=2)[place]
        told = ", ".join(f"{key} ({weight:.2f})" for key, weight in links)
        print(f"head 2.{head}: {token:>6} looks at {told}")

# %% [markdown]
# ### What a picture does not show
#
# Voita et al. (2019) looked at a translation model and found that a few heads do most of the work,
# positional, syntactic and rare-word ones, and that most others can be pruned. Michel et al. (2019,
# *Are Sixteen Heads Really Better than One?*) removed heads after training, and often lost little.
# Clark et al. (2019, *What Does BERT Look At?*) saw many of BERT's heads put most of their weight
# on [SEP], and took this for a way of doing nothing. So a bright cell need not matter: a weight
# says how much of a *value* is taken, not how large that value is, nor whether a later layer uses
# it. Whether attention explains a decision is disputed (Jain and Wallace 2019, *Attention is not
# Explanation*; Wiegreffe and Pinter 2019, *Attention is not not Explanation*). A picture is a place
# to start. To know what a head is for, change it, and see what the model does then.
#
# ### Further, if you like
#
# The head view of [bertviz](https://github.com/jessevig/bertviz) draws lines from token to token,
# and you choose layer and heads by mouse. It loads its scripts from the internet.

# %% demonstration=true
try:
    from bertviz import head_view
except ImportError:
    print("Not here yet. Run `pip install bertviz` in a terminal, then this cell once more.")
else:
    head_view([layer[None] for layer in maps], pieces, sentence_b_start=pieces.index("[SEP]") + 1)

# %% [markdown]
# Your `load_attention` opens a trained BERT as well. Fetch one once (440 MB): run `pip install
# huggingface_hub` in a terminal, and then, in a cell of your own, `from huggingface_hub import
# snapshot_download` and `snapshot_download("google-bert/bert-base-uncased",
# allow_patterns=["config.json", "vocab.txt", "model.safetensors"])`. From then on this cell finds
# it:

# %% demonstration=true
folder = bert.in_cache("google-bert/bert-base-uncased")
if folder is None:
    print("There is no trained BERT on this computer.")
else:
    words, trained = load_attention(folder, first, second)
    names = [[classify_pattern(head) for head in layer] for layer in trained]
    for number, layer in enumerate(names):
        print(f"layer {number:>2}:", ", ".join(layer))

# %% [markdown]
# ## Questions
#
# The line to fill in says what form your answer takes. The check looks at the form only.

# %% quiz="q1" points=1

# %% quiz="q2" points=1

# %% quiz="q3" points=1

# %% quiz="q4" points=1

# %% quiz="q5" points=1

# %% quiz="q6" points=1

# %% [markdown]
# ## In your own words

# %% written="w1" points=3
