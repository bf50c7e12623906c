"""Every harness run as its platform would, in containers of half a processor.

`handed_in.py` has what is handed in, `containers.py` the systems and what a run takes, `runs.py`
how each platform starts its harness and what its results say. What tests use for the same stands in
`tests/harness`.
"""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[2] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "harness")]
