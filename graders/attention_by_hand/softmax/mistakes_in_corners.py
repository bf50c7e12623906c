"""Known mistakes in softmax that ordinary scores do not show."""

from functools import partial

from autograder.bank import Mistake
from graders.families import corners

EXERCISE = "softmax"
mistake = partial(Mistake, EXERCISE)

SHARES = "exponentials / exponentials.sum(axis=axis, keepdims=True)"
SHIFTED = "shifted = x - x.max(axis=axis, keepdims=True)"

MISTAKES = (
    mistake(
        "input-changed-when-large",
        "Where scores are large, you subtract in place, so that the caller's array changes.",
        "Print x before and after a call with scores above 100. Which line of yours changes it?",
        code="""
        def softmax(x, axis=-1):
            if x.max() > 100:
                x -= x.max(axis=axis, keepdims=True)
            e = np.exp(x)
            return e / e.sum(axis=axis, keepdims=True)
        """,
    ),
    mistake(
        "float16-widened",
        "Scores in float16 come back in another dtype; the others keep theirs.",
        "Which dtypes does your code name? Which dtype should come out for any that goes in?",
        code="""
        def softmax(x, axis=-1):
            e = np.exp(x.astype(np.float64) - x.max(axis=axis, keepdims=True))
            out = e / e.sum(axis=axis, keepdims=True)
            return out.astype(np.float32) if x.dtype == np.float32 else out
        """,
    ),
    corners.small_weights_dropped(
        EXERCISE,
        shares="shares",
        change=(
            (
                f"return {SHARES}",
                f"shares = {SHARES}\n    return np.where(shares < 1e-5, 0, shares).astype(x.dtype)",
            ),
        ),
    ),
    corners.large_scores_cut_off(
        EXERCISE,
        diagnosis="You cut off scores that are large, so that all beyond get equal shares.",
        hint="Which of 1000 and 2000 gets the larger share? What are they after your clip?",
        change=((SHIFTED, "shifted = np.clip(x, -80, 80)"),),
    ),
    mistake(
        "negative-axis-is-the-last",
        "You take every negative axis for the last one.",
        "Which axis is axis=-2, counted from the end?",
        change=((SHIFTED, f"axis = x.ndim - 1 if axis < 0 else axis\n    {SHIFTED}"),),
    ),
    corners.axes_of_one_lost(
        EXERCISE, single="a table of one row", change=((SHARES, f"({SHARES}).squeeze()"),)
    ),
)
