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
# # 7 Attention against recurrence
#
# About 20 minutes of reading, and an hour and a half for the exercises. Afterwards you can
#
# - say what attention costs, in arithmetic and in memory, and where a recurrence is cheaper,
# - draw data for an experiment so that a seed decides all of it and nothing else is disturbed,
# - build, train and measure two models that differ in one thing,
# - tell what such an experiment shows, and what it does not.
#
# **Conventions.** Keys, values and tokens are whole numbers (`torch.int64`), counted from 0; what a
# model returns are logits, before any softmax. Whoever draws random numbers takes a seed, uses a
# generator of its own, such as a `torch.Generator`, and leaves all global random state alone:
# torch's, NumPy's and Python's. More pairs than keys raise `ValueError`, with both numbers in its
# text.
#
# **How to work.** Read a section, fill in the cell under it in place of the line that raises
# `NotImplementedError`, run it, then run the check below it: it says what it called, what came back
# and what was expected, and draws your result. Some questions ask you to predict what comes next:
# answer before you read on. Stuck? `from checks import hint`, then `hint("recall_batch")` in a cell
# of your own shows a hint, and once more the next. When all is done, choose *Restart kernel and run
# all cells*, save and submit. In a terminal, `python -m checks` runs the saved notebook and its
# checks, and so does `nbgrader validate` where nbgrader is installed. Grading runs more checks than
# you see here, on other inputs; there a cell may run 10 seconds, and a call of your code 5. A right
# answer stays far below that: all training in this notebook together takes less than half a minute.
#
# Text and pictures: CC BY 4.0.

# %%
import math
import time
from collections.abc import Sequence

import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

torch.set_num_threads(1)  # the models here are so small that a second thread only gets in the way

# %% [markdown]
# Some questions have numbers of your own, drawn from the id under which you hand in. Put it here.

# %%
student_id = ...  # the id under which you hand in, in quotation marks: "ada"

# %% [markdown]
# ## A question to start with
#
# Read this list once, aloud: *seven red, three blue, nine red, four green.* Now cover it. Which
# colour had the four? And the three?
#
# You have just done two different things. Covered, you had to keep the whole list in your head,
# since you did not know what would be asked. Uncovered, you would have looked for the number and
# read off the colour. How much longer could the list get, for one and for the other?

# %% [markdown]
# ## Two ways to use the past
#
# A **recurrent** network reads one token after the other and keeps a state of fixed size:
#
# $$h_t = f(x_t,\,h_{t-1})$$
#
# All that it knows of the past must pass through $h$. The **LSTM** (Hochreiter and Schmidhuber
# 1997) is the recurrence that worked for two decades: it keeps a second state $c$, and learns gates
# that decide what to write into it and what to show. The gate that decides what to keep, the
# *forget gate*, was added by Gers, Schmidhuber and Cummins (2000).
#
# **Attention** keeps everything. When a query comes, it looks at all tokens at once:
#
# $$\text{out} = \operatorname{softmax}\!\left(\frac{q\,K^{\mathsf T}}{\sqrt{d}}\right) V$$
#
# So there are two differences. One is memory: a state of fixed size against a table that grows. The
# other is time. $h_t$ needs $h_{t-1}$, so a recurrence is *sequential*: step 1,000 has to wait for
# step 999, however many processors stand idle. Attention has no such chain; all positions can be
# worked on in parallel.

# %% quiz="k1" points=1

# %% [markdown]
# ## What attention costs
#
# Nothing is free. Every query meets every key, so both the arithmetic and the table of scores grow
# with the *square* of the length $n$. Count the two products of all heads together, with 2
# operations (flops) for a multiply-add:
#
# $$\underbrace{2\,n^2 d}_{q\,k^{\mathsf T}} + \underbrace{2\,n^2 d}_{\text{weights}\cdot v}
# = 4\,n^2 d \text{ flops}
# \qquad \text{heads} \cdot n^2 \cdot \text{bytes a number, for the scores}$$
#
# By hand, for 4 tokens, width 6 and two heads in float32: each product adds up $4 \cdot 4 \cdot 6 =
# 96$ multiply-adds, so both are $2 \cdot 2 \cdot 96 = 384$ flops; the scores are $2 \cdot 4 \cdot 4
# = 32$ numbers of 4 bytes, 128 bytes. The number of heads changes the memory and not the
# arithmetic. Before you write the function, turn it round:

