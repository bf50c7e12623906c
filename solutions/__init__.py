"""What full marks look like: one module an assignment; quiz keys stand in `quiz/`.

A notebook may import a module that stands beside it, as 06 does `bert`, and then so does its
solution, which is imported from anywhere. These folders come last: they hide no installed module.
"""

import sys
from pathlib import Path

sys.path += map(str, sorted((Path(__file__).parent.parent / "assignments").glob("*/")))
