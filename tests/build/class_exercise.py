"""An exercise that is a class, which the second course has none of."""

from pathlib import Path

from line_fitting import REFERENCE, SOURCE

EXERCISE = "Line"
SOLUTION = '''\
class Line:
    """A line that knows its slope."""

    def __init__(self, slope: float = 1.0) -> None:
        ### BEGIN SOLUTION
        self.slope = np.full((), slope)
        ### END SOLUTION

    def through(self, x: np.ndarray) -> np.ndarray:
        ### BEGIN SOLUTION
        if x.ndim == 0:
            raise ValueError("x has no dimension, and a line needs at least one")
        return np.multiply(self.slope, x)
        ### END SOLUTION
'''


def add_class(root: Path) -> Path:
    """Ask for it at the end of the notebook; gives the course's folder."""
    for place, text in (
        (REFERENCE, f"\n\n{SOLUTION}"),
        (SOURCE, f'\n# %% exercise="{EXERCISE}" points=1.5\n'),
    ):
        with (root / place).open("a", encoding="utf-8") as file:
            file.write(text)
    return root
