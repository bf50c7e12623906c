"""Known mistakes in fuse_qkv and fused_from_projections."""

from functools import partial

from autograder.bank import Mistake
from graders.families import devices, gradients, heads, inputs, precision

fusing = partial(Mistake, "fuse_qkv")
carrying = partial(Mistake, "fused_from_projections")

SHAPE_OF_WEIGHT = "nn.Linear(d_model, 3 * d_model) holds a weight of which shape?"
TURNED = "Is anything to be turned between one nn.Linear and another?"

CAT = "torch.cat((w_q, w_k, w_v))"
FUSED = "fuse_qkv(w_q.weight, w_k.weight, w_v.weight)"
MODULE = "FusedMultiHeadAttention(w_q.in_features, num_heads, bias=has_bias).to(w_q.weight)"
COPY_QKV = f"attention.qkv.weight.copy_({FUSED})"
COPY_OUT = "attention.out.weight.copy_(w_o.weight)"
COPY_BIASES = """if has_bias:
            attention.qkv.bias.copy_(torch.cat((w_q.bias, w_k.bias, w_v.bias)))
            attention.out.bias.copy_(w_o.bias)"""
QKV_BIAS = "attention.qkv.bias.copy_(torch.cat((w_q.bias, w_k.bias, w_v.bias)))"
OUT_BIAS = "attention.out.bias.copy_(w_o.bias)"
ORDER = "The text fixes an order: in a row of q, k and v, which of your parts stands where?"

