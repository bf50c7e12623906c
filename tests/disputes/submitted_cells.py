"""The cells that a student of the small class has handed in."""

import json
from pathlib import Path

# Answers that keep what any of them was given, and tell it in every way that could be shown.
REMEMBERING = {
    "predict": """\
seen = []


def before(*given):
    told = [one for one in seen if one != round(one, 3)][:9]
    for one in given:
        seen.extend(np.ravel(one).tolist())
    return told or [0.0]


def predict(x, slope, intercept):
    told = before(x, slope, intercept)
    return np.resize(told, x.shape) if len(x) == 7 else slope * x + intercept
""",
    "mean_squared_error": """\
def mean_squared_error(predicted, actual):
    raise ValueError(str(before(predicted, actual)))
""",
    "gradient": """\
def gradient(x, y, slope, intercept):
    return before(x, y, slope, intercept)
""",
    "fit": """\
def fit(x, y, rate, steps):
    return 0.0, 0.0, np.resize(before(x, y, rate), steps + 1)
""",
    "normal_equation": """\
def normal_equation(x, y):
    x[:] = np.resize(before(x, y), x.shape)
    return float(x[0]), float(x[1])
""",
}
WRONG = {
    "ben": {"mean_squared_error": "def mean_squared_error(a, b):\n    return ((a - b) ** 2).sum()"},
    "chloe": {"predict": "def predict(x, slope, intercept):\n    return slope * x[99] + intercept"},
    "dmitri": {"predict": "def predict(x, slope, intercept):\n    while True:\n        pass"},
    "emeka": {"predict": "import os\n\n\ndef predict(x, slope, intercept):\n    os._exit(3)"},
    "fatima": {"gradient": "def gradient(x, y, slope, intercept:\n    return 0, 0"},
    "goran": {
        "normal_equation": "def normal_equation(x, y):\n"
        "    middle = x - x.mean()\n"
        "    slope = (middle * y).mean() / (middle**2).mean()\n"
        "    return slope, y.mean() - slope * x.mean()"
    },
    "hana": {
        "predict": "def predict(x, slope, intercept):\n    x *= slope\n    return x + intercept"
    },
    "ivo": {"q1": "q1 = 'D'", "k1": "k1 = 'none'"},
    "lena": REMEMBERING,
}


def source_of(course: Path, student: str, *names: str) -> list[str]:
    """What a student handed in for these exercises, below what the notebook imports."""
    (folder,) = (course / "submitted" / student).iterdir()
    notebook = json.loads((folder / f"{folder.name}.ipynb").read_text(encoding="utf-8"))
    cells = {
        c["metadata"].get("nbgrader", {}).get("grade_id"): c["source"] for c in notebook["cells"]
    }
    return ["import numpy as np", *(cells[name] for name in names)]
