"""Right ways to write the two models."""

from functools import partial
from textwrap import indent

from autograder.bank import Variant

attention = partial(Variant, "AttentionRecall")
lstm = partial(Variant, "LSTMRecall")

MODEL = """
import math
import torch
import torch.nn.functional as F
from torch import nn

class {name}(nn.Module):
    def __init__(self, num_keys, num_values, d_model):
        super().__init__()
        self.num_keys = num_keys
        self.num_values = num_values
{init}

    def forward(self, tokens, query):
{forward}
"""


def model(exercise: str, name: str, init: str, forward: str) -> Variant:
    """A right model with these two bodies."""
    bodies = {"init": init, "forward": forward}
    indented = {part: indent(body.strip("\n"), " " * 8) for part, body in bodies.items()}
    return Variant(exercise, name, MODEL.format(name=exercise, **indented))


ATTENTION = (
    model(
        "AttentionRecall",
        "PyTorch's function, and projections of the query as well",
        """
self.pairs = nn.Embedding(num_keys * num_values, d_model)
self.asked = nn.Embedding(num_keys, d_model)
self.w_q = nn.Linear(d_model, d_model, bias=False)
self.w_k = nn.Linear(d_model, d_model, bias=False)
self.w_v = nn.Linear(d_model, d_model, bias=False)
self.head = nn.Linear(d_model, num_values)
""",
        """
x = self.pairs(tokens)
q = self.w_q(self.asked(query)).unsqueeze(1)
found = F.scaled_dot_product_attention(q, self.w_k(x), self.w_v(x))
return self.head(found[:, 0])
""",
    ),
    model(
        "AttentionRecall",
        "PyTorch's module",
        """
self.embedding = nn.Embedding(num_keys * num_values, d_model)
self.question = nn.Embedding(num_keys, d_model)
self.attention = nn.MultiheadAttention(d_model, 1, batch_first=True)
self.out = nn.Linear(d_model, num_values)
""",
        """
x = self.embedding(tokens)
found, _ = self.attention(self.question(query)[:, None], x, x, need_weights=False)
return self.out(found.squeeze(1))
""",
    ),
    model(
        "AttentionRecall",
        "two heads by hand",
        """
self.tokens = nn.Embedding(num_keys * num_values, d_model)
self.queries = nn.Embedding(num_keys, d_model)
self.w_kv = nn.Linear(d_model, 2 * d_model)
self.w_o = nn.Linear(d_model, num_values)
""",
        """
b, n = tokens.shape
k, v = self.w_kv(self.tokens(tokens)).chunk(2, dim=-1)
q = self.queries(query).view(b, 1, 2, -1).transpose(1, 2)
k, v = (t.view(b, n, 2, -1).transpose(1, 2) for t in (k, v))
w = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)), dim=-1)
return self.w_o((w @ v).transpose(1, 2).reshape(b, -1))
""",
    ),
    model(
        "AttentionRecall",
        "einsum, and embeddings without projections",
        """
self.k = nn.Embedding(num_keys * num_values, d_model)
self.v = nn.Embedding(num_keys * num_values, d_model)
self.q = nn.Embedding(num_keys, d_model)
self.out = nn.Linear(d_model, num_values)
""",
        """
scores = torch.einsum("bd,bnd->bn", self.q(query), self.k(tokens)) / self.q.weight.shape[1] ** 0.5
return self.out(torch.einsum("bn,bnd->bd", scores.softmax(1), self.v(tokens)))
""",
    ),
    model(
        "AttentionRecall",
        "tokens taken apart into key and value",
        """
self.key = nn.Embedding(num_keys, d_model)
self.value = nn.Embedding(num_values, d_model)
self.query = nn.Embedding(num_keys, d_model)
self.w_o = nn.Linear(d_model, num_values)
self.scale = d_model**-0.5
""",
        """
k = self.key(tokens // self.num_values)
v = self.value(tokens % self.num_values)
scores = (k * self.query(query).unsqueeze(1)).sum(-1) * self.scale
weights = F.softmax(scores, dim=-1)
return self.w_o((weights.unsqueeze(-1) * v).sum(dim=1))
""",
    ),
    model(
        "AttentionRecall",
        "one-hot vectors through linear layers",
        """
self.w_q = nn.Linear(num_keys, d_model)
self.w_k = nn.Linear(num_keys * num_values, d_model)
self.w_v = nn.Linear(num_keys * num_values, d_model)
self.w_o = nn.Linear(d_model, num_values)
""",
        """
x = F.one_hot(tokens, self.num_keys * self.num_values).to(self.w_q.weight.dtype)
q = self.w_q(F.one_hot(query, self.num_keys).to(self.w_q.weight.dtype))
scores = torch.bmm(self.w_k(x), q.unsqueeze(2)) / math.sqrt(q.shape[1])
weights = scores.softmax(dim=1).transpose(1, 2)
return self.w_o(torch.bmm(weights, self.w_v(x))[:, 0, :])
""",
    ),
    model(
        "AttentionRecall",
        "small parameters to begin with, and a layer norm",
        """
self.tokens = nn.Embedding(num_keys * num_values, d_model)
self.queries = nn.Embedding(num_keys, d_model)
self.norm = nn.LayerNorm(d_model)
self.w_q = nn.Linear(d_model, d_model)
self.w_k = nn.Linear(d_model, d_model)
self.w_v = nn.Linear(d_model, d_model)
self.w_o = nn.Linear(d_model, num_values)
for table in self.parameters():
    if table.ndim > 1:
        nn.init.normal_(table, std=0.02)
""",
        """
x = self.norm(self.tokens(tokens))
q = self.w_q(self.norm(self.queries(query)))[:, None]
weights = (q @ self.w_k(x).mT / math.sqrt(x.shape[-1])).softmax(-1)
return self.w_o((weights @ self.w_v(x)).squeeze(1))
""",
    ),
    model(
        "AttentionRecall",
        "keys and values interleaved in one projection",
        """
self.tokens = nn.Embedding(num_keys * num_values, d_model)
self.queries = nn.Embedding(num_keys, d_model)
self.kv = nn.Linear(d_model, 2 * d_model, bias=False)
self.w_o = nn.Linear(d_model, num_values)
""",
        """
k, v = self.kv(self.tokens(tokens)).unflatten(-1, (-1, 2)).unbind(-1)
scores = torch.einsum("bd,bnd->bn", self.queries(query), k) / k.shape[-1] ** 0.5
return self.w_o(torch.einsum("bn,bnd->bd", scores.softmax(-1), v))
""",
    ),
    model(
        "AttentionRecall",
        "one table of keys for pairs and queries, and logits mixed in place of values",
        """
self.keys = nn.Embedding(num_keys, d_model)
self.values = nn.Embedding(num_values, d_model)
self.w_k = nn.Linear(d_model, d_model)
self.w_v = nn.Linear(d_model, d_model)
self.w_o = nn.Linear(d_model, num_values)
""",
        """
k = self.w_k(self.keys(tokens // self.num_values))
logits = self.w_o(self.w_v(self.values(tokens % self.num_values)))
q = self.keys(query)[:, None]
return (F.softmax(q @ k.mT * k.shape[-1] ** -0.5, dim=-1) @ logits)[:, 0]
""",
    ),
    model(
        "AttentionRecall",
        "matrices without layers, and a projection of what was found",
        """
self.tokens = nn.Parameter(torch.randn(num_keys * num_values, d_model))
self.queries = nn.Parameter(torch.randn(num_keys, d_model))
for name in ("w_q", "w_k", "w_v", "w_f"):
    self.register_parameter(name, nn.Parameter(torch.randn(d_model, d_model) / d_model**0.5))
self.w_o = nn.Linear(d_model, num_values)
self.register_buffer("root", torch.tensor(float(d_model)).sqrt())
""",
        """
x = self.tokens[tokens]
q, k, v = self.queries[query][:, None] @ self.w_q, x @ self.w_k, x @ self.w_v
weights = ((q / self.root) @ k.mT).softmax(-1)
return self.w_o(weights @ v @ self.w_f).squeeze(1)
""",
    ),
    model(
        "AttentionRecall",
        "one table for tokens and queries, and one projection more for both",
        """
self.table = nn.Embedding(num_keys * num_values + num_keys, d_model)
self.enter = nn.Linear(d_model, d_model)
self.w_k = nn.Linear(d_model, d_model)
self.w_v = nn.Linear(d_model, d_model)
self.w_o = nn.Linear(d_model, num_values)
""",
        """
pairs = self.enter(self.table(tokens))
q = self.enter(self.table(self.num_keys * self.num_values + query))
scores = (self.w_k(pairs) @ q[..., None]).squeeze(-1) / q.shape[-1] ** 0.5
return self.w_o((scores.softmax(1)[..., None] * self.w_v(pairs)).sum(1))
""",
    ),
)

