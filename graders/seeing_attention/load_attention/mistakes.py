"""Known mistakes in load_attention."""

from functools import partial

from autograder.bank import Mistake
from graders.families import scaling, softmaxes

EXERCISE = "load_attention"
mistake = partial(Mistake, EXERCISE)

LISTED_LAST = "What does (heads, seq, d_head) list last?"
FIRST_TOKEN = "Which token comes first in the table of the text?"
HOW_MANY_AXES = "How many axes has (layers, heads, queries, keys)?"

TOKENS = '["[CLS]", *model.split(text), "[SEP]"]'
SECOND = '[*model.split(text_pair), "[SEP]"]'
ADDED = "tokens, segments = tokens + second, segments + [1] * len(second)"
WEIGHTS = "torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)"
FINISH = "        x = layer.finish(x, maps[-1] @ v)\n"
STACK = "torch.stack(maps)"

MISTAKES = (
    mistake(
        "layers-not-chained",
        "Every layer gets the embeddings; each should get what the layer before it has made.",
        "What is `x` when your loop comes to layer 1?",
        change=((FINISH, ""),),
    ),
    mistake(
        "heads-output-for-layer-output",
        "You hand on what the heads found and leave out the rest of the layer.",
        "What does `layer.finish` do besides merging the heads?",
        change=((FINISH, "        x = (maps[-1] @ v).transpose(0, 1).flatten(1)\n"),),
    ),
    mistake(
        "weights-of-keys",
        "You multiply the weights by the keys; what is handed over are the values.",
        "Which of q, k and v does a query take from a token that it attends to?",
        change=(("maps[-1] @ v", "maps[-1] @ k"),),
    ),
    mistake(
        "values-without-weights",
        "You give `finish` the values as they are, so that no token learns of another.",
        "Where are the weights used on the way to the next layer?",
        change=(("maps[-1] @ v", "v"),),
    ),
    mistake(
        "empty-text-taken-for-none",
        "You take an empty second text for none; it is a text without pieces.",
        "What does `if text_pair:` ask for, and what was promised of an empty text?",
        change=(("if text_pair is not None:", "if text_pair:"),),
    ),
    mistake(
        "no-scale",
        "You do not divide the scores, so that every head looks sharper than it is.",
        "By what are the scores divided in scaled dot-product attention?",
        change=((" / math.sqrt(q.shape[-1])", ""),),
    ),
    mistake(
        "scale-by-model-width",
        "You divide by the root of the model's width; each head's scores add up d_head products.",
        "How wide are one head's queries?",
        change=(("math.sqrt(q.shape[-1])", "math.sqrt(x.shape[-1])"),),
    ),
    mistake(
        "scale-by-heads",
        "You divide by the root of the number of heads.",
        LISTED_LAST,
        change=(("math.sqrt(q.shape[-1])", "math.sqrt(q.shape[0])"),),
    ),
    mistake(
        "scale-by-length",
        "You divide by the root of the number of tokens.",
        LISTED_LAST,
        change=(("math.sqrt(q.shape[-1])", "math.sqrt(q.shape[-2])"),),
    ),
    scaling.scale_without_root(
        EXERCISE, width="d_head", change=(("math.sqrt(q.shape[-1])", "q.shape[-1]"),)
    ),
    softmaxes.softmax_down_the_columns(EXERCISE, change=(("dim=-1", "dim=-2"),)),
    mistake(
        "softmax-over-heads",
        "Your softmax goes over the heads; each query of each head shares out 1 by itself.",
        "Which axis of (heads, queries, keys) is the first?",
        change=(("dim=-1", "dim=0"),),
    ),
    mistake(
        "scores-for-weights",
        "You keep the scores; weights come after softmax.",
        "What do the rows of your tables sum to?",
        change=((f"maps.append({WEIGHTS})", "maps.append(q @ k.mT / math.sqrt(q.shape[-1]))"),),
    ),
    mistake(
        "keys-ask",
        "You score keys against queries; row i should belong to query i.",
        "In q kᵀ, what does row i of the product come from?",
        change=(("q @ k.mT", "k @ q.mT"),),
    ),
    mistake(
        "causal-by-habit",
        "You mask the future; BERT reads in both directions.",
        "What does [CLS], the first token, see in your tables?",
        change=(
            (
                WEIGHTS,
                "torch.softmax((q @ k.mT / math.sqrt(q.shape[-1])).masked_fill("
                "torch.ones(len(tokens), len(tokens)).triu(1).bool(), -math.inf), dim=-1)",
            ),
        ),
    ),
    mistake(
        "no-special-tokens",
        "You leave out [CLS] and [SEP]; BERT has never seen a text without them.",
        FIRST_TOKEN,
        change=((TOKENS, "model.split(text)"), (SECOND, "model.split(text_pair)")),
    ),
    mistake(
        "cls-forgotten",
        "You leave out [CLS] at the beginning.",
        FIRST_TOKEN,
        change=((TOKENS, '[*model.split(text), "[SEP]"]'),),
    ),
    mistake(
        "sep-forgotten",
        "You leave out [SEP] at the end of the text.",
        "How does BERT know where the first text ends?",
        change=((TOKENS, '["[CLS]", *model.split(text)]'),),
    ),
    mistake(
        "last-sep-forgotten",
        "The second text has no [SEP] at its end.",
        "How many special tokens has a pair?",
        change=((SECOND, "model.split(text_pair)"),),
    ),
    mistake(
        "second-cls",
        "You begin the second text with another [CLS].",
        "How many special tokens has a pair, and which?",
        change=((SECOND, '["[CLS]", *model.split(text_pair), "[SEP]"]'),),
    ),
    mistake(
        "pair-ignored",
        "You leave out the second text.",
        "Where in your code is `text_pair` used?",
        change=(("if text_pair is not None:", "if False:"),),
    ),
    mistake(
        "segments-all-zero",
        "The second text has segment 0, like the first.",
        "What does the table of the text say about the segments of a pair?",
        change=(("[1] * len(second)", "[0] * len(second)"),),
    ),
    mistake(
        "segments-shifted",
        "Your segment 1 begins one token too early: the [SEP] between the texts belongs to 0.",
        "What does the table of the text say about the first [SEP]?",
        change=((ADDED, f"{ADDED}\n        segments[segments.index(1) - 1] = 1"),),
    ),
    mistake(
        "last-sep-in-segment-zero",
        "The last [SEP] has segment 0; it belongs to the second text.",
        "What does the table of the text say about the last [SEP]?",
        change=((ADDED, f"{ADDED}\n        segments[-1] = 0"),),
    ),
    mistake(
        "pair-in-one-text",
        "You join both texts into one; [SEP] and a segment of its own should part them.",
        "How does BERT know where the second text begins?",
        change=(
            (SECOND, "model.split(text_pair)"),
            (TOKENS, '["[CLS]", *model.split(text + " " + (text_pair or "")), "[SEP]"]'),
            ("if text_pair is not None:", "if False:"),
        ),
    ),
    mistake(
        "last-layer-only",
        "You keep the last layer's weights; those of all layers were asked for.",
        HOW_MANY_AXES,
        change=((STACK, "maps[-1]"),),
    ),
    mistake(
        "list-of-layers",
        "You return a list of tensors; one tensor with an axis for the layers was promised.",
        "What puts tensors of one shape side by side along a new axis?",
        change=((STACK, "maps"),),
    ),
    mistake(
        "layers-joined-as-heads",
        "You join the layers' heads into one axis; layers have an axis of their own.",
        "How many axes has (layers, heads, queries, keys)? What is stack, what is cat?",
        change=((STACK, "torch.cat(maps)"),),
    ),
    mistake(
        "heads-before-layers",
        "Your first axis lists the heads and your second the layers.",
        "Which of the two comes first in (layers, heads, queries, keys)?",
        change=((STACK, "torch.stack(maps, dim=1)"),),
    ),
    mistake(
        "heads-averaged",
        "You average over the heads; each head's table was asked for.",
        HOW_MANY_AXES,
        change=((STACK, "torch.stack(maps).mean(dim=1)"),),
    ),
    mistake(
        "tokens-not-returned",
        "You return the weights alone; the tokens come first.",
        "How would a caller know what the rows stand for?",
        change=((f"return tokens, {STACK}", f"return {STACK}"),),
    ),
    mistake(
        "numbers-for-tokens",
        "You return the tokens' numbers; the word pieces themselves were promised.",
        "What should stand at the rows of a picture?",
        change=(
            (f"return tokens, {STACK}", f"return [model.vocabulary[t] for t in tokens], {STACK}"),
        ),
    ),
    mistake(
        "split-at-spaces",
        "You cut the text at spaces; the model knows word pieces.",
        "What does `model.split` do with a capital, a comma, or a word that it does not know?",
        change=(
            (
                TOKENS,
                '["[CLS]", *(w if w in model.vocabulary else "[UNK]" for w in text.split()), '
                '"[SEP]"]',
            ),
        ),
    ),
    mistake(
        "text-cut-off",
        "You cut a long text to what fits, in silence; ValueError was promised.",
        "What would a caller believe who gets a table for half of the text?",
        change=(
            (
                "    x = model.embed(",
                '    most = len(model.tensors["position_embeddings.weight"])\n'
                "    tokens, segments = tokens[:most], segments[:most]\n    x = model.embed(",
            ),
        ),
    ),
    mistake(
        "text-that-just-fits-refused",
        "You refuse a text that is just as long as the model has places.",
        "A model has 34 places: how many tokens may a text have, the two special ones counted?",
        change=(
            (
                "x = model.embed(",
                "places = len(model.tensors['position_embeddings.weight'])\n"
                "    if len(tokens) >= places:\n"
                "        raise ValueError(len(tokens), places)\n"
                "    x = model.embed(",
            ),
        ),
    ),
)
