"""Known mistakes in triton_attention.

None of them reads or writes outside of a tensor: known answers run in the grader's own process.
"""

from functools import partial

from autograder.bank import Mistake
from graders.families import blocks, masks, refusals, scaling, softmaxes
from graders.fused_attention.triton_attention import mistakes_in_corners

EXERCISE = "triton_attention"
mistake = partial(Mistake, EXERCISE)

QUERY_0 = "Which keys may query 0 see? Try your comparison on it."

TOTAL = "total = rescale * total + tl.sum(weights, axis=1)"
OUTPUT = "output = rescale[:, None] * output + block"
HIGHER = "higher = tl.maximum(highest, tl.max(scores, axis=1))"
EMPTY, ZEROS = "q.new_empty(", "q.new_zeros("  # what no program writes would hold anything
GRID = "grid = (q.shape[:-2].numel(), triton.cdiv(queries, 64))"
SCALE = "1 / math.sqrt(d_k), is_causal"
PAST = "(columns[None, :] <= rows[:, None])"

MISTAKES = (
    blocks.rescale_forgotten(
        EXERCISE,
        change=(
            (TOTAL, TOTAL.replace("rescale * ", "")),
            (OUTPUT, OUTPUT.replace("rescale[:, None] * ", "")),
        ),
    ),
    blocks.sum_not_rescaled(EXERCISE, change=((TOTAL, TOTAL.replace("rescale * ", "")),)),
    blocks.output_not_rescaled(
        EXERCISE, change=((OUTPUT, OUTPUT.replace("rescale[:, None] * ", "")),)
    ),
    blocks.maximum_not_kept(EXERCISE, change=(("highest = higher", "pass"),)),
    softmaxes.exponentials_unbounded(
        EXERCISE, change=((HIGHER, "higher = tl.zeros((BLOCK_Q,), tl.float32)"),)
    ),
    blocks.maximum_of_the_block_alone(
        EXERCISE, change=((HIGHER, "higher = tl.max(scores, axis=1)"),)
    ),
    blocks.never_divided(EXERCISE, change=(("output = output / total[:, None]", "pass"),)),
    scaling.no_scale(EXERCISE, change=((SCALE, "1.0, is_causal"),)),
    mistake(
        "scaled-by-the-values-width",
        "You divide the scores by the root of the width of the values.",
        "How many products are added up in one score?",
        change=((SCALE, "1 / math.sqrt(d_v), is_causal"),),
    ),
    mistake(
        "absent-keys-counted",
        "The last block is longer than the keys that are left, and its empty places get a weight.",
        "Masked loads put zeros there, and 0 is a score like any other. Which score has weight 0?",
        change=(("allowed = columns[None, :] < keys", "allowed = columns[None, :] >= 0"),),
    ),
    blocks.last_partial_block_dropped(
        EXERCISE,
        keys="Seventy",
        size="32",
        change=(("range(0, end, BLOCK_K)", "range(0, end - end % BLOCK_K, BLOCK_K)"),),
    ),
    masks.is_causal_ignored(EXERCISE, change=((SCALE, "1 / math.sqrt(d_k), False"),)),
    masks.always_causal(EXERCISE, change=((SCALE, "1 / math.sqrt(d_k), queries == keys"),)),
    mistake(
        "one-step-of-future",
        "With is_causal, query i also sees key i + 1.",
        QUERY_0,
        change=((PAST, "(columns[None, :] <= rows[:, None] + 1)"),),
    ),
    mistake(
        "own-key-hidden",
        "With is_causal, query i does not see its own key.",
        QUERY_0,
        change=((PAST, "(columns[None, :] < rows[:, None])"),),
    ),
    blocks.block_offset_forgotten(
        EXERCISE, change=((PAST, "(tl.arange(0, BLOCK_K)[None, :] <= rows[:, None])"),)
    ),
    mistake(
        "query-offset-forgotten",
        "With is_causal, you count the queries of every program from 0.",
        "Which query is the first of the second program? You have worked it out further up.",
        change=((PAST, "(columns[None, :] <= tl.arange(0, BLOCK_Q)[:, None])"),),
    ),
    mistake(
        "loop-ends-too-early",
        "With is_causal, your loop ends before the keys that a program's own queries stand beside.",
        "What is the last query of a program, and so the last key that it has to meet?",
        change=(("(tl.program_id(1) + 1) * BLOCK_Q)", "tl.program_id(1) * BLOCK_Q)"),),
    ),
    mistake(
        "keys-of-the-first-head",
        "Every head of queries meets the keys and values of the first head.",
        "Where do the keys of head 1 begin? Does that number depend on the program's head?",
        change=(
            ("k_at = (head * keys + columns[:, None])", "k_at = columns[:, None]"),
            ("v_at = (head * keys + columns[:, None])", "v_at = columns[:, None]"),
        ),
    ),
    mistake(
        "first-head-only",
        "Programs run for the first head only; the output of all others is never written.",
        "How many programs does your grid have along its first axis, and how many are needed?",
        change=((EMPTY, ZEROS), (GRID, "grid = (1, triton.cdiv(queries, 64))")),
    ),
    mistake(
        "first-dimension-counted-alone",
        "Your grid has as many heads as the first dimension is long, whatever comes behind it.",
        "Two texts of three heads each: how many heads are there for programs to work on?",
        change=((EMPTY, ZEROS), (GRID, GRID.replace("[:-2].numel()", "[0] if q.ndim > 2 else 1"))),
    ),
    mistake(
        "first-queries-only",
        "Only the first block of queries has a program.",
        "How many blocks of queries are there, the last and shorter one included?",
        change=((EMPTY, ZEROS), (GRID, GRID.replace("triton.cdiv(queries, 64)", "1"))),
    ),
    mistake(
        "last-queries-without-a-program",
        "Queries at the end that fill no whole block have no program.",
        "Seventy queries in blocks of 64: how many programs are needed? Which way do you round?",
        change=((EMPTY, ZEROS), (GRID, GRID.replace("triton.cdiv(queries, 64)", "queries // 64"))),
    ),
    mistake(
        "gaps-not-expected",
        "You count on q, k and v to lie row after row in memory. A transposed view does not.",
        "What does a kernel get of a tensor: its shape, its strides, or where its memory begins?",
        change=(
            (
                "*(q.contiguous(), k.contiguous(), v.contiguous(), output)",
                "*(q, k, v, output)",
            ),
        ),
    ),
    mistake(
        "widths-taken-as-they-are",
        "Your kernel runs only where widths are powers of two.",
        "Which lengths does tl.arange take? What may stand in the columns that are too many?",
        change=(
            ("max(16, triton.next_power_of_2(d_k))", "d_k"),
            ("max(16, triton.next_power_of_2(d_v))", "d_v"),
        ),
    ),
    mistake(
        "summed-in-half-precision",
        "Your kernel collects the output in the dtype of the values; float16 is too small for it.",
        "What is the largest number that float16 holds? Which dtype should the output collect in?",
        change=((OUTPUT, f"output = ({OUTPUT.removeprefix('output = ')}).to(v.dtype)"),),
    ),
    mistake(
        "result-in-single-precision",
        "Your output is float32, whatever dtype came in.",
        "Which dtype does the tensor have that you make for the output?",
        change=((EMPTY, "q.float().new_empty("),),
    ),
    mistake(
        "queries-scaled-in-place",
        "Your function writes the scaled queries into the tensor that it was given.",
        "Who else may still need q? Where could the scale go in instead?",
        change=(
            (GRID, f"q *= 1 / math.sqrt(d_k)\n    {GRID}"),
            (SCALE, "1.0, is_causal"),
        ),
    ),
    mistake(
        "keys-of-any-width",
        "Keys of another width than the queries are accepted.",
        "What does your kernel read when a row of keys is wider than it was told?",
        change=(("if k.shape[-1] != d_k:", "if False:"),),
    ),
    mistake(
        "values-of-any-number",
        "Fewer values than keys are accepted.",
        "Which value belongs to the last key? Compare the two numbers first.",
        change=(("if k.shape[-2] != keys:", "if False:"),),
    ),
    refusals.numbers_not_named(
        EXERCISE,
        change=(
            ('f"keys are {k.shape[-1]} wide and queries {d_k}"', '"the widths differ"'),
            ('f"there are {k.shape[-2]} keys and {keys} values"', '"the numbers differ"'),
        ),
    ),
    mistake(
        "whole-rows",
        "Your attention is right, but one block of your kernel holds all keys, however many.",
        "What does your block of keys grow with? Which part of tiled_attention is not needed then?",
        change=(("BLOCK_K=32", "BLOCK_K=max(16, triton.next_power_of_2(keys))"),),
    ),
    mistake(
        "pytorch-computes",
        "Your attention is right, but PyTorch computes it, and no kernel of yours.",
        "What does your kernel write, and who multiplies queries and keys?",
        code="""
        def triton_attention(q, k, v, is_causal=False):
            if k.shape[-1] != q.shape[-1]:
                raise ValueError(f"keys are {k.shape[-1]} wide and queries {q.shape[-1]}")
            if k.shape[-2] != v.shape[-2]:
                raise ValueError(f"there are {k.shape[-2]} keys and {v.shape[-2]} values")
            wide = [t.float() for t in (q, k, v)]
            scores = wide[0] @ wide[1].mT / math.sqrt(q.shape[-1])
            if is_causal:
                scores = scores.masked_fill(scores.new_ones(scores.shape).triu(1) > 0, -math.inf)
            return (scores.softmax(dim=-1) @ wide[2]).to(q.dtype)
        """,
    ),
    *mistakes_in_corners.MISTAKES,
)
