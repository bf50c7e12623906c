"""Known mistakes in merge_heads."""

from functools import partial

from autograder.bank import Mistake
from graders.families import devices, gradients, heads

EXERCISE = "merge_heads"
mistake = partial(Mistake, EXERCISE)

HOW_MANY_AXES = "How many axes has (batch, seq, d_model)?"
LAST_AXIS = "What is the last axis of your result, and what is d_model?"

MERGED = "x.transpose(1, 2).flatten(2)"

MISTAKES = (
    mistake(
        "no-transpose",
        "You join neighbours in memory without moving the heads next to the features first.",
        heads.BESIDE_D_HEAD,
        change=((MERGED, "x.reshape(x.shape[0], x.shape[2], -1)"),),
    ),
    mistake(
        "features-moved-not-heads",
        "You swap the positions with the features; the heads have to move behind the positions.",
        heads.BESIDE_D_HEAD,
        change=((MERGED, "x.transpose(2, 3).reshape(x.shape[0], x.shape[2], -1)"),),
    ),
    mistake(
        "view-after-transpose",
        "`view` cannot join axes that do not lie side by side in memory, as after a transpose.",
        "What does the error message suggest in place of view?",
        change=((MERGED, "x.transpose(1, 2).view(x.shape[0], x.shape[2], -1)"),),
    ),
    mistake(
        "interleaved-features",
        "You mix the heads feature by feature; head 0's block should come first, whole.",
        heads.CHANGES_SLOWEST,
        change=((MERGED, "x.permute(0, 2, 3, 1).flatten(2)"),),
    ),
    mistake(
        "transposed-only",
        "You move the heads behind the positions but do not join them into one vector.",
        HOW_MANY_AXES,
        change=((MERGED, "x.transpose(1, 2)"),),
    ),
    mistake(
        "input-given-back",
        "You give back what came in: nothing moves, and nothing is joined.",
        HOW_MANY_AXES,
        change=((MERGED, "x"),),
    ),
    mistake(
        "heads-averaged",
        "You average the heads; each should keep its own slice of the features.",
        LAST_AXIS,
        change=((MERGED, "x.mean(dim=1)"),),
    ),
    mistake(
        "heads-summed",
        "You add the heads up; each should keep its own slice of the features.",
        LAST_AXIS,
        change=((MERGED, "x.sum(dim=1)"),),
    ),
    mistake(
        "first-head-only",
        "You keep the first head and drop the others.",
        LAST_AXIS,
        change=((MERGED, "x[:, 0]"),),
    ),
    mistake(
        "heads-one-after-another",
        "You put the heads one after another along the sequence.",
        "How many tokens come out, and how many went in?",
        change=((MERGED, "x.flatten(1, 2)"),),
    ),
    mistake(
        "all-tokens-in-one",
        "You join the tokens as well: each sequence becomes one long vector.",
        HOW_MANY_AXES,
        change=((MERGED, "x.transpose(1, 2).flatten(1)"),),
    ),
    mistake(
        "positions-before-batch",
        "You put the positions in front of the batch.",
        "Compare your shape with (batch, seq, d_model).",
        change=((MERGED, "x.permute(2, 0, 1, 3).flatten(2)"),),
    ),
    mistake(
        "transpose-after-join",
        "You join heads and features first and move the positions afterwards, which is too late.",
        "Which axes lie side by side in memory when you reshape?",
        change=((MERGED, "x.reshape(x.shape[0], -1, x.shape[2]).transpose(1, 2)"),),
    ),
    mistake(
        "batch-dropped",
        "You merge the first sequence only and forget that there is a batch.",
        "Follow the shape (2, 3, 5, 4) through your code, line by line.",
        change=(
            (MERGED, "torch.cat(tuple(x[0]), dim=-1)"),
            ("def merge_heads(", "import torch\n\n\ndef merge_heads("),
        ),
    ),
    mistake(
        "heads-in-reverse",
        "The heads come out in reverse order.",
        "Which head's features should come first in every token?",
        change=((MERGED, "x.flip(1).transpose(1, 2).flatten(2)"),),
    ),
    devices.filled_on_the_cpu(
        EXERCISE,
        what="your result",
        given="x",
        code="""
        import torch

        def merge_heads(x):
            batch, heads, seq, d_head = x.shape
            merged = torch.zeros(batch, seq, heads * d_head)
            for head in range(heads):
                merged[..., head * d_head : (head + 1) * d_head] = x[:, head]
            return merged
        """,
    ),
    *(
        devices.through_numpy(
            EXERCISE,
            result="your vectors",
            code=f"""
            import torch

            def merge_heads(x):
                batch, heads, seq, d_head = x.shape
                merged = {numpy}.swapaxes(1, 2).reshape(batch, seq, heads * d_head)
                return torch.from_numpy(merged)
            """,
        )
        for numpy in ("x.detach().numpy()", "x.cpu().numpy()")
    ),
    devices.through_lists(
        EXERCISE,
        result="your vectors",
        code="""
        import torch

        def merge_heads(x):
            return torch.tensor(x.transpose(1, 2).flatten(2).tolist())
        """,
    ),
    gradients.gradient_cut(
        EXERCISE,
        result="your result",
        source="the heads",
        change=((MERGED, "x.detach().transpose(1, 2).flatten(2)"),),
    ),
    devices.through_the_cpu(
        EXERCISE,
        result="your result",
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
