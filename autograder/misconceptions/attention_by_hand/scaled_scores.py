"""Known mistakes in scaled_scores."""

from autograder.misconceptions.mistake import Mistake

WRITTEN_OUT = ("dot_product_scores(q, k)", "q @ k.mT")


def mistake(slug: str, diagnosis: str, hint: str, change: tuple[tuple[str, str], ...]) -> Mistake:
    """A change of the reference whose dot products are written out."""
    return Mistake("scaled_scores", slug, diagnosis, hint, change=(WRITTEN_OUT, *change))


MISTAKES = (
    mistake(
        "no-scale",
        "Your scores are plain dot products: the division is missing.",
        "How does the spread of a dot product change when the vectors get wider?",
        change=((" / math.sqrt(k.shape[-1])", ""),),
    ),
    mistake(
        "scale-without-root",
        "You divide by d_k itself, not by its square root.",
        "A sum of d_k random terms: is it its variance or its spread that grows like d_k?",
        change=(("math.sqrt(k.shape[-1])", "k.shape[-1]"),),
    ),
    mistake(
        "scale-by-number-of-keys",
        "Your scale depends on how many keys there are; it should depend on how wide they are.",
        "Which axis of k counts the keys, and which one holds one key's features?",
        change=(("k.shape[-1]", "k.shape[-2]"),),
    ),
    mistake(
        "scale-by-number-of-queries",
        "Your scale depends on how many queries there are; it should depend on how wide they are.",
        "Which axis of q counts the queries, and which one holds one query's features?",
        change=(("k.shape[-1]", "q.shape[-2]"),),
    ),
    mistake(
        "scale-by-first-axis",
        "Your scale is taken from the first axis, which is the batch when there is one.",
        "Print q.shape for a batch. Which place does d_k have, counted from the end?",
        change=(("k.shape[-1]", "q.shape[0]"),),
    ),
    mistake(
        "scale-by-second-axis",
        "Your scale is taken from the second axis, which holds d_k only when there is no batch.",
        "Print k.shape for a batch. Which place does d_k have, counted from the end?",
        change=(("k.shape[-1]", "k.shape[1]"),),
    ),
    mistake(
        "multiplied-by-root",
        "You multiply by the square root of d_k, where the scores should be divided by it.",
        "Should wide vectors end up with larger scores or with the same spread as narrow ones?",
        change=(("mT / math", "mT * math"),),
    ),
    mistake(
        "constant-scale",
        "You divide by a fixed number, which fits one width only.",
        "The books divide by 8 because their d_k is 64. What is yours?",
        change=(("math.sqrt(k.shape[-1])", "8"),),
    ),
    mistake(
        "root-of-root",
        "You take the square root twice, so that the scores are divided by too little.",
        "Which power of d_k does the formula ask for, and which one do you compute?",
        change=(("math.sqrt(k.shape[-1])", "math.sqrt(math.sqrt(k.shape[-1]))"),),
    ),
    mistake(
        "keys-by-queries",
        "Your scores are transposed: your rows belong to keys and your columns to queries.",
        "Row i should tell how query i likes every key. Which factor comes first?",
        change=(("q @ k.mT", "k @ q.mT"),),
    ),
    mistake(
        "keys-not-transposed",
        "You multiply q by k as it is, so that features meet positions.",
        "Write down the shapes of both factors. Which two sizes have to agree?",
        change=(("k.mT", "k"),),
    ),
    mistake(
        "reshaped-for-transposed",
        "You reshape the keys where they should be transposed, so that several keys mix.",
        "A reshape keeps the order of the numbers in memory. Does a transpose?",
        change=(("k.mT", "k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])"),),
    ),
    mistake(
        "elementwise-product",
        "You multiply query i with key i only; every query should meet every key.",
        "How many scores do 5 queries and 7 keys have?",
        change=(("q @ k.mT", "(q * k).sum(-1)"),),
    ),
    mistake(
        "all-axes-reversed",
        "`.T` turns round all axes, so that it works only without a batch.",
        "Which two axes of k have to change places, and which have to stay?",
        change=(("k.mT", "k.T"),),
    ),
    mistake(
        "transpose-of-a-batch-only",
        "You swap axes 1 and 2, which are the right ones only with exactly one axis in front.",
        "Axes can be counted from the end, too.",
        change=(("k.mT", "k.transpose(1, 2)"),),
    ),
    mistake(
        "transpose-of-heads-only",
        "You swap axes 2 and 3, which are the right ones only with exactly two axes in front.",
        "Axes can be counted from the end, too.",
        change=(("k.mT", "k.transpose(2, 3)"),),
    ),
    mistake(
        "transpose-of-a-matrix-only",
        "You swap axes 0 and 1, which are the right ones only without a batch.",
        "Axes can be counted from the end, too.",
        change=(("k.mT", "k.transpose(0, 1)"),),
    ),
    mistake(
        "weights-for-scores",
        "You return weights: the softmax belongs to the next step.",
        "Scores may be negative, and need not sum to one. Do yours?",
        change=(
            (
                "return q @ k.mT / math.sqrt(k.shape[-1])",
                "return torch.softmax(q @ k.mT / math.sqrt(k.shape[-1]), dim=-1)",
            ),
        ),
    ),
    mistake(
        "cosine-similarity",
        "You divide every vector by its own length, so that only angles count.",
        "A longer key should get larger scores. Does it in your version?",
        change=(
            (
                "return q @ k.mT / math.sqrt(k.shape[-1])",
                "q, k = (t / t.norm(dim=-1, keepdim=True) for t in (q, k))\n    return q @ k.mT",
            ),
        ),
    ),
    mistake(
        "distance-for-similarity",
        "You measure distances; the score is a dot product.",
        "What should the score of two perpendicular vectors be?",
        change=(("q @ k.mT", "-torch.cdist(q, k)"),),
    ),
    mistake(
        "whole-division",
        "`//` rounds the scores down to whole numbers.",
        "What is 7 // 2, and what is 7 / 2?",
        change=(("mT / math", "mT // math"),),
    ),
    mistake(
        "gradient-cut",
        "Your scores are cut off from q and k, so that nothing can be learnt through them.",
        "What does `.detach()` (or `.data`, or a new tensor made from old values) do to gradients?",
        change=(("q @ k.mT", "q.detach() @ k.detach().mT"),),
    ),
    mistake(
        "keys-cut-off",
        "Your scores are cut off from the keys, so that keys cannot be learnt.",
        "Which of the two inputs passes through `.detach()` or `.data`?",
        change=(("k.mT", "k.detach().mT"),),
    ),
    mistake(
        "through-numpy",
        "Your scores pass through NumPy, which knows no gradients, no bfloat16 and no GPU.",
        "Everything you need is a tensor operation. Which step leaves PyTorch?",
        change=(
            (
                "return q @ k.mT / math.sqrt(k.shape[-1])",
                "scores = q.detach().numpy() @ k.detach().numpy().swapaxes(-1, -2)\n"
                "    return torch.from_numpy(scores / np.sqrt(k.shape[-1]).astype(scores.dtype))",
            ),
        ),
    ),
    mistake(
        "float32-always",
        "Your scores are float32 whatever goes in.",
        "Compare q.dtype with the dtype of your scores. Where does it change?",
        change=(("q @ k.mT", "q.float() @ k.float().mT"),),
    ),
    mistake(
        "queries-changed",
        "You scale the queries where they lie, so that the caller's tensor changes.",
        "What does `/=` do to the tensor of whoever called you?",
        change=(
            (
                "return q @ k.mT / math.sqrt(k.shape[-1])",
                "q /= math.sqrt(k.shape[-1])\n    return q @ k.mT",
            ),
        ),
    ),
    mistake(
        "scale-made-on-the-cpu",
        "Your scale is a tensor made on the CPU, so that your code fails on other devices.",
        "Does the scale have to be a tensor? Where does torch make one when nobody says?",
        change=(("math.sqrt(k.shape[-1])", "torch.sqrt(torch.Tensor([k.shape[-1]])).to(q.dtype)"),),
    ),
    mistake(
        "through-the-cpu",
        "Your scores pass through the CPU, or through a tensor that was made there.",
        "On which device is q? Does every step of yours stay there?",
        change=(
            (
                "q @ k.mT / math.sqrt(k.shape[-1])",
                "(q.cpu() @ k.cpu().mT).to(q.device) / math.sqrt(k.shape[-1])",
            ),
        ),
    ),
)
