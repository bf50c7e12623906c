"""LocalStudent keeps the contract of the `student` fixture."""

import numpy as np
import pytest
import torch
from torch import nn

from autograder.checks.kit.errors import MissingName, StudentError
from autograder.checks.kit.local_student import LocalModule, LocalStudent

CELL = """
import torch
from torch import nn

def double(x, twice=False):
    return 2 * x if not twice else 4 * x

def spoil(x, *, other=None):
    x += 1
    if other is not None:
        other[0][:] = 0
    return x.sum()

def raises(x):
    y = x + 1
    raise KeyError("deep")

def pair(x):
    return x.long(), x ** 2

def cut(x):
    return x.detach() * 3

def ranks(x):
    return x > 0

def apply(layer, x):
    return layer(x)

answer = "B"

class Layer(nn.Module):
    def __init__(self, width, dropout=0.0):
        super().__init__()
        if width < 1:
            raise ValueError("width 0")
        self.linear = nn.Linear(width, 2)
        self.unused = nn.Parameter(torch.zeros(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.linear(x))

    def wide(self):
        return self.linear.out_features

from typing import NamedTuple

class Pair(NamedTuple):
    first: object
    second: object

def named_pair(x):
    return Pair(x, 2 * x)
"""


@pytest.fixture
def student():
    namespace = {}
    exec(compile(CELL, "cell", "exec"), namespace)
    return LocalStudent(namespace)


def test_functions_are_called_by_name_with_all_kinds_of_arguments(student):
    assert torch.equal(student.double(torch.ones(2), twice=True), torch.full((2,), 4.0))


def test_what_comes_back_carries_no_graph(student):
    assert not student.double(torch.ones(2, requires_grad=True)).requires_grad


def test_a_plain_value_can_be_read(student):
    assert student.value("answer") == "B"


def test_a_missing_name_says_which(student):
    with pytest.raises(MissingName) as missing:
        student.tripel(1)
    assert missing.value.name == "tripel"
    with pytest.raises(MissingName):
        student.value("q9")


def test_an_error_of_the_code_tells_type_text_and_line(student):
    with pytest.raises(StudentError) as raised:
        student.raises(torch.ones(2))
    error = raised.value
    assert (error.type_name, error.message, error.line) == ("KeyError", "'deep'", 16)
    assert isinstance(error.__cause__, KeyError)


def test_a_name_that_is_no_function_is_told_so(student):
    with pytest.raises(StudentError, match="answer is of type str"):
        student.answer()


def test_changed_inputs_are_found_by_position_and_name(student):
    student.spoil(torch.zeros(3), other=(np.ones(2), 1))
    assert student.changed_inputs == (0, "other")
    student.double(torch.zeros(3))
    assert student.changed_inputs == ()


def test_nan_that_stays_nan_is_no_change(student):
    student.double(torch.tensor([torch.nan, 1.0]))
    assert student.changed_inputs == ()


def test_gradients_of_a_function_reach_its_arguments(student):
    x, upstream = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0])
    found = student.grad("double", x, upstream=upstream, twice=True)
    assert torch.equal(found.inputs[0], 4 * upstream)
    assert torch.equal(found.value, 4 * x)
    assert found.parameters == {}
    assert x.grad is None


def test_the_upstream_belongs_to_the_first_floating_output(student):
    found = student.grad("pair", torch.tensor([3.0]), upstream=torch.ones(1))
    assert torch.equal(found.inputs[0], torch.tensor([6.0]))


@pytest.mark.parametrize("name", ["cut", "ranks"])
def test_no_gradient_is_none_and_no_error(student, name):
    assert student.grad(name, torch.ones(2), upstream=torch.ones(2)).inputs == (None,)


def test_code_that_works_in_place_can_be_differentiated(student):
    found = student.grad("spoil", torch.ones(3), upstream=torch.tensor(1.0))
    assert torch.equal(found.inputs[0], torch.ones(3))
    assert student.changed_inputs == (0,)


def test_an_upstream_of_another_shape_is_the_codes_error(student):
    with pytest.raises(StudentError, match="shape"):
        student.grad("double", torch.ones(2), upstream=torch.ones(3))


def test_a_module_can_be_loaded_moved_called_and_differentiated(student):
    layer = student.Layer(3)
    assert isinstance(layer, LocalModule)
    weight = torch.arange(6.0).reshape(2, 3)
    missing, unexpected = layer.load_state_dict(
        {"linear.weight": weight, "linear.bias": torch.zeros(2), "more": torch.zeros(1)},
        strict=False,
    )
    assert (missing, unexpected) == (["unused"], ["more"])
    assert layer.double().eval() is layer
    x = torch.ones(1, 3, dtype=torch.float64)
    assert torch.equal(layer(x), (x @ weight.double().T))
    found = student.grad(layer, x, upstream=torch.ones(1, 2))
    assert torch.equal(found.inputs[0], weight.double().sum(0, keepdim=True))
    assert torch.equal(found.parameters["linear.bias"], torch.ones(2).double())
    assert found.parameters["unused"] is None
    assert set(layer.state_dict()) == {"linear.weight", "linear.bias", "unused"}
    assert layer.wide() == 2


def test_errors_of_a_modules_making_and_methods_are_the_students(student):
    with pytest.raises(StudentError, match="width 0"):
        student.Layer(0)
    layer = student.Layer(3)
    with pytest.raises(StudentError, match="AttributeError"):
        layer.nothing()
    with pytest.raises(StudentError, match="RuntimeError"):
        layer(torch.ones(1, 4))


def test_a_module_may_be_an_argument(student):
    layer = student.Layer(3)
    assert torch.equal(student.apply(layer, torch.ones(1, 3)), layer(torch.ones(1, 3)))


def test_seed_makes_random_code_repeat_itself(student):
    layer = student.Layer(3, dropout=0.5)
    student.seed(1)
    first = layer(torch.ones(20, 3))
    student.seed(1)
    assert torch.equal(first, layer(torch.ones(20, 3)))


def test_calls_inside_autocast_run_in_half_precision(student):
    layer = student.Layer(3)
    with student.autocast("cpu", torch.bfloat16):
        assert layer(torch.ones(1, 3)).dtype == torch.bfloat16
    assert layer(torch.ones(1, 3)).dtype == torch.float32


def test_peak_memory_never_falls_and_is_in_bytes(student):
    before = student.peak_bytes()
    block = np.ones(25_000_000)
    assert student.peak_bytes() >= before > 20_000_000
    assert student.peak_bytes() >= block.nbytes


def test_files_are_placed_in_the_working_directory(student, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    student.place("deep/a.txt", b"ours")
    assert (tmp_path / "deep" / "a.txt").read_bytes() == b"ours"
    for path in ("/etc/passwd", "../up"):
        with pytest.raises(ValueError, match="leads out"):
            student.place(path, b"")


def test_folders_are_placed_where_the_student_was_told(tmp_path):
    student = LocalStudent({}, tmp_path)
    path = student.place("folder", {"a.txt": b"one"})
    assert path == str(tmp_path / "folder")
    assert (tmp_path / "folder" / "a.txt").read_bytes() == b"one"


def test_the_module_itself_is_a_plain_torch_module(student):
    assert isinstance(student.Layer(3).module, nn.Module)


def test_a_named_tuple_arrives_as_a_plain_one(student):
    first, second = student.named_pair(np.ones(3))
    assert type(student.named_pair(np.ones(3))) is tuple
    assert np.array_equal(second, 2 * first)
