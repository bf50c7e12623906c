"""Known mistakes in what runs: right outputs of tiled_attention."""

from functools import partial

from autograder.bank import Mistake

mistake = partial(Mistake, "tiled_attention")

MISTAKES = (
    mistake(
        "whole-rows",
        "You cut the queries into blocks and take each one's softmax over all keys at once.",
        "Ten queries, a million keys: how long is the row that one query's softmax needs?",
        code="""
        def tiled_attention(q, k, v, block_size, is_causal=False):
            position, outputs = torch.arange(k.shape[-2], device=q.device), []
            for start in range(0, q.shape[-2], block_size):
                rows = slice(start, start + block_size)
                scores = q[..., rows, :] @ k.mT / math.sqrt(q.shape[-1])
                if is_causal:
                    scores = scores.masked_fill(position > position[rows, None], -math.inf)
                outputs.append(scores.softmax(dim=-1) @ v)
            return torch.cat(outputs, dim=-2)
        """,
    ),
    mistake(
        "block-size-ignored",
        "Your blocks are of a size of your own, whatever block_size says.",
        "Where in your code does block_size make a difference?",
        change=(("highest = q.new_full", "block_size = 16\n    highest = q.new_full"),),
    ),
    mistake(
        "pytorchs-attention-called",
        "You call PyTorch's own attention, which this exercise asks you to do without.",
        "Which three things does one block of keys leave behind for the next? Write that step.",
        code="""
        def tiled_attention(q, k, v, block_size, is_causal=False):
            return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
        """,
    ),
)
