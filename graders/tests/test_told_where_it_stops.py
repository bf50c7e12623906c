"""Of code that stops it is said for which kind of input and in which line, and nothing hidden."""

import re

from grading import Answer, grade

FOR_ONE_BATCH = """
def masked_softmax(scores, mask):
    batch, queries, keys = scores.shape
    if queries > 2:
        raise KeyError(f"{scores.flatten()[0]} {keys}")
    return scores
"""
STOPS = [
    Answer("masked_softmax", "for other lengths", FOR_ONE_BATCH),
    Answer(
        "scaled_scores",
        "in half precision",
        """
def scaled_scores(q, k):
    if q.dtype is not torch.float32:
        raise TypeError("no half precision here")
    return (q + 0.25) @ (k * k).mT
""",
    ),
    Answer(
        "MultiHeadAttention",
        "without a mask",
        """
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=bias))

    def forward(self, x, mask=None):
        return self.w_q(x), mask.float()
""",
    ),
]


def test_the_kind_of_input_and_the_line_are_told_and_no_number_of_the_input():
    told = {}
    graded = grade(STOPS, b"secret", told=told)
    assert [one.share < 1 for one in graded.values()] == [True] * 3
    lengths, _, module = (explained.told for explained in told.values())
    assert lengths.startswith("Your code raised KeyError where ")
    assert "`scores` and `mask` have three axes" in lengths
    assert lengths.endswith(", in line 5 of your cell.")
    assert "raised AttributeError where `x` has three axes and no `mask` is given" in module
    assert module.endswith(", in line 9 of your cell.")
    symptoms = [one.symptom or "" for answer in graded.values() for one in answer.found]
    assert any(re.search(r"`q` and `k` hold b?float\d+ values", one) for one in symptoms)
    told_numbers = [one for one in symptoms if re.search(r"\d", re.sub(r"b?float\d+", "", one))]
    assert told_numbers == []
