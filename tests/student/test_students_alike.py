"""The student in the sandbox and the student in the notebook answer alike."""

import math

import numpy as np
import pytest
import torch

from autograder.student import MissingName, RemoteStudent, StudentError

SOURCE = """
import numpy as np
import torch

def double(x, *, times=2):
    return x * times

def in_place(x, y=None):
    x[0] = 5
    if y is not None:
        y.append(1)
    return x

def pair(x):
    return x + 1, {"sum": x.sum(), "shape": x.shape, "type": x.dtype, "flags": [True, 1, None]}

def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)

def wrong():
    a = 1
    raise ValueError("a reason")

def draw(n):
    return torch.randn(n)

def draw_by_itself(n):
    return torch.randn(n, generator=torch.Generator().manual_seed(n))

def seed_python(n):
    import random
    random.seed(n)
    return random.random()

def draw_by_numpy(n):
    return np.random.rand(n)

def works_in_place(x):
    x *= 2
    return x.sum()

def cut(x):
    return x.detach() * 2

def several(x, y):
    return [2 * x, x.long(), x.detach() + 1, 3 * x * y]

def precision(x, y):
    return (x @ y).dtype

def apply(module, x):
    return module(x)

def apply_all(layers, x):
    for layer in [*layers["first"], layers["then"][0]]:
        x = layer(x)
    return x

def pack(width):
    return Scale(width).eval(), {"state": [Scale(width)], "width": width}

class Scale(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.weight = torch.nn.Parameter(torch.full((width,), 2.0))
        self.unused = torch.nn.Parameter(torch.zeros(1))
        self.drop = torch.nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(x * self.weight)

    def scaled_by(self, factor):
        return self.weight * factor

    def broken(self):
        return missing

q1 = "B"
nothing = ...
number = 3
"""


@pytest.fixture
def student(student_of):
    return student_of(SOURCE)


def test_a_call_gives_what_the_function_returns(student):
    assert torch.equal(student.double(torch.ones(2)), torch.full((2,), 2.0))
    assert torch.equal(student.double(torch.ones(2), times=3), torch.full((2,), 3.0))


def test_arrays_stay_arrays(student):
    x = np.array([[0.0, math.log(3.0)]])
    shares = student.softmax(x)
    assert type(shares) is np.ndarray
    assert np.allclose(shares, [[0.25, 0.75]])


def test_containers_keep_their_types(student):
    first, rest = student.pair(torch.ones(2, 3))
    assert type(first) is torch.Tensor
    assert rest["shape"] == torch.Size([2, 3])
    assert type(rest["shape"]) is torch.Size
    assert rest["type"] is torch.float32
    assert [type(flag) for flag in rest["flags"]] == [bool, int, type(None)]


def test_devices_and_dtypes_are_kept(student):
    for x in (torch.ones(2, device="meta"), torch.ones(2).bfloat16(), torch.ones(2).double()):
        y = student.double(x)
        assert (y.device, y.dtype, y.shape) == (x.device, x.dtype, x.shape)


def test_changed_inputs_are_named(student):
    student.double(torch.ones(2))
    assert student.changed_inputs == ()
    student.in_place(torch.ones(2))
    assert student.changed_inputs == (0,)
    student.in_place(torch.full((2,), 5.0), y=[])
    assert student.changed_inputs == ("y",)


@pytest.mark.parametrize(
    ("name", "whose"),
    [
        ("draw_by_itself", ()),
        ("draw", ("torch",)),
        ("seed_python", ("Python",)),
        ("draw_by_numpy", ("NumPy",)),
    ],
)
def test_whose_global_random_numbers_a_call_changes_is_told(student, name, whose):
    getattr(student, name)(3)
    assert student.changed_random == whose


def test_inputs_with_nan_that_are_left_alone_are_not_called_changed(student):
    student.double(torch.tensor([math.nan]))
    assert student.changed_inputs == ()
    student.softmax(np.array([math.nan, 1.0]))
    assert student.changed_inputs == ()


def test_an_exception_tells_type_text_and_line(student):
    with pytest.raises(StudentError) as error:
        student.wrong()
    assert (error.value.type_name, error.value.message) == ("ValueError", "a reason")
    assert error.value.line == SOURCE.split("\n").index('    raise ValueError("a reason")') + 1


def test_a_wrong_call_is_the_students_error(student):
    with pytest.raises(StudentError, match="TypeError"):
        student.double()


