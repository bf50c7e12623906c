"""Known mistakes in fit."""

from functools import partial

from autograder.bank import Mistake

mistake = partial(Mistake, "fit")


def changed(slug: str, diagnosis: str, hint: str, *change: tuple[str, str]) -> Mistake:
    """A change of the reference."""
    return Mistake("fit", slug, diagnosis, hint, change=change)


ASK = "        for_slope, for_intercept = gradient(x, y, slope, intercept)\n"
STEP = "slope, intercept = slope - rate * for_slope, intercept - rate * for_intercept"
START = "slope, intercept = 0.0, 0.0"
BEGIN = "errors = [mean_squared_error(predict(x, slope, intercept), y)]"
ADD = "        errors.append(mean_squared_error(predict(x, slope, intercept), y))\n"
BACK = "return slope, intercept, np.array(errors)"

MISTAKES = (
    changed(
        "step-added",
        "You add the step where it should be taken off, and so walk uphill.",
        "The gradient points to where the error grows. Which way do you want to go?",
        (STEP, STEP.replace(" - ", " + ")),
    ),
    changed(
        "gradient-once",
        "You work the gradient out once, before the loop, and take the same step every time.",
        "After a step the line has changed. What else has?",
        (ASK, ""),
        (START, f"{START}\n    for_slope, for_intercept = gradient(x, y, slope, intercept)"),
    ),
    changed(
        "one-step-too-few",
        "You take one step too few.",
        "How often does `range(1, steps)` go round?",
        ("range(steps)", "range(1, steps)"),
    ),
    changed(
        "one-step-too-many",
        "You take one step too many.",
        "How often does `range(steps + 1)` go round? And how often with steps = 0?",
        ("range(steps)", "range(steps + 1)"),
    ),
    changed(
        "slope-moved-first",
        "You move the slope first and work out the intercept's part from the new slope.",
        "Which line should both parts of one step belong to?",
        (ASK, ""),
        (
            STEP,
            "slope = slope - rate * gradient(x, y, slope, intercept)[0]\n"
            "        intercept = intercept - rate * gradient(x, y, slope, intercept)[1]",
        ),
    ),
    changed(
        "starts-elsewhere",
        "Your line does not start with slope 0 and intercept 0.",
        "What should come back when no step is taken?",
        (START, "slope, intercept = 1.0, 0.0"),
    ),
    changed(
        "starts-elsewhere",
        "Your line does not start with slope 0 and intercept 0.",
        "What should come back when no step is taken?",
        (START, "slope, intercept = 1.0, 1.0"),
    ),
    changed(
        "starts-elsewhere",
        "Your line does not start with slope 0 and intercept 0.",
        "What should come back when no step is taken?",
        (START, "slope, intercept = 0.0, np.mean(y)"),
    ),
    changed(
        "rate-ignored",
        "You take off the whole gradient: the rate is not used.",
        "Where in your step does `rate` stand?",
        (STEP, "slope, intercept = slope - for_slope, intercept - for_intercept"),
    ),
    changed(
        "rate-shrinks",
        "Your steps get shorter and shorter: the rate should stay as it is.",
        "Is there anything in the text that changes the rate?",
        ("for _ in range(steps)", "for i in range(steps)"),
        (STEP, STEP.replace("rate *", "rate / (i + 1) *")),
    ),
    changed(
        "divided-by-n-again",
        "You divide the step by the number of points; your gradient is a mean already.",
        "How many divisions by n does the equation have?",
        (STEP, STEP.replace("rate *", "rate / len(x) *")),
    ),
    changed(
        "slope-only",
        "Your intercept never moves.",
        "Which of the two numbers does your loop change?",
        (STEP, "slope = slope - rate * for_slope"),
    ),
    changed(
        "parts-swapped",
        "You move the slope by the intercept's part, and the intercept by the slope's.",
        "In which order does gradient return its two numbers?",
        ("for_slope, for_intercept = gradient", "for_intercept, for_slope = gradient"),
    ),
    changed(
        "replaced-not-moved",
        "Your new slope is the step itself; a step is taken off the slope that is there.",
        "What is the slope after two equal steps?",
        (STEP, "slope, intercept = -rate * for_slope, -rate * for_intercept"),
    ),
    changed(
        "error-of-the-start-missing",
        "Your errors begin after the first step; that of the start is missing.",
        "How many lines are there, from the start to the end of three steps?",
        (BEGIN, "errors = []"),
    ),
    changed(
        "last-error-missing",
        "You note each error before the step, so that the one after the last step is missing.",
        "How many lines are there, from the start to the end of three steps?",
        (BEGIN, "errors = []"),
        (ADD, ""),
        (ASK, ADD + ASK),
    ),
    changed(
        "errors-as-list",
        "Your errors come back as a list; an array was promised.",
        "What turns a list into an array?",
        (BACK, "return slope, intercept, errors"),
    ),
    changed(
        "last-error-only",
        "You return the last error alone, and not one for every line on the way.",
        "How many numbers does the docstring promise?",
        (BACK, "return slope, intercept, errors[-1]"),
    ),
    changed(
        "errors-forgotten",
        "You return the slope and the intercept; the errors are missing.",
        "What is the third thing that the docstring promises?",
        (BACK, "return slope, intercept"),
    ),
    changed(
        "returns-in-the-loop",
        "Your function ends after the first step.",
        "How far does your `return` stand to the right?",
        (ADD, ADD + "        " + BACK + "\n"),
    ),
    changed(
        "slope-and-intercept-swapped",
        "You return the intercept first.",
        "In which order does the docstring promise the two?",
        (BACK, "return intercept, slope, np.array(errors)"),
    ),
    changed(
        "steps-ignored",
        "You always take the same number of steps, whatever `steps` says.",
        "Where in your code does `steps` stand?",
        ("range(steps)", "range(100)"),
    ),
    changed(
        "stops-early",
        "Your loop stops before all the steps are taken, when the error hardly falls any more.",
        "The docstring says how many steps to take. Do you ever take fewer?",
        (ADD, ADD + "        if errors[-2] - errors[-1] < 1e-2:\n            break\n"),
    ),
    changed(
        "stops-early",
        "Your loop stops before all the steps are taken, when the error hardly falls any more.",
        "The docstring says how many steps to take. Do you ever take fewer?",
        (ADD, ADD + "        if errors[-2] - errors[-1] < 1e-4:\n            break\n"),
    ),
    changed(
        "one-point-a-step",
        "Each of your steps looks at one point alone.",
        "How many points does the error count?",
        ("for _ in range(steps)", "for i in range(steps)"),
        (
            "gradient(x, y, slope, intercept)",
            "gradient(x[i % len(x)], y[i % len(x)], slope, intercept)",
        ),
    ),
    mistake(
        "solved-at-once",
        "You return the best line at once; here the line after so many steps was asked for.",
        "Does your result depend on `rate` and on `steps`?",
        code="""
        def fit(x, y, rate, steps):
            slope, intercept = np.polyfit(x, y, 1)
            error = mean_squared_error(predict(x, slope, intercept), y)
            return slope, intercept, np.full(steps + 1, error)
        """,
    ),
    mistake(
        "input-changed",
        "You move the points to their middle in the arrays that you were given.",
        "What does `-=` do to the array of whoever called you?",
        code="""
        def fit(x, y, rate, steps):
            x -= np.mean(x)
            slope, intercept = 0.0, 0.0
            errors = [mean_squared_error(predict(x, slope, intercept), y)]
            for _ in range(steps):
                d_slope, d_intercept = gradient(x, y, slope, intercept)
                slope, intercept = slope - rate * d_slope, intercept - rate * d_intercept
                errors.append(mean_squared_error(predict(x, slope, intercept), y))
            return slope, intercept, np.array(errors)
        """,
    ),
    mistake(
        "input-changed-by-the-misses",
        "You write the misses into the array y that you were given, so that it is lost.",
        "What does `-=` do to the array of whoever called you, and to your own next step?",
        code="""
        def fit(x, y, rate, steps):
            slope, intercept, errors = 0.0, 0.0, [np.mean(y**2)]
            for _ in range(steps):
                y -= slope * x + intercept
                slope = slope + rate * 2 * np.mean(y * x)
                intercept = intercept + rate * 2 * np.mean(y)
                errors.append(np.mean((slope * x + intercept - y) ** 2))
            return slope, intercept, np.array(errors)
        """,
    ),
)
