"""Known mistakes in modules of attention: the same in SelfAttention and in RepairedAttention."""

from dataclasses import replace
from functools import partial

from autograder.bank import Mistake
from graders.families import (
    devices,
    gradients,
    heads,
    inputs,
    masks,
    precision,
    results,
    scaling,
    shapes,
    softmaxes,
)
from graders.self_attention.layers import mistakes_in_corners
from graders.self_attention.layers.layer_parts import (
    IF_MASK,
    LAYER_K,
    LAYER_Q,
    LAYER_V,
    LAYERS,
    MASKED,
    PROJECT,
    RETURN,
    SCALE,
    SCORES,
    WEIGHTS,
    WRITTEN_OUT,
    unmasked,
)
from graders.self_attention.layers.mistakes_half_repaired import HALF_REPAIRED

EXERCISE = "RepairedAttention"
mistake = partial(Mistake, EXERCISE)

EACH_LAYER = "Follow each of the three layers: where is each of them used?"

SHARED = (
    results.only_the_output(
        EXERCISE,
        hint="How many values does the docstring of `forward` list under Returns?",
        change=((RETURN, "return weights @ v"),),
    ),
    mistake(
        "scale-by-d-model",
        "You divide by the root of d_model; queries and keys have another width.",
        scaling.TERMS_OF_A_PRODUCT,
        change=((SCALE, "self.scale = math.sqrt(d_model)"),),
    ),
    softmaxes.softmax_over_queries(EXERCISE, change=((WEIGHTS, "torch.softmax(scores, dim=-2)"),)),
    scaling.no_scale(EXERCISE, change=((SCORES, "q @ k.mT"),)),
    scaling.scale_without_root(EXERCISE, change=((SCALE, "self.scale = d_k"),)),
    scaling.scale_by_width_of_values(EXERCISE, change=((SCALE, "self.scale = math.sqrt(d_v)"),)),
    scaling.scale_by_length(EXERCISE, change=((SCORES, "q @ k.mT / math.sqrt(x.shape[-2])"),)),
    scaling.multiplied_by_root(EXERCISE, change=((SCORES, "q @ k.mT * self.scale"),)),
    scaling.root_cut_to_a_whole_number(EXERCISE, around="math.sqrt(d_k)"),
    scaling.scale_made_on_the_cpu(
        EXERCISE,
        change=((SCORES, "q @ k.mT / torch.sqrt(torch.Tensor([k.shape[-1]])).to(q.dtype)"),),
    ),
    scaling.constant_scale(EXERCISE, change=((SCALE, "self.scale = 8"),)),
    softmaxes.softmax_over_second_axis(
        EXERCISE, change=((WEIGHTS, "torch.softmax(scores, dim=1)"),)
    ),
    softmaxes.softmax_over_third_axis(
        EXERCISE, change=((WEIGHTS, "torch.softmax(scores, dim=2)"),)
    ),
    mistake(
        "softmax-over-batch",
        "Your softmax runs over the batch, so that texts compete with each other.",
        "Whose weights should sum to one: those of one query, or those of one place in all texts?",
        change=((WEIGHTS, "torch.softmax(scores, dim=0)"),),
    ),
    softmaxes.no_softmax(EXERCISE, change=((WEIGHTS, "scores"),)),
    results.weights_first(EXERCISE, change=((RETURN, "return weights, weights @ v"),)),
    results.scores_returned(EXERCISE, change=((RETURN, "return weights @ v, scores"),)),
    mistake(
        "queries-from-keys",
        "You make the keys with the layer of the queries.",
        EACH_LAYER,
        change=((PROJECT, "q, k, v = self.w_q(x), self.w_q(x), self.w_v(x)"),),
    ),
    mistake(
        "queries-by-the-keys-layer",
        "You make the queries with the layer of the keys.",
        EACH_LAYER,
        change=((PROJECT, "q, k, v = self.w_k(x), self.w_k(x), self.w_v(x)"),),
    ),
    mistake(
        "keys-for-queries-and-back",
        "Your rows belong to keys: queries and keys have changed places.",
        "Which layer makes what stands on the left of the product?",
        change=((PROJECT, "k, q, v = self.w_q(x), self.w_k(x), self.w_v(x)"),),
    ),
    mistake(
        "values-from-keys",
        "You hand over the keys in place of the values.",
        EACH_LAYER,
        change=((PROJECT, "q, k, v = self.w_q(x), self.w_k(x), self.w_k(x)"),),
    ),
    mistake(
        "values-not-projected",
        "You hand over the tokens themselves, not their values.",
        EACH_LAYER,
        change=((PROJECT, "q, k, v = self.w_q(x), self.w_k(x), x"),),
    ),
    mistake(
        "values-as-wide-as-keys",
        "Your values are d_k wide; d_v was promised.",
        "Which of the three layers needs d_v?",
        change=((LAYER_V, LAYER_V.replace("d_v", "d_k")),),
    ),
    mistake(
        "layers-turned-round",
        "Your layers take d_k features and give d_model; it is the other way round.",
        "What does nn.Linear's first argument say: what goes in, or what comes out?",
        change=(
            (LAYER_Q, "self.w_q = nn.Linear(d_k, d_model, bias)"),
            (LAYER_K, "self.w_k = nn.Linear(d_k, d_model, bias)"),
            (LAYER_V, "self.w_v = nn.Linear(d_v, d_model, bias)"),
        ),
    ),
    mistake(
        "bias-always",
        "Your layers have a bias even when nobody asks for one.",
        heads.TOLD_OF_BIAS,
        change=tuple((layer, layer.replace(", bias)", ")")) for layer in LAYERS),
    ),
    mistake(
        "bias-never",
        "Your layers never have a bias.",
        heads.BIAS_WHEN_ASKED,
        change=tuple((layer, layer.replace("bias)", "bias=False)")) for layer in LAYERS),
    ),
    *(
        mistake(
            "other-names",
            "Your module has no layers named w_q, w_k and w_v, so that weights cannot be loaded.",
            "Which names does the docstring of the class give?",
            change=tuple((text, text.replace(old, new)) for text in (*layers, PROJECT)),
        )
        for layers, old, new in (((LAYER_Q,), "w_q", "query"), (LAYERS, "w_", "layer_"))
    ),
    masks.causal_uninvited(
        EXERCISE,
        change=(
            (
                SCORES,
                f"({SCORES}).masked_fill(\n"
                "            torch.ones(x.shape[-2], x.shape[-2], device=x.device).tril() == 0, "
                "-math.inf\n        )",
            ),
        ),
    ),
    masks.mask_ignored(EXERCISE, change=((MASKED, "pass"),)),
    masks.truth_of_a_tensor(EXERCISE, change=((IF_MASK, "if mask:"),)),
    masks.mask_ignored_in_a_batch(
        EXERCISE, change=((IF_MASK, "if mask is not None and x.ndim == 2:"),)
    ),
    masks.mask_read_inverted(
        EXERCISE, change=((MASKED, "scores = torch.where(mask, -math.inf, scores)"),)
    ),
    masks.mask_transposed(EXERCISE, change=((MASKED, MASKED.replace("mask,", "mask.mT,")),)),
    masks.filled_with_zero(EXERCISE, change=((MASKED, MASKED.replace("-math.inf", "0.0")),)),
    masks.filled_with_minus_twenty(
        EXERCISE, change=((MASKED, MASKED.replace("-math.inf", "-20.0")),)
    ),
    precision.fill_too_large_for_half_precision(
        EXERCISE, change=((MASKED, "scores = scores.masked_fill(~mask, -1e9)"),)
    ),
    precision.fill_too_large_for_half_precision(
        EXERCISE,
        change=((MASKED, "scores = scores.masked_fill(~mask, torch.finfo(torch.float32).min)"),),
    ),
    precision.mask_in_single_precision(
        EXERCISE,
        change=(
            (
                MASKED,
                "bias = torch.zeros(mask.shape, device=mask.device)\n"
                "            scores = scores + bias.masked_fill(~mask, -math.inf)",
            ),
        ),
    ),
    masks.mask_after_softmax(
        EXERCISE, change=unmasked("weights = weights.masked_fill(~mask, 0.0)")
    ),
    shapes.all_axes_reversed(EXERCISE, change=((SCORES, SCORES.replace("k.mT", "k.T")),)),
    shapes.transpose_of_a_batch_only(
        EXERCISE, change=((SCORES, SCORES.replace("k.mT", "k.transpose(1, 2)")),)
    ),
    shapes.one_axis_in_front_of_tokens_only(
        EXERCISE, change=((PROJECT, f"batch, seq, width = x.shape\n        {PROJECT}"),)
    ),
    results.residual_inside(EXERCISE, change=((RETURN, "return weights @ v + v, weights"),)),
    gradients.gradient_cut(
        EXERCISE,
        result="your output",
        source="everything",
        change=((RETURN, "return (weights @ v).detach(), weights"),),
    ),
    gradients.weights_cut_off(EXERCISE, change=((RETURN, "return weights.detach() @ v, weights"),)),
    precision.output_cut_off(
        EXERCISE, change=((RETURN, "return (weights @ v).clamp(-30, 30), weights"),)
    ),
    mistake(
        "input-cut-off",
        "Your output is cut off from the input, so that the layers before yours cannot learn.",
        gradients.CUTS,
        change=((PROJECT, f"x = x.detach()\n        {PROJECT}"),),
    ),
    precision.made_for_float32(EXERCISE, change=((PROJECT, f"x = x.float()\n        {PROJECT}"),)),
    precision.float32_always(EXERCISE, change=((RETURN, "return (weights @ v).float(), weights"),)),
    precision.double_precision_lost(
        EXERCISE,
        given="x",
        change=(
            (
                RETURN,
                "single = torch.float32 if x.dtype == torch.float64 else x.dtype\n"
                "        return (weights @ v).to(single), weights",
            ),
        ),
    ),
    devices.made_for_one_device(EXERCISE, change=((PROJECT, f"x = x.cuda()\n        {PROJECT}"),)),
    devices.through_the_cpu(
        EXERCISE,
        change=(
            (
                RETURN,
                "output = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=v.dtype)\n"
                "        output[...] = weights @ v\n        return output, weights",
            ),
        ),
    ),
    mistake(
        "input-changed",
        "You write into the input that you were given, so that the caller's tensor changes.",
        inputs.what_does("-="),
        change=((RETURN, f"x -= x.detach()\n        {RETURN}"),),
    ),
    inputs.mask_changed(
        EXERCISE, change=((MASKED, "scores = scores.masked_fill(mask.logical_not_(), -math.inf)"),)
    ),
)

MISTAKES = (
    *(
        replace(entry, exercise="SelfAttention", change=(*WRITTEN_OUT, *entry.change))
        for entry in SHARED
    ),
    *SHARED,
    *HALF_REPAIRED,
    *mistakes_in_corners.MISTAKES,
)