def test_a_name_that_is_not_bound_is_missing(student):
    with pytest.raises(MissingName, match="no_such"):
        student.no_such(1)
    with pytest.raises(MissingName, match="no_such"):
        student.value("no_such")


def test_a_name_that_is_no_function_is_said_to_be_none(student):
    with pytest.raises(StudentError, match="number is of type int, not a function or class"):
        student.number(1)


def test_values_can_be_read(student):
    assert student.value("q1") == "B"
    assert student.value("number") == 3


def test_seeding_repeats_random_numbers(student):
    student.seed(3)
    first = student.draw(4)
    second = student.draw(4)
    student.seed(3)
    assert torch.equal(student.draw(4), first)
    assert not torch.equal(first, second)


def test_gradients_reach_arguments(student):
    x, upstream = torch.randn(3), torch.randn(3)
    found = student.grad("double", x, upstream=upstream)
    assert torch.equal(found.value, x * 2)
    assert torch.equal(found.inputs[0], upstream * 2)
    assert found.parameters == {}
    assert not found.value.requires_grad
    assert torch.equal(student.grad("double", x, upstream=(upstream,)).inputs[0], upstream * 2)


def test_gradients_pass_code_that_works_in_place(student):
    found = student.grad("works_in_place", torch.ones(3), upstream=torch.tensor(1.0))
    assert torch.equal(found.inputs[0], torch.full((3,), 2.0))


def test_no_gradient_is_none(student):
    assert student.grad("cut", torch.ones(2), upstream=torch.ones(2)).inputs == (None,)


def test_a_tuple_pulls_every_floating_output_back(student):
    x, y, first, cut, last = torch.randn(5, 3)
    found = student.grad("several", x, y, upstream=(first, cut, last))
    assert torch.allclose(found.inputs[0], 2 * first + 3 * last * y)
    assert torch.allclose(found.inputs[1], 3 * last * x)
    assert torch.equal(found.value[0], 2 * x)
    assert not any(one.requires_grad for one in found.value)


def test_none_in_a_tuple_skips_an_output(student):
    x, y, last = torch.randn(3, 3)
    found = student.grad("several", x, y, upstream=(None, None, last))
    assert torch.allclose(found.inputs[0], 3 * last * y)
    first_alone = student.grad("several", x, y, upstream=(x, None, None))
    assert torch.equal(first_alone.inputs[0], 2 * x)
    assert first_alone.inputs[1] is None
    cut_alone = student.grad("several", x, y, upstream=(None, x, None))
    assert cut_alone.inputs == (None, None)


def test_cotangents_go_where_the_outputs_are(student):
    x, upstream = torch.randn(3, device="meta"), torch.randn(3)
    found = student.grad("several", x, x, upstream=(upstream, upstream, upstream))
    assert found.inputs[0].is_meta


def test_a_tensor_pulls_the_first_output_back_alone(student):
    x, y = torch.randn(2, 3)
    found = student.grad("several", x, y, upstream=x)
    assert torch.equal(found.inputs[0], 2 * x)
    assert found.inputs[1] is None


@pytest.mark.parametrize("count", [0, 2, 4])
def test_another_number_of_outputs_than_cotangents_is_the_students_error(student, count):
    with pytest.raises(StudentError, match=f"3 floating-point tensors returned, not {count}"):
        student.grad("several", torch.ones(2), torch.ones(2), upstream=(torch.ones(2),) * count)
    assert torch.equal(student.double(torch.ones(2)), torch.full((2,), 2.0))


def test_any_cotangent_of_the_wrong_shape_is_the_students_error(student):
    fits, wide = torch.ones(2), torch.ones(3)
    for upstream in ((wide, fits, fits), (fits, fits, wide), (None, None, wide[:1])):
        with pytest.raises(StudentError, match="RuntimeError"):
            student.grad("several", fits, fits, upstream=upstream)


def test_an_upstream_of_the_wrong_shape_is_the_students_error(student):
    with pytest.raises(StudentError, match="shape"):
        student.grad("double", torch.ones(2), upstream=torch.ones(3))


def test_gradients_reach_parameters(student):
    module = student.Scale(3).eval()
    found = student.grad(module, torch.ones(2, 3), upstream=torch.ones(2, 3))
    assert torch.equal(found.parameters["weight"], torch.full((3,), 2.0))
    assert found.parameters["unused"] is None
    assert torch.equal(found.inputs[0], torch.full((2, 3), 2.0))


