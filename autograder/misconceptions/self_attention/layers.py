"""Known mistakes in modules of attention: the same in SelfAttention and in RepairedAttention."""

from autograder.misconceptions.mistake import Mistake
from autograder.misconceptions.self_attention.half_repaired import HALF_REPAIRED
from autograder.misconceptions.self_attention.layer_parts import (
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

# slug, diagnosis, hint, change
SHARED = (
    (
        "only-the-output",
        "You return the output alone; the weights were promised as well.",
        "How many values does the docstring of `forward` list under Returns?",
        ((RETURN, "return weights @ v"),),
    ),
    (
        "scale-by-d-model",
        "You divide by the root of d_model; queries and keys have another width.",
        "How many products does one dot product of a query and a key add up?",
        ((SCALE, "self.scale = math.sqrt(d_model)"),),
    ),
    (
        "softmax-over-queries",
        "Your softmax runs over the queries: the columns sum to one, the rows do not.",
        "Each token shares out a total of one among the keys. Which axis lists the keys?",
        ((WEIGHTS, "torch.softmax(scores, dim=-2)"),),
    ),
    (
        "no-scale",
        "Your scores are plain dot products: the division is missing.",
        "How does the spread of a dot product change when the vectors get wider?",
        ((SCORES, "q @ k.mT"),),
    ),
    (
        "scale-without-root",
        "You divide by d_k itself, not by its square root.",
        "A sum of d_k random terms: is it its variance or its spread that grows like d_k?",
        ((SCALE, "self.scale = d_k"),),
    ),
    (
        "scale-by-width-of-values",
        "You divide by the root of the values' width; scores are made of queries and keys.",
        "How many products does one dot product of a query and a key add up?",
        ((SCALE, "self.scale = math.sqrt(d_v)"),),
    ),
    (
        "scale-by-length",
        "You divide by the root of the number of tokens; it should be of the keys' width.",
        "How many products does one dot product of a query and a key add up?",
        ((SCORES, "q @ k.mT / math.sqrt(x.shape[-2])"),),
    ),
    (
        "multiplied-by-root",
        "You multiply by the square root of d_k, where the scores should be divided by it.",
        "Should wide vectors end up with larger scores or with the same spread as narrow ones?",
        ((SCORES, "q @ k.mT * self.scale"),),
    ),
    (
        "constant-scale",
        "You divide by a fixed number, which fits one width only.",
        "The books divide by 8 because their d_k is 64. What is yours?",
        ((SCALE, "self.scale = 8"),),
    ),
    (
        "softmax-over-second-axis",
        "Your softmax runs over axis 1, which lists the keys only when there is no batch.",
        "Where do the keys stand, counted from the end?",
        ((WEIGHTS, "torch.softmax(scores, dim=1)"),),
    ),
    (
        "softmax-over-third-axis",
        "Your softmax runs over axis 2, which lists the keys only with exactly one axis in front.",
        "Where do the keys stand, counted from the end?",
        ((WEIGHTS, "torch.softmax(scores, dim=2)"),),
    ),
    (
        "softmax-over-batch",
        "Your softmax runs over the batch, so that texts compete with each other.",
        "Whose weights should sum to one: those of one query, or those of one place in all texts?",
        ((WEIGHTS, "torch.softmax(scores, dim=0)"),),
    ),
    (
        "no-softmax",
        "You average by the scores themselves: softmax is missing.",
        "What should each token's weights add up to?",
        ((WEIGHTS, "scores"),),
    ),
    (
        "weights-first",
        "You return the weights first and the output second; it is the other way round.",
        "In which order does the docstring list what comes back?",
        ((RETURN, "return weights, weights @ v"),),
    ),
    (
        "scores-returned",
        "The second value you return is the scores; the weights were promised.",
        "What should each row of the second value add up to?",
        ((RETURN, "return weights @ v, scores"),),
    ),
    (
        "queries-from-keys",
        "You make the keys with the layer of the queries.",
        "Follow each of the three layers: where is each of them used?",
        ((PROJECT, "q, k, v = self.w_q(x), self.w_q(x), self.w_v(x)"),),
    ),
    (
        "keys-for-queries-and-back",
        "Your rows belong to keys: queries and keys have changed places.",
        "Which layer makes what stands on the left of the product?",
        ((PROJECT, "k, q, v = self.w_q(x), self.w_k(x), self.w_v(x)"),),
    ),
    (
        "values-from-keys",
        "You hand over the keys in place of the values.",
        "Follow each of the three layers: where is each of them used?",
        ((PROJECT, "q, k, v = self.w_q(x), self.w_k(x), self.w_k(x)"),),
    ),
    (
        "values-not-projected",
        "You hand over the tokens themselves, not their values.",
        "Follow each of the three layers: where is each of them used?",
        ((PROJECT, "q, k, v = self.w_q(x), self.w_k(x), x"),),
    ),
    (
        "values-as-wide-as-keys",
        "Your values are d_k wide; d_v was promised.",
        "Which of the three layers needs d_v?",
        ((LAYER_V, LAYER_V.replace("d_v", "d_k")),),
    ),
    (
        "layers-turned-round",
        "Your layers take d_k features and give d_model; it is the other way round.",
        "What does nn.Linear's first argument say: what goes in, or what comes out?",
        (
            (LAYER_Q, "self.w_q = nn.Linear(d_k, d_model, bias)"),
            (LAYER_K, "self.w_k = nn.Linear(d_k, d_model, bias)"),
            (LAYER_V, "self.w_v = nn.Linear(d_v, d_model, bias)"),
        ),
    ),
    (
        "bias-always",
        "Your layers have a bias even when nobody asks for one.",
        "What does nn.Linear do when it is not told about bias?",
        tuple((layer, layer.replace(", bias)", ")")) for layer in LAYERS),
    ),
    (
        "bias-never",
        "Your layers never have a bias.",
        "What should w_q.bias be when bias=True?",
        tuple((layer, layer.replace("bias)", "bias=False)")) for layer in LAYERS),
    ),
    (
        "other-names",
        "Your layers have other names than w_q, w_k and w_v, so that weights cannot be loaded.",
        "Which names does the docstring of the class give?",
        (
            (LAYER_Q, LAYER_Q.replace("w_q", "query")),
            (PROJECT, PROJECT.replace("w_q", "query")),
        ),
    ),
    (
        "mask-ignored",
        "Your mask has no effect: nothing uses it, or what masked_fill gives back is thrown away.",
        "Where does the result of masking go?",
        ((MASKED, "pass"),),
    ),
    (
        "mask-ignored-in-a-batch",
        "Your mask works for one text alone, and is not used where a batch stands in front.",
        "What happens to the mask when x has three dimensions?",
        ((IF_MASK, "if mask is not None and x.ndim == 2:"),),
    ),
    (
        "mask-inverted",
        "You take True for forbidden; in this course True means allowed.",
        "What should happen to a key where the mask is True?",
        ((MASKED, "scores = torch.where(mask, -math.inf, scores)"),),
    ),
    (
        "mask-transposed",
        "You transpose the mask: its rows belong to queries already.",
        "Which axis of the mask lists the keys?",
        ((MASKED, MASKED.replace("mask,", "mask.mT,")),),
    ),
    (
        "filled-with-zero",
        "Your forbidden scores become 0, which is a score like any other.",
        "What share does softmax give a score of 0?",
        ((MASKED, MASKED.replace("-math.inf", "0.0")),),
    ),
    (
        "filled-with-minus-twenty",
        "You fill in a number that leaves forbidden keys a small share.",
        "How much is e to the power -20? Is it 0?",
        ((MASKED, MASKED.replace("-math.inf", "-20.0")),),
    ),
    (
        "fill-too-large-for-half-precision",
        "You fill in a number that float16 does not have.",
        "What is the largest number in float16? Is there a fill that every dtype has?",
        ((MASKED, "scores = scores.masked_fill(~mask, -1e9)"),),
    ),
    (
        "fill-too-large-for-half-precision",
        "You fill in a number that float16 does not have.",
        "What is the largest number in float16? Is there a fill that every dtype has?",
        ((MASKED, "scores = scores.masked_fill(~mask, torch.finfo(torch.float32).min)"),),
    ),
    (
        "mask-in-single-precision",
        "You turn the mask into float32 numbers, which turn scores in half precision into float32.",
        "Which dtype has torch.zeros when nobody says which? And which one have your scores?",
        (
            (
                MASKED,
                "bias = torch.zeros(mask.shape, device=mask.device)\n"
                "            scores = scores + bias.masked_fill(~mask, -math.inf)",
            ),
        ),
    ),
    (
        "mask-after-softmax",
        "You set weights to 0 after the softmax, so that the rows no longer sum to one.",
        "What do the weights that are left add up to?",
        unmasked("weights = weights.masked_fill(~mask, 0.0)"),
    ),
    (
        "all-axes-reversed",
        "`.T` turns round all axes, so that it works only without a batch.",
        "Which two axes of k have to change places, and which have to stay?",
        ((SCORES, SCORES.replace("k.mT", "k.T")),),
    ),
    (
        "transpose-of-a-batch-only",
        "You swap axes 1 and 2, which are the right ones only with exactly one axis in front.",
        "Axes can be counted from the end, too.",
        ((SCORES, SCORES.replace("k.mT", "k.transpose(1, 2)")),),
    ),
    (
        "residual-inside",
        "You add the values to the output; that belongs outside of attention.",
        "Where all values are the same, what is their average?",
        ((RETURN, "return weights @ v + v, weights"),),
    ),
    (
        "gradient-cut",
        "Your output is cut off from everything, so that nothing can be learnt.",
        "What do `.detach()`, `.data` and `no_grad` do to gradients?",
        ((RETURN, "return (weights @ v).detach(), weights"),),
    ),
    (
        "weights-cut-off",
        "Your output is cut off from the weights: only the values can learn.",
        "What passes through `.detach()` or `.data` on the way from q and k to the output?",
        ((RETURN, "return weights.detach() @ v, weights"),),
    ),
    (
        "output-cut-off",
        "You cut off what is large: your output does not grow with its values.",
        "How large may an output be whose values are large? What does `clamp` do to one?",
        ((RETURN, "return (weights @ v).clamp(-30, 30), weights"),),
    ),
    (
        "input-cut-off",
        "Your output is cut off from the input, so that the layers before yours cannot learn.",
        "What do `.detach()` and `.data` do to gradients?",
        ((PROJECT, f"x = x.detach()\n        {PROJECT}"),),
    ),
    (
        "made-for-float32",
        "You turn the input into float32 first, which a module in half precision cannot take.",
        "Who chooses the dtype of a module, and who the dtype of its input?",
        ((PROJECT, f"x = x.float()\n        {PROJECT}"),),
    ),
    (
        "float32-always",
        "Your output is float32 whatever goes in.",
        "Compare x.dtype with the dtype of your output. Where does it change?",
        ((RETURN, "return (weights @ v).float(), weights"),),
    ),
    (
        "made-for-one-device",
        "You send tensors to the GPU by name, so that your module fails without one.",
        "The input is on some device already. Why move it?",
        ((PROJECT, f"x = x.cuda()\n        {PROJECT}"),),
    ),
    (
        "through-the-cpu",
        "Your code passes through the CPU, or through a tensor that was made there.",
        "Where does torch.zeros make a tensor when nobody says where?",
        (
            (
                RETURN,
                "output = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=v.dtype)\n"
                "        output[...] = weights @ v\n        return output, weights",
            ),
        ),
    ),
    (
        "input-changed",
        "You write into the input that you were given, so that the caller's tensor changes.",
        "What does `-=` do to the tensor of whoever called you?",
        ((RETURN, f"x -= x.detach()\n        {RETURN}"),),
    ),
    (
        "mask-changed",
        "You turn the caller's mask round where it lies.",
        "What does an underscore at the end of a method's name say in PyTorch?",
        ((MASKED, "scores = scores.masked_fill(mask.logical_not_(), -math.inf)"),),
    ),
)

MISTAKES = (
    *(
        Mistake("SelfAttention", slug, diagnosis, hint, change=(*WRITTEN_OUT, *change))
        for slug, diagnosis, hint, change in SHARED
    ),
    *(
        Mistake("RepairedAttention", slug, diagnosis, hint, change=change)
        for slug, diagnosis, hint, change in (*SHARED, *HALF_REPAIRED)
    ),
)
