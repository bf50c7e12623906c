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
# # 1 Line fitting
#
# About ten minutes of reading, and an hour for the exercises. Afterwards you can
#
# - say in one number how well a line fits some points,
# - find out which way to move a line so that it fits better,
# - walk to the best line step by step, as nearly every model in machine learning learns,
# - and get there in one go, for this one case in which it can be done.
#
# **How to work.** Read a section, fill in the cell under it in place of the line that raises
# `NotImplementedError`, run it, then run the check below it: it says what it called, what came back
# and what was expected. Some questions ask you to predict what comes next: answer before you read
# on. Stuck? `from checks import hint`, then `hint("predict")` in a cell of your own shows a hint,
# and once more the next. When all is done, choose *Restart kernel and run all cells*, save and
# submit. Grading runs more checks than you see here, on other points and other numbers of them.
# Your functions never change the arrays they are given, and any style is fine, loops included.
#
# Text and pictures: CC BY 4.0.

# %%
import matplotlib.pyplot as plt
import numpy as np

# %% [markdown]
# Some questions have numbers of your own, drawn from the id under which you hand in. Put it here.

# %%
student_id = ...  # the id under which you hand in, in quotation marks: "ada"

# %% [markdown]
# ## A question to start with
#
# A candle burns. After 1, 2, 4 and 5 hours it is 17, 16, 11 and 10 cm high. How high was it when it
# was new, and when will it go out? Nobody measured either. Write down a guess before you read on.

# %% demonstration=true
hours = np.array([1.0, 2.0, 4.0, 5.0])
heights = np.array([17.0, 16.0, 11.0, 10.0])
figure, panel = plt.subplots(figsize=(5, 3), layout="constrained")
panel.plot(hours, heights, "s", color="#00204d")
panel.set(xlabel="hours", ylabel="height in cm", title="A candle", xlim=(0, 11), ylim=(0, 22))
plt.show()

# %% [markdown]
# *In words:* four squares fall from the left, 17 cm after 1 hour, to the right, 10 cm after 5
# hours. They lie nearly on a straight line, and not quite.

# %% [markdown]
# ## A line predicts
#
# A line is two numbers: its **slope**, which is how much it rises while x grows by 1, and its
# **intercept**, which is its height at x = 0. From them it gives a height for every x:
#
# $$\hat y = \text{slope} \cdot x + \text{intercept}$$
#
# A guess: 20 cm when new, and 2 cm lost every hour. That is an intercept of 20 and a slope of -2.
#
# | hours x | -2 · x | + 20 | measured y |
# |---|---|---|---|
# | 1 | -2 | **18** | 17 |
# | 2 | -4 | **16** | 16 |
# | 4 | -8 | **12** | 11 |
# | 5 | -10 | **10** | 10 |
#
# NumPy does a whole column at once: a number times an array is an array.

# %% quiz="k1" points=1

# %% exercise="predict" points=2

# %% [markdown]
# ## How wrong is a line?
#
# The guess is 1 cm too high at two of the points, and right at the others. To compare lines, we
# need one number. The mean of the misses will not do: a line that is 5 cm too high at one point and
# 5 cm too low at another would look perfect. So square each miss first. Squares are never negative,
# and one large miss counts more than a few small ones:
#
# $$\operatorname{error} = \frac{1}{n}\sum_{i=1}^{n} (\hat y_i - y_i)^2$$
#
# This is the **mean squared error**. By hand for the guess:
#
# | predicted | measured | miss | squared |
# |---|---|---|---|
# | 18 | 17 | 1 | 1 |
# | 16 | 16 | 0 | 0 |
# | 12 | 11 | 1 | 1 |
# | 10 | 10 | 0 | 0 |
# | | | mean | **0.5** |

# %% quiz="k2" points=1

# %% exercise="mean_squared_error" points=2

# %% [markdown]
# ## Which way is down?
#
# Now hold the intercept at 20 and try many slopes. Each has an error; this cell works them out with
# two of your functions.

# %% demonstration=true
slopes = np.linspace(-2.7, -1.5, 61)
errors_there = [mean_squared_error(predict(hours, slope, 20.0), heights) for slope in slopes]
figure, panel = plt.subplots(figsize=(5, 3), layout="constrained")
panel.plot(slopes, errors_there, color="#3b528b")
panel.plot([-2], [0.5], "o", color="#a05a00")
panel.plot([-2.3, -1.7], [-0.25, 1.25], "--", color="#a05a00")
panel.set(xlabel="slope", ylabel="mean squared error", title="Lines with an intercept of 20")
plt.show()

# %% [markdown]
# *In words:* the errors make a bowl. Its bottom lies between -2.2 and -2. A dot marks the guess, a
# slope of -2 with an error of 0.5, a little to the right of the bottom. A short dashed line touches
# the bowl there and rises to the right: with a larger slope the error would grow.
#
# How steep the bowl is at our place is its **derivative**. With the miss $r_i = \hat y_i - y_i$,
# the chain rule gives one for the slope, and one for the intercept:
#
# $$\frac{\partial \operatorname{error}}{\partial\, \text{slope}} = \frac{2}{n}\sum_i r_i\,x_i
# \qquad
# \frac{\partial \operatorname{error}}{\partial\, \text{intercept}} = \frac{2}{n}\sum_i r_i$$
#
# The 2 comes from the square. The $x_i$ is there because a change of the slope moves the line more,
# the further out a point lies. Both together are the **gradient**. By hand for the guess:
#
# | x | miss r | r · x |
# |---|---|---|
# | 1 | 1 | 1 |
# | 2 | 0 | 0 |
# | 4 | 1 | 4 |
# | 5 | 0 | 0 |
# | mean | 0.5 | 1.25 |
# | times 2 | **1** | **2.5** |
#
# So the gradient is 2.5 for the slope and 1 for the intercept. Both are positive: both numbers
# should become smaller.

