"""Known mistakes in FusedMultiHeadAttention about dropout, dtype, device, gradients and form."""

from functools import partial

from autograder.bank import Mistake
from graders.families import devices, gradients, heads, precision, refusals
from graders.fused_attention.fused_module.reference_parts import BOTH, LAY_OUT, MERGE, RETURN

EXERCISE = "FusedMultiHeadAttention"
mistake = partial(Mistake, EXERCISE)

WHICH_CALLS = (
    "How many calls of attention does your module have? Which of them are told of dropout?"
)
EVERY_CALL = (
    "PyTorch's function does not know whether the module trains. Does every call of it learn?"
)

DROPOUT = "self.dropout if self.training else 0.0"

ERROR = 'ValueError(f"d_model ({d_model}) is not a multiple of num_heads ({num_heads})")'

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
        WHICH_CALLS,
        change=((DROPOUT, "self.dropout if self.training and mask is None else 0.0"),),
    ),
    mistake(
        "dropout-lost-when-causal",
        "With is_causal and no mask, your module drops nothing in training.",
        WHICH_CALLS,
        change=((DROPOUT, "self.dropout if self.training and not is_causal else 0.0"),),
    ),
    mistake(
        "dropout-kept-in-evaluation-with-a-mask",
        "Given a mask, your module drops weights in evaluation, too.",
        EVERY_CALL,
        change=((DROPOUT, "self.dropout if self.training or mask is not None else 0.0"),),
    ),
    mistake(
        "dropout-kept-in-evaluation-when-causal",
        "With is_causal and no mask, your module drops weights in evaluation, too.",
        EVERY_CALL,
        change=((DROPOUT, "self.dropout if self.training or is_causal else 0.0"),),
    ),
    mistake(
        "dropout-gone-after-an-evaluation",
        "The first evaluation switches your dropout off for ever: training drops nothing after it.",
        "What does your module keep of an evaluation? Who switches back when training goes on?",
        change=(
            (
                f"dropout = {DROPOUT}",
                "if not self.training:\n"
                "            self.dropout = 0.0\n"
                "        dropout = self.dropout",
            ),
        ),
    ),
    mistake(
        "mode-of-the-first-call",
        "Once it has been trained, your module drops weights in evaluation, too.",
        "When does your code look at self.training: once, or in every call?",
        change=(
            (
                f"dropout = {DROPOUT}",
                'if not hasattr(self, "drops"):\n'
                "            self.drops = self.dropout if self.training else 0.0\n"
                "        dropout = self.drops",
            ),
        ),
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
        "In training, every call of your module drops the same weights.",
        "What would training learn if the same weights were missing in every step?",
        change=((BOTH, f"torch.manual_seed(0)\n        {BOTH}"),),
    ),
    mistake(
        "returns-a-tuple",
        "You return several values; this module promises one tensor.",
        "Look at type(module(x)). What does the text promise?",
        change=((RETURN, f"{RETURN}, None"),),
    ),
    heads.bias_ignored(
        EXERCISE,
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
        "num-heads-not-kept",
        "Your module keeps the number of heads under another name than `num_heads`.",
        "What does the text say about the attribute that decode_step needs?",
        change=(
            ("self.num_heads = num_heads", "self.heads = num_heads"),
            ("(3, self.num_heads, -1)", "(3, self.heads, -1)"),
        ),
    ),
    refusals.no_check_of_heads(
        EXERCISE, change=(("if num_heads < 1 or d_model % num_heads:", "if False:"),)
    ),
    refusals.no_heads_let_through(
        EXERCISE, change=(("if num_heads < 1 or d_model", "if d_model"),)
    ),
    refusals.assertion_for_value_error(
        EXERCISE, change=(("raise ValueError(", "raise AssertionError("),)
    ),
    *(
        refusals.assertion_for_value_error(
            EXERCISE,
            change=(
                ("if num_heads < 1 or d_model % num_heads:\n", f"assert {holds}\n"),
                (f"            raise {ERROR}\n", ""),
            ),
        )
        for holds in (
            "num_heads > 0 and d_model % num_heads == 0",
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
    precision.output_cut_off(
        EXERCISE, change=((MERGE, f"attended.clamp(-30, 30){MERGE.removeprefix('attended')}"),)
    ),
    heads.trace_of_the_first_text(
        EXERCISE,
        change=((MERGE, f"(attended + 1e-9 * attended[:1]){MERGE.removeprefix('attended')}"),),
    ),
    precision.float32_always(EXERCISE, around=RETURN),
    precision.made_for_float32(EXERCISE, change=(("self.qkv(x)", "self.qkv(x.float())"),)),
    devices.made_for_one_device(EXERCISE, change=(("self.qkv(x)", "self.qkv(x.cuda())"),)),
    gradients.gradient_cut(
        EXERCISE,
        result="your output",
        source="`qkv` and the input",
        then="only `out` can learn",
        around=MERGE,
    ),
    gradients.no_gradient_at_all(EXERCISE, change=((RETURN, f"{RETURN}.detach()"),)),
    mistake(
        "scores-cut-off",
        "Your queries and keys are cut off from their projection: only the values can learn.",
        "Which of q, k and v pass through `.detach()` or `.data`?",
        change=((LAY_OUT, f"{LAY_OUT}\n        q, k = q.detach(), k.detach()"),),
    ),
    devices.through_numpy(
        EXERCISE, change=((RETURN, f"return self.out(torch.from_numpy({MERGE}.detach().numpy()))"),)
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
        devices.LEAVES_PYTORCH,
        change=(
            (
                BOTH,
                "if mask is not None:\n            mask = torch.from_numpy(mask.numpy().copy())\n"
                f"        {BOTH}",
            ),
        ),
    ),
)
