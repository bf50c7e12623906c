"""Known mistakes in split_heads."""

from functools import partial

from autograder.bank import Mistake
from graders.families import devices, gradients, heads, refusals

EXERCISE = "split_heads"
mistake = partial(Mistake, EXERCISE)

PER_HEAD = "x.unflatten(-1, (num_heads, d_model // num_heads))"
TRANSPOSE = "return per_head.transpose(1, 2)"
SIZES = "x.shape[0], x.shape[1]"

TORCH = (("def split_heads(", "import torch\n\n\ndef split_heads("),)
ERROR = 'ValueError(f"d_model ({d_model}) is not a multiple of num_heads ({num_heads})")'

MISTAKES = (
    mistake(
        "no-transpose",
        "You cut the features but leave the heads behind the positions.",
        "Print the shape of your result. Over which axis would `@` then attend?",
        change=((TRANSPOSE, "return per_head"),),
    ),
    heads.view_straight_to_heads(
        EXERCISE,
        change=(
            (PER_HEAD, f"x.reshape({SIZES}, num_heads, -1)"),
            (TRANSPOSE, "return x.reshape(x.shape[0], num_heads, x.shape[1], -1)"),
        ),
    ),
    heads.interleaved_features(
        EXERCISE,
        change=(
            (PER_HEAD, "x.unflatten(-1, (d_model // num_heads, num_heads))"),
            (TRANSPOSE, "return per_head.permute(0, 3, 1, 2)"),
        ),
    ),
    mistake(
        "heads-before-batch",
        "You put the heads in front of the batch.",
        "Print the shape of your result and compare with (batch, heads, seq, d_head).",
        change=((TRANSPOSE, "return per_head.permute(2, 0, 1, 3)"),),
    ),
    mistake(
        "features-before-positions",
        "Within each head, you swap positions and features.",
        "Print the shape of your result: which of the last two axes should list the tokens?",
        change=((TRANSPOSE, "return per_head.permute(0, 2, 3, 1)"),),
    ),
    mistake(
        "transpose-before-cut",
        "You swap positions and features before you cut, so that heads get pieces of many tokens.",
        "Cut one token's features on paper first. Which axis has to move, and after what?",
        change=(
            (TRANSPOSE, "return x.transpose(1, 2).reshape(x.shape[0], num_heads, x.shape[1], -1)"),
        ),
    ),
    mistake(
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
    mistake(
        "heads-for-width",
        "You take num_heads for the width of a head.",
        "With 12 features and 3 heads, how wide is one head?",
        change=((PER_HEAD, "x.unflatten(-1, (d_model // num_heads, num_heads))"),),
    ),
    mistake(
        "every-head-gets-all",
        "Every head gets all the features; each should get its own slice.",
        "What is d_head when there are several heads?",
        change=((TRANSPOSE, "return x.unsqueeze(1).expand(-1, num_heads, -1, -1)"),),
    ),
    mistake(
        "list-of-heads",
        "You return a sequence of heads; one tensor with an axis for the heads was promised.",
        "Look at type(split_heads(x, 2)). What puts tensors side by side along a new axis?",
        change=((TRANSPOSE, "return x.chunk(num_heads, dim=-1)"),),
    ),
    mistake(
        "heads-folded-into-batch",
        "You fold the heads into the batch; they should have an axis of their own.",
        "How many axes has (batch, heads, seq, d_head)?",
        change=((TRANSPOSE, "return per_head.transpose(1, 2).flatten(0, 1)"),),
    ),
    mistake(
        "batch-dropped",
        "Your code works for one sequence and forgets that there is a batch.",
        "Follow the shape (2, 5, 12) through your code, line by line.",
        change=(
            (PER_HEAD, "x.reshape(x.shape[1], num_heads, d_model // num_heads)"),
            ("per_head.transpose(1, 2)", "per_head.transpose(0, 1)"),
        ),
    ),
    refusals.no_check_of_heads(
        EXERCISE, change=(("if num_heads < 1 or d_model % num_heads:", "if False:"),)
    ),
    refusals.assertion_for_value_error(
        EXERCISE,
        code="""
        def split_heads(x, num_heads):
            batch, seq, d_model = x.shape
            assert num_heads > 0 and d_model % num_heads == 0, f"{d_model} {num_heads}"
            return x.view(batch, seq, num_heads, d_model // num_heads).transpose(1, 2)
        """,
    ),
    *(
        refusals.assertion_for_value_error(
            EXERCISE,
            change=(
                ("if num_heads < 1 or d_model % num_heads:\n", f"assert {holds}\n"),
                (f"        raise {ERROR}\n", ""),
            ),
        )
        for holds in (
            "d_model % num_heads == 0",
            'd_model % num_heads == 0, "num_heads does not divide d_model"',
        )
    ),
    refusals.numbers_not_named(
        EXERCISE,
        what="model",
        change=(
            (
                'f"d_model ({d_model}) is not a multiple of num_heads ({num_heads})"',
                '"num_heads does not divide d_model"',
            ),
        ),
    ),
    refusals.no_heads_let_through(
        EXERCISE, change=(("if num_heads < 1 or d_model", "if d_model"),)
    ),
    mistake(
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
    *(
        devices.through_numpy(EXERCISE, result="your heads", change=((TRANSPOSE, way), *TORCH))
        for way in (
            "return torch.from_numpy(per_head.detach().numpy().swapaxes(1, 2))",
            "return torch.from_numpy(per_head.cpu().numpy().swapaxes(1, 2)).to(x.device)",
        )
    ),
    devices.through_lists(
        EXERCISE,
        result="your heads",
        change=((TRANSPOSE, "return torch.tensor(per_head.transpose(1, 2).tolist())"), *TORCH),
    ),
    gradients.gradient_cut(EXERCISE, result="your heads", source="the input", around=TRANSPOSE),
    devices.through_the_cpu(
        EXERCISE,
        result="your heads",
        change=(
            (
                TRANSPOSE,
                "heads = torch.zeros(per_head.transpose(1, 2).shape, dtype=x.dtype)\n"
                "    heads[:] = per_head.transpose(1, 2)\n    return heads",
            ),
            *TORCH,
        ),
    ),
)
