"""Cells run as in Jupyter, and what a name is bound to right after its cell is what is graded."""

import contextlib

import pytest
import torch

from autograder.checks.kit.errors import MissingName, StudentDied, StudentError
from autograder.sandbox.worker import Place


def printed(worker, source):
    outcome = worker.run_cell(source)
    assert outcome.error is None, outcome.error
    return outcome.printed


def test_what_is_printed_and_displayed_is_kept_in_order(worker):
    source = "print('one')\nimport sys\nprint('two', file=sys.stderr)\ndisplay(3)\n'four'"
    assert printed(worker, source) == "one\ntwo\n3\n'four'\n"
    assert printed(worker, "1;") == ""


def test_the_last_result_is_underscore(worker):
    printed(worker, "6 * 7")
    assert printed(worker, "print(_, Out[1], _1)") == "42 42 42\n"


def test_the_namespace_is_that_of_main(worker):
    assert printed(worker, "print(__name__); import __main__; x = 5; print(__main__.x)") == (
        "__main__\n5\n"
    )


def test_temporary_files_are_made_in_the_working_directory(worker, sandbox):
    printed(worker, "import os, tempfile\nassert tempfile.gettempdir() == os.getcwd()")
    if sandbox.isolation.startswith("bwrap"):  # elsewhere nothing can be written
        source = "with tempfile.TemporaryFile() as file: print(file.write(b'abc'))"
        assert printed(worker, source) == "3\n"


def test_magics_work(worker):
    assert "Wall time" in printed(worker, "%%time\ny = 1 + 1")
    assert printed(worker, "print(y)") == "2\n"
    assert printed(worker, "%matplotlib inline\nimport matplotlib\nmatplotlib.get_backend()") in (
        "'agg'\n",
        "'Agg'\n",
    )


def test_a_shell_line_fails_harmlessly_and_the_cell_goes_on(worker):
    source = "!pip install torch\nlines = !ls\n%pip install numpy\nf = 3\nprint(lines, f)"
    assert printed(worker, source).endswith("[] 3\n")


def test_figures_are_drawn_and_not_kept(worker):
    source = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nplt.gcf()"
    assert printed(worker, source) == "<Figure size 640x480 with 1 Axes>\n"


def test_await_works_at_the_top_of_a_cell(worker):
    assert printed(worker, "import asyncio\nawait asyncio.sleep(0.01)\nprint('done')") == "done\n"


def test_an_error_is_recorded_with_its_line_and_the_next_cell_runs(worker):
    outcome = worker.run_cell("\n\nx = 1\n\nraise ValueError('no')\n")
    assert (outcome.error.type_name, outcome.error.message, outcome.error.line) == (
        "ValueError",
        "no",
        5,
    )
    assert printed(worker, "print(x)") == "1\n"


def test_the_line_is_the_cells_own_when_an_earlier_cells_function_raises(worker):
    worker.run_cell("def divide(a, b):\n    c = 0\n    return a / b")
    outcome = worker.run_cell("a = 1\ndivide(a, 0)")
    assert outcome.error.line == 2
    assert str(outcome.error) == "ZeroDivisionError: division by zero (line 2)"


def test_a_syntax_error_has_its_line_and_no_name_of_ours(worker):
    outcome = worker.run_cell("x = 1\ndef broken(:\n    pass")
    assert (outcome.error.type_name, outcome.error.line) == ("SyntaxError", 2)
    assert "cell" not in outcome.error.message


@pytest.mark.parametrize(
    "source",
    ["import sys; sys.exit(0)", "raise KeyboardInterrupt", "raise BaseException('all')", "exit()"],
)
def test_leaving_in_a_cell_ends_the_cell_alone(worker, source):
    worker.run_cell("kept = 7")
    worker.run_cell(source)
    assert printed(worker, "print(kept)") == "7\n"


def test_long_messages_and_odd_exceptions_are_bounded(worker):
    assert len(worker.run_cell("raise ValueError('x' * 10**6)").error.message) == 2000
    source = "class E(Exception):\n    def __str__(self):\n        raise E\nraise E"
    assert worker.run_cell(source).error.message == ""


def test_endless_printing_is_cut_and_counted(worker, limits):
    text = printed(worker, "for _ in range(50):\n    print('x' * 9_999)")
    assert len(text) < limits.output_bytes + 100
    assert text.endswith("... 495904 more characters were printed\n")


def test_files_beside_the_notebook_are_in_the_working_directory(connection):
    worker = connection.start_worker({"data/a.bin": bytes(range(256)), "helper.py": b"y = 4"})
    with_files = "import helper\nprint(helper.y, open('data/a.bin', 'rb').read()[-1])"
    assert printed(worker, with_files) == "4 255\n"
    worker.close()


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "", "a\0b"])
def test_a_file_name_that_leads_out_is_refused(connection, name):
    with pytest.raises(ValueError, match="leads out"):
        connection.start_worker({name: b""})


F = Place("f", ("f",), ("f",))


def test_an_exercise_is_what_its_name_was_bound_to_at_its_check(worker):
    assert worker.run_cell("def f():\n    return 'first'", place=F).bound
    worker.run_cell("def f():\n    return 'second'")
    assert worker.call("f").value == "first"