LSTMS = (
    model(
        "LSTMRecall",
        "a state to begin with that is learnt",
        """
self.tokens = nn.Embedding(num_keys * num_values, d_model)
self.queries = nn.Embedding(num_keys, d_model)
self.lstm = nn.LSTM(d_model, d_model, batch_first=True)
self.start = nn.Parameter(torch.zeros(2, 1, 1, d_model))
self.w_o = nn.Linear(d_model, num_values)
nn.init.ones_(self.lstm.bias_hh_l0)
""",
        """
h, c = self.start.repeat(1, 1, len(tokens), 1)
_, state = self.lstm(self.tokens(tokens), (h, c))
_, (h, c) = self.lstm(self.queries(query).unsqueeze(1), state)
return self.w_o(h.squeeze(0))
""",
    ),
    model(
        "LSTMRecall",
        "time first, and the last hidden state",
        """
self.pairs = nn.Embedding(num_keys * num_values, d_model)
self.asked = nn.Embedding(num_keys, d_model)
self.rnn = nn.LSTM(d_model, d_model)
self.head = nn.Linear(d_model, num_values)
""",
        """
x = self.pairs(tokens).transpose(0, 1)
x = torch.cat([x, self.asked(query).unsqueeze(0)], dim=0)
_, (h, c) = self.rnn(x)
return self.head(h[-1])
""",
    ),
    model(
        "LSTMRecall",
        "one table for tokens and queries",
        """
self.table = nn.Embedding(num_keys * num_values + num_keys, d_model)
self.lstm = nn.LSTM(input_size=d_model, hidden_size=d_model, batch_first=True)
self.out = nn.Linear(d_model, num_values)
""",
        """
asked = query + self.num_keys * self.num_values
out, _ = self.lstm(self.table(torch.cat([tokens, asked[:, None]], dim=1)))
return self.out(out[:, -1, :])
""",
    ),
    model(
        "LSTMRecall",
        "a loop over a cell",
        """
self.tokens = nn.Embedding(num_keys * num_values, d_model)
self.queries = nn.Embedding(num_keys, d_model)
self.cell = nn.LSTMCell(d_model, d_model)
self.w_o = nn.Linear(d_model, num_values)
""",
        """
state = None
for x in self.tokens(tokens).unbind(1):
    state = self.cell(x, state)
h, _ = self.cell(self.queries(query), state)
return self.w_o(h)
""",
    ),
    model(
        "LSTMRecall",
        "gates by hand",
        """
self.tokens = nn.Embedding(num_keys * num_values, d_model)
self.queries = nn.Embedding(num_keys, d_model)
self.gates = nn.Linear(2 * d_model, 4 * d_model)
self.w_o = nn.Linear(d_model, num_values)
""",
        """
steps = [*self.tokens(tokens).unbind(1), self.queries(query)]
h = c = torch.zeros_like(steps[0])
for x in steps:
    i, f, g, o = self.gates(torch.cat([x, h], dim=-1)).chunk(4, dim=-1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    h = torch.sigmoid(o) * torch.tanh(c)
return self.w_o(h)
""",
    ),
    model(
        "LSTMRecall",
        "two layers, and a state of its own to begin with",
        """
self.tokens = nn.Embedding(num_keys * num_values, d_model)
self.queries = nn.Embedding(num_keys, d_model)
self.lstm = nn.LSTM(d_model, d_model, num_layers=2, batch_first=True)
self.w_o = nn.Linear(d_model, num_values)
""",
        """
x = self.tokens(tokens)
zeros = x.new_zeros(2, len(x), x.shape[-1])
_, state = self.lstm(x, (zeros, zeros))
out, _ = self.lstm(self.queries(query)[:, None], state)
return self.w_o(out).squeeze(1)
""",
    ),
)

VARIANTS = (*ATTENTION, *LSTMS)
