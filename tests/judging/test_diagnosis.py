"""Naming mistakes: the right name for other wordings, no name for what is unknown."""

import re
import textwrap

import pytest
import torch

from autograder.bank import all_mistakes, mistakes
from autograder.checks.kit.errors import StudentDied
from autograder.course.own_code import import_file, served
from autograder.judging import describe, diagnose
from autograder.judging.answers import reference_source, source_of, student_with
from autograder.judging.bank import bank_of
from autograder.judging.behaviour import Observed, observe, stops
from autograder.judging.diagnosis import named_from
from autograder.judging.registry import probe_of

for file in sorted(served().glob("graders/*/**/probe*.py")):
    import_file(file)

FUSED = "FusedMultiHeadAttention"

REWORDED = [
    ("softmax", "no-maximum-subtracted", "lambda x, axis=-1: np.exp(x) / np.exp(x).sum(axis, "
     "keepdims=True)"),
    ("softmax", "shares-of-everything", "lambda x, axis=-1: np.exp(x - x.max()) / "
     "np.exp(x - x.max()).sum()"),
    ("softmax", "log-softmax", "lambda x, axis=-1: (x - x.max(axis, keepdims=True)) - np.log("
     "np.sum(np.exp(x - x.max(axis, keepdims=True)), axis, keepdims=True))"),
    ("scaled_scores", "no-scale", "lambda q, k: torch.einsum('...qd,...kd->...qk', q, k)"),
    ("scaled_scores", "scale-without-root", "lambda q, k: q @ k.transpose(-2, -1) / q.size(-1)"),
    ("scaled_scores", "multiplied-by-root", "lambda q, k: q @ k.mT * q.shape[-1] ** 0.5"),
    ("scaled_scores", "keys-by-queries", "lambda q, k: (q @ k.mT / q.shape[-1] ** 0.5).mT"),
    ("scaled_scores", "scale-by-number-of-keys", "lambda q, k: q @ k.mT / np.sqrt(k.size(-2))"),
    ("attention_weights", "softmax-over-queries", "lambda s: torch.softmax(s.mT, -1).mT"),
    ("attention_weights", "no-maximum-subtracted", "lambda s: torch.exp(s) / "
     "torch.exp(s).sum(-1).unsqueeze(-1)"),
    ("causal_mask", "mask-inverted", "lambda seq_len, device=None: "
     "torch.ones(seq_len, seq_len, device=device).triu(1).bool()"),
    ("causal_mask", "mask-transposed", "lambda seq_len, device=None: (lambda i: i[:, None] <= i)("
     "torch.arange(seq_len, device=device))"),
    ("causal_mask", "whole-number-mask", "lambda seq_len, device=None: "
     "torch.ones(seq_len, seq_len, dtype=torch.uint8, device=device).tril()"),
    ("causal_mask", "float-mask", "lambda seq_len, device=None: "
     "torch.ones(seq_len, seq_len, dtype=torch.float64, device=device).tril()"),
    ("merge_heads", "no-transpose", "lambda x: x.contiguous().view(x.size(0), x.size(2), -1)"),
    ("merge_heads", "heads-averaged", "lambda x: x.sum(1) / x.shape[1]"),
]  # fmt: skip


@pytest.mark.parametrize(("exercise", "slug", "answer"), REWORDED)
@pytest.mark.filterwarnings("ignore")
def test_a_mistake_in_other_words_has_the_same_name(exercise, slug, answer):
    assert named(exercise, f"{exercise} = {answer}") == [slug]


REWORDED_BY_HAND = [
    ("fill-too-large-for-float16", "scores / 2", "scores.masked_fill(~mask, -1e10)"),
    ("filled-with-zero", "scores / 2", "scores * mask"),
    ("filled-with-zero", "scores / 2", "scores.masked_fill(~mask, 1e-9)"),
    ("no-scale", "scores", "scores.masked_fill(~mask, -torch.inf)"),
    ("scale-without-root", "scores / 4", "scores.masked_fill(mask == 0, float('-inf'))"),
]


@pytest.mark.parametrize(("slug", "scores", "masked"), REWORDED_BY_HAND)
def test_a_fused_mistake_written_out_by_hand_has_the_same_name(slug, scores, masked):
    assert named(FUSED, by_hand(scores, masked)) == [slug]


def test_an_inverted_mask_written_out_by_hand_has_the_same_name():
    right = "scores.masked_fill(~mask, -torch.inf)"
    answer = by_hand("scores / 2", right.replace("~", ""), causal=right)
    assert named(FUSED, answer) == ["mask-inverted"]


UNKNOWN = [
    ("softmax", "lambda x, axis=-1: np.exp(x) ** 3"),
    ("scaled_scores", "lambda q, k: 2 * (k @ q.mT)"),
    ("scaled_scores", "lambda q, k: k"),
    ("attention_weights", "lambda s: torch.softmax(s.mT / 3, 0)"),
    ("causal_mask", "lambda seq_len, device=None: torch.zeros(seq_len, seq_len).bool().T"),
    ("split_heads", "lambda x, num_heads: x[:, None]"),
    ("merge_heads", "lambda x: x.flatten(1, 2).flip(1)"),
    ("merge_heads", "lambda x: x.view(1)"),
    (FUSED, "lambda *a, **k: torch.ones(2, 3) @ torch.ones(2, 3)"),
]


