"""What cost an answer marks is told, the dearest first: by names, and as claims they leave over."""

import re
import textwrap
import warnings

import pytest
from grading import Answer, grade

FAILS_TOO = re.compile('(?:This fails|These fail)(?: too)?: "')

NAMED_AND_MORE = {
    "the axis ignored, and no maximum": (
        "softmax",
        ["axis-ignored"],
        "Scores of ten thousand",
        """
        def softmax(x, axis=-1):
            ex = np.exp(x)
            return ex / np.sum(ex, axis=-1, keepdims=True)
        """,
    ),
    "axes 1 and 2, and the root of the number of keys": (
        "scaled_scores",
        ["transpose-of-a-batch-only"],
        "The scores are the dot products divided by sqrt(d_k)",
        """
        def scaled_scores(q, k):
            return q @ k.transpose(1, 2) / math.sqrt(k.shape[1])
        """,
    ),
    "one position too many, lists refused, and the CPU": (
        "padding_mask",
        ["one-position-too-many", "lists-refused"],
        "The mask is made on the device of the lengths.",
        """
        def padding_mask(lengths, max_len):
            return torch.arange(max_len)[None, :] <= lengths.unsqueeze(1)
        """,
    ),
    "exp by hand, and float32": (
        "masked_softmax",
        ["no-maximum-subtracted"],
        "In bfloat16 and float16 the weights are rightly masked",
        """
        def masked_softmax(scores, mask):
            e = torch.exp(scores) * mask.float()
            return e / (e.sum(dim=-1, keepdim=True) + 1e-9)
        """,
    ),
    "one step ahead, no numbers, and integers": (
        "causal_mask_for_cache",
        ["one-step-ahead", "error-without-numbers"],
        "The mask has two axes and dtype bool",
        """
        def causal_mask_for_cache(num_queries, num_keys):
            if num_queries > num_keys:
                raise ValueError("too many queries")
            ones = torch.ones(num_queries, num_keys, dtype=torch.int)
            return torch.tril(ones, diagonal=num_keys - num_queries + 1)
        """,
    ),
    "topk, and more links than keys": (
        "strongest_links",
        ["ties-by-chance", "no-check-of-tokens"],
        "Without k there are three links",
        """
        def strongest_links(weights, tokens, k=3):
            values, indices = torch.topk(weights, k, dim=-1)
            return [
                [(tokens[j], values[i, n].item()) for n, j in enumerate(row)]
                for i, row in enumerate(indices)
            ]
        """,
    ),
    "key heads in turn, for four axes, without a check": (
        "grouped_query_attention",
        ["key-heads-dealt-in-turn"],
        "There may be no dimension before the heads",
        """
        def grouped_query_attention(q, k, v, is_causal=False):
            g = q.shape[1] // k.shape[1]
            k = k.repeat(1, g, 1, 1)
            v = v.repeat(1, g, 1, 1)
            return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
        """,
    ),
    "values as wide, and -1e4 added": (
        "scaled_dot_product_attention",
        ["scale-by-width-of-values", "mask-in-single-precision"],
        "A forbidden key has a weight of exactly 0",
        """
        def scaled_dot_product_attention(q, k, v, mask=None):
            scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(v.shape[-1])
            if mask is not None:
                scores = scores + (1 - mask.float()) * -10000.0
            weights = torch.softmax(scores, dim=-1)
            return torch.matmul(weights, v), weights
        """,
    ),
}
"""By what is wrong: the exercise, the names in order, the claim told after them, and a cell."""

