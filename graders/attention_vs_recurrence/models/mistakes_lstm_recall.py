"""Known mistakes in LSTMRecall."""

from functools import partial

from autograder.bank import Family, Mistake
from graders.families import devices, gradients, recall

EXERCISE = "LSTMRecall"
mistake = partial(Mistake, EXERCISE)

KNOWS = "After which step does the LSTM know what is asked for?"
STEPS = "How many steps does the LSTM take for five pairs and a query?"

READ = "read = torch.cat([self.tokens(tokens), self.queries(query)[:, None]], dim=1)"
STATES = "states, _ = self.lstm(read)"
RETURN = "return self.w_o(states[:, -1])"
LSTM = "nn.LSTM(d_model, d_model, batch_first=True)"
SIZES = "self.num_keys, self.num_values = num_keys, num_values"
TABLE = "nn.Embedding(num_keys * num_values, d_model)"

query_past_the_lstm = Family(
    "query-past-the-lstm",
    "The query goes past the LSTM; it should be what the LSTM reads last.",
    STEPS,
)

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
        recall.USE_OF_THE_QUERY,
        change=((READ, "read = self.tokens(tokens)"),),
    ),
    mistake(
        "answer-before-the-query",
        "You answer from the state before the query was read.",
        KNOWS,
        change=((RETURN, "return self.w_o(states[:, -2])"),),
    ),
    mistake(
        "answer-from-the-first-state",
        "You answer from the first state, which knows one pair and nothing else.",
        KNOWS,
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
        KNOWS,
        change=((RETURN, "return self.w_o(states.mean(dim=1))"),),
    ),
    mistake(
        "largest-of-all-states",
        "You answer from the largest numbers of all states; the last state was asked for.",
        KNOWS,
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
        STEPS,
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
        KNOWS,
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
    query_past_the_lstm(
        EXERCISE,
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
    query_past_the_lstm(
        EXERCISE,
        change=(
            (READ, "read = self.tokens(tokens)"),
            (
                RETURN,
                "return self.w_o(torch.cat([states[:, -1], self.queries(query)], dim=-1))",
            ),
            ("nn.Linear(d_model, num_values)", "nn.Linear(2 * d_model, num_values)"),
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
        "started-at-random",
        "Your LSTM starts from random numbers, so that the same question gets other logits.",
        "What does nn.LSTM start from when nobody hands it a state?",
        change=(
            (
                STATES,
                "start = tokens.new_empty(2, 1, len(tokens), self.lstm.hidden_size).float()\n"
                "        states, _ = self.lstm(read, tuple(start.normal_()))",
            ),
        ),
    ),
    mistake(
        "state-cut-off",
        "The state is cut off from the LSTM, so that only the last projection can learn.",
        gradients.CUTS,
        change=((RETURN, "return self.w_o(states[:, -1].detach())"),),
    ),
    gradients.logits_cut_off(EXERCISE, around=RETURN),
    recall.values_lost(
        EXERCISE,
        change=(
            (READ, READ.replace("self.tokens(tokens)", "self.tokens(tokens // self.num_values)")),
        ),
    ),
    recall.keys_lost(
        EXERCISE,
        change=(
            (READ, READ.replace("self.tokens(tokens)", "self.tokens(tokens % self.num_values)")),
        ),
    ),
    recall.too_few_tokens(
        EXERCISE, change=((TABLE, "nn.Embedding(num_keys + num_values, d_model)"),)
    ),
    recall.a_logit_for_each_key(
        EXERCISE,
        change=(
            (
                "self.w_o = nn.Linear(d_model, num_values)",
                "self.w_o = nn.Linear(d_model, num_keys)",
            ),
        ),
    ),
    recall.shares_for_logits(EXERCISE, around=RETURN),
    mistake(
        "logits-and-state",
        recall.TWO_VALUES,
        recall.HANDED_TO_CROSS_ENTROPY,
        change=((RETURN, f"{RETURN}, states"),),
    ),
    devices.tensor_made_on_the_cpu(
        EXERCISE,
        what="the first state",
        given="tokens",
        change=(
            (
                STATES,
                "begin = torch.zeros(1, len(read), read.shape[-1]).to(read.dtype)\n"
                "        states, _ = self.lstm(read, (begin, begin))",
            ),
        ),
    ),
    recall.sizes_not_kept(EXERCISE, change=((SIZES, "pass"),)),
    recall.sizes_swapped(
        EXERCISE, change=((SIZES, "self.num_keys, self.num_values = num_values, num_keys"),)
    ),
    recall.seeded_inside(EXERCISE, around=SIZES),
)
