"""Known mistakes in normal_equation."""

from functools import partial

from autograder.bank import Mistake

mistake = partial(Mistake, "normal_equation")


def changed(slug: str, diagnosis: str, hint: str, *change: tuple[str, str]) -> Mistake:
    """A change of the reference."""
    return Mistake("normal_equation", slug, diagnosis, hint, change=change)


SLOPE = "np.mean(from_middle * y) / np.mean(from_middle**2)"
BACK = "return slope, np.mean(y) - slope * np.mean(x)"
GUARD = """\
    if np.ptp(x) == 0:
        raise ValueError("All x are equal: a line needs two different ones.")
"""

MISTAKES = (
    changed(
        "through-the-origin",
        "Your line always goes through 0 at x = 0: there is no intercept in it.",
        "Two equations for two numbers: which two? A table without a column of ones has only one.",
        (SLOPE, "np.mean(x * y) / np.mean(x**2)"),
        (BACK, "return slope, 0.0"),
    ),
    changed(
        "slope-of-the-line-through-zero",
        "Your slope is that of a line through 0 at x = 0, and your intercept belongs to another.",
        "From where are x and y measured in the slope, and from where should they be?",
        (SLOPE, "np.mean(x * y) / np.mean(x**2)"),
    ),
    changed(
        "slope-and-intercept-swapped",
        "You return the intercept first.",
        "In which order does the docstring promise the two?",
        (BACK, "return np.mean(y) - slope * np.mean(x), slope"),
    ),
    mistake(
        "x-and-y-exchanged",
        "You fit x by y: which of the two is predicted is the wrong way round.",
        "Whose misses should be small: those in y, or those in x?",
        code="""
        def normal_equation(x, y):
            if np.ptp(x) == 0:
                raise ValueError("all x are equal")
            from_middle = y - np.mean(y)
            slope = np.mean(from_middle * x) / np.mean(from_middle**2)
            return slope, np.mean(x) - slope * np.mean(y)
        """,
    ),
    changed(
        "n-and-n-minus-1-mixed",
        "You divide by n in one place and by n - 1 in the other.",
        "np.cov and np.var: by what does each divide when you do not say?",
        (SLOPE, "np.cov(x, y)[0, 1] / np.var(x)"),
    ),
    changed(
        "end-points-only",
        "Your line goes through the first and the last point and does not see the others.",
        "Move a point in the middle: does your line move?",
        (SLOPE, "(y[-1] - y[0]) / (x[-1] - x[0])"),
        (BACK, "return slope, y[0] - slope * x[0]"),
    ),
    changed(
        "correlation-for-slope",
        "You take the correlation for the slope; it always lies between -1 and 1.",
        "Double every y. What should become of the slope, and what of the correlation?",
        (SLOPE, "np.corrcoef(x, y)[0, 1]"),
    ),
    changed(
        "divided-by-the-spread",
        "You divide by the standard deviation of x; the variance belongs there.",
        "Measure x in minutes and not in hours. What should become of the slope?",
        ("np.mean(from_middle**2)", "np.std(x)"),
    ),
    changed(
        "middle-in-one-place-only",
        "You measure x from its middle above the line and from 0 below it.",
        "Which x stands in each of your two means?",
        ("np.mean(from_middle**2)", "np.mean(x**2)"),
    ),
    changed(
        "slope-turned-over",
        "Your slope is upside down: what stands above the line belongs below it.",
        "Double every y. What should become of the slope?",
        (SLOPE, "np.mean(from_middle**2) / np.mean(from_middle * y)"),
    ),
    changed(
        "mean-of-y-for-intercept",
        "Your intercept is the mean of y; that is the line's height at the mean of x.",
        "At which x does the best line pass at the mean of y? Where is the intercept?",
        (BACK, "return slope, np.mean(y)"),
    ),
    changed(
        "intercept-with-the-wrong-sign",
        "You add slope times the mean of x where it should be taken off.",
        "What is the height of your line at the mean of x?",
        (BACK, "return slope, np.mean(y) + slope * np.mean(x)"),
    ),
    changed(
        "mean-of-ratios",
        "You average y / x, which is the slope from 0 to each point.",
        "What does one point with x close to 0 do to your slope?",
        (SLOPE, "np.mean(y / x)"),
    ),
    mistake(
        "median-of-slopes",
        "You take the median of the slopes between points; least squares was asked for.",
        "What do the two equations of the text add up?",
        code="""
        def normal_equation(x, y):
            if np.ptp(x) == 0:
                raise ValueError("all x are equal")
            slopes = [
                (y[j] - y[i]) / (x[j] - x[i]) for i in range(len(x)) for j in range(i + 1, len(x))
            ]
            slope = np.median(slopes)
            return slope, np.mean(y) - slope * np.mean(x)
        """,
    ),
    mistake(
        "walked-not-solved",
        "You walk there by gradient descent and stop close by; here the equations are solved.",
        "How many steps would be enough for every x?",
        code="""
        def normal_equation(x, y):
            if np.ptp(x) == 0:
                raise ValueError("all x are equal")
            slope, intercept, _ = fit(x, y, 0.01, 100)
            return slope, intercept
        """,
    ),
    *(
        changed(
            "rounded",
            "You round the slope and the intercept.",
            "Rounding is for printing. What does a rounded slope do to a prediction at x = 1000?",
            (BACK, f"return round(slope, {n}), round(np.mean(y) - slope * np.mean(x), {n})"),
        )
        for n in (2, 1, 3)
    ),
    changed(
        "equal-x-accepted",
        "Points that all have the same x are accepted in silence.",
        "What does your code divide by when all x are equal? Who should hear of it?",
        (GUARD, ""),
    ),
    mistake(
        "equal-x-accepted",
        "Points that all have the same x are accepted in silence.",
        "What does your code divide by when all x are equal? Who should hear of it?",
        code="""
        def normal_equation(x, y):
            table = np.column_stack([x, np.ones_like(x)])
            slope, intercept = np.linalg.lstsq(table, y, rcond=None)[0]
            return slope, intercept
        """,
    ),
    mistake(
        "equal-x-return-nothing",
        "Where all x are equal you print a message and return nothing; an error was asked for.",
        "Will whoever called your function notice?",
        code="""
        def normal_equation(x, y):
            if np.ptp(x) == 0:
                print("All x are equal")
                return None
            slope, intercept = np.polyfit(x, y, 1)
            return slope, intercept
        """,
    ),
    mistake(
        "array-for-tuple",
        "You return an array where a tuple of two numbers was promised.",
        "What does the docstring say of the form of the result?",
        code="""
        def normal_equation(x, y):
            if np.ptp(x) == 0:
                raise ValueError("all x are equal")
            return np.polyfit(x, y, 1)
        """,
    ),
    mistake(
        "input-changed",
        "You move x to its middle in the array that you were given.",
        "What does `-=` do to the array of whoever called you?",
        code="""
        def normal_equation(x, y):
            if np.ptp(x) == 0:
                raise ValueError("all x are equal")
            middle = x.mean()
            x -= middle
            slope = (x * y).sum() / (x * x).sum()
            return slope, y.mean() - slope * middle
        """,
    ),
)
