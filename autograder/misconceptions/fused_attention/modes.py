"""Known mistakes in FusedMultiHeadAttention about dropout, dtype, device, gradients and form."""

from functools import partial

from autograder.misconceptions.fused_attention.reference_parts import BOTH, LAY_OUT, MERGE, RETURN
from autograder.misconceptions.mistake import Mistake

mistake = partial(Mistake, "FusedMultiHeadAttention")

DROPOUT = "self.dropout if self.training else 0.0"

MISTAKES = (
    mistake(
        "dropout-in-evaluation",
        "Your module drops weights in evaluation, too.",
        "PyTorch's function does not know whether the module trains. Who tells it?",
        change=((DROPOUT, "self.dropout"),),
    ),
    mistake(
        "no-dropout",
        "Your module never drops anything, whatever `dropout` says.",
        "Where in your forward pass does dropout make a difference?",
        change=((DROPOUT, "0.0"),),
    ),
    mistake(
        "dropout-only-in-evaluation",
        "Your module drops weights in evaluation and none in training.",
        "When is `self.training` true?",
        change=((DROPOUT, "0.0 if self.training else self.dropout"),),
    ),
    mistake(
        "dropout-lost-with-a-mask",
        "Given a mask, your module drops nothing in training.",
        "How many calls of attention does your module have? Which of them are told of dropout?",
        change=((DROPOUT, "self.dropout if self.training and mask is None else 0.0"),),
    ),
    mistake(
        "dropout-lost-when-causal",
        "With is_causal and no mask, your module drops nothing in training.",
        "How many calls of attention does your module have? Which of them are told of dropout?",
        change=((DROPOUT, "self.dropout if self.training and not is_causal else 0.0"),),
    ),
    mistake(
        "dropout-kept-in-evaluation-with-a-mask",
        "Given a mask, your module drops weights in evaluation, too.",
        "PyTorch's function does not know whether the module trains. Does every call of it learn?",
        change=((DROPOUT, "self.dropout if self.training or mask is not None else 0.0"),),
    ),
    mistake(
        "dropout-kept-in-evaluation-when-causal",
        "With is_causal and no mask, your module drops weights in evaluation, too.",
        "PyTorch's function does not know whether the module trains. Does every call of it learn?",
        change=((DROPOUT, "self.dropout if self.training or is_causal else 0.0"),),
    ),
    mistake(
        "dropout-elsewhere",
        "Your dropout does not drop attention weights alone, as often as asked, and scale up once.",
        "Which tensor's entries should be dropped? Which argument of PyTorch's function does that?",
        change=(
            ("dropout_p=dropout", "dropout_p=0.0"),
            (RETURN, f"return F.dropout(self.out({MERGE}), dropout)"),
        ),
    ),
    mistake(
        "seeded-inside",
        "Your module seeds PyTorch itself, so that every call drops the same weights.",
        "What would training learn if the same weights were missing in every step?",
        change=((BOTH, f"torch.manual_seed(0)\n        {BOTH}"),),
    ),
    mistake(
        "returns-a-tuple",
        "You return several values; this module promises one tensor.",
        "Look at type(module(x)). What does the text promise?",
        change=((RETURN, f"{RETURN}, None"),),
    ),
    mistake(
        "bias-ignored",
        "Your projections have a bias even when bias=False.",
        "What does nn.Linear do when it is not told about bias?",
        change=(
            ("nn.Linear(d_model, 3 * d_model, bias=bias)", "nn.Linear(d_model, 3 * d_model)"),
            ("nn.Linear(d_model, d_model, bias=bias)", "nn.Linear(d_model, d_model)"),
        ),
    ),
    mistake(
        "no-bias-in-qkv",
        "Your `qkv` never has a bias.",
        "What should qkv.bias be when bias=True?",
        change=(("3 * d_model, bias=bias", "3 * d_model, bias=False"),),
    ),
    mistake(
        "no-bias-in-out",
        "Your `out` never has a bias.",
        "What should out.bias be when bias=True?",
        change=(
            ("nn.Linear(d_model, d_model, bias=bias)", "nn.Linear(d_model, d_model, bias=False)"),
        ),
    ),
    mistake(
        "no-check-of-heads",
        "You do not check whether num_heads divides d_model, so the error comes late and unclear.",
        "What should a caller read who asks for 4 heads of a width of 10?",
        change=(("if num_heads < 1 or d_model % num_heads:", "if False:"),),
    ),
    mistake(
        "no-heads-let-through",
        "You check whether num_heads divides d_model, but numbers below 1 fall through your check.",
        "What is d_model % 0 in Python, and what is 6 % -3?",
        change=(("if num_heads < 1 or d_model", "if d_model"),),
    ),
    mistake(
        "assertion-for-value-error",
        "A bad num_heads raises AssertionError; ValueError was promised.",
        "What does Python do with assert when it runs with -O?",
        change=(("raise ValueError(", "raise AssertionError("),),
    ),
    mistake(
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
    mistake(
        "output-cut-off",
        "You cut off what is large: your output does not grow with its values.",
        "How large may an output be whose values are large? What does `clamp` do to one?",
        change=((MERGE, f"attended.clamp(-30, 30){MERGE.removeprefix('attended')}"),),
    ),
    mistake(
        "trace-of-the-first-text",
        "A little of the first text of the batch comes out for the others as well.",
        "What may the output for one text depend on? Which of your indices leave out the batch?",
        change=((MERGE, f"(attended + 1e-9 * attended[:1]){MERGE.removeprefix('attended')}"),),
    ),
    mistake(
        "float32-always",
        "Your output is float32 whatever goes in.",
        "Compare x.dtype with the dtype of your output. Where does it change?",
        change=((RETURN, f"{RETURN}.float()"),),
    ),
    mistake(
        "made-for-float32",
        "You turn the input into float32 first, which a module in half precision cannot take.",
        "Who chooses the dtype of a module, and who the dtype of its input?",
        change=(("self.qkv(x)", "self.qkv(x.float())"),),
    ),
    mistake(
        "made-for-one-device",
        "You send tensors to the GPU by name, so that your module fails without one.",
        "The input is on some device already. Why move it?",
        change=(("self.qkv(x)", "self.qkv(x.cuda())"),),
    ),
    mistake(
        "gradient-cut",
        "Your output is cut off from `qkv` and from the input: only `out` can learn.",
        "What do `.detach()`, `.data` and `no_grad` do to gradients?",
        change=((MERGE, f"{MERGE}.detach()"),),
    ),
    mistake(
        "no-gradient-at-all",
        "Nothing in your module gets a gradient.",
        "What do `.detach()`, `.data` and `no_grad` do to gradients?",
        change=((RETURN, f"{RETURN}.detach()"),),
    ),
    mistake(
        "scores-cut-off",
        "Your queries and keys are cut off from their projection: only the values can learn.",
        "Which of q, k and v pass through `.detach()` or `.data`?",
        change=((LAY_OUT, f"{LAY_OUT}\n        q, k = q.detach(), k.detach()"),),
    ),
    mistake(
        "through-numpy",
        "Your forward pass goes through NumPy, which knows no gradients, no bfloat16 and no GPU.",
        "Everything you need is a tensor operation. Which step leaves PyTorch?",
        change=((RETURN, f"return self.out(torch.from_numpy({MERGE}.detach().numpy()))"),),
    ),
    mistake(
        "read-back-to-python",
        "You read a tensor's value back into Python, which not every device can do.",
        "What does `.item()` (or `bool(tensor)`) wait for? Can the choice stay a tensor?",
        change=(
            (
                BOTH,
                "if mask is not None and mask.all().item():\n            mask = mask.clone()\n"
                f"        {BOTH}",
            ),
        ),
    ),
    mistake(
        "read-back-with-a-mask",
        "Given a mask, you read one of its values back into Python, which waits for the GPU.",
        "What does `bool(mask.all())` wait for? What does a mask do that allows everything?",
        change=(
            (
                BOTH,
                "if mask is not None and not is_causal and mask.all():\n            mask = None\n"
                f"        {BOTH}",
            ),
        ),
    ),
    mistake(
        "read-back-without-a-mask",
        "Without a mask, you read a tensor's value back into Python, which waits for the GPU.",
        "What does `assert not x.isnan().any()` wait for? Whose task is it to look at the values?",
        change=((BOTH, f"assert mask is not None or not x.isnan().any()\n        {BOTH}"),),
    ),
    mistake(
        "mask-through-numpy",
        "Your mask goes through NumPy, which knows no GPU and no `torch.compile`.",
        "Everything you need is a tensor operation. Which step leaves PyTorch?",
        change=(
            (
                BOTH,
                "if mask is not None:\n            mask = torch.from_numpy(mask.numpy().copy())\n"
                f"        {BOTH}",
            ),
        ),
    ),
)
