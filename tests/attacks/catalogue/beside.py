"""Rows 17, 23 and 24: what stands beside a notebook."""

import os
import shutil
from pathlib import Path

from attack import HEADS, Attack

from catalogue.files import multiply_cells, notebook_of

RIGHT = "def merge_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"


def rename(folder: Path) -> None:
    notebook_of(folder).rename(folder / "renamed [b]\x1b]0;\x07.ipynb")


def place_pipes(folder: Path) -> None:
    for name in ("timestamp.txt", "data.csv", ".hidden", "second.ipynb"):
        os.mkfifo(folder / name)


def place_endless_links(folder: Path) -> None:
    for name in ("timestamp.txt", "data.csv"):
        (folder / name).symlink_to("/dev/zero")
    (folder / "loop").symlink_to(".")


def place_a_deep_folder(folder: Path) -> None:
    path = folder
    for _ in range(300):
        path = path / "deeper"
    path.mkdir(parents=True)
    (path / "x.txt").write_text("x")


def place_many_files(folder: Path) -> None:
    (folder / "many").mkdir()
    for number in range(3000):
        (folder / "many" / f"{number}.txt").touch()


def place_large_files(folder: Path) -> None:
    with open(folder / "data.bin", "wb") as file:
        file.truncate(2 << 30)


def place_names_of_bytes(folder: Path) -> None:
    for name in (b"caf\xe9.txt", b"new\nline.txt", b"\xff\xfe", b" ", b"*?[x]{0}.txt"):
        with open(os.fsencode(folder) + b"/" + name, "w") as file:
            file.write("x")


def place_other_notebooks(folder: Path) -> None:
    for name in ("another.ipynb", "03-causal-masking.ipynb", f"{HEADS} copy.ipynb"):
        shutil.copy(notebook_of(folder), folder / name)
    (folder / "broken.ipynb").write_text("{")


BESIDE = (
    Attack(
        "hands-in-a-notebook-of-another-name",
        24,
        "The folder holds a notebook of another name, with terminal escapes in it.",
        "It is graded, since its cells are the assignment's; the terminal is told the name without "
        "the escapes.",
        place=rename,
        answer=RIGHT,
        earns=2.0,
    ),
    Attack(
        "hands-in-empty-cells-to-the-brim",
        24,
        "The notebook has as many empty cells as its size allows.",
        "It is `bad_notebook`; the others are graded.",
        place=multiply_cells(40_000),
        ungraded=r"^bad_notebook: it is not a valid notebook: it has \d+ cells; 5000 are allowed",
    ),
    Attack(
        "places-pipes-beside",
        24,
        "Pipes that nobody writes to stand beside the notebook, one by the name of nbgrader's"
        " timestamp.",
        "They are passed over, and keep nobody waiting.",
        place=place_pipes,
        answer=RIGHT,
        earns=2.0,
    ),
    Attack(
        "places-endless-links-beside",
        24,
        "Links to /dev/zero stand beside the notebook, one by the name of nbgrader's "
        "timestamp, and one to its own folder.",
        "They are followed by nobody.",
        place=place_endless_links,
        answer=RIGHT,
        earns=2.0,
    ),
    Attack(
        "places-an-odd-timestamp",
        24,
        "The timestamp that nbgrader reads is of the year 9999 and of a far time zone.",
        "It says nothing; the submission is graded.",
        beside={"timestamp.txt": "9999-12-31 23:59:59 -2300"},
        answer=RIGHT,
        earns=2.0,
    ),
    Attack(
        "places-a-wordy-timestamp",
        24,
        "The timestamp that nbgrader reads is a formula of a million characters.",
        "It says nothing; the submission is graded.",
        beside={"timestamp.txt": "=1+1" * 250_000},
        answer=RIGHT,
        earns=2.0,
    ),
    Attack(
        "places-a-deep-folder",
        24,
        "Folders 300 deep stand beside the notebook.",
        "They are refused; the others are graded.",
        place=place_a_deep_folder,
        ungraded="^bad_notebook: folders beside the notebook are more than 20 deep",
    ),
    Attack(
        "places-thousands-of-files",
        17,
        "Three thousand empty files stand beside the notebook.",
        "They are refused; the others are graded.",
        place=place_many_files,
        ungraded="^bad_notebook: more than 2000 files and folders are beside the notebook",
    ),
    Attack(
        "places-a-huge-file",
        17,
        "A file that says that it is 2 GB large stands beside the notebook.",
        "It is refused before it is read.",
        place=place_large_files,
        ungraded=r"^bad_notebook: the file data\.bin beside the notebook: it is 2048\.0 MB large",
    ),
    Attack(
        "places-other-notebooks",
        24,
        "Other notebooks stand beside the right one: copies, another assignment's, a broken one.",
        "The one by the assignment's name counts.",
        place=place_other_notebooks,
        answer=RIGHT,
        earns=2.0,
    ),
    Attack(
        "names-files-oddly",
        23,
        "Files whose names are no text, hold newlines, or are patterns stand beside the notebook.",
        "They are laid out as they are, or left out.",
        place=place_names_of_bytes,
        answer=RIGHT,
        earns=2.0,
    ),
)
