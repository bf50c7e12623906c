"""Known mistakes in tiled_attention."""

from functools import partial

from autograder.misconceptions.mistake import Mistake

mistake = partial(Mistake, "tiled_attention")

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
    mistake(
        "rescale-forgotten",
        "When a block raises the maximum, what you have collected so far is not scaled down.",
        "Earlier terms were made with the old maximum. By which factor are they too large now?",
        change=(
            (TOTAL, TOTAL.replace("rescale * ", "")),
            (OUTPUT, OUTPUT.replace("rescale * ", "")),
        ),
    ),
    mistake(
        "sum-not-rescaled",
        "When a block raises the maximum, your running sum is not scaled down; the output is.",
        "Two things were collected with the old maximum. Which of them did you correct?",
        change=((TOTAL, TOTAL.replace("rescale * ", "")),),
    ),
    mistake(
        "output-not-rescaled",
        "When a block raises the maximum, your running output is not scaled down; the sum is.",
        "Two things were collected with the old maximum. Which of them did you correct?",
        change=((OUTPUT, OUTPUT.replace("rescale * ", "")),),
    ),
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
    mistake(
        "no-maximum-subtracted",
        "You take exp of the scores as they are, which overflows for large ones.",
        "Which of the equal ways to write the same softmax keeps every exponential below 1?",
        change=((EXPONENTIALS, "rescale, weights = 1, torch.exp(scores)"),),
    ),
    mistake(
        "maximum-of-the-block-alone",
        "Your running maximum may fall: you take that of the block, whatever came before.",
        "What is exp of the old maximum minus the new one when a block holds only low scores?",
        change=((HIGHER, "higher = scores.amax(dim=-1, keepdim=True)"),),
    ),
    mistake(
        "maximum-not-kept",
        "You find the new maximum, but do not keep it for the next block.",
        "What does your loop carry from one block to the next, besides sum and output?",
        change=(("highest = higher", "pass"),),
    ),
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
    mistake(
        "one-maximum-for-all-rows",
        "You subtract one maximum for all queries, so that rows of low scores vanish.",
        "Two queries, one with scores near 4,000 and one near 0: what is exp of the second row?",
        change=((HIGHER, "higher = torch.maximum(highest, scores.amax())"),),
    ),
    mistake(
        "last-partial-block-dropped",
        "Keys at the end that fill no whole block are left out.",
        "Seven keys in blocks of three: how many blocks are there, and how large is each?",
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
        "Does a Python slice include its last index?",
        change=(("slice(start, start + block_size)", "slice(start, start + block_size + 1)"),),
    ),
    mistake(
        "key-between-blocks-lost",
        "The last key of every block is left out.",
        "Does a Python slice include its last index?",
        change=(
            (
                "slice(start, start + block_size)",
                "slice(start, start + max(block_size - 1, 1))",
            ),
        ),
    ),
    mistake(
        "never-divided",
        "Your output is a sum of values; dividing it by the sum of all weights is missing.",
        "What do the numbers that you multiply the values by add up to?",
        change=((END, "return output"),),
    ),
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
    mistake(
        "is-causal-ignored",
        "Your function does not look at is_causal.",
        "Where in your code does is_causal make a difference?",
        change=(("if is_causal:", "if False:"),),
    ),
    mistake(
        "always-causal",
        "Your attention is causal even when nobody asked for it.",
        "What should happen when is_causal is False?",
        change=(("if is_causal:", "if len(position) == q.shape[-2]:"),),
    ),
    mistake(
        "block-offset-forgotten",
        "With is_causal, you count the keys of every block from 0.",
        "Which key is the first of the second block? Which queries may see it?",
        change=((MASK, "position[: scores.shape[-1]] > position[:, None]"),),
    ),
    mistake(
        "one-step-ahead",
        "With is_causal, every query sees one step into the future.",
        "Which keys may the first query see?",
        change=((MASK, "position[block] > position[:, None] + 1"),),
    ),
    mistake(
        "diagonal-excluded",
        "With is_causal, a query may not attend to its own position.",
        "What is left for the first query to attend to?",
        change=((MASK, "position[block] >= position[:, None]"),),
    ),
    mistake(
        "causal-transposed",
        "With is_causal, queries see the future in place of the past.",
        "Row i belongs to query i. Which keys does its mask allow?",
        change=((MASK, "position[block] < position[:, None]"),),
    ),
    mistake(
        "filled-with-zero",
        "You set forbidden scores to zero, or close to it, which still earns a weight.",
        "What is exp of 0? Which score has a weight of exactly 0?",
        change=((f"{MASK}, -math.inf", f"{MASK}, 0.0"),),
    ),
    mistake(
        "fill-too-soft",
        "A trace of the future still reaches the output.",
        "Is each forbidden weight exactly 0? If you fill scores, what is exp of your fill value?",
        change=((f"{MASK}, -math.inf", f"{MASK}, -20.0"),),
    ),
    mistake(
        "no-scale",
        "Your scores are not divided by the square root of the keys' width.",
        "How wide does the spread of the scores get without it? Notebook 1 has the figures.",
        change=((SCALE, ""),),
    ),
    mistake(
        "scale-without-root",
        "You divide by the width of the keys; it should be by its square root.",
        "What is the standard deviation of a dot product of two vectors of width d_k?",
        change=((SCALE, " / q.shape[-1]"),),
    ),
    mistake(
        "scale-by-block",
        "You divide by the square root of the block's size; it should be of the keys' width.",
        "May the output depend on block_size?",
        change=((SCALE, " / math.sqrt(block_size)"),),
    ),
    mistake(
        "scale-by-value-width",
        "You divide by the square root of the values' width; it should be of the keys' width.",
        "How many terms does one dot product between a query and a key have?",
        change=((SCALE, " / math.sqrt(v.shape[-1])"),),
    ),
    mistake(
        "gradient-cut",
        "Your output is cut off from queries, keys and values.",
        "What do `.detach()`, `.data` and `no_grad` do to gradients?",
        change=((END, f"{END.replace('output / total', '(output / total).detach()')}"),),
    ),
    mistake(
        "output-cut-off",
        "You cut off what is large: your output does not grow with its values.",
        "How large may an output be whose values are large? What does `clamp` do to one?",
        change=((END, END.replace("output / total", "(output / total).clamp(-30, 30)")),),
    ),
    mistake(
        "trace-of-the-first-text",
        "A little of the first text of the batch comes out for the others as well.",
        "What may the output for one text depend on? Which of your indices leave out the batch?",
        change=((END, f"{END} + 1e-9 * output[:1]"),),
    ),
    mistake(
        "float32-always",
        "Your output is float32 whatever goes in.",
        "Compare q.dtype with the dtype of your output. Where does it change?",
        change=((END, "return (output / total).float()"),),
    ),
    mistake(
        "made-on-the-cpu",
        "Your running maximum, sum and output are made on the CPU in float32, whatever q is.",
        "Where does torch.zeros put its tensor, and with which dtype, when nobody says so?",
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
    mistake(
        "changed-in-place",
        "Your code changes the queries that it was given.",
        "Which of your operations end in an underscore or write into an argument?",
        change=((SCALE, ""), ("position = ", "q /= math.sqrt(q.shape[-1])\n    position = ")),
    ),
)
