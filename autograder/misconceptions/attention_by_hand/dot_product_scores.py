"""Known mistakes in dot_product_scores."""

from functools import partial

from autograder.misconceptions.mistake import Mistake

mistake = partial(Mistake, "dot_product_scores")

PRODUCT = "q @ k.mT"

MISTAKES = (
    mistake(
        "keys-not-transposed",
        "You multiply q by k as it is, so that features meet positions.",
        "Write down the shapes of both factors. Which two sizes have to agree?",
        change=(("k.mT  #", "k  #"),),
    ),
    mistake(
        "elementwise-product",
        "You multiply query i with key i only; every query should meet every key.",
        "How many scores do 5 queries and 7 keys have?",
        change=((PRODUCT, "(q * k).sum(-1)"),),
    ),
    mistake(
        "keys-by-queries",
        "Your scores are transposed: your rows belong to keys and your columns to queries.",
        "Row i should tell how query i likes every key. Which factor comes first?",
        change=((PRODUCT, "k @ q.mT"),),
    ),
    mistake(
        "all-axes-reversed",
        "`.T` turns round all axes, so that it works only without a batch.",
        "Which two axes of k have to change places, and which have to stay?",
        change=((PRODUCT, "q @ k.T"),),
    ),
    mistake(
        "transpose-of-a-matrix-only",
        "You swap axes 0 and 1, which are the right ones only without a batch.",
        "Axes can be counted from the end, too.",
        change=((PRODUCT, "q @ k.transpose(0, 1)"),),
    ),
    mistake(
        "transpose-of-a-batch-only",
        "You swap axes 1 and 2, which are the right ones only with exactly one axis in front.",
        "Axes can be counted from the end, too.",
        change=((PRODUCT, "q @ k.transpose(1, 2)"),),
    ),
    mistake(
        "transpose-of-heads-only",
        "You swap axes 2 and 3, which are the right ones only with exactly two axes in front.",
        "Axes can be counted from the end, too.",
        change=((PRODUCT, "q @ k.transpose(2, 3)"),),
    ),
    mistake(
        "reshaped-for-transposed",
        "You reshape the keys where they should be transposed, so that several keys mix.",
        "A reshape keeps the order of the numbers in memory. Does a transpose?",
        change=((PRODUCT, "q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])"),),
    ),
    mistake(
        "features-meet-features",
        "You multiply with q transposed, so that your table compares features, not tokens.",
        "What does one row of your table stand for, and how many rows should there be?",
        change=((PRODUCT, "q.mT @ k"),),
    ),
    mistake(
        "scaled-already",
        "You divide by the root of the width here; that is the next exercise.",
        "The equation in the docstring has no fraction line. Does yours?",
        change=((PRODUCT, "q @ k.mT / math.sqrt(k.shape[-1])"),),
    ),
    mistake(
        "mean-for-sum",
        "You divide by the width: your scores are means of products, where sums are asked for.",
        "Multiply number by number, and then: add up, or average?",
        change=((PRODUCT, "q @ k.mT / k.shape[-1]"),),
    ),
    mistake(
        "weights-for-scores",
        "You return weights: the softmax belongs to a later exercise.",
        "Scores may be negative, and need not sum to one. Do yours?",
        change=((PRODUCT, "torch.softmax(q @ k.mT, dim=-1)"),),
    ),
    mistake(
        "cosine-similarity",
        "You divide every vector by its own length, so that only angles count.",
        "A longer key should get larger scores. Does it in your version?",
        change=(
            (
                f"return {PRODUCT}",
                "q, k = (t / t.norm(dim=-1, keepdim=True) for t in (q, k))\n    return q @ k.mT",
            ),
        ),
    ),
    mistake(
        "distance-for-similarity",
        "You measure distances; the score is a dot product.",
        "What should the score of two perpendicular vectors be?",
        change=((PRODUCT, "-torch.cdist(q, k)"),),
    ),
    mistake(
        "negative-scores-dropped",
        "You turn negative scores into 0; vectors that point apart score below it.",
        "What is the cosine of an angle of 180 degrees?",
        change=((PRODUCT, "torch.relu(q @ k.mT)"),),
    ),
    mistake(
        "first-of-the-batch",
        "You compare the first entry of the batch only.",
        "Compare the shapes of q and of your result.",
        change=((PRODUCT, "q[0] @ k[0].mT"),),
    ),
    mistake(
        "gradient-cut",
        "Your scores are cut off from q and k, so that nothing can be learnt through them.",
        "What does `.detach()` (or `.data`, or a new tensor made from old values) do to gradients?",
        change=((PRODUCT, "q.detach() @ k.detach().mT"),),
    ),
    mistake(
        "keys-cut-off",
        "Your scores are cut off from the keys, so that keys cannot be learnt.",
        "Which of the two inputs passes through `.detach()` or `.data`?",
        change=((PRODUCT, "q @ k.detach().mT"),),
    ),
    mistake(
        "through-numpy",
        "Your scores pass through NumPy, which knows no gradients, no bfloat16 and no GPU.",
        "Everything you need is a tensor operation. Which step leaves PyTorch?",
        change=(
            (
                PRODUCT,
                "torch.from_numpy(q.detach().numpy() @ k.detach().numpy().swapaxes(-1, -2))",
            ),
        ),
    ),
    mistake(
        "float32-always",
        "Your scores are float32 whatever goes in.",
        "Compare q.dtype with the dtype of your scores. Where does it change?",
        change=((PRODUCT, "q.float() @ k.float().mT"),),
    ),
    mistake(
        "queries-changed",
        "You write into the queries that you were given, so that the caller's tensor changes.",
        "What does an underscore at the end of a method's name say in PyTorch?",
        code="""
        def dot_product_scores(q, k):
            scores = q @ k.mT
            q.zero_()
            return scores
        """,
    ),
    mistake(
        "through-the-cpu",
        "Your scores pass through the CPU, or through a tensor that was made there.",
        "On which device is q? Does every step of yours stay there?",
        change=((PRODUCT, "(q.cpu() @ k.cpu().mT).to(q.device)"),),
    ),
)
