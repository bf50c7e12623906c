"""What gives another result each time is told so, and nothing else is."""

from grading import Answer, grade

from autograder.judging.answers import reference_source, student_with
from autograder.judging.behaviour import is_random
from autograder.judging.explaining import RANDOM, RANDOM_MODULE

DROPPED = """
def attention_weights(scores):
    return nn.functional.dropout(scores.softmax(-1), 0.2)
"""
WRONG = """
def attention_weights(scores):
    return (scores / 2).softmax(-1) ** 2
"""
IN_TRAINING = """
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        self.num_heads, self.drop = num_heads, nn.Dropout(0.2)
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=bias))

    def forward(self, x, mask=None):
        q, k, v = (split_heads(w(x), self.num_heads) for w in (self.w_q, self.w_k, self.w_v))
        weights = self.drop((q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1))
        return self.w_o(merge_heads(weights @ v)), weights
"""
ALWAYS = IN_TRAINING.replace("self.drop(", "nn.functional.dropout(")


def test_what_is_random_is_told_so():
    answers = [
        Answer("attention_weights", "dropout", "from torch import nn\n" + DROPPED),
        Answer("attention_weights", "wrong", WRONG),
        Answer("MultiHeadAttention", "dropout", ALWAYS),
        Answer("MultiHeadAttention", "dropout in training", IN_TRAINING),
    ]
    told = {}
    grade(answers, b"secret", told=told)
    function, wrong, module, in_training = (explained.told for explained in told.values())
    assert (function, module) == (RANDOM, RANDOM_MODULE)
    assert wrong not in ("", RANDOM)
    assert in_training.startswith("Your mask has no effect")
    assert "In training, your module leaves something out" in in_training


def test_a_right_answer_is_not_random():
    for exercise in ("attention_weights", "MultiHeadAttention", "recall_batch"):
        assert not is_random(exercise, student_with(exercise, reference_source(exercise)))
