"""Known mistakes in predict."""

from functools import partial

from autograder.bank import Mistake

mistake = partial(Mistake, "predict")

MISTAKES = (
    mistake(
        "slope-and-intercept-swapped",
        "You multiply x by the intercept and add the slope.",
        "At x = 0, which of the two numbers is the line's height?",
        code="""
        def predict(x, slope, intercept):
            return intercept * x + slope
        """,
    ),
    mistake(
        "intercept-forgotten",
        "Your line always goes through 0 at x = 0: the intercept is not used.",
        "Where in your code does the intercept stand?",
        code="""
        def predict(x, slope, intercept):
            return slope * x
        """,
    ),
    mistake(
        "intercept-subtracted",
        "You take the intercept off where it should be added.",
        "How high is your line at x = 0, and how high should it be?",
        code="""
        def predict(x, slope, intercept):
            return slope * x - intercept
        """,
    ),
    mistake(
        "slope-times-the-sum",
        "You add the intercept first and multiply the sum by the slope.",
        "In slope · x + intercept, what is worked out first?",
        code="""
        def predict(x, slope, intercept):
            return slope * (x + intercept)
        """,
    ),
    mistake(
        "slope-added",
        "You add the slope to x; it says how often x counts.",
        "When x grows by 1, by how much should the line rise? And yours?",
        code="""
        def predict(x, slope, intercept):
            return slope + x + intercept
        """,
    ),
    mistake(
        "x-not-used",
        "Your predictions are the same for every x.",
        "Where in your code does x stand, apart from its length?",
        code="""
        def predict(x, slope, intercept):
            return np.full_like(x, slope + intercept)
        """,
    ),
    mistake(
        "first-point-only",
        "You predict for the first point alone.",
        "How many numbers go in, and how many come back?",
        code="""
        def predict(x, slope, intercept):
            return slope * x[0] + intercept
        """,
    ),
    mistake(
        "first-point-only",
        "You predict for the first point alone.",
        "How many numbers go in, and how many come back?",
        code="""
        def predict(x, slope, intercept):
            for value in x:
                return slope * value + intercept
        """,
    ),
    mistake(
        "input-changed",
        "You write the predictions into the array x that you were given.",
        "What does `*=` do to the array of whoever called you?",
        code="""
        def predict(x, slope, intercept):
            x *= slope
            x += intercept
            return x
        """,
    ),
    mistake(
        "list-for-array",
        "You return a list where an array was promised.",
        "Look at type(predict(x, 1, 0)). What type came in?",
        code="""
        def predict(x, slope, intercept):
            return [slope * value + intercept for value in x]
        """,
    ),
    *(
        mistake(
            "rounded",
            "You round the predictions.",
            "Rounding is for printing. What is lost when your result is worked with?",
            code=f"""
            def predict(x, slope, intercept):
                return np.round(slope * x + intercept, {digits})
            """,
        )
        for digits in (2, 0, 1, 3)
    ),
    mistake(
        "decimals-cut-off",
        "Your predictions are whole numbers: what stands behind the point is cut off.",
        "What does int do to 2.9? Where might your code ask for whole numbers?",
        code="""
        def predict(x, slope, intercept):
            return (slope * x + intercept).astype(int)
        """,
    ),
    mistake(
        "decimals-cut-off",
        "Your predictions are whole numbers: what stands behind the point is cut off.",
        "What does int do to 2.9? Where might your code ask for whole numbers?",
        code="""
        def predict(x, slope, intercept):
            predicted = np.zeros(len(x), dtype=int)
            for i in range(len(x)):
                predicted[i] = slope * x[i] + intercept
            return predicted
        """,
    ),
    mistake(
        "float64-always",
        "Your predictions are float64 whatever goes in.",
        "Which dtype does np.zeros give when you do not say? Compare x.dtype.",
        code="""
        def predict(x, slope, intercept):
            predicted = np.zeros(len(x))
            for i in range(len(x)):
                predicted[i] = slope * x[i] + intercept
            return predicted
        """,
    ),
    mistake(
        "size-of-the-example",
        "Your code works for as many points only as the candle has.",
        "Which number in your code counts the candle's points? Who knows it in general?",
        code="""
        def predict(x, slope, intercept):
            predicted = np.zeros(4, dtype=x.dtype)
            for i in range(4):
                predicted[i] = slope * x[i] + intercept
            return predicted
        """,
    ),
    mistake(
        "printed-not-returned",
        "You print the predictions and return nothing.",
        "What does a function without `return` give back?",
        code="""
        def predict(x, slope, intercept):
            print(slope * x + intercept)
        """,
    ),
    mistake(
        "text-for-array",
        "You return a text that shows the predictions, where an array was promised.",
        "Can your result be subtracted from an array?",
        code="""
        def predict(x, slope, intercept):
            return f"{slope * x + intercept}"
        """,
    ),
)