@pytest.mark.parametrize(("exercise", "answer"), UNKNOWN)
@pytest.mark.filterwarnings("ignore")
def test_an_unknown_mistake_gets_no_name(exercise, answer):
    assert named(exercise, f"{exercise} = {answer}") == []


@pytest.mark.slow
@pytest.mark.parametrize("exercise", sorted({entry.exercise for entry in all_mistakes()}))
def test_a_stub_and_a_right_answer_get_no_name(exercise):
    stub = f"def {exercise}(*args, **kwargs):\n    raise NotImplementedError"
    assert named(exercise, stub) == []
    assert named(exercise, reference_source(exercise)) == []


def test_no_mistake_is_known_by_an_error_alone():
    """An answer that only raises may do so for any reason; naming one would be a guess.

    Where an error is all that a mistake can show, its hidden test must be sure of the name.
    """
    only_raise = []
    for entry in all_mistakes():
        known = Observed(entry.exercise, source_of(entry))
        names = probe_of(entry.exercise)(student_with(entry.exercise, source_of(entry)))
        if all(stops(known.see(name)) for name in names):  # most are looked at once
            only_raise += [entry.slug for name in names if "CUDA" not in known.see(name)][:1]
    assert only_raise == []


def test_a_claim_of_a_test_counts_only_where_behaviour_is_right():
    claimed = ["seq-by-seq-table"]
    right = student_with(FUSED, reference_source(FUSED))
    assert [entry.slug for entry in diagnose(FUSED, right, claimed)] == claimed
    wrong = student_with(FUSED, by_hand("3 * scores", "scores"))
    assert diagnose(FUSED, wrong, claimed) == []


@pytest.mark.parametrize("exercise", sorted({entry.exercise for entry in all_mistakes()}))
def test_a_right_answer_can_be_observed_to_the_end(exercise):
    behaviour = observe(exercise, student_with(exercise, reference_source(exercise)))
    texts = [seen for seen in behaviour.values() if isinstance(seen, str)]
    assert [text for text in texts if "could not be observed" in text] == []


def test_a_death_while_observed_passes_through():
    class Dead:
        def __getattr__(self, name):
            raise StudentDied("timeout")

    with pytest.raises(StudentDied):
        diagnose("softmax", Dead())


def test_a_mistake_is_told_before_the_slip_beside_it_wherever_they_stand_in_the_bank():
    answer = """
        def causal_mask(seq_len, device=None):
            return torch.ones(seq_len, seq_len, device=device).triu()
    """
    behaviour = observe(
        "causal_mask", student_with("causal_mask", "import torch\n" + textwrap.dedent(answer))
    )
    bank = bank_of("causal_mask")
    backwards = bank.without("")
    backwards.mistakes = backwards.mistakes[::-1]
    for order in (bank, backwards):
        found = [entry.slug for entry in named_from(order, behaviour)]
        assert found == ["mask-transposed", "float-mask"]


def test_an_exercise_without_a_probe_has_no_diagnosis():
    assert diagnose("no_such_exercise", object()) == []


def test_mistakes_are_told_apart_and_told_well():
    for exercise in {entry.exercise for entry in all_mistakes()}:
        told = {(entry.slug, entry.diagnosis) for entry in mistakes(exercise)}
        slugs = [slug for slug, _ in told]  # what behaves alike shares a slug, and then its words
        assert len(slugs) == len(set(slugs))
    for entry in all_mistakes():
        assert re.match("[A-Z`]", entry.diagnosis)
        assert entry.diagnosis.endswith(".")
        assert entry.hint.endswith(("?", "."))
        assert bool(entry.code) != bool(entry.change)


def test_what_has_no_name_is_told_by_its_first_symptom():
    assert describe(["your code raised TypeError", "Other."]) == "Your code raised TypeError."
    assert describe(["Your result is wrong."]) == "Your result is wrong."
    assert describe([]).endswith(".")


def named(exercise, source):
    student = student_with(exercise, "import numpy as np\nimport torch\n" + source)
    return [entry.slug for entry in diagnose(exercise, student)]


def by_hand(scores, masked, causal=None):
    """A module whose attention is written out; heads are 4 wide in the probe."""
    return textwrap.dedent(f"""
        class FusedMultiHeadAttention(nn.Module):
            def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
                super().__init__()
                if num_heads < 1 or d_model % num_heads != 0:
                    raise ValueError(f"{{d_model}} {{num_heads}}")
                self.num_heads, self.drop = num_heads, nn.Dropout(dropout)
                self.qkv = nn.Linear(d_model, 3 * d_model, bias=bias)
                self.out = nn.Linear(d_model, d_model, bias=bias)

            def forward(self, x, mask=None, is_causal=False):
                b, s, d = x.shape
                q, k, v = (
                    t.view(b, s, self.num_heads, -1).transpose(1, 2)
                    for t in self.qkv(x).chunk(3, -1)
                )
                scores = q @ k.transpose(-2, -1)
                scores = {scores}
                if mask is not None:
                    scores = {masked}
                if is_causal:
                    mask = torch.ones(s, s, dtype=torch.bool, device=x.device).tril()
                    scores = {masked if causal is None else causal}
                y = self.drop(torch.softmax(scores, dim=-1)) @ v
                return self.out(y.transpose(1, 2).reshape(b, s, d))
    """)


def test_observing_leaves_random_numbers_reproducible():
    torch.manual_seed(3)
    names = [named("softmax", f"softmax = {UNKNOWN[0][1]}") for _ in range(2)]
    assert names == [[], []]