ORDERED = {
    "only the output, and the mask after the softmax": (
        "scaled_dot_product_attention",
        ["mask-after-softmax", "only-the-output"],
        """
        def scaled_dot_product_attention(q, k, v, mask=None):
            w = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.size(-1)), dim=-1)
            if mask is not None:
                w = w * mask
            return w @ v
        """,
    ),
    "no minus, and a gradient of NaN": (
        "attention_entropy",
        ["minus-forgotten", "gradient-nan-at-zero"],
        """
        def attention_entropy(weights):
            return torch.nan_to_num(weights * torch.log(weights)).sum(-1)
        """,
    ),
    "thirds cut within each head, and dropout that never rests": (
        "FusedMultiHeadAttention",
        ["thirds-within-each-head", "dropout-in-evaluation"],
        """
        class FusedMultiHeadAttention(nn.Module):
            def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
                super().__init__()
                if num_heads < 1 or d_model % num_heads != 0:
                    raise ValueError(f"d_model {d_model} does not fit {num_heads} heads")
                self.num_heads, self.dropout = num_heads, dropout
                self.qkv = nn.Linear(d_model, 3 * d_model, bias=bias)
                self.out = nn.Linear(d_model, d_model, bias=bias)

            def forward(self, x, mask=None, is_causal=False):
                b, s, d = x.shape
                qkv = self.qkv(x).view(b, s, self.num_heads, -1).transpose(1, 2)
                q, k, v = qkv.chunk(3, dim=-1)
                if mask is not None and is_causal:
                    mask = mask & torch.ones(s, s, dtype=torch.bool, device=x.device).tril()
                    is_causal = False
                y = F.scaled_dot_product_attention(
                    q, k, v, attn_mask=mask, dropout_p=self.dropout, is_causal=is_causal
                )
                return self.out(y.transpose(1, 2).reshape(b, s, d))
        """,
    ),
}
"""By what is wrong: the exercise, the names in the order told, a cell; they explain all."""

WITHOUT_NAME = Answer(
    "tiled_attention",
    "the whole table, for three axes alone",
    """
def tiled_attention(q, k, v, block_size, is_causal=False):
    b, n, d = q.shape
    s = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(d)
    if is_causal:
        s = s.masked_fill(~torch.tril(torch.ones(n, n, dtype=torch.bool)), float("-inf"))
    return torch.bmm(torch.softmax(s, dim=-1), v)
""",
)
CLIPPED = Answer(
    "softmax",
    "float64, and scores clipped",
    """
def softmax(x, axis=-1):
    x = np.clip(x, -80, 80)
    e = np.exp(x.astype(np.float64))
    return e / e.sum(axis=axis, keepdims=True)
""",
)


@pytest.fixture(scope="module")
def graded():
    """By what is wrong with an answer, what is told of it, and what its tests found."""
    cells = {name: (one[0], one[-1]) for name, one in {**NAMED_AND_MORE, **ORDERED}.items()}
    answers = [Answer(of, name, textwrap.dedent(cell)) for name, (of, cell) in cells.items()]
    told = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # wrong answers overflow and deprecate, as they should
        grade([*answers, WITHOUT_NAME, CLIPPED], b"dearest", told=told)
    return {answer.name: (explained, found) for (answer, found), explained in told.items()}


@pytest.fixture(scope="module")
def explained(graded):
    """By what is wrong with an answer, what is told of it."""
    return {name: explained for name, (explained, _) in graded.items()}


@pytest.mark.parametrize("wrong", NAMED_AND_MORE)
def test_the_claim_that_the_names_leave_over_is_told_after_them(explained, wrong):
    _, slugs, claim, _ = NAMED_AND_MORE[wrong]
    assert list(explained[wrong].slugs) == slugs
    names, more = FAILS_TOO.split(explained[wrong].told)
    assert names.startswith(explained[wrong].mistakes[0].diagnosis)
    assert more.startswith(claim)


@pytest.mark.parametrize("wrong", ORDERED)
def test_the_dearest_name_comes_first_and_nothing_after_names_that_explain_all(explained, wrong):
    one = explained[wrong]
    assert list(one.slugs) == ORDERED[wrong][1]
    assert one.told == " ".join(mistake.diagnosis for mistake in one.mistakes)


def test_without_a_name_the_claims_are_told_that_the_first_symptom_does_not_explain(explained):
    first, more = FAILS_TOO.split(explained[WITHOUT_NAME.name].told)
    assert first.startswith("Your code raised ValueError, in line 3 of your cell. It runs where")
    assert more.startswith("Attention on a long row, causal or not, is worked out without a")


def test_three_claims_are_told_and_the_others_counted(graded):
    explained, found = graded[WITHOUT_NAME.name]
    failed = [one for one in found if one.outcome == "failed" and one.weight]
    first = failed[0].symptom
    alike = [one for one in failed if one.symptom == first]  # the first symptom explains these
    assert sum(f'"{one.claim}"' in explained.told for one in failed) == 3
    assert explained.told.endswith(f" And {len(failed) - (len(alike) - 1) - 3} more.")


def test_a_cheap_slip_is_not_told_in_place_of_what_costs_more(explained):
    assert explained[CLIPPED.name].told.startswith("You cut off scores that are large")
