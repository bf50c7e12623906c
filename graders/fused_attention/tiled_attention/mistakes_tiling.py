"""Known mistakes in tiled_attention."""

from functools import partial

from autograder.bank import Mistake
from graders.families import (
    blocks,
    devices,
    gradients,
    heads,
    inputs,
    masks,
    precision,
    scaling,
    softmaxes,
)

EXERCISE = "tiled_attention"
mistake = partial(Mistake, EXERCISE)

SLICE = "Does a Python slice include its last index?"

FIRST = "q.new_full((*q.shape[:-1], 1)"
BLOCKS = "range(0, k.shape[-2], block_size)"
SCALE = " / math.sqrt(q.shape[-1])"
MASK = "position[block] > position[:, None]"
HIGHER = "higher = torch.maximum(highest, scores.amax(dim=-1, keepdim=True))"
EXPONENTIALS = "rescale, weights = torch.exp(highest - higher), torch.exp(scores - higher)"
TOTAL = "total = rescale * total + weights.sum(dim=-1, keepdim=True)"
OUTPUT = "output = rescale * output + weights @ v[..., block, :]"
END = "return output / total"
WHOLE = """
    def tiled_attention(q, k, v, block_size, is_causal=False):
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if is_causal:
            future = torch.ones_like(scores, dtype=torch.bool).triu(1)
            scores = scores.masked_fill(future, -math.inf)
        return torch.softmax(scores, dim=-1) @ v
"""
EACH_BLOCK = """
    def tiled_attention(q, k, v, block_size, is_causal=False):
        blocks = []
        for start in range(0, k.shape[-2], block_size):
            scores = q @ k[..., start:start + block_size, :].mT / math.sqrt(q.shape[-1])
            if is_causal:
                rows = torch.arange(q.shape[-2], device=q.device)[:, None]
                columns = start + torch.arange(scores.shape[-1], device=q.device)
                scores = scores.masked_fill(columns > rows, -math.inf)
            weights = scores.softmax(dim=-1).nan_to_num()
            blocks.append(weights @ v[..., start:start + block_size, :])
        return torch.stack(blocks).{joined}(0)
"""

