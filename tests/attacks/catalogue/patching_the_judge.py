"""Rows 4 and 13: patching what compares, and hooking into what runs."""

from attack import KEPT, STAYS, Attack

WRONG = "def merge_heads(x):\n    return x.flatten(2).double().cpu()\n"

PATCHING = (
    Attack(
        "patches-torchs-comparisons",
        4,
        "The code makes torch.equal, torch.allclose, assert_close and every tensor's == say yes.",
        "The comparison is in another process; a wrong answer stays wrong.",
        answer="""
import torch
torch.equal = torch.allclose = torch.isclose = lambda *args, **kwargs: True
torch.testing.assert_close = lambda *args, **kwargs: None
torch.Tensor.__eq__ = torch.Tensor.eq = torch.Tensor.equal = lambda *args: True
torch.Tensor.allclose = torch.Tensor.all = lambda *args, **kwargs: True
def merge_heads(x):
    return x.flatten(2).double().cpu()
""",
    ),
    Attack(
        "patches-numpy-and-builtins",
        4,
        "The code replaces NumPy's comparisons and Python's isinstance, abs, len and max.",
        "The comparison is in another process; a wrong answer stays wrong.",
        answer="""
import builtins, math
import numpy
numpy.allclose = numpy.array_equal = math.isclose = lambda *args, **kwargs: True
numpy.testing.assert_allclose = numpy.testing.assert_array_equal = lambda *args, **kwargs: None
builtins.abs = lambda x: 0
builtins.any, builtins.all = (lambda x: False), (lambda x: True)
def merge_heads(x):
    return x.flatten(2).double().cpu()
""",
    ),
    Attack(
        "patches-pytest",
        4,
        "The code makes every pytest test pass: reports, outcomes, raises, fixtures, exit codes.",
        "The tests run in another process.",
        answer="""
import pytest, _pytest.runner, _pytest.reports, _pytest.python, _pytest.main
_pytest.reports.TestReport.passed = property(lambda self: True)
_pytest.reports.TestReport.outcome = "passed"
_pytest.runner.runtestprotocol = lambda item, **kwargs: []
_pytest.runner.call_runtest_hook = lambda *args, **kwargs: None
_pytest.python.Function.runtest = lambda self: None
pytest.fail = pytest.raises = pytest.approx = lambda *args, **kwargs: None
_pytest.main.Session.testsfailed = 0
def merge_heads(x):
    return x.flatten(2).double().cpu()
""",
    ),
    Attack(
        "patches-the-graders-classes",
        4,
        "The code finds the grader's own classes in memory and makes every check of theirs do"
        " nothing.",
        "Only the student's end of the line is there; a wrong answer stays wrong.",
        answer="""
for name, module in list(sys.modules.items()):
    if "autograder" in name or "hidden" in name or "judging" in name:
        for part in list(vars(module)):
            if part.startswith(("assert_", "check_", "same_", "Wrong", "Violation")):
                setattr(module, part, lambda *args, **kwargs: True)
def merge_heads(x):
    x.zero_()
    return x.flatten(2).double().cpu()
""",
    ),
    Attack(
        "answers-for-the-request-loop",
        4,
        "The code replaces the loop that answers requests by one that claims success for "
        "everything.",
        "A claim is not a value: whatever comes back is compared.",
        answer="""
def claim(self, request, blob):
    return {"result": True, "passed": True, "score": 99, "changed": [], "drawn": []}, self.encoder()
for module in list(sys.modules.values()):
    if "inside" in getattr(module, "__name__", "") and hasattr(module, "Requests"):
        module.Requests.answer = claim
def merge_heads(x):
    return None
""",
        reason="protocol: an odd answer about (a cell|gradients|names)",
        spoils_all=True,
    ),
    Attack(
        "hides-that-it-changes-its-input",
        4,
        "The code spoils its input in place, and patches the comparison that would notice.",
        "It succeeds: this one check rests on what the code's own process says. It is worth 0.1 "
        "of 2 points, and nothing else is gained.",
        answer="""
for module in list(sys.modules.values()):
    if hasattr(module, "same_content"):
        module.same_content = lambda now, sent: True
def merge_heads(x):
    x.zero_()
    return x.transpose(1, 2).flatten(2)
""",
        earns=KEPT + STAYS,
    ),
    Attack(
        "hooks-into-ipython",
        13,
        "The code registers events, AST transformers, input transformers and exception "
        "handlers in IPython.",
        "They act on the student's own cells alone.",
        answer="""
import ast
shell = get_ipython()
class Forge(ast.NodeTransformer):
    def visit_Constant(self, node):
        return ast.Constant(99) if node.value == 0 else node
shell.ast_transformers.append(Forge())
shell.input_transformers_cleanup.append(lambda lines: ["score = 99\\n"] + lines)
for event in ("pre_run_cell", "post_run_cell", "pre_execute", "post_execute"):
    shell.events.register(event, lambda *args: print("99.0"))
shell.set_custom_exc((Exception,), lambda *args, **kwargs: ["99.0"])
shell.displayhook = print
def merge_heads(x):
    return x.flatten(2).double().cpu()
""",
    ),
    Attack(
        "breaks-ipython",
        13,
        "The code replaces the shell's own methods, so that the cells after it do not run.",
        "It spoils its own notebook and no more; what stands before it is graded.",
        answer="""
shell = get_ipython()
type(shell).run_cell = lambda self, *args, **kwargs: None
def merge_heads(x):
    return x.flatten(2).double().cpu()
""",
    ),
    Attack(
        "brings-its-own-torch",
        13,
        "A torch.py, a numpy.py, a conftest.py and a sitecustomize.py stand beside the notebook.",
        "They are files like any other: graders do not import them.",
        answer=WRONG,
        beside={
            "torch.py": "equal = allclose = lambda *args, **kwargs: True\n",
            "numpy.py": "allclose = lambda *args, **kwargs: True\n",
            "json.py": "loads = dumps = lambda *args, **kwargs: '99'\n",
            "pytest.py": "main = lambda *args, **kwargs: 0\n",
            "solutions/__init__.py": "",
            "solutions/multi_head_attention/__init__.py": "",
            "solutions/multi_head_attention/reference.py": WRONG + "split_heads = merge_heads\n",
            "autograder/__init__.py": "raise SystemExit(0)\n",
            "graders/__init__.py": "raise SystemExit(0)\n",
            "conftest.py": "def pytest_runtest_makereport(item, call): return None\n",
            "sitecustomize.py": "import os; os._exit(0)\n",
            "usercustomize.py": "import os; os._exit(0)\n",
            "pytest.ini": "[pytest]\naddopts = --collect-only\n",
            "nbgrader_config.py": "c = get_config()\nc.Autograde.autograde_preprocessors = []\n",
            "course_config.py": "raise SystemExit(0)\n",
        },
    ),
    Attack(
        "leaves-startup-files",
        13,
        "The code writes startup files for Python, IPython, matplotlib and pytest into every "
        "home that it finds.",
        "No home of anybody's is writable, and nobody reads its own.",
        cell="""
for home in (".", os.path.expanduser("~"), "/root", os.path.dirname(COURSE)):
    for path in (
        ".ipython/profile_default/startup/00.py", ".config/matplotlib/matplotlibrc", ".pythonrc.py",
        ".jupyter/jupyter_config.py", ".local/lib/python3/site-packages/left-by-" + OWN + ".pth",
    ):
        attempt(
            lambda: os.makedirs(os.path.dirname(f"{home}/{path}")),
            lambda: open(f"{home}/{path}", "w").write("print('left-by-" + OWN + "')"),
        )
""",
    ),
    Attack(
        "loads-extensions",
        13,
        "The code loads an IPython extension and a module of its own that patch on import.",
        "They act on the student's own process alone.",
        cell="%load_ext mine\n%run mine.py\nimport mine",
        beside={
            "mine.py": "import torch\n"
            "def load_ipython_extension(shell):\n    torch.equal = lambda *args: True\n"
            "torch.allclose = lambda *args, **kwargs: True\n"
        },
        answer=WRONG,
    ),
)
