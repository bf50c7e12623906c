"""Imports that are missing, cells that stop, magics, outputs, and what other programs save."""

from typing import Any

from benchmarks.odd_notebooks.kinds import CODE, LINE, PERSONAL, HandIn, each, odd


def first_line(given: HandIn, line: str) -> None:
    """A line above what the notebook imports."""
    imports = next(one for one in given.notebook.cells if one.cell_type == "code")
    imports.source = f"{line}\n{imports.source}"


each(
    {
        "imports pandas": "import pandas as pd",
        "imports seaborn and sets its theme": "import seaborn as sns\nsns.set_theme()",
        "prints the version of what is not there": "import pandas as pd\n"
        "print('pandas', pd.__version__)",
        "asserts the version of what is not there": "import seaborn as sns\n"
        "assert sns.__version__ >= '0.12', sns.__file__",
        "reloads an own module that is not there": "import importlib, my_helpers\n"
        "importlib.reload(my_helpers)",
        "shows what is not there": "import pandas as pd\nprint(pd, f'{pd:>9}', vars(pd))",
        "imports scipy": "from scipy import stats",
        "imports tqdm": "from tqdm.notebook import tqdm",
        "imports scikit-learn": "from sklearn.linear_model import LinearRegression",
        "mounts a drive of Colab": "from google.colab import drive\ndrive.mount('/content/drive')",
        "imports widgets": "import ipywidgets as widgets",
        "imports with a typo": "import nunpy",
        "imports an own module that is not there": "from my_helpers import *",
        "imports what it can do without": "try:\n    import cupy\n"
        "except ImportError:\n    cupy = None",
        "imports several in a line": "import os, pandas, sys",
        "imports a name that is not there": "from math import squareroot",
    },
    first_line,
)


@odd("uses pandas in an answer", "predict")
def _uses_pandas(given: HandIn) -> None:
    first_line(given, "import pandas as pd")
    given.cell(
        "predict"
    ).source = (
        "def predict(x, slope, intercept):\n    return pd.Series(slope * x + intercept).to_numpy()"
    )


@odd("imports stop at an error of their own", *CODE)
def _imports_stop(given: HandIn) -> None:
    first_line(given, "print(1 / 0)")


each(
    {
        "no Python above": "this is no Python",
        "an error above": "print(1 / 0)",
        "leaves Python above": "exit()",
        "sys.exit above": "import sys\nsys.exit(1)",
        "ends its process above": "import os\nos._exit(1)",
        "asks for input above": 'input("What? ")',
        "never ends above": "while True:\n    pass",
        "an interrupt above": "raise KeyboardInterrupt",
        "a print of Python 2 above": 'print "hello"',
        "prints without end above": 'for _ in range(200_000):\n    print("x" * 80)',
        "recursion without end above": "def f():\n    return f()\nf()",
        "await above": "import asyncio\nawait asyncio.sleep(0)",
        "return above": "return 3",
        "pip install": "!pip install pandas",
        "percent pip install": "%pip install pandas",
        "conda install": "%conda install pandas",
        "shell lines": "!ls -la\nfiles = !ls",
        "percent cd": "%cd ..",
        "matplotlib inline": "%matplotlib inline",
        "autoreload": "%load_ext autoreload\n%autoreload 2",
        "an unknown magic": "%nosuch thing",
        "a bash cell": "%%bash\necho hello",
        "an HTML cell": "%%html\n<b>hello</b>",
        "a JavaScript cell": '%%javascript\nalert("hello")',
        "help with a question mark": "print?",
        "writes a file": "%%writefile made.py\nx = 1",
        "get_ipython": 'get_ipython().run_line_magic("matplotlib", "inline")',
        "a reset": "%reset -f",
    },
    lambda given, source: given.first(source),
)
each(
    {
        "warnings as errors at the end": 'import warnings\nwarnings.simplefilter("error")',
        "NumPy hidden at the end": "np = None",
        "another folder at the end": 'import os\nos.chdir("/")',
        "a thread that never ends": "import threading, time\n"
        "threading.Thread(target=time.sleep, args=(600,)).start()",
    },
    lambda given, source: given.last(source),
)


@odd("a reset at the end", waits=PERSONAL)
def _reset(given: HandIn) -> None:
    given.last("%reset -f")


@odd("timed by a magic")
def _timed(given: HandIn) -> None:
    given.cell("predict").source = f"%%time\n{LINE}"


@odd("captured by a magic")
def _captured(given: HandIn) -> None:
    given.cell("predict").source = f"%%capture\n{LINE}"


@odd("a magic below the answer")
def _magic_below(given: HandIn) -> None:
    given.cell("predict").source = f"{LINE}\n%timeit -n1 -r1 predict(hours, 1.0, 2.0)"


def in_json(name: str, change: Any) -> None:
    """A kind of notebook whose own JSON is another."""
    odd(name)(lambda given: given.edit(change))


