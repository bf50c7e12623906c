"""Reference solutions of 01-line-fitting: to the best line, step by step and at once."""

import numpy as np


def predict(x: np.ndarray, slope: float, intercept: float) -> np.ndarray:
    """Give the line's height at every x: slope · x + intercept.

    Args:
        x: one number for each point, any floating dtype; it is not changed.
        slope: how much the line rises from one x to the next whole one.
        intercept: the line's height at x = 0.
    Returns:
        predictions, one for each point; same shape and dtype as x.
    """
    ### BEGIN SOLUTION
    return slope * x + intercept
    ### END SOLUTION


def mean_squared_error(predicted: np.ndarray, actual: np.ndarray) -> float:
    """Say how wrong predictions are, in one number: (1/n) Σ_i (predicted_i - actual_i)².

    Args:
        predicted: one number for each point; it is not changed.
        actual: what was measured there, as many numbers; it is not changed.
    Returns:
        the mean of the squared differences; 0 where all predictions are right.
    """
    ### BEGIN SOLUTION
    return np.mean((predicted - actual) ** 2)
    ### END SOLUTION


def gradient(x: np.ndarray, y: np.ndarray, slope: float, intercept: float) -> tuple[float, float]:
    """Say how the mean squared error changes with the slope and with the intercept.

    With r_i = predicted_i - y_i, the two derivatives are (2/n) Σ_i r_i x_i and (2/n) Σ_i r_i. You
    may use your predict.

    Args:
        x: one number for each point; it is not changed.
        y: what was measured there, as many numbers; it is not changed.
        slope: of the line.
        intercept: of the line.
    Returns:
        two numbers in a tuple: the derivative for the slope, and that for the intercept.
    """
    ### BEGIN SOLUTION
    residuals = predict(x, slope, intercept) - y
    return 2 * np.mean(residuals * x), 2 * np.mean(residuals)
    ### END SOLUTION


def fit(x: np.ndarray, y: np.ndarray, rate: float, steps: int) -> tuple[float, float, np.ndarray]:
    """Fit a line by gradient descent: `steps` times, take `rate` times the gradient off it.

    The line starts with slope 0 and intercept 0. A step moves both at once: its gradient is that of
    the line before the step. You may use your functions from above.

    Args:
        x: one number for each point; it is not changed.
        y: what was measured there, as many numbers; it is not changed.
        rate: how far to go for each unit of the gradient.
        steps: how many steps to take; 0 leaves the line as it starts.
    Returns:
        slope: of the line after the last step.
        intercept: of the same line.
        errors: an array of steps + 1 numbers: the mean squared error of the line at the start, and
            after each step.
    """
    ### BEGIN SOLUTION
    slope, intercept = 0.0, 0.0
    errors = [mean_squared_error(predict(x, slope, intercept), y)]
    for _ in range(steps):
        for_slope, for_intercept = gradient(x, y, slope, intercept)
        slope, intercept = slope - rate * for_slope, intercept - rate * for_intercept
        errors.append(mean_squared_error(predict(x, slope, intercept), y))
    return slope, intercept, np.array(errors)
    ### END SOLUTION


def normal_equation(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Find the line of least squares at once: the one where both derivatives are 0.

    slope · mean(x²) + intercept · mean(x) = mean(x y), and
    slope · mean(x) + intercept = mean(y).

    Args:
        x: one number for each point, at least two of them different; it is not changed.
        y: what was measured there, as many numbers; it is not changed.
    Returns:
        two numbers in a tuple: the slope and the intercept.
    Raises:
        ValueError: all x are equal, so that no line is the best one.
    """
    ### BEGIN SOLUTION
    if np.ptp(x) == 0:
        raise ValueError("All x are equal: a line needs two different ones.")
    from_middle = x - np.mean(x)
    slope = np.mean(from_middle * y) / np.mean(from_middle**2)
    return slope, np.mean(y) - slope * np.mean(x)
    ### END SOLUTION
