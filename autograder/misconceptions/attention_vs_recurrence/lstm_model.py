"""Known mistakes in LSTMRecall."""

from functools import partial

from autograder.misconceptions.mistake import Mistake

mistake = partial(Mistake, "LSTMRecall")

READ = "read = torch.cat([self.tokens(tokens), self.queries(query)[:, None]], dim=1)"
STATES = "states, _ = self.lstm(read)"
RETURN = "return self.w_o(states[:, -1])"
LSTM = "nn.LSTM(d_model, d_model, batch_first=True)"
SIZES = "self.num_keys, self.num_values = num_keys, num_values"
TABLE = "nn.Embedding(num_keys * num_values, d_model)"

MISTAKES = (
    mistake(
        "batch-read-as-time",
        "Your LSTM reads the batch as time: sequences run into each other.",
        "Which axis does nn.LSTM take for time when nobody says otherwise?",
        change=((LSTM, "nn.LSTM(d_model, d_model)"),),
    ),
    mistake(
        "query-not-read",
        "Your LSTM never reads the query.",
        "Where in your forward pass does `query` make a difference?",
        change=((READ, "read = self.tokens(tokens)"),),
    ),
    mistake(
        "answer-before-the-query",
        "You answer from the state before the query was read.",
        "After which step does the LSTM know what is asked for?",
        change=((RETURN, "return self.w_o(states[:, -2])"),),
    ),
    mistake(
        "answer-from-the-first-state",
        "You answer from the first state, which knows one pair and nothing else.",
        "After which step does the LSTM know what is asked for?",
        change=((RETURN, "return self.w_o(states[:, 0])"),),
    ),
    mistake(
        "query-read-first",
        "Your LSTM reads the query first; it should be the last step.",
        "After sixty pairs, what is left in the state of what was read first?",
        change=(
            (
                READ,
                READ.replace(
                    "self.tokens(tokens), self.queries(query)[:, None]",
                    "self.queries(query)[:, None], self.tokens(tokens)",
                ),
            ),
        ),
    ),
    mistake(
        "cell-state-for-hidden-state",
        "You answer from the cell state c; h, which the LSTM shows, was asked for.",
        "In which order does nn.LSTM give back its two last states?",
        change=(
            (STATES, "_, (_, cell) = self.lstm(read)"),
            (RETURN, "return self.w_o(cell[-1])"),
        ),
    ),
    mistake(
        "mean-of-all-states",
        "You answer from the mean of all states; the last one was asked for.",
        "After which step does the LSTM know what is asked for?",
        change=((RETURN, "return self.w_o(states.mean(dim=1))"),),
    ),
    mistake(
        "largest-of-all-states",
        "You answer from the largest numbers of all states; the last state was asked for.",
        "After which step does the LSTM know what is asked for?",
        change=((RETURN, "return self.w_o(states.amax(dim=1))"),),
    ),
    mistake(
        "pairs-read-backwards",
        "Your LSTM reads the pairs from the last to the first.",
        "Which pair should the LSTM read just before the query?",
        change=((READ, READ.replace("self.tokens(tokens)", "self.tokens(tokens.flip(1))")),),
    ),
    mistake(
        "query-added-to-every-pair",
        "You add the query to every pair; it should be a step of its own, the last one.",
        "How many steps does the LSTM take for five pairs and a query?",
        change=((READ, "read = self.tokens(tokens) + self.queries(query)[:, None]"),),
    ),
    mistake(
        "read-in-both-directions",
        "Your LSTM reads in both directions; the pairs were to be read in order.",
        "What does the second direction know when it has read one step, and which one is that?",
        change=(
            (LSTM, "nn.LSTM(d_model, d_model, batch_first=True, bidirectional=True)"),
            ("nn.Linear(d_model, num_values)", "nn.Linear(2 * d_model, num_values)"),
        ),
    ),
    mistake(
        "gru-for-lstm",
        "Your model holds a GRU; an LSTM was asked for.",
        "How many states does your recurrence carry from step to step, and how many an LSTM?",
        change=((LSTM, "nn.GRU(d_model, d_model, batch_first=True)"),),
    ),
    mistake(
        "recurrence-without-gates",
        "Your model holds a plain recurrence without gates; an LSTM was asked for.",
        "What decides in an LSTM what is kept, and does your layer have it?",
        change=((LSTM, "nn.RNN(d_model, d_model, batch_first=True)"),),
    ),
    mistake(
        "width-hard-coded",
        "The state of your LSTM has a width of its own; d_model was asked for.",
        "Where does the number come from that you give nn.LSTM for its state?",
        change=(
            (LSTM, "nn.LSTM(d_model, 32, batch_first=True)"),
            ("nn.Linear(d_model, num_values)", "nn.Linear(32, num_values)"),
        ),
    ),
    mistake(
        "logits-at-every-step",
        "You return logits for every step; one row a sequence was promised.",
        "After which step does the LSTM know what is asked for?",
        change=((RETURN, "return self.w_o(states)"),),
    ),
    mistake(
        "no-recurrence",
        "Your model adds everything up; no state is carried from step to step.",
        "What does your model give for the same pairs in another order?",
        change=((STATES, "states = read.mean(dim=1, keepdim=True).tanh()"),),
    ),
    mistake(
        "last-pair-only",
        "Your model reads the last pair and the query, and none of the pairs before.",
        "What does the slice leave of the sequence?",
        change=((READ, READ.replace("self.tokens(tokens)", "self.tokens(tokens[:, -1:])")),),
    ),
    mistake(
        "long-sequences-cut",
        "Your model cuts long sequences: the LSTM never reads their first pairs.",
        "What does the slice leave of a sequence of 16 pairs?",
        change=((READ, READ.replace("self.tokens(tokens)", "self.tokens(tokens[:, -8:])")),),
    ),
    mistake(
        "query-past-the-lstm",
        "The query goes past the LSTM; it should be what the LSTM reads last.",
        "How many steps does the LSTM take for five pairs and a query?",
        change=(
            (READ, "read = self.tokens(tokens)"),
            (
                RETURN,
                "return self.w_o(torch.cat([states[:, -1], self.queries(query)], dim=-1))",
            ),
            (
                "self.w_o = nn.Linear(d_model, num_values)",
                "self.w_o = nn.Sequential(\n"
                "            nn.Linear(2 * d_model, d_model), nn.ReLU(), nn.Linear(d_model, "
                "num_values)\n        )",
            ),
        ),
    ),
    mistake(
        "pairs-read-without-gradient",
        "No gradient goes through the steps that read the pairs.",
        "What should the LSTM learn to keep, and from which error could it learn that?",
        change=(
            (
                STATES,
                "with torch.no_grad():\n            _, kept = self.lstm(read[:, :-1])\n"
                "        states, _ = self.lstm(read[:, -1:], kept)",
            ),
        ),
    ),
    mistake(
        "state-kept-between-calls",
        "Your model carries its state from one call to the next.",
        "What should a new sequence know of the one before it?",
        change=(
            (
                STATES,
                "kept = getattr(self, 'kept', None)\n"
                "        fits = kept is not None and kept[0].shape[1] == len(tokens)\n"
                "        states, kept = self.lstm(read, kept if fits else None)\n"
                "        self.kept = tuple(part.detach() for part in kept)",
            ),
        ),
    ),
    mistake(
        "state-cut-off",
        "The state is cut off from the LSTM, so that only the last projection can learn.",
        "What do `.detach()` and `.data` do to gradients?",
        change=((RETURN, "return self.w_o(states[:, -1].detach())"),),
    ),
    mistake(
        "output-cut-off",
        "Your logits are cut off from all parameters, so nothing can be learnt.",
        "What do `.detach()`, `.data` and `no_grad` do to gradients?",
        change=((RETURN, f"{RETURN}.detach()"),),
    ),
    mistake(
        "values-lost",
        "Your embedding knows the key of each pair and not its value.",
        "What is a token divided by num_values, and what is left over?",
        change=(
            (READ, READ.replace("self.tokens(tokens)", "self.tokens(tokens // self.num_values)")),
        ),
    ),
    mistake(
        "keys-lost",
        "Your embedding knows the value of each pair and not its key.",
        "What is a token divided by num_values, and what is left over?",
        change=(
            (READ, READ.replace("self.tokens(tokens)", "self.tokens(tokens % self.num_values)")),
        ),
    ),
    mistake(
        "too-few-tokens",
        "Your table of embeddings has too few rows: there is one token for each key *and* value.",
        "How many pairs can be made of 14 keys and 3 values?",
        change=((TABLE, "nn.Embedding(num_keys + num_values, d_model)"),),
    ),
    mistake(
        "a-logit-for-each-key",
        "You give one logit a key; the answer is a value.",
        "Among how many answers does the model choose?",
        change=(
            (
                "self.w_o = nn.Linear(d_model, num_values)",
                "self.w_o = nn.Linear(d_model, num_keys)",
            ),
        ),
    ),
    mistake(
        "shares-for-logits",
        "You return shares that sum to one; cross_entropy applies softmax itself, to logits.",
        "What does F.cross_entropy expect: before or after softmax?",
        change=((RETURN, f"{RETURN}.softmax(dim=-1)"),),
    ),
    mistake(
        "logits-and-state",
        "You return two values; logits alone were promised.",
        "What does a caller hand to cross_entropy?",
        change=((RETURN, f"{RETURN}, states"),),
    ),
    mistake(
        "sizes-not-kept",
        "Your model does not keep num_keys and num_values.",
        "Where will training find out how many keys there are?",
        change=((SIZES, "pass"),),
    ),
    mistake(
        "sizes-swapped",
        "Your model keeps num_keys and num_values under each other's names.",
        "Make a model of 7 keys and 3 values, and print what it keeps.",
        change=((SIZES, "self.num_keys, self.num_values = num_values, num_keys"),),
    ),
    mistake(
        "seeded-inside",
        "Your model seeds torch itself, so that all models begin alike.",
        "What happens to everyone else's random numbers?",
        change=((SIZES, f"{SIZES}\n        torch.manual_seed(0)"),),
    ),
)
