"""Known mistakes in gradient."""

from functools import partial

from autograder.bank import Mistake

mistake = partial(Mistake, "gradient")


def changed(slug: str, diagnosis: str, hint: str, *change: tuple[str, str]) -> Mistake:
    """A change of the reference."""
    return Mistake("gradient", slug, diagnosis, hint, change=change)


SLOPE, INTERCEPT = "2 * np.mean(residuals * x)", ", 2 * np.mean(residuals)"

MISTAKES = (
    changed(
        "factor-two-forgotten",
        "Both parts are half of what they should be: the 2 is missing.",
        "What is the derivative of r²?",
        (SLOPE, "np.mean(residuals * x)"),
        (INTERCEPT, ", np.mean(residuals)"),
    ),
    changed(
        "sign-turned",
        "Both parts have the wrong sign: you take the prediction from the measurement.",
        "A line that is too high everywhere: should the intercept's part be above 0 or below?",
        ("predict(x, slope, intercept) - y", "y - predict(x, slope, intercept)"),
    ),
    changed(
        "parts-swapped",
        "You return the intercept's part first.",
        "In which order does the docstring promise the two?",
        (SLOPE + INTERCEPT, "2 * np.mean(residuals), 2 * np.mean(residuals * x)"),
    ),
    changed(
        "x-forgotten",
        "Your part for the slope does not use x: both parts are the same.",
        "Which point's prediction moves most when the slope changes a little?",
        ("residuals * x", "residuals"),
    ),
    changed(
        "sum-for-mean",
        "You add up over the points and do not divide by how many there are.",
        "The error is a mean. What does its derivative divide by?",
        (SLOPE, "2 * np.sum(residuals * x)"),
        (INTERCEPT, ", 2 * np.sum(residuals)"),
    ),
    changed(
        "residuals-squared",
        "You square the misses again: the derivative of a square is no square.",
        "What is the derivative of r²?",
        (SLOPE, "2 * np.mean(residuals**2 * x)"),
        (INTERCEPT, ", 2 * np.mean(residuals**2)"),
    ),
    changed(
        "product-of-means",
        "You multiply the mean miss by the mean x; each miss belongs to its own x.",
        "Misses 1 and -1 at x = 1 and x = 5: what is the mean of r · x, and what do you get?",
        ("np.mean(residuals * x)", "np.mean(residuals) * np.mean(x)"),
    ),
    changed(
        "gradient-of-absolute-error",
        "You count the sign of each miss and not its size.",
        "Should a line that is 5 too high be pulled harder than one that is 1 too high?",
        (SLOPE, "np.mean(np.sign(residuals) * x)"),
        (INTERCEPT, ", np.mean(np.sign(residuals))"),
    ),
    changed(
        "signs-lost",
        "You take the size of each miss, so that your gradient cannot tell too high from too low.",
        "A line that is too low everywhere: what sign should the intercept's part have?",
        ("predict(x, slope, intercept) - y", "np.abs(predict(x, slope, intercept) - y)"),
    ),
    changed(
        "intercept-left-out",
        "Your predictions leave the intercept out.",
        "Does your result change when the intercept does?",
        ("predict(x, slope, intercept)", "slope * x"),
    ),
    changed(
        "slope-and-intercept-swapped",
        "Your predictions swap the slope and the intercept.",
        "In which order does predict take its arguments?",
        ("predict(x, slope, intercept)", "predict(x, intercept, slope)"),
    ),
    changed(
        "measurements-left-out",
        "Your gradient does not depend on y: you use predictions where misses belong.",
        "What is r in the equation?",
        ("intercept) - y", "intercept)"),
    ),
    changed(
        "multiplied-by-the-intercept",
        "You multiply the intercept's part by the intercept.",
        "By how much does a prediction change when the intercept grows by 1?",
        (INTERCEPT, ", 2 * np.mean(residuals * intercept)"),
    ),
    changed(
        "x-squared",
        "Your part for the slope uses the square of x.",
        "By how much does the prediction at x = 5 change when the slope grows by 1?",
        ("residuals * x", "residuals * x**2"),
    ),
    changed(
        "two-for-the-slope-only",
        "The 2 stands before the slope's part and is missing before the intercept's.",
        "Both parts come from the same squares. What does that say about the 2?",
        (INTERCEPT, ", np.mean(residuals)"),
    ),
    changed(
        "n-minus-1",
        "You divide by one less than the number of points.",
        "How many points does your mean divide by, and how many are there?",
        (SLOPE, "2 * np.sum(residuals * x) / (len(x) - 1)"),
        (INTERCEPT, ", 2 * np.sum(residuals) / (len(x) - 1)"),
    ),
    changed(
        "mean-forgotten",
        "You return an entry for each point; two numbers for all of them were asked for.",
        "What are the shapes of your two results?",
        (SLOPE, "2 * residuals * x"),
        (INTERCEPT, ", 2 * residuals"),
    ),
    changed(
        "one-number-for-two",
        "You add the two parts together and return one number.",
        "Which of the two numbers of a line would you move by it?",
        (SLOPE + INTERCEPT, "2 * np.mean(residuals * x) + 2 * np.mean(residuals)"),
    ),
    changed(
        "array-for-tuple",
        "You return an array where a tuple of two numbers was promised.",
        "What does the docstring say of the form of the result?",
        (SLOPE + INTERCEPT, "np.array([2 * np.mean(residuals * x), 2 * np.mean(residuals)])"),
    ),
    changed(
        "dictionary-for-tuple",
        "You return a dictionary where a tuple of two numbers was promised.",
        "What does the docstring say of the form of the result?",
        (
            SLOPE + INTERCEPT,
            '{"slope": 2 * np.mean(residuals * x), "intercept": 2 * np.mean(residuals)}',
        ),
    ),
    *(
        changed(
            "rounded",
            "You round the gradient.",
            "Near the bottom the gradient is small. What is left of it when you round?",
            (SLOPE, f"round(2 * np.mean(residuals * x), {digits})"),
            (INTERCEPT, f", round(2 * np.mean(residuals), {digits})"),
        )
        for digits in (2, 1, 3)
    ),
    mistake(
        "input-changed",
        "You write the misses into the array y that you were given.",
        "What does `-=` do to the array of whoever called you?",
        code="""
        def gradient(x, y, slope, intercept):
            y -= slope * x + intercept
            return -2 * np.mean(y * x), -2 * np.mean(y)
        """,
    ),
    mistake(
        "size-of-the-example",
        "Your code works for as many points only as the candle has.",
        "Which number in your code counts the candle's points? Who knows it in general?",
        code="""
        def gradient(x, y, slope, intercept):
            for_slope, for_intercept = 0.0, 0.0
            for i in range(4):
                r = slope * x[i] + intercept - y[i]
                for_slope += 2 * r * x[i] / 4
                for_intercept += 2 * r / 4
            return for_slope, for_intercept
        """,
    ),
)
