"""What is different for submissions that reach a GPU, as far as a machine without one can show."""

import json
import subprocess
import sys
import warnings
from dataclasses import replace

import pytest
import torch
from course_packages import PACKAGES

from autograder.checks.kit.errors import StudentDied, StudentError
from autograder.sandbox import Sandbox, SandboxUnavailable, driver_module, launch
from autograder.sandbox import gpu as looked_for
from autograder.sandbox.backend import Refused
from autograder.sandbox.connection import Connection
from autograder.sandbox.examining import examine
from autograder.sandbox.examining.examine import State
from autograder.sandbox.gpu import Gpu, find_gpu, why_no_gpu
from autograder.sandbox.inside import boot
from autograder.sandbox.inside.layers import ALL, LIMITS, NAMESPACES
from autograder.sandbox.inside.linux import landlock_version
from autograder.sandbox.inside.places import DRIVER_FILES
from autograder.sandbox.native import NativeBackend, NativeSource
from autograder.tensors.inside.fresh import count_waits

pytestmark = pytest.mark.slow

NOWHERE = Gpu(("/dev/null",))


@pytest.fixture
def devices(tmp_path, monkeypatch):
    """A folder with the device files of a machine with two GPUs, and a PyTorch for CUDA."""
    (tmp_path / "nvidia-caps").mkdir()
    for name in ("nvidiactl", "nvidia-uvm", "nvidia-modeset", "nvidia1", "nvidia0", "null"):
        (tmp_path / name).touch()
    for name in ("nvidia-uvm-tools", "nvidia-caps/nvidia-cap1"):
        (tmp_path / name).touch()
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr(looked_for, "torch_has_cuda", lambda: True)
    return tmp_path


def test_a_gpu_is_its_cards_and_what_controls_them(devices):
    found = find_gpu(slots=2, devices=devices)
    names = ["nvidiactl", "nvidia-uvm", "nvidia0", "nvidia1"]
    names += ["nvidia-uvm-tools", "nvidia-caps/nvidia-cap1"]
    assert list(found.nodes) == [str(devices / name) for name in names]
    assert 0.4 < found.share < 0.5


@pytest.mark.parametrize("missing", ["nvidiactl", "nvidia-uvm", "nvidia0 nvidia1"])
def test_without_its_devices_there_is_none(devices, missing):
    for name in missing.split():
        (devices / name).unlink()
    assert "driver" in (why_no_gpu(devices) or "")
    with pytest.raises(LookupError, match="driver"):
        find_gpu(devices=devices)


@pytest.mark.parametrize("hidden", ["", "-1"])
def test_one_that_is_hidden_is_not_used(devices, monkeypatch, hidden):
    assert why_no_gpu(devices) is None
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", hidden)
    assert "CUDA_VISIBLE_DEVICES" in (why_no_gpu(devices) or "")


@pytest.mark.skipif(torch.version.cuda is not None, reason="PyTorch is built for CUDA here")
def test_pytorch_without_cuda_uses_none(devices, monkeypatch):
    monkeypatch.undo()
    assert "without CUDA" in (why_no_gpu(devices) or "")


@pytest.mark.parametrize("build", ["cuda: Optional[str] = '12.8'", "cuda = '13.0'"])
def test_pytorch_for_cuda_is_told_by_its_version_file(tmp_path, monkeypatch, build):
    (tmp_path / "version.py").write_text(f"__version__ = '2.13.0'\n{build}\nhip = None\n")
    (tmp_path / "__init__.py").touch()

    class Found:
        origin = str(tmp_path / "__init__.py")

    monkeypatch.setattr(looked_for.importlib.util, "find_spec", lambda _: Found)
    assert looked_for.torch_has_cuda()


def bound_by(started):
    """What is shown inside bubblewrap, in the order of its command line."""
    command = started.command
    return [command[at + 1] for at, one in enumerate(command) if "bind" in one and one[0] == "-"]


