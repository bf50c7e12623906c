"""Ten messages that told a student nothing, or something false, and what is said now.

`python -m benchmarks.messages [--write benchmarks/results/messages.md]` grades the answers below in
this process: what is said, which claims fail and how much is kept come from that run alone. What
was said before stands with each answer, as it was found by somebody else.
"""

import argparse
import textwrap
import warnings
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch

from autograder.judging.answers import student_with
from autograder.judging.explaining import explain
from autograder.judging.plugin import Graders
from benchmarks.machine import described
from benchmarks.naming import start


@dataclass(frozen=True)
class Message:
    """A wrong answer, and what was said of it.

    Attributes:
        exercise: the exercise that it answers.
        wrong: what is wrong in it, in words.
        before: what was bad about what it was told.
        source: its cell.
    """

    exercise: str
    wrong: str
    before: str
    source: str


MESSAGES = (
    Message(
        "split_heads",
        "no transpose; no ValueError, nothing about devices",
        "no name: the missing ValueError hid the commonest mistake of all",
        """
        def split_heads(x, num_heads):
            batch, seq, d_model = x.shape
            return x.view(batch, seq, num_heads, d_model // num_heads)
        """,
    ),
    Message(
        "padding_mask",
        "one position too many; a mask of floats, made on the CPU",
        "no name: mask of floats and device hid that it is off by one",
        """
        def padding_mask(lengths, max_len):
            positions = torch.arange(max_len).unsqueeze(0)
            return (positions <= torch.as_tensor(lengths).unsqueeze(1)).float()
        """,
    ),
    Message(
        "SelfAttention",
        "the scores are not scaled",
        "no name: the gradient of `w_k.bias` is 0 by mathematics, and rounding there was compared",
        """
        class SelfAttention(nn.Module):
            def __init__(self, d_model, d_k, d_v, bias=False):
                super().__init__()
                self.w_q = nn.Linear(d_model, d_k, bias)
                self.w_k = nn.Linear(d_model, d_k, bias)
                self.w_v = nn.Linear(d_model, d_v, bias)

            def forward(self, x, mask=None):
                q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
                scores = torch.einsum("...id,...jd->...ij", q, k)
                if mask is not None:
                    scores = scores.masked_fill(mask == 0, float("-inf"))
                weights = torch.nn.functional.softmax(scores, dim=-1)
                return torch.einsum("...ij,...jd->...id", weights, v), weights
        """,
    ),
    Message(
        "causal_attention",
        "the mask lets nobody see their own position; -1e9, which float16 cannot hold",
        "no name: it stops in half precision, where the known mistake does not",
        """
        def causal_attention(q, k, v):
            n = q.shape[-2]
            if k.shape[-2] != n:
                raise ValueError(f"{n} queries and {k.shape[-2]} keys")
            scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
            past = torch.tril(torch.ones(n, n, device=q.device), diagonal=-1)
            weights = scores.masked_fill(past == 0, -1e9).softmax(dim=-1)
            return weights @ v, weights
        """,
    ),
    Message(
        "scaled_dot_product_attention",
        "the mask is inverted, with -1e9 as the fill",
        "no name: only minus infinity was known",
        """
        def scaled_dot_product_attention(q, k, v, mask=None):
            scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
            if mask is not None:
                scores = scores.masked_fill(mask, -1e9)
            weights = scores.softmax(dim=-1)
            return weights @ v, weights
        """,
    ),
    Message(
        "causal_attention",
        "softmax runs over the queries",
        '"the first of its rows are wrong, the later ones are right", where all are wrong',
        """
        def causal_attention(q, k, v):
            if q.shape[-2] != k.shape[-2]:
                raise ValueError(f"{q.shape[-2]} queries and {k.shape[-2]} keys")
            scores = q @ k.mT / math.sqrt(k.shape[-1])
            past = causal_mask(q.shape[-2], device=q.device)
            weights = torch.where(past, scores, -torch.inf).softmax(dim=-2)
            return weights @ v, weights
        """,
    ),
    Message(
        "causal_attention",
        "other numbers of keys than queries are not refused: PyTorch stops",
        '"You refuse different lengths with another error", where nothing is refused',
        """
        def causal_attention(q, k, v):
            scores = q @ k.mT / math.sqrt(k.shape[-1])
            past = causal_mask(q.shape[-2], device=q.device)
            weights = masked_softmax(scores, past)
            return weights @ v, weights
        """,
    ),
    Message(
        "scaled_scores",
        "divided by the root of one feature too many",
        '"close, but further off than rounding explains", for a wrong scale',
        """
        def scaled_scores(q, k):
            return dot_product_scores(q, k) / math.sqrt(k.shape[-1] + 1)
        """,
    ),
    Message(
        "padding_mask",
        "one position too many, and right for lists as for tensors",
        '"some entries are True that should be False", under the claim that lists work',
        """
        def padding_mask(lengths, max_len):
            lengths = torch.as_tensor(lengths)
            return torch.arange(max_len, device=lengths.device) <= lengths[:, None]
        """,
    ),
    Message(
        "scaled_scores",
        "written for three axes alone",
        '"Your code raised RuntimeError.", and no more',
        """
        def scaled_scores(q, k):
            root = k.shape[-1] ** 0.5
            return q @ k.permute(0, 2, 1) / root
        """,
    ),
)


def main() -> None:
    """Grade, and print or write the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    torch.set_num_threads(1)  # as on a grading machine; tiny tensors are faster so
    warnings.simplefilter("ignore")
    parts: list[str] = []

    def serve(graders: Graders) -> None:
        parts.extend(part(number, one, graders) for number, one in enumerate(MESSAGES, 1))

    start(serve)
    text = "\n\n".join([HEAD, *parts, described()])
    print(text)
    if chosen.write:
        chosen.write.write_text(f"{text}\n", encoding="utf-8")


HEAD = """# Ten messages that were bad, and what is said now

Written by `python -m benchmarks.messages`. What was bad is told in words; marks, claims and what is
said come from grading the answers."""


def part(number: int, message: Message, graders: Graders) -> str:
    """What is known of one answer, as Markdown."""
    source = textwrap.dedent(message.source).strip()
    student = partial(student_with, message.exercise, source)
    found = graders.run(message.exercise, student)
    explained = explain(message.exercise, found, student(), graders)
    counted = [one for one in found if one.outcome != "pending"]
    kept = sum(one.weight for one in counted if one.outcome == "passed")
    share = kept / sum(one.weight for one in counted)
    lines = [
        f"## {number}. `{message.exercise}`: {message.wrong}",
        f"```python\n{source}\n```",
        f"Before: {message.before}.",
        f"Now: {explained.told}",
        f"Called: {', '.join(explained.slugs) or 'no name'}. It keeps {share:.0%} of the weights.",
    ]
    failed = [f"- {one.claim}" for one in counted if one.outcome == "failed"]
    return "\n\n".join([*lines, "What fails:", "\n".join(failed)])


if __name__ == "__main__":
    main()
