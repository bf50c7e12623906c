"""The picture of a student's own result on the notebook's example."""

import base64
import importlib
import io
import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from autograder.checks.discovery import example_of
from autograder.checks.examples import Example
from autograder.feedback.words import bounded
from autograder.verdicts.verdict import Picture

PIXELS_AN_INCH = (
    80  # a little under the 96 of a browser: most pictures then fit beside the checklist
)
SHARPNESS = 2
DIGITS = 5


@dataclass(frozen=True)
class Drawing:
    """A picture for the page, or the reason why there is none.

    Attributes:
        source: a `data:` URI of a PNG; None when the result cannot be drawn.
        alt: the picture in words, or why there is none.
        width: in CSS pixels.
        height: in CSS pixels.
    """

    source: str | None
    alt: str
    width: int = 0
    height: int = 0


def draw(assignment_module: str, exercise: str, picture: Picture) -> Drawing | None:
    """Draw a result, once a process for equal results; None where the exercise has no picture."""
    if math.prod(picture.shape) != len(picture.values):
        return Drawing(None, "your result could not be read back.")
    values = _rounded(np.asarray(picture.values, dtype=np.float64))
    return _draw(assignment_module, exercise, picture.shape, values.tobytes())


def _rounded(values: np.ndarray) -> np.ndarray:
    """Keep a few digits of the largest value: results that only rounding parts share a picture."""
    finite = np.abs(values[np.isfinite(values)])
    if not finite.size or not 1e-300 < finite.max() < 1e300:
        return values
    step = 10.0 ** (math.ceil(math.log10(finite.max())) - DIGITS)
    return np.where(np.isfinite(values), np.round(values / step) * step, values) + 0.0


@lru_cache(maxsize=512)
def _draw(module: str, exercise: str, shape: tuple[int, ...], raw: bytes) -> Drawing | None:
    example = _example(module, exercise)
    if example is None:
        return None
    result = np.frombuffer(raw, dtype=np.float64).reshape(shape)
    try:
        alt, source = example.alt(result), _png(example, result)
    except (
        Exception
    ):  # a picture should draw anything; one that cannot must not cost the whole feedback
        return Drawing(None, f"your result has shape {shape}, which the picture cannot show.")
    width, height = (round(inches * PIXELS_AN_INCH) for inches in example.picture.size)
    return Drawing(source, bounded(alt, 400), width, height)


def _png(example: Example, result: np.ndarray) -> str:
    # Without pyplot: its figures live in a global list, and this may run in a server.
    figure = Figure(
        figsize=example.picture.size, dpi=PIXELS_AN_INCH * SHARPNESS, layout="constrained"
    )
    FigureCanvasAgg(figure)
    example.draw(result, figure.add_subplot())
    file = io.BytesIO()
    # Matplotlib writes its version into the file; the same verdict must give the same bytes.
    figure.savefig(file, format="png", metadata={"Software": None})
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")


def _example(module: str, exercise: str) -> Example | None:
    importlib.import_module(f"autograder.checks.{module}")  # another may hold the example
    return example_of(exercise)