def test_only_what_a_gpu_needs_is_added_to_what_is_bound(limits):
    view = launch.View((), {})
    without, with_gpu = (
        launch.bubblewrap("bwrap", view, [3], limits, gpu=gpu) for gpu in (None, NOWHERE)
    )
    assert with_gpu.environment["CUDA_VISIBLE_DEVICES"]
    assert without.environment["CUDA_VISIBLE_DEVICES"] == ""
    files = [file for file in DRIVER_FILES if not file.startswith("/proc")]
    bound = bound_by(with_gpu)
    for one in bound_by(without):
        bound.remove(one)
    assert sorted(bound) == sorted([*files, "/dev/null"])
    setup = json.loads(with_gpu.command[-1])
    assert setup["gpu"] == ["/dev/null"]
    assert setup["gpu_share"] == NOWHERE.share


def test_a_drivers_own_folder_of_libraries_is_shown(limits, tmp_path):
    (tmp_path / "libcuda.so.1").touch()
    gpu = Gpu(("/dev/null",), libraries=(tmp_path,))
    started = launch.bubblewrap("bwrap", launch.View.of(["packaging"], gpu), [3], limits, gpu=gpu)
    assert str(tmp_path) in bound_by(started)
    assert started.environment["LD_LIBRARY_PATH"] == str(tmp_path)
    assert str(tmp_path) in json.loads(started.command[-1])["readable"]
    without = launch.bubblewrap("bwrap", launch.View.of(["packaging"]), [3], limits)
    assert str(tmp_path) not in bound_by(without)


def test_tritons_own_module_is_shown_where_it_was_built(limits, tmp_path):
    module = tmp_path / "triton_driver.so"
    module.touch()
    gpu = Gpu(("/dev/null",), driver_module=module)
    (tmp_path / "folder").mkdir()
    view = launch.View.of(["packaging"], gpu)
    for started in (
        launch.bubblewrap("bwrap", view, [3], limits, gpu=gpu),
        launch.without_namespaces(ALL - {NAMESPACES}, view, tmp_path / "folder", [3], limits, gpu),
    ):
        setup = json.loads(started.command[-1])
        assert setup["driver_module"] == str(module)
        assert str(module) in setup["readable"]
        assert started.environment["TRITON_INTERPRET"] == "0"
    assert str(module) in bound_by(launch.bubblewrap("bwrap", view, [3], limits, gpu=gpu))
    without = launch.bubblewrap("bwrap", launch.View.of(["packaging"]), [3], limits)
    assert json.loads(without.command[-1])["driver_module"] is None
    assert without.environment["TRITON_INTERPRET"] == "1"


def launched(limits, packages):
    """A backend for a GPU that is none, begun: what it built, and what it calls unusable."""
    backend = NativeBackend("full", ALL, packages, limits, 1, NOWHERE)
    try:
        backend.launch()
        return (
            backend,
            backend._gpu.driver_module.read_bytes() if backend._gpu.driver_module else b"",
        )
    finally:
        backend.close()


def test_kernels_wait_where_their_module_cannot_be_built(limits, monkeypatch):
    pytest.importorskip("triton")
    backend, built = launched(limits, ["torch", "ipython", "triton"])
    assert (built[:4], backend.unusable) == (b"\x7fELF", {})
    assert not backend._gpu.driver_module.parent.exists()
    monkeypatch.setenv("CC", "/bin/false")
    backend, built = launched(limits, ["torch", "ipython", "triton"])
    assert (built, list(backend.unusable)) == (b"", ["triton"])
    monkeypatch.delenv("CC")
    monkeypatch.setattr(driver_module, "OLDEST", "1000")
    backend, built = launched(limits, ["torch", "ipython", "triton"])
    assert (built, "kernels need 1000 or newer" in backend.unusable["triton"]) == (b"", True)
    backend, built = launched(limits, ["torch", "ipython"])
    assert (built, backend.unusable) == (b"", {})


@pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU is here")
@pytest.mark.parametrize("policy", ["required", "fallback"])
def test_a_gpu_that_does_not_answer_is_told_before_anything_is_graded(policy, limits):
    sandbox = Sandbox(policy, limits, PACKAGES, gpu=NOWHERE)
    with pytest.raises(SandboxUnavailable, match="the GPU does not answer inside the sandbox"):
        sandbox.start()
    sandbox.close()


@pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU is here")
def test_the_doctor_tells_what_keeps_a_gpu_from_the_sandbox(monkeypatch):
    found = examine._cuda(["torch", "numpy", "ipython"])
    assert found.state is State.UNUSED
    monkeypatch.setattr(looked_for, "find_gpu", lambda: NOWHERE)
    found = examine._cuda(["torch", "numpy", "ipython"])
    assert found.state is State.MISSING
    assert "the GPU does not answer inside the sandbox" in found.saw


def test_containers_say_that_they_reach_none(limits):
    with pytest.raises(SandboxUnavailable, match="containers of this version reach no GPU"):
        Sandbox("container", limits, PACKAGES, gpu=NOWHERE).start()


NAMES_ITS_THREAD = """
import os
import sys
from autograder.course.limits import Limits
from autograder.sandbox.inside.confine import Confinement, confine
from autograder.sandbox.inside.layers import CLOSED, LANDLOCK, USER
from autograder.sandbox.launch import allowance_of, user_to_become

gpu = (os.open("/dev/null", os.O_PATH),) if sys.argv[1] == "gpu" else ()
held = Confinement(frozenset({CLOSED, LANDLOCK, USER}), (), (), gpu, False, 0, 0, 0)
confine(held, allowance_of(Limits()), "/tmp", user_to_become())
for path in ("task/self/comm", "task/self/oom_score_adj", "mem", "../self/environ", "../1/comm"):
    path = "/proc/self/" + path.replace("task/self", f"task/{os.getpid()}")
    try:
        os.close(os.open(path, os.O_RDWR))
    except OSError:
        continue
    print(path.rpartition("/")[2])
"""


@pytest.mark.skipif(landlock_version() < 1, reason="this kernel has no Landlock")
@pytest.mark.parametrize(("which", "written"), [("gpu", ["comm"]), ("none", [])])
def test_a_driver_may_name_its_threads_and_write_nothing_else(which, written):
    command = [sys.executable, "-c", NAMES_ITS_THREAD, which]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == written, done.stderr


NAMES_ANOTHER = """
import sys, threading
sys.path.insert(0, sys.argv[1])
from autograder.sandbox.inside import start

def name_another():
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    try:
        with open(f"/proc/self/task/{other.native_id}/comm", "w") as file:
            file.write("driver")
    finally:
        done.set()
    raise OSError("the thread has its name")

start._load = lambda zygote, setup: start._rehearse(
    zygote, start.Allowance(**setup.allowance), name_another
)
start.main(sys.argv[2])
"""


@pytest.mark.parametrize("mode", ["full", "fallback"])
def test_one_thread_may_name_another(mode, limits, monkeypatch):
    """As NVIDIA's driver does, which gives up where that is refused: CUDA error 304."""
    monkeypatch.setattr(boot, "_CODE", NAMES_ANOTHER)
    layers = ALL if mode == "full" else ALL - {NAMESPACES}
    backend = NativeBackend(mode, layers, PACKAGES, limits, 1, NOWHERE)
    try:
        with pytest.raises(Refused, match="the thread has its name"):
            backend.start()
    finally:
        backend.close()