# %% quiz="k2" points=1

# %% exercise="attention_cost" points=2

# %% [markdown]
# Is that much? An LSTM of width $d$ makes three gates and what may be written, and for each of the
# four it multiplies two vectors by a $d \times d$ matrix: $16\,d^2$ flops a token, $16\,n\,d^2$ in
# all. Attention has four projections, $8\,n\,d^2$, on top of what you have counted. The two are
# equal when $4\,n^2 d = 8\,n\,d^2$, that is at $n = 2\,d$. This cell uses your function:

# %% demonstration=true
width, lengths = 512, [2**power for power in range(6, 15)]
attention_flops = [
    attention_cost(length, width, 8, torch.float32)["flops"] + 8 * length * width**2
    for length in lengths
]
lstm_flops = [16 * length * width**2 for length in lengths]
figure, panel = plt.subplots(figsize=(6, 3), layout="constrained")
panel.loglog(lengths, attention_flops, "o-", color="#00204d", base=2, label="attention")
panel.loglog(lengths, lstm_flops, "s--", color="#8a7f4d", base=2, label="LSTM")
panel.axvline(2 * width, color="black", linestyle=":")
panel.annotate(" n = 2 d", (2 * width, lstm_flops[0]), va="bottom")
panel.set(xlabel="tokens", ylabel="flops", title="Arithmetic of one layer of width 512")
panel.legend()
plt.show()

# %% [markdown]
# *In words:* two rising lines over the length, both axes in powers of two. On the left, attention
# takes about half of what the LSTM takes. At 1,024 tokens the lines cross, and from there on
# attention's is the steeper one: at 16,384 tokens it takes eight and a half times as much.
#
# So attention is not the one that does less. It does what it does at once.

# %% [markdown]
# ## A task that both can be asked
#
# The list of the beginning, as data: a sequence of pairs of a **key** and a **value**, then a key
# alone, the **query**. The answer is the value that stood with it. Each pair is one token,
#
# $$\text{token} = \text{key} \cdot \text{num\_values} + \text{value},$$
#
# so with 4 values, key 3 with value 1 is token 13, and token 22 is key 5 with value 2. A model sees
# nothing but these numbers: that 12, 13, 14 and 15 are one key with four values, it has to find
# out.

# %% quiz="k3" points=1

# %% [markdown]
# A good task has no way around it. If values went with keys, reading the query would be enough. If
# the last pair were asked for more often than others, remembering the last pair would pay. If a key
# stood twice, there would be two answers. So draw keys without putting them back, and values and
# the pair that is asked for each by themselves.
#
# And let a **seed** decide everything. `torch.manual_seed` would do that too, but it changes the
# random numbers of everyone else in the program. A generator of your own does not:
#
# ```python
# dice = torch.Generator().manual_seed(5)
# torch.randint(1, 7, (3,), generator=dice)
# ```

# %% exercise="recall_batch" points=3 not_checked="No check counts how often a key comes with each value." unseen="values-tied-to-each-other value-tied-to-key last-value-never-comes"

# %% [markdown]
# ## Two models that differ in one thing
#
# Both models turn tokens and query into vectors by tables of their own (`nn.Embedding`), and both
# end in a projection to one logit a value. What differs is how the query gets at the pairs.
#
# The first looks:
#
# $$\text{logits} = W_o\,\Big(\operatorname{softmax}\!\left(\frac{q\,K^{\mathsf T}}{\sqrt{d}}
# \right) V\Big) + b_o$$
#
# with one query $q$, the embedding of the key that is asked for; $K$ and $V$ are projections of the
# tokens' embeddings. One query, one head: the table of weights has a single row. No token says at
# which place it stands, and none needs to.

# %% exercise="AttentionRecall" points=3

# %% [markdown]
# The second remembers: an LSTM reads the pairs one after the other and then the query, as the last
# step, and the answer is read off the state after that. `nn.LSTM` does the whole walk in one call,
# and gives back its state after every step; mind which axis it takes for time.
#
# Here is a prediction to make. Take a *new* LSTM with random weights, let it read eight pairs and
# the query, and look at its logits. Then exchange one of the pairs for another.

