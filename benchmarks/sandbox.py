"""What a submission costs in the sandbox: five cells and 60 calls, 18 of them with gradients.

python -m benchmarks.sandbox [--submissions 40] [--mode required fallback none]
"""

import argparse
import statistics
import time

import torch

from autograder.sandbox import Sandbox
from autograder.student.session import Cell, Session

SOURCES = {
    None: "import math\nimport numpy as np\nimport torch\nimport torch.nn.functional as F",
    "softmax": (
        "def softmax(x, axis=-1):\n"
        "    e = np.exp(x - x.max(axis=axis, keepdims=True))\n"
        "    return e / e.sum(axis=axis, keepdims=True)"
    ),
    "scaled_scores": "def scaled_scores(q, k):\n    return q @ k.mT / math.sqrt(k.shape[-1])",
    "attention": (
        "def attention(q, k, v):\n"
        "    return torch.softmax(scaled_scores(q, k), -1) @ v\n"
        "attention(torch.ones(1, 2, 3), torch.ones(1, 2, 3), torch.ones(1, 2, 3))"
    ),
    "Projection": (
        "class Projection(torch.nn.Module):\n"
        "    def __init__(self, width):\n"
        "        super().__init__()\n"
        "        self.layer = torch.nn.Linear(width, width)\n"
        "    def forward(self, x):\n"
        "        return self.layer(x)"
    ),
}
CELLS = [Cell(name or "imports", source, name) for name, source in SOURCES.items()]


def one_submission(connection, limits) -> tuple[float, float]:
    """Milliseconds until the cells have run, and for all of it, the end of the process included."""
    start = time.perf_counter()
    session = Session(connection, CELLS, {"data.csv": b"1,2\n"}, limits)
    ran = time.perf_counter()
    student = session.student
    q, k, v = torch.randn(2, 5, 6), torch.randn(2, 7, 6), torch.randn(2, 7, 10)
    x = torch.randn(5, 7).numpy()
    projection = student.Projection(6)
    for _ in range(14):
        student.softmax(x)
        student.scaled_scores(q, k)
        student.attention(q, k, v)
    for _ in range(9):
        student.grad("attention", q, k, v, upstream=torch.ones(2, 5, 10))
        student.grad(projection, q, upstream=torch.ones(2, 5, 6))
    session.close()
    return (ran - start) * 1e3, (time.perf_counter() - start) * 1e3


def main() -> None:
    """Print milliseconds a submission for each mode."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=40)
    parser.add_argument("--mode", nargs="+", default=["required", "fallback", "none"])
    options = parser.parse_args()
    torch.set_num_threads(1)
    for mode in options.mode:
        start = time.perf_counter()
        with Sandbox(policy=mode, packages=("torch", "numpy", "matplotlib", "ipython")) as sandbox:
            ready = time.perf_counter() - start
            connection = sandbox.connect()
            for _ in range(3):
                one_submission(connection, sandbox.limits)
            times = [one_submission(connection, sandbox.limits) for _ in range(options.submissions)]
        cells, total = (sorted(column) for column in zip(*times, strict=True))
        middle, started = statistics.median(total), statistics.median(cells)
        low, high = total[len(total) // 10], total[-1 - len(total) // 10]
        print(
            f"{sandbox.isolation:24} ready after {ready:.1f} s; {middle:5.1f} ms a submission "
            f"(80% within {low:.1f} to {high:.1f}), of which start and cells {started:.1f} ms"
        )


if __name__ == "__main__":
    main()