def test_a_wait_is_what_pytorch_calls_one_and_not_that_it_looks_for_them(monkeypatch):
    """To switch the looking on warns too, once a process, that not all is found."""
    about = "Synchronization debug mode does not yet detect all synchronizing operations"

    def forward(x):
        if x:
            warnings.warn("called a synchronizing CUDA operation", stacklevel=1)

    monkeypatch.setattr(torch.cuda, "synchronize", lambda: None)
    switched = lambda _: warnings.warn(about, stacklevel=1)  # noqa: E731
    monkeypatch.setattr(torch.cuda, "set_sync_debug_mode", switched)
    assert [count_waits(forward, x, {}) for x in (False, True)] == [0, 1]


ASKS_FOR_NONE = """
import sys
import torch

def refuse(*_, **__):
    raise SystemError("a GPU was asked for")

for owner, names in (
    (torch.cuda, ("is_available", "device_count", "is_current_stream_capturing")),
    (torch.autograd, ("grad", "backward")),  # whose engine counts the GPUs
    (torch.Tensor, ("backward",)),
):
    for name in names:
        setattr(owner, name, lambda *_, **__: refuse())
from autograder.sandbox.inside.shell import make_shell
from autograder.sandbox.inside.versions import is_installed
from autograder.sandbox.inside.tensors import tensors
from autograder.sandbox.inside.warm import warm

warm(make_shell(), tensors("warm"), without_driver=sys.argv[1] == "without")
if is_installed("triton"):
    from autograder.tensors.inside.compiling import read_triton
    read_triton()
print("kept away")
"""


@pytest.mark.parametrize("which", ["without", "with"])
def test_a_fork_server_keeps_away_from_the_driver(which):
    """Who has asked PyTorch how many GPUs there are cannot be forked any more."""
    command = [sys.executable, "-c", ASKS_FOR_NONE, which]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ("kept away" in done.stdout) == (which == "without"), done.stderr


SHARED = """
import mmap
pages = [mmap.mmap(-1, 64 << 20) for _ in range({count})]
for one in pages:
    for start in range(0, len(one), 4096):
        one[start] = 1
def f():
    return {count}
"""


def test_memory_that_no_limit_counts_is_watched(limits):
    """Shared memory counts in no limit but that of addresses, which is no use beside a driver."""
    with Sandbox(limits=limits, layers=ALL - {LIMITS}) as sandbox:
        source = NativeSource(sandbox._backend._controls[0], watched=True)
        worker = Connection(source, replace(limits, cell_seconds=20)).start_worker()
        assert worker.run_cell(SHARED.format(count=4)).error is None
        with pytest.raises(StudentDied) as died:
            worker.run_cell(SHARED.format(count=40))  # 2.5 GiB; 1.5 are allowed here
        assert died.value.reason == "out_of_memory"
        fresh = Connection(source, limits).start_worker()
        assert fresh.run_cell("x = 1").error is None
        fresh.close()


def test_after_a_fault_of_the_gpu_nothing_else_is_asked_of_the_process(worker):
    """It would fail whatever it is asked, and other exercises would pay for it."""
    worker.run_cell(
        "def f():\n    raise RuntimeError('CUDA error: device-side assert triggered')\n"
        "def g():\n    return 1\n"
    )
    with pytest.raises(StudentDied) as died:
        worker.call("f")
    assert died.value.reason == "crashed"
    assert worker.death is not None


def test_a_fault_of_the_gpu_in_a_cell_ends_the_process_too(worker):
    with pytest.raises(StudentDied):
        worker.run_cell("raise RuntimeError('CUDA error: an illegal memory access')")


def test_a_full_gpu_is_told_as_memory(worker):
    full = "RuntimeError('CUDA out of memory. Tried to allocate 80.00 GiB.')"
    worker.run_cell(f"def f():\n    raise {full}\ndef g():\n    return 1\n")
    with pytest.raises(StudentDied) as died:
        worker.call("f")
    assert died.value.reason == "out_of_memory"
    assert worker.call("g").value == 1
    worker.run_cell("def h():\n    raise ValueError('CUDA error: no fault of any GPU')")
    with pytest.raises(StudentError):
        worker.call("h")