# %% quiz="k4"

# %% exercise="LSTMRecall" points=2 not_checked="No check looks at the order in which the pairs and the query are read, nor at which state becomes the logits." unseen="query-read-first mean-of-all-states largest-of-all-states pairs-read-backwards"

# %% [markdown]
# Compare the two pictures under your checks. In the LSTM each pair has to survive the steps after
# it, so the first ones have faded; in attention all are equally near. Training can teach the gates
# to hold on to things. How well?

# %% [markdown]
# ## Training and measuring
#
# The training is the usual one. A new batch of 64 sequences for every step, so that nothing can be
# learnt by heart; the mean **cross-entropy** of the logits, $-\ln p(\text{answer})$; Adam with a
# learning rate of 0.01. A model that knows nothing gives each of 4 values the share 1/4: its loss
# is $\ln 4 = 1.386$. Look for this number at the start.
#
# Every batch needs a seed of its own, made from the one seed that is handed in. The models tell how
# many keys and values there are: `model.num_keys`, `model.num_values`.

# %% exercise="train_recall" points=3

# %% [markdown]
# Then ask: of 1,000 new sequences, what share does the model answer rightly? Ask with few pairs and
# with many, also with more than it was trained on. No gradients are needed for that.

# %% exercise="recall_by_length" points=2

# %% [markdown]
# ## The experiment
#
# 16 keys, 4 values, vectors of width 32 in both models. Both are trained on sequences of *four*
# pairs, the LSTM twice as long. Then both are asked with up to 16 pairs. Guessing gives 0.25.

# %% quiz="k5"

# %% demonstration=true
torch.manual_seed(1)
models = {"attention": AttentionRecall(16, 4, 32), "LSTM": LSTMRecall(16, 4, 32)}
losses = {}
for name, steps in (("attention", 200), ("LSTM", 400)):
    start = time.perf_counter()
    losses[name] = train_recall(models[name], steps, pairs=4, seed=7)
    print(f"{name:9} {steps} steps in {time.perf_counter() - start:.1f} s")
counts = (1, 2, 4, 6, 8, 12, 16)
shares = recall_by_length(models, counts, seed=11)
for name, own in shares.items():
    told = (f"{pairs}: {share:.2f}" for pairs, share in zip(counts, own, strict=True))
    print(f"{name:9}", "  ".join(told))

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
for name, line, dots, colour in (
    ("attention", "-", "o-", "#00204d"),
    ("LSTM", "--", "s--", "#8a7f4d"),
):
    smooth = torch.tensor(losses[name]).unfold(0, 10, 10).mean(1)
    left.plot(range(5, len(losses[name]), 10), smooth, line, color=colour, label=name)
    right.plot(counts, shares[name], dots, color=colour, label=name)
left.axhline(math.log(4), color="black", linestyle=":")
left.annotate("guessing: ln 4", (400, math.log(4)), ha="right", va="bottom")
left.set(title="Learning four pairs", xlabel="step", ylabel="mean loss of ten steps", ylim=(0, 2))
right.axhline(0.25, color="black", linestyle=":")
right.annotate("guessing", (16, 0.26), ha="right", va="bottom")
right.axvline(4, color="0.5", linestyle="-.")
right.annotate(" trained on four", (4, 0.05))
right.set(title="Recall by length", xlabel="pairs in a sequence", ylabel="share right")
right.set_ylim(0, 1.05)
left.legend()
right.legend(loc="center left")
plt.show()

# %% [markdown]
# *In words:* on the left, both losses begin near 1.4. Attention's falls to nearly 0 within about
# 150 steps; the LSTM's falls slowly, and after 400 steps it is still well above 0. On the
# right, attention stays near 1 from one pair to 16. The LSTM is near 1 for one and two pairs, above
# 0.9 for the four that it was trained on, and falls from there: to between 0.8 and 0.9 with six,
# and to between 0.5 and 0.65 with 16, still twice as good as guessing.

# %% [markdown]
# ## Not so fast
#
# "Attention can, recurrence cannot": is that what the picture shows? It shows *one* LSTM, of one
# width, after one short training on short sequences. Give another one twice the width, and after
# the four pairs let it train on twelve:

# %% demonstration=true
wide = LSTMRecall(16, 4, 64)
train_recall(wide, 300, pairs=4, seed=21)
print("wide, four pairs:  ", [f"{s:.2f}" for s in recall_by_length({"": wide}, counts, 11)[""]])
train_recall(wide, 300, pairs=12, seed=22)
shares["wide LSTM, taught longer ones"] = recall_by_length({"": wide}, counts, 11)[""]
print("and twelve after it:", [f"{s:.2f}" for s in shares["wide LSTM, taught longer ones"]])

figure, panel = plt.subplots(figsize=(6, 3), layout="constrained")
styles = (("o-", "#00204d"), ("s--", "#8a7f4d"), ("^-.", "#575d6d"))
for (name, own), (style, colour) in zip(shares.items(), styles, strict=True):
    panel.plot(counts, own, style, color=colour, label=name)
panel.axhline(0.25, color="black", linestyle=":")
panel.set(xlabel="pairs in a sequence", ylabel="share right", ylim=(0, 1.05))
panel.set(title="Recall by length, with a second LSTM")
panel.legend(loc="lower left")
plt.show()

# %% [markdown]
# *In words:* attention and the first LSTM as before; the third line lies between them. The wide
# LSTM is near 1 up to eight pairs and at about 0.8 with 16.
#
# With more steps it climbs further; try it. Nothing in an LSTM forbids this task: a value of two
# bits for each of 16 keys fits into 64 numbers with room to spare. What the experiment shows is
# narrower, and still worth knowing. Attention had less to learn: compare a query with keys, and
# hand over a value. It learnt that in fewer steps, and what it learnt does not care how many pairs
# there are. The LSTM has to learn *storing*, for as many pairs as will come, before it knows what
# will be asked.

# %% [markdown]
# ## And the clock
#
# At last the other difference: steps that wait for each other. Both layers below are 64 wide and
# read one sequence; each length is timed three times, and the best counts. (A recurrence is not
# hopeless here. Models that can be computed in parallel for training *and* step by step for
# writing text are a field of research of their own.)

# %% demonstration=true
lstm, project = nn.LSTM(64, 64, batch_first=True), nn.Linear(64, 3 * 64)


def attend(x):
    """Attention of four heads over x, by PyTorch's fused function."""
    heads = project(x).unflatten(-1, (3, 4, 16)).transpose(1, 3)  # (1, 4, 3, seq, 16)
    return F.scaled_dot_product_attention(*heads.unbind(2))


def seconds(layer, x):
    """The shortest of three times that the layer takes for x."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        layer(x)
        times.append(time.perf_counter() - start)
    return min(times)


lengths = [2**power for power in range(5, 12)]
figure, panel = plt.subplots(figsize=(6, 3), layout="constrained")
with torch.no_grad():
    for name, layer, style, colour in (
        ("attention", attend, "o-", "#00204d"),
        ("LSTM", lstm, "s--", "#8a7f4d"),
    ):
        taken = [1000 * seconds(layer, torch.randn(1, length, 64)) for length in lengths]
        panel.loglog(lengths, taken, style, color=colour, base=2, label=name)
panel.set(xlabel="tokens", ylabel="milliseconds", title="Time for one sequence, on this machine")
panel.legend()
plt.show()

# %% [markdown]
# *In words:* from some hundred tokens on, the LSTM's line rises evenly: twice the tokens, about
# twice the time, as each step waits for the one before. Attention's begins lower and bends upwards
# where the square takes over. With one core and layers this narrow the lines meet at a few hundred
# tokens; the wider the layers, and the more the machine does at once, the further to the right.
#
# At inference the roles turn. To write the next token an LSTM needs its state and nothing else;
# attention reads all keys and values of the past again, for every token (the cache of notebook 5).
#
# ## Questions
#
# Put your answer in place of the dots; the comment behind them says which form it takes. The check
# looks at the form of your answer only.

# %% quiz="q1" points=1

# %% quiz="q2" points=1

# %% quiz="q3" points=1

# %% quiz="q4" points=1

# %% [markdown]
# And one to write about: a person reads it.

# %% written="w1" points=3
