"""Row 24: what stands where a notebook should be."""

import json
import os
import shutil
from pathlib import Path

from attack import Attack, Place

BAD = "It is `bad_notebook`, with a detail that says what is wrong; the others are graded."
CELL = {"cell_type": "code", "metadata": {}, "source": "", "outputs": [], "execution_count": None}


def notebook_of(folder: Path) -> Path:
    return folder / f"{folder.name}.ipynb"


def write(text: str | bytes) -> Place:
    data = text.encode() if isinstance(text, str) else text
    return lambda folder: notebook_of(folder).write_bytes(data)


def truncate(folder: Path) -> None:
    data = notebook_of(folder).read_bytes()
    notebook_of(folder).write_bytes(data[: len(data) * 2 // 3])


def inflate(folder: Path) -> None:
    with open(notebook_of(folder), "r+b") as file:
        file.truncate(500 << 20)  # a sparse file: it takes no room, and reading it does


def nest(folder: Path) -> None:
    notebook_of(folder).write_text('{"cells": ' + "[" * 100_000 + "]" * 100_000 + "}")


def nest_metadata(folder: Path) -> None:
    notebook = json.loads(notebook_of(folder).read_text())
    notebook["metadata"]["deep"] = json.loads("[" * 400 + "]" * 400)
    notebook_of(folder).write_text(json.dumps(notebook))


def multiply_cells(count: int) -> Place:
    def multiply(folder: Path) -> None:
        notebook = json.loads(notebook_of(folder).read_text())
        cells = json.dumps(CELL)
        head, tail = json.dumps(notebook | {"cells": []}).split('"cells": []')
        all_cells = ", ".join([*map(json.dumps, notebook["cells"]), *([cells] * count)])
        notebook_of(folder).write_text(f'{head}"cells": [{all_cells}]{tail}')

    return multiply


def set_version(folder: Path) -> None:
    notebook = json.loads(notebook_of(folder).read_text())
    notebook_of(folder).write_text(json.dumps(notebook | {"nbformat": 999}))


def type_cells_wrongly(folder: Path) -> None:
    notebook = json.loads(notebook_of(folder).read_text())
    notebook["cells"][3] = {"cell_type": ["code"], "source": {"x": 1}, "metadata": 7}
    notebook_of(folder).write_text(json.dumps(notebook))


def link_to_the_gradebook(folder: Path) -> None:
    notebook_of(folder).unlink()
    notebook_of(folder).symlink_to("../../../gradebook.db")


def link_to_a_sibling(folder: Path) -> None:
    notebook_of(folder).unlink()
    notebook_of(folder).symlink_to(f"../../0-first/{folder.name}/{folder.name}.ipynb")


def link_to_zeros(folder: Path) -> None:
    notebook_of(folder).unlink()
    notebook_of(folder).symlink_to("/dev/zero")


def link_the_folder(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.symlink_to(f"../0-first/{folder.name}")


def make_a_folder_of_it(folder: Path) -> None:
    notebook_of(folder).unlink()
    notebook_of(folder).mkdir()


def make_a_pipe_of_it(folder: Path) -> None:
    notebook_of(folder).unlink()
    os.mkfifo(notebook_of(folder))


def make_a_file_of_the_folder(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("no folder")


INSTEAD = tuple(
    Attack(slug, 24, does, BAD, place=place, ungraded=f"^bad_notebook: {detail}")
    for slug, does, place, detail in (
        (
            "hands-in-half-a-notebook",
            "The file ends in the middle.",
            truncate,
            r"line \d+ is not JSON",
        ),
        ("hands-in-nothing", "The file is empty.", write(""), r"line 1 is not JSON"),
        (
            "hands-in-500-megabytes",
            "The file says that it is 500 MB large.",
            inflate,
            r"it is 500\.0 MB large; 4 MB are allowed",
        ),
        (
            "hands-in-a-million-cells",
            "The notebook has a million cells.",
            multiply_cells(1_000_000),
            r"it is \d+\.\d MB large; 4 MB are allowed",
        ),
        (
            "hands-in-deep-nesting",
            "The JSON is nested 100,000 deep.",
            nest,
            r"its JSON cannot be read|it is nested",
        ),
        (
            "hands-in-deep-metadata",
            "The notebook's metadata is nested 400 deep.",
            nest_metadata,
            r"it is nested more than 50 levels deep",
        ),
        (
            "hands-in-another-version",
            "The notebook is of nbformat 999.",
            set_version,
            r"its nbformat is 999; 4 is wanted",
        ),
        (
            "hands-in-cells-of-odd-types",
            "A cell's type is a list, its source a table, its metadata a number.",
            type_cells_wrongly,
            r"it is not a valid notebook",
        ),
        (
            "hands-in-binary",
            "The file is binary.",
            write(bytes(range(256)) * 40),
            r"line \d+ is not (UTF-8 text|JSON)",
        ),
        (
            "hands-in-invalid-utf8",
            "The file's text is not UTF-8.",
            write(b'{"cells": [],\n"x": "\xff\xfe"}'),
            r"line 2 is not UTF-8 text",
        ),
        (
            "hands-in-a-list",
            "The file is JSON, but a list.",
            write("[1, 2, 3]"),
            r"it is JSON, but not a notebook",
        ),
        (
            "hands-in-not-a-number",
            "The file holds numbers that JSON has not.",
            write('{"cells": [], "x": NaN, "y": 1e999999}'),
            r"its nbformat is None; 4 is wanted",
        ),
        (
            "hands-in-a-number-without-end",
            "The file holds an integer of a million digits.",
            write('{"cells": [], "nbformat": ' + "9" * 1_000_000 + "}"),
            r"its JSON cannot be read",
        ),
        (
            "hands-in-a-link-to-the-gradebook",
            "The notebook is a link to the gradebook.",
            link_to_the_gradebook,
            r"the file cannot be opened: it is a symbolic link",
        ),
        (
            "hands-in-a-link-to-a-sibling",
            "The notebook is a link to another student's.",
            link_to_a_sibling,
            r"the file cannot be opened: it is a symbolic link",
        ),
        (
            "hands-in-a-link-to-zeros",
            "The notebook is a link to /dev/zero.",
            link_to_zeros,
            r"the file cannot be opened: it is a symbolic link",
        ),
        (
            "hands-in-a-linked-folder",
            "The folder is a link to another student's.",
            link_the_folder,
            r"the folder 04-multi-head-attention is a symbolic link",
        ),
        (
            "hands-in-a-folder",
            "There is a folder by the notebook's name.",
            make_a_folder_of_it,
            r"it is not a regular file",
        ),
        (
            "hands-in-a-pipe",
            "There is a pipe by the notebook's name, which nobody writes to.",
            make_a_pipe_of_it,
            r"it is not a regular file",
        ),
        (
            "hands-in-a-file-for-a-folder",
            "There is a file where the folder should be.",
            make_a_file_of_the_folder,
            r"the submission is not a folder",
        ),
    )
)
