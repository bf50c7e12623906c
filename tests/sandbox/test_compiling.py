"""Triton's kernels become what a GPU's driver takes, in the sandbox, where no program starts."""

import inspect
import os
import subprocess
import sys
from contextlib import closing

import pytest
from course_packages import PACKAGES

from autograder.course.limits import Limits
from autograder.judging.answers import reference_source
from autograder.sandbox import Sandbox, launch
from autograder.sandbox.driver_module import NAME, build_driver_module
from autograder.tensors.inside import compiling

pytest.importorskip("triton")

# A process that reaches a GPU has this before it is confined.
COMPILING = f"""
{inspect.getsource(compiling)}
import math
from jaxtyping import Float
from torch import Tensor
compile_here("/nowhere/module.so", cuda=12040)
"""
SIGNATURE = """
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

def compiled(capability, kind):
    kernel = triton_attention_kernel
    constants = {"is_causal": True, "BLOCK_Q": 16, "BLOCK_K": 16, "WIDTH_K": 16, "WIDTH_V": 16}
    signature = {
        name: "constexpr" if name in constants else "*" + kind if name.endswith("_ptr")
        else "fp32" if name == "scale" else "i32"
        for name in kernel.arg_names
    }
    source = ASTSource(kernel, signature, constants)
    made = triton.compile(source, target=GPUTarget("cuda", capability, 32))
    return [type(kernel).__name__, made.kernel.decode()]

def module_found():
    from triton.runtime.build import platform_key
    from triton.runtime.cache import get_cache_manager
    platform_key()  # which Triton asks for first
    return get_cache_manager("00").get_file("cuda_utils.cpython-311-x86_64-linux-gnu.so")
"""


@pytest.fixture(scope="module", params=["required", "fallback"])
def connection(request):
    """A sandbox whose environment says of Triton's interpreter what one with a GPU says."""
    said = launch.ENVIRONMENT_WITH_GPU["TRITON_INTERPRET"]
    limits = Limits(cell_seconds=60, call_seconds=60)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(launch.ENVIRONMENT, "TRITON_INTERPRET", said)
        sandbox = Sandbox(request.param, limits, PACKAGES)
        sandbox.start()
    with closing(sandbox):
        yield sandbox.connect()


@pytest.fixture
def compiles(connection):
    started = connection.start_worker()
    for source in (COMPILING, reference_source("triton_attention"), SIGNATURE):
        assert started.run_cell(source).error is None
    yield started
    started.close()


@pytest.mark.parametrize("kind", ["fp32", "fp16", "bf16"])
@pytest.mark.parametrize("capability", [80, 90])
def test_a_kernel_becomes_ptx_in_the_sandbox(compiles, capability, kind):
    made_of, ptx = compiles.call("compiled", [capability, kind]).value
    assert made_of == "JITFunction"
    assert ptx.startswith("//")
    assert ptx.endswith("\0")
    assert "\0" not in ptx[:-1]
    assert ".version 8.4\n" in ptx  # what CUDA 12.4 knows, whose assembler is not asked
    assert f".target sm_{capability}" in ptx
    assert ".visible .entry triton_attention_kernel(" in ptx


def test_the_module_that_was_built_outside_is_found_inside(compiles):
    assert compiles.call("module_found").value == "/nowhere/module.so"


def test_a_notebook_cannot_ask_for_the_interpreter_again(compiles):
    assert compiles.run_cell("os.environ['TRITON_INTERPRET'] = '1'").error is None
    assert compiles.run_cell(reference_source("triton_attention")).error is None
    assert compiles.call("compiled", [90, "fp32"]).value[0] == "JITFunction"


STAND_IN = """
import ctypes, importlib.util, sys
ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL)
spec = importlib.util.spec_from_file_location("cuda_utils", sys.argv[2])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print(*(hasattr(module, name) for name in ("load_binary", "launch", "get_device_properties")))
"""


def test_the_module_is_built_where_there_is_no_driver(tmp_path):
    """It asks for the driver's library by name, and loads where one of that name has its calls."""
    built = build_driver_module(tmp_path)
    assert built == tmp_path / NAME
    asked = subprocess.run(["readelf", "-d", built], capture_output=True, text=True).stdout
    assert "[libcuda.so.1]" in asked
    listed = subprocess.run(["nm", "-Du", built], capture_output=True, text=True).stdout
    calls = [line.split()[-1] for line in listed.splitlines() if line.split()[-1][:2] == "cu"]
    assert "cuModuleLoadData" in calls
    (tmp_path / "driver.c").write_text(
        "".join(f"int {name}(void) {{ return 1; }}\n" for name in calls)
    )
    driver = tmp_path / "elsewhere" / "libcuda.so.1"
    driver.parent.mkdir()
    named = f"-Wl,-soname,{driver.name}"
    subprocess.run(
        ["cc", "-shared", "-fPIC", named, tmp_path / "driver.c", "-o", driver], check=True
    )
    command = [sys.executable, "-c", STAND_IN, driver, built]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.split() == ["True"] * 3, done.stderr


def test_without_a_compiler_it_is_told(tmp_path, monkeypatch):
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(LookupError, match="there is no C compiler"):
        build_driver_module(tmp_path)


@pytest.mark.parametrize(("compiler", "told"), [("/bin/false", "ends with 1"), ("/x", "not run")])
def test_a_compiler_that_fails_is_told(tmp_path, monkeypatch, compiler, told):
    monkeypatch.setenv("CC", compiler)
    with pytest.raises(LookupError, match=told):
        build_driver_module(tmp_path)


def test_without_headers_it_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(tmp_path))
    with pytest.raises(LookupError, match=r"Python\.h"):
        build_driver_module(tmp_path)


def test_the_module_is_readable_to_another_user_whatever_the_umask(tmp_path):
    before = os.umask(0o077)
    try:
        built = build_driver_module(tmp_path)
    finally:
        os.umask(before)
    assert built.stat().st_mode & 0o444 == 0o444
