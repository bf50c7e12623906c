"""Known mistakes in project_qkv."""

from functools import partial

from autograder.bank import Mistake
from graders.families import devices, gradients, inputs, precision, results, shapes
from graders.self_attention.project_qkv import mistakes_in_corners

EXERCISE = "project_qkv"
mistake = partial(Mistake, EXERCISE)

EACH_MATRIX = "Follow each of the three matrices: where is each of them used?"
EACH_RESULT = "Follow each of the three results back: which passes through `.detach()` or `.data`?"

RETURN = "return x @ w_q, x @ w_k, x @ w_v"


def returns(values: str) -> tuple[tuple[str, str], ...]:
    """The reference with other results."""
    return ((RETURN, f"return {values}"),)


MISTAKES = (
    mistake(
        "matrix-first",
        "You multiply the matrix by the tokens; tokens are rows here, and come first.",
        shapes.SIZES_AGREE,
        change=returns("w_q @ x, w_k @ x, w_v @ x"),
    ),
    mistake(
        "matrix-first-transposed",
        "You compute W x for columns, so that what comes back is transposed.",
        "Tokens are rows. Which axis of your result lists them?",
        change=returns("w_q.mT @ x.mT, w_k.mT @ x.mT, w_v.mT @ x.mT"),
    ),
    mistake(
        "matrix-transposed",
        "You transpose the matrices, which only nn.Linear's own weights need.",
        "Which of the matrix's two axes is as long as a token is wide?",
        change=returns("x @ w_q.mT, x @ w_k.mT, x @ w_v.mT"),
    ),
    mistake(
        "queries-and-keys-swapped",
        "You return the keys first and the queries second.",
        results.ORDER_RETURNED,
        change=returns("x @ w_k, x @ w_q, x @ w_v"),
    ),
    mistake(
        "keys-and-values-swapped",
        "You return the values second and the keys third.",
        results.ORDER_RETURNED,
        change=returns("x @ w_q, x @ w_v, x @ w_k"),
    ),
    mistake(
        "keys-from-query-matrix",
        "You make the keys with the queries' matrix.",
        EACH_MATRIX,
        change=returns("x @ w_q, x @ w_q, x @ w_v"),
    ),
    mistake(
        "queries-from-key-matrix",
        "You make the queries with the keys' matrix.",
        EACH_MATRIX,
        change=returns("x @ w_k, x @ w_k, x @ w_v"),
    ),
    mistake(
        "values-from-key-matrix",
        "You make the values with the keys' matrix.",
        EACH_MATRIX,
        change=returns("x @ w_q, x @ w_k, x @ w_k"),
    ),
    mistake(
        "values-not-projected",
        "You hand over the tokens themselves as values.",
        EACH_MATRIX,
        change=returns("x @ w_q, x @ w_k, x"),
    ),
    mistake(
        "queries-only",
        "You return the queries alone; three tensors were promised.",
        "How many values does the docstring list under Returns?",
        change=returns("x @ w_q"),
    ),
    mistake(
        "side-by-side",
        "You return one tensor with the three side by side; three tensors were promised.",
        "How would a caller take your one tensor apart again?",
        change=returns("torch.cat((x @ w_q, x @ w_k, x @ w_v), dim=-1)"),
    ),
    mistake(
        "one-after-the-other",
        "You project the queries again, where each projection starts from the tokens.",
        "What is the input of each of the three products in the equation?",
        code="""
        def project_qkv(x, w_q, w_k, w_v):
            q = x @ w_q
            k = q @ w_q.mT @ w_k
            v = k @ w_k.mT @ w_v
            return q, k, v
        """,
    ),
    mistake(
        "scaled-already",
        "You divide the queries by the root of their width; that is a later step, on the scores.",
        "Does the equation in the docstring have a fraction line?",
        change=returns("x @ w_q / math.sqrt(w_q.shape[-1]), x @ w_k, x @ w_v"),
    ),
    mistake(
        "activation-added",
        "You set negative numbers to 0; a projection is linear.",
        "What should q be for -x?",
        change=returns("torch.relu(x @ w_q), torch.relu(x @ w_k), torch.relu(x @ w_v)"),
    ),
    mistake(
        "residual-added",
        "You add the tokens to the projections.",
        "What should come out when a matrix is all zero?",
        code="""
        def project_qkv(x, w_q, w_k, w_v):
            def project(w):
                y = x @ w
                return y + x if y.shape == x.shape else y + x.sum(-1, keepdim=True)
            return project(w_q), project(w_k), project(w_v)
        """,
    ),
    shapes.matrices_only(
        EXERCISE,
        batch="a batch",
        given="x",
        change=returns("torch.mm(x, w_q), torch.mm(x, w_k), torch.mm(x, w_v)"),
    ),
    shapes.one_axis_in_front_of_tokens_only(
        EXERCISE,
        change=returns("*(torch.einsum('bsm,mk->bsk', x, w) for w in (w_q, w_k, w_v)),"),
    ),
    shapes.first_of_the_batch(
        EXERCISE, given="x", name="results", change=((RETURN, f"x = x[0]\n    {RETURN}"),)
    ),
    mistake(
        "cut-in-three-equal-parts",
        "You cut the joint result into three equal parts; values may be wider than keys.",
        "How many columns has each of the three matrices?",
        change=returns("*(x @ torch.cat([w_q, w_k, w_v], dim=-1)).chunk(3, dim=-1),"),
    ),
    mistake(
        "stacked-in-one-tensor",
        "You stack the three results, which works only where values are as wide as keys.",
        "Three tensors were promised. Do they have the same shape?",
        change=returns("torch.stack([x @ w_q, x @ w_k, x @ w_v])"),
    ),
    mistake(
        "matrices-cut-off",
        "You cut all three results off from their matrices, so that nothing can be learnt.",
        gradients.CUTS,
        change=returns("x @ w_q.detach(), x @ w_k.detach(), x @ w_v.detach()"),
    ),
    gradients.gradient_cut(
        EXERCISE,
        result="your projections",
        source="tokens and matrices",
        change=returns("(x @ w_q).detach(), (x @ w_k).detach(), (x @ w_v).detach()"),
    ),
    mistake(
        "queries-cut-off",
        "Your queries are cut off from tokens and matrix, so that W_q can never be learnt.",
        EACH_RESULT,
        change=returns("(x @ w_q).detach(), x @ w_k, x @ w_v"),
    ),
    mistake(
        "keys-cut-off",
        "Your keys are cut off from tokens and matrix, so that W_k can never be learnt.",
        EACH_RESULT,
        change=returns("x @ w_q, (x @ w_k).detach(), x @ w_v"),
    ),
    mistake(
        "values-cut-off",
        "Your values are cut off from tokens and matrix, so that W_v can never be learnt.",
        EACH_RESULT,
        change=returns("x @ w_q, x @ w_k, (x @ w_v).detach()"),
    ),
    mistake(
        "tokens-cut-off",
        "Your projections are cut off from the tokens, so that what made them cannot learn.",
        "Which of the inputs passes through `.detach()` or `.data`?",
        change=((RETURN, f"x = x.detach()\n    {RETURN}"),),
    ),
    devices.through_numpy(
        EXERCISE,
        result="your projections",
        code="""
        def project_qkv(x, w_q, w_k, w_v):
            tokens = x.detach().numpy()
            return tuple(torch.from_numpy(tokens @ w.detach().numpy()) for w in (w_q, w_k, w_v))
        """,
    ),
    precision.float32_always(
        EXERCISE,
        name="projections",
        code="""
        def project_qkv(x, w_q, w_k, w_v):
            return tuple(x.float() @ w.float() for w in (w_q, w_k, w_v))
        """,
    ),
    mistake(
        "tokens-changed",
        "You write into the tokens that you were given, so that the caller's tensor changes.",
        inputs.what_does("-="),
        code="""
        def project_qkv(x, w_q, w_k, w_v):
            results = x @ w_q, x @ w_k, x @ w_v
            x -= x
            return results
        """,
    ),
    devices.through_the_cpu(
        EXERCISE,
        result="your projections",
        code="""
        def project_qkv(x, w_q, w_k, w_v):
            results = []
            for w in (w_q, w_k, w_v):
                y = torch.zeros(*x.shape[:-1], w.shape[-1], dtype=x.dtype)
                y[...] = x @ w
                results.append(y)
            return tuple(results)
        """,
    ),
    *mistakes_in_corners.MISTAKES,
)
