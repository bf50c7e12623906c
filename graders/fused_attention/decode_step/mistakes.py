"""Known mistakes in decode_step."""

from functools import partial

from autograder.bank import Mistake
from graders.families import devices, heads, inputs, precision, scaling
from graders.fused_attention.decode_step import mistakes_in_corners

EXERCISE = "decode_step"
mistake = partial(Mistake, EXERCISE)

PROMISED_SHAPE = "Which shape does the text promise for the parts of the cache?"

QKV = "attention.qkv(x_t)"
CUT = "(3, attention.num_heads, -1)"
SPLIT = "per_head.transpose(1, 3).unbind(2)"
GROW = "k, v = torch.cat((cache[0], k), dim=2), torch.cat((cache[1], v), dim=2)"
ATTEND = "F.scaled_dot_product_attention(q, k, v)"
OUT = "attention.out(attended.transpose(1, 2).flatten(2))"
RETURN = f"return {OUT}, (k, v)"
BY_HAND = "torch.softmax(q @ k.mT{scale}, dim={dim}) @ v"

MISTAKES = (
    mistake(
        "cache-never-grown",
        "You hand back the keys and values of the newest token only; those before it are lost.",
        "What will the step after the next one find in the cache?",
        change=(
            ("if cache is not None:", "new = k, v\n    if cache is not None:"),
            (RETURN, f"return {OUT}, new"),
        ),
    ),
    mistake(
        "cache-window",
        "You keep a fixed number of steps; the older ones are lost.",
        "How long may a text become that your module writes? What does its last token attend to?",
        change=((GROW, GROW.replace("dim=2)", "dim=2)[:, :, -16:]")),),
    ),
    mistake(
        "old-cache-handed-back",
        "You hand back the cache that came in, without the newest token.",
        "What will the next step find in the cache?",
        change=((RETURN, f"return {OUT}, (k, v) if cache is None else cache"),),
    ),
    mistake(
        "cache-ignored",
        "Your token attends to itself alone; the cache plays no part.",
        "Where in your code does the cache make a difference to the output?",
        change=((GROW, "pass"),),
    ),
    mistake(
        "cache-grown-but-not-used",
        "Your cache grows, but your token attends to itself alone.",
        "With which keys do you attend: with the new one, or with all?",
        change=(
            ("if cache is not None:", "own = k, v\n    if cache is not None:"),
            (ATTEND, "F.scaled_dot_product_attention(q, *own)"),
        ),
    ),
    mistake(
        "causal-from-the-top-left",
        "With is_causal, PyTorch lets the first query see the first key only: yours is the last.",
        "A mask of one query by ten keys, lower triangle from the top left: what does it allow?",
        change=((ATTEND, "F.scaled_dot_product_attention(q, k, v, is_causal=True)"),),
    ),
    mistake(
        "newest-token-left-out",
        "Your token attends to the tokens before it, but not to itself.",
        "Which keys may position t see in a causal pass: 0 to t - 1, or 0 to t?",
        change=(
            (
                ATTEND,
                "F.scaled_dot_product_attention(q, *((k, v) if cache is None else cache))",
            ),
        ),
    ),
    mistake(
        "newest-step-in-front",
        "You put the newest key and value in front of the older ones.",
        "The outputs do not show it. Which step should come last along the cache?",
        change=((GROW, "k, v = torch.cat((k, cache[0]), dim=2), torch.cat((v, cache[1]), dim=2)"),),
    ),
    mistake(
        "cache-changed-in-place",
        "You write into the cache that you were given, so that nothing else can continue from it.",
        "Two answers are tried from one beginning: what does the second find in the cache?",
        change=(
            (
                f"if cache is not None:\n        {GROW}",
                "if cache is None:\n        cache = [k, v]\n    else:\n"
                "        cache[0] = torch.cat((cache[0], k), dim=2)\n"
                "        cache[1] = torch.cat((cache[1], v), dim=2)\n"
                "    k, v = cache",
            ),
            (RETURN, f"return {OUT}, cache"),
        ),
    ),
    mistake(
        "last-step-overwritten",
        "You write the newest key and value over the last ones in the cache.",
        "How long is the cache before a step, and how long afterwards?",
        change=(
            (
                GROW,
                "cache[0][:, :, -1:], cache[1][:, :, -1:] = k, v\n        k, v = cache",
            ),
        ),
    ),
    mistake(
        "cache-kept-in-the-module",
        "You keep keys and values in the module itself, where two sequences meet.",
        "Two texts are decoded in turn with one module. Whose keys does the second text find?",
        change=(
            ("if cache is not None:", "if hasattr(attention, 'cache') and cache is not None:"),
            (GROW, GROW.replace("cache[", "attention.cache[")),
            (RETURN, f"attention.cache = (k, v)\n    {RETURN}"),
        ),
    ),
    heads.keys_and_values_swapped(EXERCISE, change=(("q, k, v = per_head", "q, v, k = per_head"),)),
    heads.queries_and_keys_swapped(
        EXERCISE, change=(("q, k, v = per_head", "k, q, v = per_head"),)
    ),
    mistake(
        "pair-swapped",
        "Your cache holds the values first and the keys second.",
        "The outputs do not show it. In which order does the text ask for the pair?",
        change=(
            (GROW, "k, v = torch.cat((cache[1], k), dim=2), torch.cat((cache[0], v), dim=2)"),
            (RETURN, f"return {OUT}, (v, k)"),
        ),
    ),
    mistake(
        "pair-swapped-on-the-way",
        "You hand back keys and values in one order, and read them in the other.",
        "What do cache[0] and cache[1] hold when a step begins?",
        change=((RETURN, f"return {OUT}, (v, k)"),),
    ),
    mistake(
        "queries-cached",
        "Your cache holds queries in place of keys.",
        "Of an earlier token, what does the newest one need: what it asked, or how it is found?",
        change=(("torch.cat((cache[0], k), dim=2)", "torch.cat((cache[0], q), dim=2)"),),
    ),
    mistake(
        "only-keys-grown",
        "Your keys grow with every step, your values do not.",
        "How many values are averaged when there are ten weights?",
        change=((GROW, "k = torch.cat((cache[0], k), dim=2)"),),
    ),
    mistake(
        "joined-along-another-axis",
        "You join old and new along another axis than the steps.",
        "Of (batch, heads, steps, d_head), which axis grows with every token?",
        change=((GROW, "k, v = torch.cat((cache[0], k), dim=1), torch.cat((cache[1], v), dim=1)"),),
    ),
    mistake(
        "cache-not-split-into-heads",
        "Your cache holds whole vectors, (batch, steps, d_model); it should hold one a head.",
        PROMISED_SHAPE,
        change=(
            (
                f"per_head = {QKV}.unflatten(-1, {CUT})\n    q, k, v = {SPLIT}"
                "  # each (batch, heads, 1, d_head)",
                f"q, k, v = {QKV}.chunk(3, dim=-1)",
            ),
            (GROW, GROW.replace("dim=2", "dim=1")),
            (
                ATTEND,
                "F.scaled_dot_product_attention(*(\n"
                "        t.unflatten(-1, (attention.num_heads, -1)).transpose(1, 2)"
                " for t in (q, k, v)))",
            ),
        ),
    ),
    mistake(
        "steps-before-heads",
        "The steps stand before the heads in your cache.",
        PROMISED_SHAPE,
        change=(
            (
                GROW,
                GROW.replace("cache[0]", "cache[0].transpose(1, 2)").replace(
                    "cache[1]", "cache[1].transpose(1, 2)"
                ),
            ),
            (RETURN, f"return {OUT}, (k.transpose(1, 2), v.transpose(1, 2))"),
        ),
    ),
    heads.thirds_within_each_head(
        EXERCISE,
        change=(
            (CUT, "(attention.num_heads, 3, -1)"),
            (SPLIT, "per_head.permute(0, 2, 3, 1, 4).unbind(2)"),
        ),
    ),
    heads.interleaved_features(
        EXERCISE,
        change=(
            (CUT, "(3, -1, attention.num_heads)"),
            (SPLIT, "per_head.permute(0, 4, 2, 1, 3).unbind(2)"),
            ("attended.transpose(1, 2).flatten(2)", "attended.permute(0, 2, 3, 1).flatten(2)"),
        ),
    ),
    mistake(
        "bias-forgotten",
        "You multiply by qkv's weight and leave out its bias.",
        heads.BESIDE_ITS_WEIGHT,
        change=((QKV, "F.linear(x_t, attention.qkv.weight)"),),
    ),
    heads.no_output_projection(
        EXERCISE,
        layer="out",
        hint="Which of the module's two layers do you use?",
        change=((RETURN, "return attended.transpose(1, 2).flatten(2), (k, v)"),),
    ),
    mistake(
        "heads-ignored",
        "You attend with one wide head, whatever the module's number of heads is.",
        "How many heads has the cache that the text promises?",
        change=((CUT, "(3, 1, -1)"),),
    ),
    scaling.no_scale(
        EXERCISE,
        hint="What does the module's own forward pass divide by?",
        change=((ATTEND, BY_HAND.format(scale="", dim=-1)),),
    ),
    scaling.scale_by_d_model(
        EXERCISE, change=((ATTEND, BY_HAND.format(scale=" / x_t.shape[-1] ** 0.5", dim=-1)),)
    ),
    mistake(
        "softmax-over-one-query",
        "Your softmax runs over the queries, of which there is one, so that every weight is 1.",
        "Along which axis do the keys lie?",
        change=((ATTEND, BY_HAND.format(scale=" / q.shape[-1] ** 0.5", dim=-2)),),
    ),
    mistake(
        "only-the-output-returned",
        "You give back the output alone; the cache is needed for the next step.",
        "What does the caller pass in at the next token?",
        change=((RETURN, f"return {OUT}"),),
    ),
    precision.output_cut_off(EXERCISE, around=ATTEND),
    mistake(
        "float32-always",
        "Your cache is float32 whatever the module is.",
        "Compare the dtype of the cache with that of x_t. Where does it change?",
        change=((RETURN, f"return {OUT}, (k.float(), v.float())"),),
    ),
    mistake(
        "cache-through-numpy",
        "Your cache passes through NumPy, which knows no bfloat16 and no GPU.",
        devices.LEAVES_PYTORCH,
        change=(
            (
                RETURN,
                "k, v = (torch.from_numpy(t.detach().numpy().copy()) for t in (k, v))\n"
                f"    {RETURN}",
            ),
        ),
    ),
    mistake(
        "token-changed-in-place",
        "Your code changes the token that it was given.",
        inputs.WRITES_INTO,
        change=(("per_head = ", "x_t += 0.5\n    per_head = "),),
    ),
    *mistakes_in_corners.MISTAKES,
)
