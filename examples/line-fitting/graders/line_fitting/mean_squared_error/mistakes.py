"""Known mistakes in mean_squared_error."""

from functools import partial

from autograder.bank import Mistake

mistake = partial(Mistake, "mean_squared_error")

MISTAKES = (
    mistake(
        "sum-for-mean",
        "You add the squares up and do not divide by how many there are.",
        "Twice as many points with the same misses: should the error double?",
        code="""
        def mean_squared_error(predicted, actual):
            return np.sum((predicted - actual) ** 2)
        """,
    ),
    mistake(
        "absolute-error",
        "You average the sizes of the misses; here each miss is squared.",
        "By how much should the error grow when one miss gets twice as large?",
        code="""
        def mean_squared_error(predicted, actual):
            return np.mean(np.abs(predicted - actual))
        """,
    ),
    mistake(
        "root-taken",
        "You take the root of the mean squared error.",
        "Is there a root in the equation?",
        code="""
        def mean_squared_error(predicted, actual):
            return np.sqrt(np.mean((predicted - actual) ** 2))
        """,
    ),
    mistake(
        "squared-after-the-mean",
        "You square the mean of the misses, so that those above and below take each other away.",
        "Misses of 3 and -3: what is their mean, and what the mean of their squares?",
        code="""
        def mean_squared_error(predicted, actual):
            return np.mean(predicted - actual) ** 2
        """,
    ),
    mistake(
        "not-squared",
        "You average the misses without squaring them, so that the error can be below 0.",
        "Misses of 3 and -3: is that a perfect line?",
        code="""
        def mean_squared_error(predicted, actual):
            return np.mean(predicted - actual)
        """,
    ),
    mistake(
        "n-minus-1",
        "You divide by one less than the number of points.",
        "Four misses of 1: what is the mean of their squares? What do you get?",
        code="""
        def mean_squared_error(predicted, actual):
            return np.sum((predicted - actual) ** 2) / (len(actual) - 1)
        """,
    ),
    mistake(
        "halved",
        "You halve the error, as some books do to lose the 2 of its derivative.",
        "Is there a half in this text's equation?",
        code="""
        def mean_squared_error(predicted, actual):
            return np.sum((predicted - actual) ** 2) / (2 * len(actual))
        """,
    ),
    mistake(
        "median-for-mean",
        "You take the median of the squares, which large misses do not move.",
        "Which of np.median and np.mean adds all the numbers up?",
        code="""
        def mean_squared_error(predicted, actual):
            return np.median((predicted - actual) ** 2)
        """,
    ),
    mistake(
        "largest-for-mean",
        "You take the largest square, where the mean of all was asked for.",
        "Do the other points count in your error?",
        code="""
        def mean_squared_error(predicted, actual):
            return np.max((predicted - actual) ** 2)
        """,
    ),
    mistake(
        "spread-of-the-misses",
        "You measure how much the misses differ from each other: the same miss everywhere gives 0.",
        "A line that is 3 too high at every point: what is its error? What does np.var say?",
        code="""
        def mean_squared_error(predicted, actual):
            return np.var(predicted - actual)
        """,
    ),
    mistake(
        "difference-of-squares",
        "You square first and subtract then; it is the difference that is squared.",
        "Predicted -2, measured 2: how large is the miss, and what do you get?",
        code="""
        def mean_squared_error(predicted, actual):
            return np.mean(predicted**2 - actual**2)
        """,
    ),
    mistake(
        "added-for-subtracted",
        "You add what was predicted and what was measured; a miss is their difference.",
        "Predicted 5, measured 5: what is your error?",
        code="""
        def mean_squared_error(predicted, actual):
            return np.mean((predicted + actual) ** 2)
        """,
    ),
    mistake(
        "mean-forgotten",
        "You return one squared miss for each point; one number for all was asked for.",
        "How would you say which of two lines is better, with your result?",
        code="""
        def mean_squared_error(predicted, actual):
            return (predicted - actual) ** 2
        """,
    ),
    mistake(
        "stops-at-the-first-point",
        "Your loop ends at the first point.",
        "How far does `return` stand to the right? When does it run?",
        code="""
        def mean_squared_error(predicted, actual):
            total = 0.0
            for p, a in zip(predicted, actual):
                total += (p - a) ** 2
                return total / len(actual)
        """,
    ),
    mistake(
        "size-of-the-example",
        "You divide by the number of points that the candle has.",
        "Which number in your code counts the candle's points? Who knows it in general?",
        code="""
        def mean_squared_error(predicted, actual):
            return np.sum((predicted - actual) ** 2) / 4
        """,
    ),
    mistake(
        "input-changed",
        "You write the misses into the array of predictions that you were given.",
        "What does `-=` do to the array of whoever called you?",
        code="""
        def mean_squared_error(predicted, actual):
            predicted -= actual
            return np.mean(predicted**2)
        """,
    ),
    *(
        mistake(
            "rounded",
            "You round the error.",
            "Rounding is for printing. Can two lines still be told apart that are nearly as good?",
            code=f"""
            def mean_squared_error(predicted, actual):
                return round(np.mean((predicted - actual) ** 2), {digits})
            """,
        )
        for digits in (2, 1, 3, 4)
    ),
    mistake(
        "whole-number",
        "Your error is a whole number: what stands behind the point is cut off.",
        "What do `//` and `int` do to 0.5?",
        code="""
        def mean_squared_error(predicted, actual):
            return np.sum((predicted - actual) ** 2) // len(actual)
        """,
    ),
)
