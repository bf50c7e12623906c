"""The reference solutions of 07 against independent ones: PyTorch's counters, cells and Adam."""

import copy

import pytest
import torch
import torch.nn.functional as F  # noqa: N812 - torch's own documentation calls it F
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from solutions.attention_vs_recurrence.reference import (
    AttentionRecall,
    LSTMRecall,
    attention_cost,
    recall_batch,
    recall_by_length,
    train_recall,
)

TOLERANCES = [
    (torch.float64, 1e-12),
    (torch.float32, 1e-5),
    (torch.bfloat16, 0.03),
    (torch.float16, 0.004),
]
dtypes = pytest.mark.parametrize(("dtype", "tolerance"), TOLERANCES)


@pytest.mark.parametrize(("seq_len", "d_model", "heads"), [(7, 12, 3), (33, 20, 5)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_cost_is_what_pytorch_counts(seq_len, d_model, heads, dtype):
    q, k, v = (torch.randn(heads, seq_len, d_model // heads, dtype=dtype) for _ in range(3))
    with FlopCounterMode(display=False) as counter:
        scores = q @ k.mT
        scores.softmax(-1) @ v
    cost = attention_cost(seq_len, d_model, heads, dtype)
    assert cost == {"flops": counter.get_total_flops(), "score_bytes": scores.nbytes}


def test_the_cost_by_hand():
    assert attention_cost(4, 6, 2, torch.float32) == {"flops": 384, "score_bytes": 128}


def rows_of(tokens, query, answer, num_values):
    """Sequences as plain Python: a list of pairs, the key asked for, the answer."""
    for row, key, value in zip(tokens.tolist(), query.tolist(), answer.tolist(), strict=True):
        yield [divmod(token, num_values) for token in row], key, value


@pytest.mark.parametrize(("pairs", "num_keys", "num_values"), [(4, 9, 5), (1, 3, 2), (6, 6, 7)])
def test_a_dictionary_answers_every_query(pairs, num_keys, num_values):
    batch = recall_batch(300, pairs, num_keys, num_values, seed=3)
    for row, key, value in rows_of(*batch, num_values):
        table = dict(row)
        assert len(table) == pairs  # no key twice
        assert table[key] == value
        assert all(0 <= k < num_keys and 0 <= v < num_values for k, v in row)


def test_every_pair_comes_at_every_place_about_equally_often():
    tokens, query, _ = recall_batch(24_000, 3, 6, 4, seed=1)
    for column in tokens.T:
        often = column.bincount(minlength=24) / 1000
        assert ((often - 1).abs() < 0.2).all()
    asked = (tokens // 4 == query[:, None]).double().mean(0)
    assert ((asked - 1 / 3).abs() < 0.02).all()


def test_the_seed_decides_and_the_global_state_stays():
    torch.manual_seed(1)
    state = torch.get_rng_state()
    first = recall_batch(20, 4, 9, 5, seed=7)
    assert torch.equal(torch.get_rng_state(), state)
    torch.manual_seed(2)
    assert all(map(torch.equal, first, recall_batch(20, 4, 9, 5, seed=7)))
    assert not any(map(torch.equal, first, recall_batch(20, 4, 9, 5, seed=8)))


@pytest.mark.parametrize("pairs", [0, 10])
def test_pairs_that_cannot_be_are_refused_with_both_numbers(pairs):
    with pytest.raises(ValueError, match=rf"{pairs}.*9"):
        recall_batch(2, pairs, 9, 4, seed=1)


@dtypes
def test_attention_is_pytorchs_own_forward_and_backward(dtype, tolerance):
    torch.manual_seed(3)
    model = AttentionRecall(9, 4, 12).to(dtype)
    theirs = nn.MultiheadAttention(12, 1, batch_first=True).to(dtype)
    whole, nothing = torch.eye(12, dtype=dtype), torch.zeros(12, dtype=dtype)
    with torch.no_grad():  # the query and the output are not projected inside
        theirs.in_proj_weight.copy_(torch.cat([whole, model.w_k.weight, model.w_v.weight]))
        theirs.in_proj_bias.copy_(torch.cat([nothing, model.w_k.bias, model.w_v.bias]))
        theirs.out_proj.weight.copy_(whole)
        theirs.out_proj.bias.copy_(nothing)
    tokens, query, _ = recall_batch(5, 3, 9, 4, seed=2)
    logits = model(tokens, query)
    (gradient,) = torch.autograd.grad(logits.sum(), model.tokens.weight)
    pairs = model.tokens(tokens)
    found, _ = theirs(model.queries(query)[:, None], pairs, pairs)
    wanted = model.w_o(found[:, 0])
    (wanted_gradient,) = torch.autograd.grad(wanted.sum(), model.tokens.weight)
    assert logits.dtype == dtype
    torch.testing.assert_close(logits, wanted, atol=tolerance, rtol=tolerance)
    torch.testing.assert_close(gradient, wanted_gradient, atol=4 * tolerance, rtol=4 * tolerance)


@dtypes
def test_the_lstm_is_a_cell_step_by_step(dtype, tolerance):
    torch.manual_seed(4)
    model = LSTMRecall(9, 4, 12).to(dtype)
    cell = nn.LSTMCell(12, 12).to(dtype)
    weights = model.lstm.state_dict()
    cell.load_state_dict({name.removesuffix("_l0"): value for name, value in weights.items()})
    tokens, query, _ = recall_batch(5, 3, 9, 4, seed=2)
    state = None
    for x in (*model.tokens(tokens).unbind(1), model.queries(query)):
        state = cell(x, state)
    wanted = model.w_o(state[0])
    logits = model(tokens, query)
    torch.testing.assert_close(logits, wanted, atol=tolerance, rtol=tolerance)
    gradients = [
        torch.autograd.grad(result.sum(), model.tokens.weight)[0] for result in (logits, wanted)
    ]
    torch.testing.assert_close(*gradients, atol=4 * tolerance, rtol=4 * tolerance)


def test_three_steps_are_adams_by_hand():
    torch.manual_seed(5)
    model = AttentionRecall(6, 3, 8).double()
    other = copy.deepcopy(model)
    losses = train_recall(model, 3, 2, seed=4)
    means = {name: torch.zeros_like(p) for name, p in other.named_parameters()}
    squares = {name: torch.zeros_like(p) for name, p in other.named_parameters()}
    for step in range(3):
        tokens, query, answer = recall_batch(64, 2, 6, 3, seed=4 * 3 + step)
        logits = other(tokens, query)
        loss = logits.logsumexp(1).mean() - logits.gather(1, answer[:, None]).mean()
        assert losses[step] == pytest.approx(loss.item())
        gradients = torch.autograd.grad(loss, list(other.parameters()))
        with torch.no_grad():
            for (name, p), gradient in zip(other.named_parameters(), gradients, strict=True):
                means[name].lerp_(gradient, 0.1)
                squares[name].lerp_(gradient**2, 0.001)
                mean = means[name] / (1 - 0.9 ** (step + 1))
                square = squares[name] / (1 - 0.999 ** (step + 1))
                p -= 0.01 * mean / (square.sqrt() + 1e-8)
    for trained, by_hand in zip(model.parameters(), other.parameters(), strict=True):
        torch.testing.assert_close(trained, by_hand)


class FirstPair(nn.Module):
    """Answers with the value of the first pair."""

    num_keys, num_values = 9, 4

    def forward(self, tokens, query):
        return F.one_hot(tokens[:, 0] % 4, 4).float()


def test_shares_are_counted_over_a_thousand_sequences():
    shares = recall_by_length({"first": FirstPair()}, [1, 4], seed=6)
    tokens, _, answer = recall_batch(1000, 4, 9, 4, seed=6)
    counted = sum((tokens[:, 0] % 4 == answer).tolist()) / 1000
    assert shares == {"first": [1.0, pytest.approx(counted)]}


def test_attention_holds_on_longer_sequences():
    torch.manual_seed(6)
    model = AttentionRecall(16, 4, 32)
    losses = train_recall(model, 200, pairs=4, seed=1)
    assert losses[0] == pytest.approx(1.386, abs=0.5)
    assert sum(losses[-20:]) / 20 < 0.1
    assert min(recall_by_length({"": model}, (1, 4, 16), seed=2)[""]) > 0.95
