"""Whether training clears its gradients is told by those that it leaves, in whatever style."""

import pytest

from autograder.judging.answers import student_with
from autograder.judging.draw import Draw
from graders.attention_vs_recurrence.runs.judged_runs import gradients_kept

TRAINING = """
import torch
import torch.nn.functional as F

def train_recall(model, steps, pairs, seed):
    parameters = list(model.parameters())
    optimizer = torch.optim.{optimizer}(parameters, lr=0.01)
    losses = []
    {before}
    for step in range(steps):
        t, q, a = recall_batch(64, pairs, model.num_keys, model.num_values, seed * steps + step)
        loss = F.cross_entropy(model(t, q), a)
        {backward}
        optimizer.step()
        {after}
        losses.append(loss.item())
    return losses
"""
GRAD = "for p, g in zip(parameters, torch.autograd.grad(loss, parameters)): p.grad = g"


def kept(optimizer="Adam", before="", backward="loss.backward()", after=""):
    source = TRAINING.format(optimizer=optimizer, before=before, backward=backward, after=after)
    return gradients_kept(student_with("train_recall", source), Draw(b"kept", "train_recall"))


@pytest.mark.parametrize("optimizer", ["Adam", "AdamW", "SGD", "RMSprop"])
@pytest.mark.parametrize(
    "style",
    [
        {"backward": "optimizer.zero_grad(); loss.backward()"},
        {"backward": "model.zero_grad(set_to_none=False); loss.backward()"},
        {"after": "optimizer.zero_grad()"},
        {"backward": GRAD},
        {"backward": "optimizer.zero_grad(); (loss / 2).backward(retain_graph=True); "
         "(loss / 2).backward()"},
    ],
)  # fmt: skip
def test_a_step_of_its_own_gradients_is_right(optimizer, style):
    assert not kept(optimizer, **style)


@pytest.mark.parametrize("optimizer", ["Adam", "AdamW", "SGD", "RMSprop"])
@pytest.mark.parametrize(
    "style",
    [
        {},
        {"before": "optimizer.zero_grad()"},
        {"backward": "if step % 4 == 0: optimizer.zero_grad()\n        loss.backward()"},
    ],
)
def test_gradients_of_earlier_steps_are_seen(optimizer, style):
    assert kept(optimizer, **style)
