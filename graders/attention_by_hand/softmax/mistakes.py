"""Known mistakes in softmax."""

from functools import partial

from autograder.bank import Family, Mistake
from graders.attention_by_hand.softmax import mistakes_in_corners
from graders.attention_by_hand.softmax.mistakes_in_corners import SHARES, SHIFTED
from graders.families import softmaxes

EXERCISE = "softmax"
mistake = partial(Mistake, EXERCISE)

left_to_pytorch = Family(
    "left-to-pytorch",
    "You leave softmax to PyTorch; this one is to be written in NumPy.",
    "Which three steps does the equation name? Each of them is a function of NumPy's.",
)

SUM_AT_THE_END = ((SHARES, "exponentials / exponentials.sum(axis=axis)[..., np.newaxis]"),)
MAXIMUM_AT_THE_END = ((SHIFTED, "shifted = x - x.max(axis=axis)[..., np.newaxis]"),)

MISTAKES = (
    softmaxes.no_maximum_subtracted(
        EXERCISE,
        code="""
        def softmax(x, axis=-1):
            e = np.exp(x)
            return e / np.sum(e, axis=axis, keepdims=True)
        """,
    ),
    mistake(
        "shares-of-everything",
        "Your shares sum to one over the whole array, not over each row.",
        "What does `.sum()` without an axis add up?",
        code="""
        def softmax(x, axis=-1):
            e = np.exp(x - np.max(x))
            return e / np.sum(e)
        """,
    ),
    mistake(
        "axis-ignored",
        "Your softmax always works along the last axis, whatever `axis` says.",
        "Where in your code is `axis` used? Try axis=0 on a table and add up the columns.",
        code="""
        def softmax(x, axis=-1):
            e = np.exp(x - x.max(axis=-1, keepdims=True))
            return e / e.sum(axis=-1, keepdims=True)
        """,
    ),
    mistake(
        "first-axis-always",
        "Your softmax always works along the first axis, so that columns sum to one.",
        "Along which axis do the numbers of one row lie?",
        code="""
        def softmax(x, axis=-1):
            e = np.exp(x - x.max(axis=0))
            return e / e.sum(axis=0)
        """,
    ),
    softmaxes.sum_loses_its_axis(
        EXERCISE,
        change=((SHARES, "exponentials / exponentials.sum(axis=axis)"),),
    ),
    *(
        mistake(
            "axis-put-back-at-the-end",
            "Your maximum or your sum loses its axis, and you put an axis back at the end in any "
            "case.",
            "For axis=0 on a table, at which place does the sum need its axis of length 1?",
            change=change,
        )
        for change in (SUM_AT_THE_END, MAXIMUM_AT_THE_END, SUM_AT_THE_END + MAXIMUM_AT_THE_END)
    ),
    mistake(
        "maximum-loses-its-axis",
        "Your maximum loses the axis it was taken over, so that you subtract along the wrong axis.",
        "Print the shapes of both sides of your subtraction. Which option of max keeps an axis?",
        change=((SHIFTED, "shifted = x - x.max(axis=axis)"),),
    ),
    softmaxes.one_maximum_for_all_rows(
        EXERCISE,
        code="""
        def softmax(x, axis=-1):
            e = np.exp(x - np.max(x))
            return e / np.sum(e, axis=axis, keepdims=True)
        """,
    ),
    mistake(
        "maximum-along-another-axis",
        "You take the maximum along the last axis and the sum along `axis`: they must be the same.",
        "Try axis=0: are all the scores that share out a total lowered by the same number?",
        code="""
        def softmax(x, axis=-1):
            e = np.exp(x - np.max(x, axis=-1, keepdims=True))
            return e / np.sum(e, axis=axis, keepdims=True)
        """,
    ),
    mistake(
        "maximum-in-one-place-only",
        "You subtract the maximum below the fraction line and not above it, so the shares are off.",
        "Subtracting is free only if it happens to every exp in the formula. Count them.",
        code="""
        def softmax(x, axis=-1):
            shifted = x - x.max(axis=axis, keepdims=True)
            return np.exp(x) / np.exp(shifted).sum(axis=axis, keepdims=True)
        """,
    ),
    mistake(
        "minimum-subtracted",
        "You subtract the smallest score, so that the largest ones still overflow.",
        "Which exponents can overflow: the large ones or the small ones?",
        code="""
        def softmax(x, axis=-1):
            e = np.exp(x - x.min(axis=axis, keepdims=True))
            return e / e.sum(axis=axis, keepdims=True)
        """,
    ),
    mistake(
        "divided-by-the-maximum",
        "You divide the scores by their maximum in place of subtracting it, which changes shares.",
        "Which change of all scores leaves every share as it is: one factor, or one amount?",
        change=((SHIFTED, "shifted = x / x.max(axis=axis, keepdims=True)"),),
    ),
    mistake(
        "mean-subtracted",
        "You subtract the mean, which does not stop a score far above it from overflowing.",
        "What is the largest exponent that is left after your subtraction?",
        code="""
        def softmax(x, axis=-1):
            e = np.exp(x - x.mean(axis=axis, keepdims=True))
            return e / e.sum(axis=axis, keepdims=True)
        """,
    ),
    mistake(
        "not-normalised",
        "You return the exponentials, which are not divided by their sum.",
        "What should the shares of a row add up to?",
        code="""
        def softmax(x, axis=-1):
            return np.exp(x - x.max(axis=axis, keepdims=True))
        """,
    ),
    mistake(
        "exponentials-of-unshifted-scores",
        "You return exp of the scores, neither shifted nor divided by their sum.",
        "What should the shares of a row add up to, and what is np.exp(1000)?",
        code="""
        def softmax(x, axis=-1):
            return np.exp(x)
        """,
    ),
    softmaxes.no_exponential(
        EXERCISE,
        share="share",
        shares="shares",
        code="""
        def softmax(x, axis=-1):
            return x / x.sum(axis=axis, keepdims=True)
        """,
    ),
    mistake(
        "log-softmax",
        "You return the logarithm of the shares.",
        "Shares lie between 0 and 1. Where do yours lie, and what brings them back?",
        code="""
        def softmax(x, axis=-1):
            shifted = x - x.max(axis=axis, keepdims=True)
            return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
        """,
    ),
    softmaxes.sign_turned(
        EXERCISE,
        share="share",
        code="""
        def softmax(x, axis=-1):
            e = np.exp(x.min(axis=axis, keepdims=True) - x)
            return e / e.sum(axis=axis, keepdims=True)
        """,
    ),
    softmaxes.applied_twice(
        EXERCISE,
        shares="shares",
        code="""
        def softmax(x, axis=-1):
            for _ in range(2):
                e = np.exp(x - x.max(axis=axis, keepdims=True))
                x = e / e.sum(axis=axis, keepdims=True)
            return x
        """,
    ),
    mistake(
        "input-changed",
        "Your softmax writes its results into the array that it was given.",
        "What does `-=` do to the array of whoever called you?",
        change=((SHIFTED, "shifted = x\n    shifted -= x.max(axis=axis, keepdims=True)"),),
    ),
    mistake(
        "float64-always",
        "Your softmax gives float64 whatever goes in.",
        "Where does your code ask for a dtype? Compare x.dtype with the dtype of your result.",
        change=(
            ("exponentials = np.exp(shifted)", "exponentials = np.exp(shifted.astype(np.float64))"),
        ),
    ),
    mistake(
        "rounded",
        "You round the shares, so that they no longer sum to one.",
        "Rounding is for printing. What do your rounded shares add up to?",
        code="""
        def softmax(x, axis=-1):
            e = np.exp(x - x.max(axis=axis, keepdims=True))
            return np.round(e / e.sum(axis=axis, keepdims=True), 4)
        """,
    ),
    mistake(
        "winner-takes-all",
        "You give everything to the largest score; softmax leaves the others a share.",
        "The 'soft' in softmax: what is the share of 1 in [1, 1.1]?",
        code="""
        def softmax(x, axis=-1):
            top = (x == x.max(axis=axis, keepdims=True)).astype(x.dtype)
            return top / top.sum(axis=axis, keepdims=True)
        """,
    ),
    mistake(
        "base-two",
        "You raise 2 to the scores; softmax raises e.",
        "Compare np.exp and np.exp2 at 1.",
        code="""
        def softmax(x, axis=-1):
            e = np.exp2(x - x.max(axis=axis, keepdims=True))
            return e / e.sum(axis=axis, keepdims=True)
        """,
    ),
    mistake(
        "divided-by-the-length",
        "You divide the exponentials by their length as a vector, not by their sum.",
        "Your squares sum to one. What should sum to one?",
        code="""
        def softmax(x, axis=-1):
            e = np.exp(x - x.max(axis=axis, keepdims=True))
            return e / np.linalg.norm(e, axis=axis, keepdims=True)
        """,
    ),
    left_to_pytorch(
        EXERCISE,
        code="""
        def softmax(x, axis=-1):
            return torch.softmax(torch.from_numpy(x), dim=axis).numpy()
        """,
    ),
    left_to_pytorch(
        EXERCISE,
        code="""
        def softmax(x, axis=-1):
            scores = torch.tensor(x)
            e = torch.exp(scores - scores.amax(dim=axis, keepdim=True))
            return np.asarray(e / e.sum(dim=axis, keepdim=True))
        """,
    ),
    mistake(
        "tensor-for-array",
        "You return a PyTorch tensor where a NumPy array was promised.",
        "Look at type(softmax(x)). What type came in?",
        code="""
        def softmax(x, axis=-1):
            return torch.softmax(torch.from_numpy(x.copy()), dim=axis)
        """,
    ),
    mistake(
        "nothing-returned",
        "You compute the shares and return nothing.",
        "Where do your shares go when the function ends?",
        code="""
        def softmax(x, axis=-1):
            x - x.max()
        """,
    ),
    *mistakes_in_corners.MISTAKES,
)
