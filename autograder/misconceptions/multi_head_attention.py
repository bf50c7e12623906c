"""Known mistakes in 04-multi-head-attention."""

from functools import partial

from autograder.misconceptions.mistake import Mistake

split = partial(Mistake, "split_heads")
merge = partial(Mistake, "merge_heads")

PER_HEAD = "x.unflatten(-1, (num_heads, d_model // num_heads))"
TRANSPOSE = "return per_head.transpose(1, 2)"
MERGED = "x.transpose(1, 2).flatten(2)"
SIZES = "x.shape[0], x.shape[1]"

SPLIT = (
    split(
        "no-transpose",
        "You cut the features but leave the heads behind the positions.",
        "Print the shape of your result. Over which axis would `@` then attend?",
        change=((TRANSPOSE, "return per_head"),),
    ),
    split(
        "view-straight-to-heads",
        "You reshape straight to the final shape, so that one token's features end up with others.",
        "A reshape keeps the order of the numbers in memory. Which number comes second there?",
        change=(
            (PER_HEAD, f"x.reshape({SIZES}, num_heads, -1)"),
            (TRANSPOSE, "return x.reshape(x.shape[0], num_heads, x.shape[1], -1)"),
        ),
    ),
    split(
        "interleaved-features",
        "You deal the features out to the heads in turn; each head should own a whole block.",
        "Which features should head 0 hold? Which of the two new axes has to come first?",
        change=(
            (PER_HEAD, "x.unflatten(-1, (d_model // num_heads, num_heads))"),
            (TRANSPOSE, "return per_head.permute(0, 3, 1, 2)"),
        ),
    ),
    split(
        "heads-before-batch",
        "You put the heads in front of the batch.",
        "Print the shape of your result and compare with (batch, heads, seq, d_head).",
        change=((TRANSPOSE, "return per_head.permute(2, 0, 1, 3)"),),
    ),
    split(
        "features-before-positions",
        "Within each head, you swap positions and features.",
        "Print the shape of your result: which of the last two axes should list the tokens?",
        change=((TRANSPOSE, "return per_head.permute(0, 2, 3, 1)"),),
    ),
    split(
        "transpose-before-cut",
        "You swap positions and features before you cut, so that heads get pieces of many tokens.",
        "Cut one token's features on paper first. Which axis has to move, and after what?",
        change=(
            (TRANSPOSE, "return x.transpose(1, 2).reshape(x.shape[0], num_heads, x.shape[1], -1)"),
        ),
    ),
    split(
        "positions-cut",
        "You cut the sequence into pieces; heads share out the features of every token.",
        "How many tokens should each head see?",
        change=(
            (
                TRANSPOSE,
                "return x.reshape(x.shape[0], num_heads, x.shape[1] // num_heads, d_model)",
            ),
        ),
    ),
    split(
        "heads-for-width",
        "You take num_heads for the width of a head.",
        "With 12 features and 3 heads, how wide is one head?",
        change=((PER_HEAD, "x.unflatten(-1, (d_model // num_heads, num_heads))"),),
    ),
    split(
        "every-head-gets-all",
        "Every head gets all the features; each should get its own slice.",
        "What is d_head when there are several heads?",
        change=((TRANSPOSE, "return x.unsqueeze(1).expand(-1, num_heads, -1, -1)"),),
    ),
    split(
        "list-of-heads",
        "You return a sequence of heads; one tensor with an axis for the heads was promised.",
        "Look at type(split_heads(x, 2)). What puts tensors side by side along a new axis?",
        change=((TRANSPOSE, "return x.chunk(num_heads, dim=-1)"),),
    ),
    split(
        "heads-folded-into-batch",
        "You fold the heads into the batch; they should have an axis of their own.",
        "How many axes has (batch, heads, seq, d_head)?",
        change=((TRANSPOSE, "return per_head.transpose(1, 2).flatten(0, 1)"),),
    ),
    split(
        "batch-dropped",
        "Your code works for one sequence and forgets that there is a batch.",
        "Follow the shape (2, 5, 12) through your code, line by line.",
        change=(
            (PER_HEAD, "x.reshape(x.shape[1], num_heads, d_model // num_heads)"),
            ("per_head.transpose(1, 2)", "per_head.transpose(0, 1)"),
        ),
    ),
    split(
        "no-check-of-heads",
        "You do not check whether num_heads divides d_model, so the error comes late and unclear.",
        "What should a caller read who asks for 4 heads of a width of 10?",
        change=(("if num_heads < 1 or d_model % num_heads:", "if False:"),),
    ),
    split(
        "assertion-for-value-error",
        "A bad num_heads raises AssertionError; ValueError was promised.",
        "What does Python do with assert when it runs with -O?",
        code="""
        def split_heads(x, num_heads):
            batch, seq, d_model = x.shape
            assert num_heads > 0 and d_model % num_heads == 0, f"{d_model} {num_heads}"
            return x.view(batch, seq, num_heads, d_model // num_heads).transpose(1, 2)
        """,
    ),
    split(
        "numbers-not-named",
        "Your ValueError does not say which numbers do not fit together.",
        "What would you like to read in the error when your own model fails?",
        change=(
            (
                'f"d_model ({d_model}) is not a multiple of num_heads ({num_heads})"',
                '"num_heads does not divide d_model"',
            ),
        ),
    ),
    split(
        "no-heads-let-through",
        "You check whether num_heads divides d_model, but numbers below 1 fall through your check.",
        "What is d_model % 0 in Python, and what is 6 % -3?",
        change=(("if num_heads < 1 or d_model", "if d_model"),),
    ),
    split(
        "remainder-dropped",
        "When num_heads does not divide d_model, you drop the features that are left over.",
        "What is 10 // 4, and how many features does that account for?",
        code="""
        def split_heads(x, num_heads):
            batch, seq, d_model = x.shape
            d_head = d_model // num_heads
            kept = x[..., : num_heads * d_head]
            return kept.reshape(batch, seq, num_heads, d_head).transpose(1, 2)
        """,
    ),
    split(
        "gradient-cut",
        "Your heads are cut off from the input, so that nothing can be learnt through them.",
        "What does `.detach()` (or `.data`) do to gradients?",
        change=((TRANSPOSE, "return per_head.transpose(1, 2).detach()"),),
    ),
    split(
        "through-the-cpu",
        "Your heads pass through the CPU, or through a tensor that was made there.",
        "Where does torch.zeros make a tensor when nobody says where?",
        change=(
            (
                TRANSPOSE,
                "heads = torch.zeros(per_head.transpose(1, 2).shape, dtype=x.dtype)\n"
                "    heads[:] = per_head.transpose(1, 2)\n    return heads",
            ),
            ("def split_heads(", "import torch\n\n\ndef split_heads("),
        ),
    ),
)