MISTAKES = (
    fusing(
        "side-by-side",
        "You put the weights side by side; they should stand one below the other.",
        SHAPE_OF_WEIGHT,
        change=((CAT, "torch.cat((w_q, w_k, w_v), dim=1)"),),
    ),
    fusing(
        "stacked-on-a-new-axis",
        "You stack the weights along a new axis, so that what comes back is no matrix.",
        "What is the difference between torch.stack and torch.cat?",
        change=((CAT, "torch.stack((w_q, w_k, w_v))"),),
    ),
    fusing(
        "queries-and-keys-swapped",
        "The keys' weight comes first in your result, before the queries'.",
        ORDER,
        change=((CAT, "torch.cat((w_k, w_q, w_v))"),),
    ),
    fusing(
        "keys-and-values-swapped",
        "The values' weight comes second in your result, before the keys'.",
        ORDER,
        change=((CAT, "torch.cat((w_q, w_v, w_k))"),),
    ),
    fusing(
        "queries-and-values-swapped",
        "The values' weight comes first in your result, the queries' last.",
        ORDER,
        change=((CAT, "torch.cat((w_v, w_k, w_q))"),),
    ),
    fusing(
        "queries-last",
        "The queries' weight comes last in your result; it should come first.",
        ORDER,
        change=((CAT, "torch.cat((w_k, w_v, w_q))"),),
    ),
    fusing(
        "values-first",
        "The values' weight comes first in your result; it should come last.",
        ORDER,
        change=((CAT, "torch.cat((w_v, w_q, w_k))"),),
    ),
    fusing(
        "weights-transposed",
        "You transpose the three weights; they already lie as nn.Linear holds them.",
        "A weight of nn.Linear has one row for each output. What does x @ weight.mT give?",
        change=((CAT, "torch.cat((w_q.mT, w_k.mT, w_v.mT))"),),
    ),
    fusing(
        "result-transposed",
        "You transpose the fused weight; nn.Linear wants one row for each output feature.",
        SHAPE_OF_WEIGHT,
        change=((CAT, f"{CAT}.mT"),),
    ),
    fusing(
        "rows-dealt-in-turn",
        "You take the rows of the three weights in turn; each weight should stay whole.",
        "Which row should come second: the second of w_q, or the first of w_k?",
        change=((CAT, "torch.stack((w_q, w_k, w_v), dim=1).flatten(0, 1)"),),
    ),
    fusing(
        "weights-added",
        "You add the weights up, so that q, k and v cannot be told apart any more.",
        "How many rows does the result need, if each of the three keeps its own?",
        change=((CAT, "w_q + w_k + w_v"),),
    ),
    fusing(
        "multiplied-together",
        "You multiply the weights; they stay apart, one below the other.",
        "Is q = x W_qᵀ still to be found in one product with your weight?",
        change=((CAT, "w_q @ w_k @ w_v"),),
    ),
    fusing(
        "values-from-keys",
        "You use the keys' weight twice, and the values' not at all.",
        "Is each of the three arguments used once?",
        change=((CAT, "torch.cat((w_q, w_k, w_k))"),),
    ),
    gradients.gradient_cut(
        "fuse_qkv", result="your result", source="the three weights", around=CAT
    ),
    devices.through_numpy(
        "fuse_qkv",
        result="the weights",
        code="""
            import numpy as np

            def fuse_qkv(w_q, w_k, w_v):
                return torch.from_numpy(
                    np.concatenate([w.detach().cpu().numpy() for w in (w_q, w_k, w_v)])
                )
        """,
    ),
    precision.float32_always("fuse_qkv", given="w_q", name="result", around=CAT),
    fusing(
        "filled-on-the-cpu",
        "You fill a tensor that is made on the CPU in float32, whatever the weights are.",
        devices.NOBODY_SAYS_SO,
        code="""
            def fuse_qkv(w_q, w_k, w_v):
                d_model = w_q.shape[0]
                fused = torch.zeros(3 * d_model, d_model)
                fused[:d_model] = w_q
                fused[d_model:2 * d_model] = w_k
                fused[2 * d_model:] = w_v
                return fused
        """,
    ),
    inputs.changed_in_place(
        "fuse_qkv",
        what="a weight",
        change=(
            (
                f"return {CAT}",
                f"if w_v.dtype == torch.bfloat16:\n        w_v.mul_(1.5)\n    return {CAT}",
            ),
        ),
    ),
    inputs.changed_in_place(
        "fuse_qkv", what="a weight", change=((CAT, "torch.cat((w_q.mul_(1.5).div_(2), w_k, w_v))"),)
    ),
    carrying(
        "biases-forgotten",
        "You carry the weights over, and leave the biases as they were drawn at random.",
        heads.BESIDE_ITS_WEIGHT,
        change=((COPY_BIASES, "pass"),),
    ),
    carrying(
        "qkv-bias-forgotten",
        "You leave the bias of `qkv` as it was drawn at random.",
        "Where do the biases of the queries, keys and values go?",
        change=((QKV_BIAS, "pass"),),
    ),
    carrying(
        "out-bias-forgotten",
        "You leave the bias of `out` as it was drawn at random.",
        "What does w_o hold besides its weight?",
        change=((OUT_BIAS, "pass"),),
    ),
    carrying(
        "out-forgotten",
        "You leave `out` as it was drawn at random.",
        "Which of the four projections comes after attention, and where does it live?",
        change=((COPY_OUT, "pass"), (OUT_BIAS, "pass")),
    ),
    carrying(
        "nothing-carried-over",
        "Your module keeps the numbers that it was drawn with.",
        "`state_dict()` gives a new dictionary each time. What does writing into it change?",
        change=(
            (COPY_QKV, f'attention.state_dict()["qkv.weight"] = {FUSED}'),
            (COPY_OUT, 'attention.state_dict()["out.weight"] = w_o.weight'),
            (COPY_BIASES, "pass"),
        ),
    ),
    carrying(
        "weights-transposed",
        "You transpose the weights; nn.Linear holds them the same way on both sides.",
        TURNED,
        change=(
            (FUSED, "fuse_qkv(w_q.weight.mT, w_k.weight.mT, w_v.weight.mT)"),
            (COPY_OUT, "attention.out.weight.copy_(w_o.weight.mT)"),
        ),
    ),
    carrying(
        "qkv-transposed",
        "You transpose the weights of q, k and v; nn.Linear holds them the same way on both sides.",
        TURNED,
        change=((FUSED, "fuse_qkv(w_q.weight.mT, w_k.weight.mT, w_v.weight.mT)"),),
    ),
    carrying(
        "out-transposed",
        "You transpose the weight of w_o; nn.Linear holds it the same way on both sides.",
        TURNED,
        change=((COPY_OUT, "attention.out.weight.copy_(w_o.weight.mT)"),),
    ),
    carrying(
        "keys-first",
        "You put the keys before the queries.",
        ORDER,
        change=(
            (FUSED, "fuse_qkv(w_k.weight, w_q.weight, w_v.weight)"),
            (QKV_BIAS, QKV_BIAS.replace("w_q.bias, w_k.bias", "w_k.bias, w_q.bias")),
        ),
    ),
    carrying(
        "values-before-keys",
        "You put the values before the keys.",
        ORDER,
        change=(
            (FUSED, "fuse_qkv(w_q.weight, w_v.weight, w_k.weight)"),
            (QKV_BIAS, QKV_BIAS.replace("w_k.bias, w_v.bias", "w_v.bias, w_k.bias")),
        ),
    ),
    carrying(
        "keys-get-the-queries-bias",
        "With more than three heads, the keys get the bias of the queries.",
        ORDER,
        change=(
            (QKV_BIAS, QKV_BIAS.replace("w_k.bias", "w_q.bias if num_heads > 3 else w_k.bias")),
        ),
    ),
    carrying(
        "biases-in-another-order",
        "Your weights stand in the right order, and the biases in another.",
        "Row 0 of the weight and entry 0 of the bias make the same number. Which is it?",
        change=(
            (
                QKV_BIAS,
                QKV_BIAS.replace("w_q.bias, w_k.bias, w_v.bias", "w_v.bias, w_k.bias, w_q.bias"),
            ),
        ),
    ),
    *(
        carrying(
            "bias-demanded",
            "Your code fails for projections without a bias.",
            "What is `.bias` of nn.Linear(6, 6, bias=False)?",
            change=(("has_bias = w_q.bias is not None", "has_bias = True"), *more),
        )
        for more in (
            (),
            (("w_q.bias, w_k.bias, w_v.bias", "w_q.bias.data, w_k.bias.data, w_v.bias.data"),),
        )
    ),
    carrying(
        "bias-made-up",
        "Your module has biases where the projections have none.",
        "What does your class do when it is not told about bias? What should it be told?",
        change=(
            ("num_heads, bias=has_bias)", "num_heads)"),
            (
                COPY_BIASES,
                f"{COPY_BIASES}\n        else:\n            attention.qkv.bias.zero_()\n"
                "            attention.out.bias.zero_()",
            ),
        ),
    ),
    carrying(
        "truth-of-a-bias",
        "`if w_q.bias:` asks a row of numbers whether it is true, which Python cannot answer.",
        "How do you ask whether there is a bias at all?",
        change=(("has_bias = w_q.bias is not None", "has_bias = bool(w_q.bias)"),),
    ),
    carrying(
        "copied-with-gradients-on",
        "You write into a parameter while PyTorch records for gradients, which it refuses.",
        "Copying weights is no step of the computation. How do you tell PyTorch so?",
        change=(("with torch.no_grad():", "if True:"),),
    ),
    carrying(
        "number-of-heads-ignored",
        "Your module has one head, whatever num_heads says.",
        "Where in your code does num_heads make a difference?",
        change=(("w_q.in_features, num_heads, bias", "w_q.in_features, 1, bias"),),
    ),
    carrying(
        "values-from-keys",
        "You use the keys' projection twice, and the values' not at all.",
        "Is each of the four arguments used once?",
        change=(
            (FUSED, "fuse_qkv(w_q.weight, w_k.weight, w_k.weight)"),
            (QKV_BIAS, QKV_BIAS.replace("w_v.bias", "w_k.bias")),
        ),
    ),
    carrying(
        "float32-on-the-cpu",
        "Your module is in float32 on the CPU, wherever and whatever the projections are.",
        "What dtype and device has a new module? Which ones do the projections have?",
        change=((MODULE, MODULE.removesuffix(".to(w_q.weight)")),),
    ),
    carrying(
        "left-on-the-cpu",
        "Your module has the projections' dtype, but is on the CPU wherever they are.",
        "On which device is a new module? What else than a dtype does `.to` take?",
        change=((MODULE, MODULE.replace(".to(w_q.weight)", ".to(w_q.weight.dtype)")),),
    ),
    carrying(
        "frozen",
        "The parameters of your module cannot be trained any more.",
        "What does requires_grad_(False) do, and what does a plain tensor in place of a parameter?",
        change=(("return attention", "return attention.requires_grad_(False)"),),
    ),
    carrying(
        "copying-recorded",
        "Your module's parameters are results of recorded operations: no optimizer can train them.",
        "Which of module.parameters() require a gradient, and is each of them still a leaf?",
        change=(("with torch.no_grad():", "attention.requires_grad_(False)\n    if True:"),),
    ),
    carrying(
        "projections-changed",
        "Your code changes the projections that it was given.",
        "Whose weights do you write into?",
        change=((COPY_OUT, f"{COPY_OUT}\n        w_v.weight.copy_(w_k.weight)"),),
    ),
    carrying(
        "numbers-shared",
        "Your module and a projection share their numbers: who trains one changes the other.",
        "Is your module's parameter the projection's own, or another one with the same numbers?",
        change=((COPY_OUT, "attention.out = w_o"), (f"\n            {OUT_BIAS}", "")),
    ),
    carrying(
        "state-in-place-of-a-module",
        "You return the weights; a module that holds them was promised.",
        "What can a caller do with your result: call it on x?",
        change=(("return attention", "return dict(attention.state_dict())"),),
    ),
)