def each_cell(change: Any, *kinds: str) -> Any:
    """Change every cell of a notebook's JSON, or those of some kinds."""

    def changed(data: dict) -> None:
        for cell in data["cells"]:
            if not kinds or cell["cell_type"] in kinds:
                change(cell)

    return changed


def _saved_by_colab(data: dict) -> None:
    data["nbformat_minor"] = 0
    data["metadata"] = {"colab": {"provenance": []}, "kernelspec": {"name": "python3"}}
    for number, cell in enumerate(data["cells"]):
        cell.pop("id", None)
        cell["metadata"] |= {"id": f"x{number}", "cellView": "form"}


def _by_deepnote(data: dict) -> None:
    data["metadata"] |= {"deepnote_notebook_id": "1", "deepnote_execution_queue": []}
    for cell in data["cells"]:
        cell["metadata"] |= {"deepnote_cell_type": cell["cell_type"], "cell_id": "1"}


def _old_outputs(*outputs: dict) -> Any:
    return each_cell(lambda cell: cell.update(outputs=list(outputs)), "code")


def _text(text: str) -> dict:
    return {"output_type": "stream", "name": "stdout", "text": text}


def _shown(**data: Any) -> dict:
    return {"output_type": "display_data", "metadata": {}, "data": data}


in_json("saved by Colab", _saved_by_colab)
in_json("saved by Deepnote", _by_deepnote)
in_json(
    "saved by VS Code", each_cell(lambda c: c["metadata"].update(vscode={"languageId": "python"}))
)
in_json("saved by Kaggle", each_cell(lambda c: c["metadata"].update(_uuid="1", trusted=True)))
in_json(
    "saved by Databricks",
    each_cell(
        lambda c: c["metadata"].update({"application/vnd.databricks.v1+cell": {"title": ""}})
    ),
)
in_json("all metadata lost", each_cell(lambda c: c.update(metadata={})))
in_json("metadata of code lost", each_cell(lambda c: c.update(metadata={}), "code"))
in_json("no metadata of the notebook", lambda data: data.update(metadata={}))
in_json("another kernel", lambda data: data["metadata"].update(kernelspec={"name": "ir"}))
in_json("no ids of cells", each_cell(lambda c: c.pop("id", None)))
in_json("ids of cells all the same", each_cell(lambda c: c.update(id="same")))
in_json("ids of cells made anew", each_cell(lambda c: c.update(id=f"n{abs(hash(str(c)))}"[:60])))
in_json("sources as text", each_cell(lambda c: c.update(source="".join(c["source"]))))
in_json(
    "sources as lines", each_cell(lambda c: c.update(source="".join(c["source"]).splitlines(True)))
)
in_json(
    "line ends of Windows",
    each_cell(lambda c: c.update(source="".join(c["source"]).replace("\n", "\r\n"))),
)
in_json("a newer minor version", lambda data: data.update(nbformat_minor=99))
in_json(
    "no outputs and counts",
    each_cell(lambda c: c.pop("outputs", c.pop("execution_count", 0)), "code"),
)
in_json("outputs of megabytes", _old_outputs(_text("x" * 100_000)))
in_json("NaN in outputs", _old_outputs(_shown(**{"application/json": {"loss": float("nan")}})))
in_json("pictures in outputs", _old_outputs(_shown(**{"image/png": "iVBORw0KGgo="})))
in_json(
    "errors in outputs",
    _old_outputs({"output_type": "error", "ename": "X", "evalue": "", "traceback": []}),
)
in_json("outputs of an unknown kind", _old_outputs({"output_type": "strange"}))
in_json(
    "state of widgets",
    lambda data: data["metadata"].update(widgets={"application/vnd.jupyter.widget-state+json": {}}),
)
in_json(
    "cells that are locked otherwise",
    each_cell(lambda c: c["metadata"].update(editable=True, deletable=True)),
)
in_json(
    "cells collapsed",
    each_cell(lambda c: c["metadata"].update(collapsed=True, jupyter={"source_hidden": True})),
)


def _points_changed(cell: dict) -> None:
    if "nbgrader" in cell["metadata"]:
        cell["metadata"]["nbgrader"]["points"] = 100


in_json("points changed", each_cell(_points_changed))


@odd("nbformat 3")
def _nbformat_3(given: HandIn) -> None:
    def older(data: dict) -> None:
        cells = data.pop("cells")
        for cell in cells:
            if cell["cell_type"] == "code":
                cell["input"], cell["language"] = cell.pop("source"), "python"
                cell["prompt_number"] = cell.pop("execution_count", None)
        data |= {
            "nbformat": 3,
            "nbformat_minor": 0,
            "worksheets": [{"cells": cells, "metadata": {}}],
        }

    given.edit(older)


@odd("a byte order mark")
def _byte_order_mark(given: HandIn) -> None:
    given.instead(b"\xef\xbb\xbf" + given.written())