def test_a_cell_that_raises_after_its_definition_still_counts(worker):
    outcome = worker.run_cell("def f():\n    return 1\nf() / 0", place=F)
    assert outcome.bound
    assert outcome.error.type_name == "ZeroDivisionError"
    assert worker.call("f").value == 1


def test_a_name_that_no_cell_bound_to_an_answer_is_missing(worker):
    assert not worker.run_cell("g = 1", place=F).bound
    worker.run_cell("f = 1", place=Place(follow=("f",)))
    with pytest.raises(MissingName) as missing:
        worker.call("f")
    assert missing.value.name == "f"


def test_which_definition_is_judged_is_told_with_its_cell(worker):
    worker.run_cell("def f():\n    raise NotImplementedError", place=F)
    worker.run_cell("def f():\n    return 2", place=Place(follow=("f",)))
    assert worker.judged(["f"], 2) == {"f": ("last", 1)}
    assert worker.call("f").value == 2


@pytest.mark.parametrize("told", ["['best', 0]", "['own', 2]", "['own', -1]", "['own']", "0"])
def test_what_it_says_of_definitions_is_looked_at(worker, told):
    forge = f"autograder.sandbox.inside.notebook.Notebook.judged = lambda _: {{'f': {told}}}"
    worker.run_cell(f"import sys\nautograder = sys.modules['autograder']\n{forge}", place=F)
    with pytest.raises(StudentDied, match="an odd answer about names"):
        worker.judged(["f"], 2)


def test_functions_see_the_notebooks_names_as_they_are_at_the_call(worker):
    worker.run_cell("scale = 2\ndef f(x):\n    return helper(x) * scale", place=F)
    worker.run_cell("def helper(x):\n    return x + 1\nscale = 10")
    assert worker.call("f", [1]).value == 20


def test_source_that_is_not_valid_unicode_is_run_all_the_same(worker):
    assert printed(worker, "print(len('\ud800'))") == "1\n"


def test_every_submission_starts_from_the_same_random_numbers(connection):
    draws = set()
    for _ in range(2):
        worker = connection.start_worker()
        source = "import random, torch, numpy as np\nprint(random.random(), torch.rand(1))"
        draws.add(printed(worker, source + "\nprint(np.random.rand(), hash('a'))"))
        worker.close()
    assert len(draws) == 1


def test_training_works(worker):
    worker.run_cell(
        "import torch\n"
        "def train(x, y):\n"
        "    model = torch.nn.Linear(3, 1)\n"
        "    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)\n"
        "    for _ in range(30):\n"
        "        optimizer.zero_grad()\n"
        "        loss = ((model(x) - y) ** 2).mean()\n"
        "        loss.backward()\n"
        "        optimizer.step()\n"
        "    return loss.item()",
        place=Place("train", ("train",), ("train",)),
    )
    assert worker.call("train", [torch.ones(4, 3), torch.ones(4, 1)]).value < 0.1


def test_threads_and_saving_work_where_the_scratch_can_be_written(worker, sandbox, tried):
    setup = "import threading, io, torch\nt = threading.Thread(target=print)\nt.start()\nt.join()"
    assert tried("torch.load(b'x') if False else 1", setup) == "1"
    saved = tried("torch.save(torch.ones(2), 'w.pt') or torch.load('w.pt').sum().item()", setup)
    assert saved == ("2.0" if sandbox.isolation.startswith("bwrap") else "RuntimeError")


def test_a_call_that_sets_defaults_sets_them_for_itself_alone(worker):
    worker.run_cell(
        "import torch\n"
        "def careless():\n"
        "    torch.set_default_dtype(torch.float16)\n"
        "    torch.set_default_device('meta')\n"
        "    return torch.zeros(2)\n"
        "def failing():\n"
        "    torch.set_default_dtype(torch.float16)\n"
        "    raise ValueError\n"
        "def careful():\n"
        "    return torch.zeros(2)\n"
    )
    one = worker.call("careless").value
    assert (one.dtype, one.device.type) == (torch.float16, "meta")
    with pytest.raises(StudentError):
        worker.call("failing")
    two = worker.call("careful").value
    assert (two.dtype, two.device.type) == (torch.float32, "cpu")


def test_defaults_that_a_cell_sets_hold_for_calls_too(worker):
    worker.run_cell("import torch\ntorch.set_default_dtype(torch.float64)\nf = torch.zeros")
    assert worker.call("f", [2]).value.dtype == torch.float64
    assert worker.call("f", [2]).value.dtype == torch.float64


def test_a_default_device_that_is_not_here_stops_nothing_else(worker):
    worker.run_cell(
        "import torch\n"
        "def elsewhere():\n"
        "    torch.set_default_device('mps')\n"
        "    return 1\n"
        "def here():\n"
        "    return torch.zeros(2, device='cpu')\n"
    )
    assert worker.call("elsewhere").value == 1
    assert worker.call("here").value.device.type == "cpu"
    worker.run_cell("torch.set_default_device('mps')")
    assert worker.call("here").value.device.type == "cpu"