MERGE = (
    merge(
        "no-transpose",
        "You join neighbours in memory without moving the heads next to the features first.",
        "Which axis should stand beside d_head when you flatten?",
        change=((MERGED, "x.reshape(x.shape[0], x.shape[2], -1)"),),
    ),
    merge(
        "view-after-transpose",
        "`view` cannot join axes that do not lie side by side in memory, as after a transpose.",
        "What does the error message suggest in place of view?",
        change=((MERGED, "x.transpose(1, 2).view(x.shape[0], x.shape[2], -1)"),),
    ),
    merge(
        "interleaved-features",
        "You mix the heads feature by feature; head 0's block should come first, whole.",
        "Which of the two axes that you join should change slowest?",
        change=((MERGED, "x.permute(0, 2, 3, 1).flatten(2)"),),
    ),
    merge(
        "transposed-only",
        "You move the heads behind the positions but do not join them into one vector.",
        "How many axes has (batch, seq, d_model)?",
        change=((MERGED, "x.transpose(1, 2)"),),
    ),
    merge(
        "heads-averaged",
        "You average the heads; each should keep its own slice of the features.",
        "What is the last axis of your result, and what is d_model?",
        change=((MERGED, "x.mean(dim=1)"),),
    ),
    merge(
        "heads-summed",
        "You add the heads up; each should keep its own slice of the features.",
        "What is the last axis of your result, and what is d_model?",
        change=((MERGED, "x.sum(dim=1)"),),
    ),
    merge(
        "first-head-only",
        "You keep the first head and drop the others.",
        "What is the last axis of your result, and what is d_model?",
        change=((MERGED, "x[:, 0]"),),
    ),
    merge(
        "heads-one-after-another",
        "You put the heads one after another along the sequence.",
        "How many tokens come out, and how many went in?",
        change=((MERGED, "x.flatten(1, 2)"),),
    ),
    merge(
        "all-tokens-in-one",
        "You join the tokens as well: each sequence becomes one long vector.",
        "How many axes has (batch, seq, d_model)?",
        change=((MERGED, "x.transpose(1, 2).flatten(1)"),),
    ),
    merge(
        "positions-before-batch",
        "You put the positions in front of the batch.",
        "Compare your shape with (batch, seq, d_model).",
        change=((MERGED, "x.permute(2, 0, 1, 3).flatten(2)"),),
    ),
    merge(
        "transpose-after-join",
        "You join heads and features first and move the positions afterwards, which is too late.",
        "Which axes lie side by side in memory when you reshape?",
        change=((MERGED, "x.reshape(x.shape[0], -1, x.shape[2]).transpose(1, 2)"),),
    ),
    merge(
        "batch-dropped",
        "You merge the first sequence only and forget that there is a batch.",
        "Follow the shape (2, 3, 5, 4) through your code, line by line.",
        change=(
            (MERGED, "torch.cat(tuple(x[0]), dim=-1)"),
            ("def merge_heads(", "import torch\n\n\ndef merge_heads("),
        ),
    ),
    merge(
        "heads-in-reverse",
        "The heads come out in reverse order.",
        "Which head's features should come first in every token?",
        change=((MERGED, "x.flip(1).transpose(1, 2).flatten(2)"),),
    ),
    merge(
        "gradient-cut",
        "Your result is cut off from the heads, so that nothing can be learnt through it.",
        "What does `.detach()` (or `.data`) do to gradients?",
        change=((MERGED, "x.detach().transpose(1, 2).flatten(2)"),),
    ),
    merge(
        "through-the-cpu",
        "Your result passes through the CPU, or through a tensor that was made there.",
        "Where does torch.zeros make a tensor when nobody says where?",
        code="""
        import torch

        def merge_heads(x):
            batch, heads, seq, d_head = x.shape
            merged = torch.zeros(batch, seq, heads * d_head, dtype=x.dtype)
            for h in range(heads):
                merged[..., h * d_head : (h + 1) * d_head] = x[:, h]
            return merged
        """,
    ),
)

MISTAKES = (*SPLIT, *MERGE)