# %% exercise="gradient" points=3

# %% [markdown]
# ## Walking down
#
# The gradient says which way the error grows. So go the other way, by a short step, and look again:
#
# $$\text{slope} \leftarrow \text{slope} - \text{rate} \cdot
# \frac{\partial \operatorname{error}}{\partial\, \text{slope}}
# \qquad
# \text{intercept} \leftarrow \text{intercept} - \text{rate} \cdot
# \frac{\partial \operatorname{error}}{\partial\, \text{intercept}}$$
#
# The **rate** makes the step short. Do this many times and you have **gradient descent**, which is
# how models with billions of numbers learn, too. From slope 0 and intercept 0 the candle's gradient
# is -71.5 and -27. At a rate of 0.01, the first step leads to
#
# $$\text{slope} = 0 - 0.01 \cdot (-71.5) = 0.715 \qquad
# \text{intercept} = 0 - 0.01 \cdot (-27) = 0.27$$
#
# One thing is easily missed: both parts of a step come from the *same* line, the one before it. And
# keep the errors, those of the start and after every step. They tell whether it works.

# %% quiz="k3" points=1

# %% exercise="fit" points=4

# %% [markdown]
# Too small a rate, and you hardly move. Too large a rate, and you jump over the bottom and land
# higher than you were. This cell uses your function with three rates.

# %% demonstration=true
figure, panel = plt.subplots(figsize=(6, 3.2), layout="constrained")
for rate, style in ((0.002, ":"), (0.05, "-"), (0.083, "--")):
    slope, intercept, errors = fit(hours, heights, rate, 60)
    panel.semilogy(errors, style, label=f"rate {rate}")
    print(f"rate {rate}: slope {slope:.2f}, intercept {intercept:.2f}")
panel.set(xlabel="step", ylabel="mean squared error", title="Three rates")
panel.legend()
plt.show()

# %% [markdown]
# *In words:* all three curves start at 191.5. With a rate of 0.05 the error falls at once and then
# creeps on down. With 0.002 it falls more slowly. With 0.083 it rises with every step.
#
# Even the good rate is far from done after 60 steps: the intercept is still too low. The bowl is a
# long, narrow valley. Across it the walls are steep and forbid a large rate; along it the floor is
# nearly level, and the steps are short.

# %% [markdown]
# ### Walk it yourself
#
# This picture uses none of your functions. Slide the steps at a rate of 0.01, then at larger ones:
# what does the path do across the valley, and what along it? Find the first rate at which it comes
# down no more.

# %% demonstration=true
from checks import play

play("rate")  # run this cell again whenever you want to move it

# %% [markdown]
# ## All at once
#
# At the bottom the gradient is 0. For a line, that can be solved. Divide both derivatives by 2, put
# the line in for $\hat y$, and set them to 0:
#
# $$\text{slope} \cdot \overline{x^2} + \text{intercept} \cdot \overline{x} = \overline{x\,y}
# \qquad
# \text{slope} \cdot \overline{x} + \text{intercept} = \overline{y}$$
#
# (A bar means the mean.) These are the **normal equations**: two equations for two numbers. For the
# candle they say
#
# $$11.5 \cdot \text{slope} + 3 \cdot \text{intercept} = 35.75
# \qquad
# 3 \cdot \text{slope} + \text{intercept} = 13.5$$
#
# The second gives intercept = 13.5 - 3 · slope. Put that into the first: 2.5 · slope = -4.75. So
# the slope is **-1.9** and the intercept **19.2**.
#
# When every x is the same, there is nothing to solve: however you tilt the line, it can pass at the
# same height there. A function that is asked for what does not exist should say so, and raise
# `ValueError`.

# %% exercise="normal_equation" points=3

# %% [markdown]
# Now the question from the beginning can be answered, by your own functions.

# %% demonstration=true
slope, intercept = normal_equation(hours, heights)
print(f"When new: {intercept:.1f} cm. It goes out after {-intercept / slope:.1f} hours.")
figure, panel = plt.subplots(figsize=(5, 3), layout="constrained")
panel.plot(hours, heights, "s", color="#00204d", label="measured")
far = np.array([0.0, -intercept / slope])
panel.plot(far, predict(far, slope, intercept), color="#a05a00", label="best line")
panel.set(xlabel="hours", ylabel="height in cm", title="A candle", xlim=(0, 11), ylim=(0, 22))
panel.legend()
plt.show()

# %% [markdown]
# *In words:* the four squares again, and a line that falls from 19.2 cm at hour 0 to 0 cm shortly
# after hour 10. Two of the squares lie a little above it, and two a little below.
#
# Why walk at all, when one can jump? Because only the error of a line, and a few of its relatives,
# has equations that can be solved. For everything else there is the gradient.
#
# ## Questions
#
# Put your answer in place of the dots, for instance `q1 = "A"`. The check looks at the form of your
# answer only.

# %% quiz="q1" points=1

# %% quiz="q2" points=1

# %% quiz="q3" points=1

# %% written="w1" points=3
