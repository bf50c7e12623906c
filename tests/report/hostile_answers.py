"""What students hand in who would like the report's reader to run something."""

HOSTILE = "</code><script>alert(1)</script>"
HOSTILE_NAME = "<script>alert(2)</script>, Ben"
SWAPPED = f"def predict(x, slope, intercept):\n    return intercept * x + slope  # {HOSTILE}"
SUM = "def mean_squared_error(predicted, actual):\n    return np.sum((predicted - actual) ** 2)"