def test_a_module_can_be_loaded_called_and_chained(student):
    module = student.Scale(2)
    missing, unexpected = module.load_state_dict(
        {"weight": torch.tensor([1.0, 3.0]), "other": torch.zeros(1)}, strict=False
    )
    assert list(missing) == ["unused"]
    assert list(unexpected) == ["other"]
    assert module.eval() is module
    assert torch.equal(module(torch.ones(2)), torch.tensor([1.0, 3.0]))
    assert torch.equal(module.scaled_by(2), torch.tensor([2.0, 6.0]))
    assert module.double()(torch.ones(2).double()).dtype is torch.float64
    state = module.state_dict()
    assert sorted(state) == ["unused", "weight"]
    assert not state["weight"].requires_grad


def test_what_a_module_keeps_can_be_read(student):
    assert student.Scale(3).attribute("width") == 3
    with pytest.raises(StudentError, match="AttributeError"):
        student.Scale(3).attribute("height")


def test_a_modules_own_exception_is_the_students_error(student):
    with pytest.raises(StudentError, match="NameError"):
        student.Scale(2).broken()
    with pytest.raises(StudentError, match="AttributeError"):
        student.Scale(2).no_such_method()


def test_a_module_can_be_passed_to_a_function(student):
    module = student.Scale(2).eval()
    assert torch.equal(student.apply(module, torch.ones(2)), torch.full((2,), 2.0))


def test_modules_can_be_passed_inside_lists_and_dicts(student):
    layers = {"first": [student.Scale(2).eval()], "then": (student.Scale(2).eval(), 3)}
    assert torch.equal(student.apply_all(layers, torch.ones(2)), torch.full((2,), 4.0))
    found = student.grad("apply_all", layers, torch.ones(2), upstream=torch.ones(2))
    assert torch.equal(found.inputs[1], torch.full((2,), 4.0))


def test_modules_come_back_inside_tuples_and_dicts(student):
    module, rest = student.pack(2)
    assert torch.equal(module(torch.ones(2)), torch.full((2,), 2.0))
    assert torch.equal(rest["state"][0].eval()(torch.ones(2)), torch.full((2,), 2.0))


def test_a_linear_layer_of_ours_holds_the_parameters_given(student):
    weight, bias = torch.randn(3, 2).double(), torch.randn(3).double()
    x = torch.randn(4, 2).double()
    layer = student.linear(weight, bias)
    assert torch.equal(student.apply(layer, x), torch.nn.functional.linear(x, weight, bias))
    assert torch.equal(student.linear(weight)(x), x @ weight.T)
    found = student.grad(layer, x, upstream=torch.ones(4, 3).double())
    assert torch.equal(found.parameters["bias"], torch.full((3,), 4.0).double())
    assert student.linear(torch.empty(3, 2, device="meta")).state_dict()["weight"].is_meta


def test_making_a_layer_draws_no_random_number(student):
    student.seed(1)
    first = student.draw(3)
    student.seed(1)
    student.linear(torch.zeros(3, 2), torch.zeros(3))
    assert torch.equal(student.draw(3), first)


def test_a_layer_of_ours_is_a_copy(student):
    weight = torch.zeros(2, 2)
    student.linear(weight).load_state_dict({"weight": torch.ones(2, 2)})
    assert torch.equal(weight, torch.zeros(2, 2))


def test_autocast_reaches_the_students_code(student):
    x = torch.ones(2, 2)
    with student.autocast("cpu", torch.bfloat16):
        assert student.precision(x, x) is torch.bfloat16
    assert student.precision(x, x) is torch.float32


def test_peak_memory_never_falls(student):
    first = student.peak_bytes()
    student.double(torch.ones(1000, 1000))
    assert student.peak_bytes() >= first > 0


def test_private_names_are_not_the_students(student):
    with pytest.raises(AttributeError):
        _ = student._private
    assert not hasattr(student, "__array__")


def test_gradients_of_what_was_not_graded_stay_out_of_plain_calls(open_session):
    student = open_session("def f(x):\n    return x.requires_grad, x * 2").student
    assert isinstance(student, RemoteStudent)
    assert student.f(torch.ones(1))[0] is False
    wants, value = student.f(torch.ones(1, requires_grad=True))
    assert wants is True
    assert not value.requires_grad