MISSING = {
    "import pandas as pd\nx = 1": None,
    "import numpy as np, pandas as pd, math\nx = math.floor(np.e) - 1": None,
    "from scipy import stats, optimize\nfrom math import floor\nx = floor(1.5)": None,
    "import scipy.stats as st\nimport scipy.optimize\nx = 1": None,
    "from pandas import *\nx = 1": None,
    "import seaborn as sns\nsns.set_theme()\nx = 1": None,
    "from google.colab import drive\ndrive.mount('/content')\nx = 1": None,
    "from tqdm import tqdm\nfor i in tqdm(range(3)): y = i\nx = 1": None,
    "from torch import zeroz\nimport torch.nnn\nx = torch.ones(1, dtype=int).item()": None,
    "import pandas as pd\ndf = pd.DataFrame()\ndf.plot()\nz = df + 1\nx = 1": None,
    "from pandas import *\ndf = DataFrame()\nx = 1": None,
    "if True:\n    import pandas as pd\n    import math\nx = math.floor(1.5)": None,
    "import warnings\nwith warnings.catch_warnings():\n    import seaborn, math\n"
    "x = math.floor(1.5)": None,
    "from helper import f\nx = 1": None,
    "%%time\nimport pandas as pd\nimport math\nx = math.floor(1.5)": None,
    "import pandas as pd\nprint('pandas', pd.__version__)\nx = 1": None,
    "import pandas as pd\nassert pd.__version__ >= '2'\nif pd.__file__: y = 1\nx = 1": None,
    "import pandas as pd\nprint(f'{pd:>9}', pd.__name__)\nprint(vars(pd))\nx = 1": None,
    "import importlib, pandas\nimportlib.reload(pandas)\nx = 1": None,
    "import pandas as pd, copy\ncopy.copy(pd)\nprint(pd, [pd])\nx = 1": None,
    "import pandas as pd\n1 / 0\nx = 1": "ZeroDivisionError",
    "import pandas as pd\nx = undefined": "NameError",
    "from data import y\nx = 1": "ZeroDivisionError",
    "from . import sibling\nx = 1": "ImportError",
}


@pytest.mark.parametrize("source", MISSING)
def test_an_import_that_is_not_there_stops_no_cell_and_any_other_error_does(source, connection):
    files = {"helper.py": b"import pandas\nf = 1\n", "data.py": b"y = 1 / 0\n"}
    with contextlib.closing(connection.start_worker(files)) as worker:
        outcome = worker.run_cell(source)
        if MISSING[source] is None:
            assert outcome.error is None
            assert worker.value("x") == 1
        else:
            assert outcome.error.type_name == MISSING[source]
            assert worker.run_cell("x").error.type_name == "NameError"


FALLBACKS = [
    "try:\n    import pandas as pd\nexcept ImportError:\n    pd = None",
    "try:\n    import pandas as pd\nexcept:\n    pd = None",
    "def load():\n    import pandas\n    return pandas\ntry:\n    pd = load()\n"
    "except ModuleNotFoundError:\n    pd = None",
    "import contextlib\npd = None\nwith contextlib.suppress(ImportError):\n    import pandas as pd",
    "import importlib.util\npd = importlib.util.find_spec('pandas')",
]


@pytest.mark.parametrize("source", FALLBACKS)
def test_a_fallback_for_an_import_that_is_not_there_runs_as_in_python(source, worker):
    outcome = worker.run_cell(f"{source}\nassert pd is None")
    assert (outcome.error, outcome.missing) == (None, ())


USES = """
import pandas as pd, numba
from pandas import DataFrame, Series as S
import scipy.linalg as sla
from helpers import *
from torch import zeroz
def attribute(): return pd.NA
def called(): return DataFrame()
def iterated(): return [one for one in S]
def submodule(): return sla.det(1)
def starred(): return helped(1)
def compared(): return S < 1 or bool(S)
def from_torch(): return zeroz(2)
def added(): return 1 + S
def opened():
    with S: pass
@numba.njit
def decorated(): return 1
class subclass(DataFrame): pass
made = pd.DataFrame()
def of_another(): return made.mean()
def within():
    import seaborn
    return 1
def annotated(x: pd.DataFrame | None = None) -> S: return 1
"""


def test_whatever_uses_an_import_that_is_not_there_says_which(worker):
    outcome = worker.run_cell(USES)
    assert outcome.error is None
    expected = {"within": "seaborn", "submodule": "scipy", "starred": "helpers"}
    expected |= {"from_torch": "torch.zeroz", "decorated": "numba"}
    others = ["attribute", "called", "iterated", "compared", "added", "opened", "subclass"]
    others += ["of_another"]
    for name, module in {**expected, **dict.fromkeys(others, "pandas")}.items():
        with pytest.raises(StudentError) as raised:
            worker.call(name)
        message = f"`{module}` is not there when your notebook is graded"
        assert (raised.value.builtin, raised.value.message) == ("ModuleNotFoundError", message), (
            name
        )
    assert worker.call("annotated").value == 1
    assert outcome.missing[:2] == (("pandas", 2), ("numba", 2))