MISTAKES = (
    blocks.rescale_forgotten(
        EXERCISE,
        change=(
            (TOTAL, TOTAL.replace("rescale * ", "")),
            (OUTPUT, OUTPUT.replace("rescale * ", "")),
        ),
    ),
    blocks.sum_not_rescaled(EXERCISE, change=((TOTAL, TOTAL.replace("rescale * ", "")),)),
    blocks.output_not_rescaled(EXERCISE, change=((OUTPUT, OUTPUT.replace("rescale * ", "")),)),
    mistake(
        "rescale-upside-down",
        "You scale what you have collected by the inverse of the factor that is needed.",
        "The maximum rises. Do the earlier terms have to become smaller or larger?",
        change=(("torch.exp(highest - higher)", "torch.exp(higher - highest).nan_to_num(0, 0)"),),
    ),
    mistake(
        "maximum-of-the-first-block",
        "Your maximum stays that of the first block, so that later large scores overflow.",
        "What is exp of a score that lies 2,000 above the maximum that you subtract?",
        change=((HIGHER, f"{HIGHER} if start == 0 else highest"),),
    ),
    softmaxes.exponentials_unbounded(
        EXERCISE, change=((EXPONENTIALS, "rescale, weights = 1, torch.exp(scores)"),)
    ),
    blocks.maximum_of_the_block_alone(
        EXERCISE, change=((HIGHER, "higher = scores.amax(dim=-1, keepdim=True)"),)
    ),
    blocks.maximum_not_kept(EXERCISE, change=(("highest = higher", "pass"),)),
    mistake(
        "maximum-begins-at-zero",
        "Your running maximum begins at 0, so that a query with negative scores only keeps it.",
        "All scores of a query lie below -1,000. Which maximum do you subtract, and what is left?",
        change=((f"{FIRST}, -math.inf)", f"{FIRST}, 0.0)"),),
    ),
    mistake(
        "maximum-begins-too-high",
        "Your running maximum begins at a number that all scores of a query may lie below.",
        "Which number is below every score, however negative it is?",
        change=((f"{FIRST}, -math.inf)", f"{FIRST}, -1000.0)"),),
    ),
    softmaxes.one_maximum_for_all_rows(
        EXERCISE, change=((HIGHER, "higher = torch.maximum(highest, scores.amax())"),)
    ),
    blocks.last_partial_block_dropped(
        EXERCISE,
        keys="Seven",
        size="three",
        change=((BLOCKS, "range(0, k.shape[-2] - k.shape[-2] % block_size, block_size)"),),
    ),
    mistake(
        "last-block-dropped",
        "Your loop ends before the last block.",
        "Eight keys in blocks of four: at which positions do the blocks start?",
        change=((BLOCKS, "range(0, k.shape[-2] - block_size, block_size)"),),
    ),
    mistake(
        "blocks-must-divide",
        "Your code fails when block_size does not divide the number of keys.",
        "Which way of cutting allows a shorter piece at the end: reshape, split or a slice?",
        change=(("position = ", "k.unflatten(-2, (-1, block_size))\n    position = "),),
    ),
    mistake(
        "blocks-overlap",
        "Neighbouring blocks share a key, which then counts twice.",
        SLICE,
        change=(("slice(start, start + block_size)", "slice(start, start + block_size + 1)"),),
    ),
    mistake(
        "key-between-blocks-lost",
        "The last key of every block is left out.",
        SLICE,
        change=(
            (
                "slice(start, start + block_size)",
                "slice(start, start + max(block_size - 1, 1))",
            ),
        ),
    ),
    blocks.never_divided(EXERCISE, change=((END, "return output"),)),
    mistake(
        "divided-in-every-block",
        "You divide the running output in every block, and go on with the quotient.",
        "Which of output and output / total does the next block's formula continue from?",
        change=(
            (OUTPUT, f"output = ({OUTPUT.removeprefix('output = ')}) / total"),
            (END, "return output"),
        ),
    ),
    mistake(
        "divided-by-the-last-block",
        "Your sum holds the weights of the last block only.",
        "What becomes of the sums of the earlier blocks?",
        change=((TOTAL, "total = weights.sum(dim=-1, keepdim=True)"),),
    ),
    mistake(
        "output-of-the-last-block",
        "Your output holds the values of the last block only.",
        "What becomes of the outputs of the earlier blocks?",
        change=((OUTPUT, "output = weights @ v[..., block, :]"),),
    ),
    mistake(
        "average-of-block-averages",
        "You average each block by itself and then all blocks, as if they weighed the same.",
        "One block holds the highest score of all. Should the others count as much as it does?",
        code=EACH_BLOCK.format(joined="mean"),
    ),
    mistake(
        "sum-of-block-averages",
        "You average over each block by itself and add the averages up.",
        "What do the weights of all keys together add up to in your output?",
        code=EACH_BLOCK.format(joined="sum"),
    ),
    mistake(
        "table-made-whole",
        "Your attention is right, but it makes a table of every query by every key.",
        "Which is the largest tensor that you make? Does block_size appear in its shape?",
        code=WHOLE,
    ),
    mistake(
        "table-when-causal",
        "With is_causal, you make a table of every query by every key.",
        "The mask of one block has how many columns? Which positions do they stand for?",
        change=(
            (
                "for start in",
                "future = position > position[:, None] if is_causal else None\n    for start in",
            ),
            (MASK, "future[:, block]"),
        ),
    ),
    masks.is_causal_ignored(EXERCISE, change=(("if is_causal:", "if False:"),)),
    masks.always_causal(EXERCISE, change=(("if is_causal:", "if len(position) == q.shape[-2]:"),)),
    blocks.block_offset_forgotten(
        EXERCISE, change=((MASK, "position[: scores.shape[-1]] > position[:, None]"),)
    ),
    masks.causal_one_step_ahead(
        EXERCISE, change=((MASK, "position[block] > position[:, None] + 1"),)
    ),
    masks.causal_without_itself(EXERCISE, change=((MASK, "position[block] >= position[:, None]"),)),
    masks.causal_transposed(EXERCISE, change=((MASK, "position[block] < position[:, None]"),)),
    masks.filled_with_zero(EXERCISE, change=((f"{MASK}, -math.inf", f"{MASK}, 0.0"),)),
    masks.fill_too_soft(EXERCISE, change=((f"{MASK}, -math.inf", f"{MASK}, -20.0"),)),
    scaling.no_scale(EXERCISE, change=((SCALE, ""),)),
    scaling.scale_without_root(EXERCISE, change=((SCALE, " / q.shape[-1]"),)),
    mistake(
        "scale-by-block",
        "You divide by the square root of the block's size; it should be of the keys' width.",
        "May the output depend on block_size?",
        change=((SCALE, " / math.sqrt(block_size)"),),
    ),
    mistake(
        "scale-by-value-width",
        "You divide by the square root of the values' width; it should be of the keys' width.",
        scaling.TERMS_OF_A_PRODUCT,
        change=((SCALE, " / math.sqrt(v.shape[-1])"),),
    ),
    gradients.gradient_cut(
        EXERCISE,
        result="your output",
        source="queries, keys and values",
        change=((END, f"{END.replace('output / total', '(output / total).detach()')}"),),
    ),
    precision.output_cut_off(
        EXERCISE, change=((END, END.replace("output / total", "(output / total).clamp(-30, 30)")),)
    ),
    heads.trace_of_the_first_text(EXERCISE, change=((END, f"{END} + 1e-9 * output[:1]"),)),
    precision.float32_always(
        EXERCISE, given="q", change=((END, "return (output / total).float()"),)
    ),
    precision.double_precision_lost(
        EXERCISE,
        change=(
            (
                END,
                "output = output / total\n"
                "    return output.float() if q.dtype == torch.float64 else output",
            ),
        ),
    ),
    devices.filled_on_the_cpu(
        EXERCISE,
        what="your running maximum, sum and output",
        given="q",
        change=(
            (
                "q.new_full((*q.shape[:-1], 1), -math.inf)",
                "torch.full((*q.shape[:-1], 1), -math.inf)",
            ),
            (
                "q.new_zeros((*q.shape[:-1], v.shape[-1]))",
                "torch.zeros(*q.shape[:-1], v.shape[-1])",
            ),
        ),
    ),
    inputs.changed_in_place(
        EXERCISE,
        what="the queries",
        change=((SCALE, ""), ("position = ", "q /= math.sqrt(q.shape[-1])\n    position = ")),
    ),
)
