"""The cells that a student of the small class has handed in."""

import json
from pathlib import Path


def source_of(course: Path, student: str, *names: str) -> list[str]:
    """What a student handed in for these exercises, below what the notebook imports."""
    (folder,) = (course / "submitted" / student).iterdir()
    notebook = json.loads((folder / f"{folder.name}.ipynb").read_text(encoding="utf-8"))
    cells = {
        c["metadata"].get("nbgrader", {}).get("grade_id"): c["source"] for c in notebook["cells"]
    }
    return ["import numpy as np", *(cells[name] for name in names)]
