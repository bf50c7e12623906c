"""Coverage-guided fuzzing of the notebook reader: `python tests/fuzz/atheris_notebooks.py`.

Needs atheris, from the extra `fuzz`. Arguments go to libFuzzer: a folder for the corpus,
`-max_total_time=300`, or a file with a finding to run again.
"""

import sys
import tempfile
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parent))

with atheris.instrument_imports(include=["autograder.notebooks"]):
    from autograder.notebooks.plain_file import BadNotebook
    from autograder.notebooks.reading import read_notebook

from json_mutator import mutate
from restored import ASSIGNMENT, check_restored
from seeds import notebook_seeds, write_seeds

PLACE = Path(tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None)) / "a.ipynb"


def try_one(data: bytes) -> None:
    """Read the bytes as a notebook, and put it in order."""
    PLACE.write_bytes(data)
    try:
        notebook = read_notebook(PLACE, 1 << 20)
    except BadNotebook as refused:
        if not 0 < len(str(refused)) < 400:
            raise
        return
    check_restored(notebook, ASSIGNMENT)


if __name__ == "__main__":
    arguments = write_seeds(sys.argv, notebook_seeds())
    atheris.Setup(arguments, try_one, custom_mutator=mutate)
    atheris.Fuzz()
