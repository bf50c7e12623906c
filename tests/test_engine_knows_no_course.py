"""The engine knows nothing of attention, and its wheel holds nothing of a course."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from autograder.course import load_course

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "autograder"
DISTRIBUTION = "attention-autograder"
WORDS = re.compile(
    r"attention|\battend|transformer|\bcausal|\bmask(s|ed|ing)?\b|softmax|multi.?head|\bheads\b"
    r"|num_heads|\bthe cat\b|seq_len|d_model|\bd_k\b|\bw_[qkvo]\b|\bqkv\b|\bbert\b"
    r"|\bquer(y|ies)\b.*\bkeys?\b|positional.encoding|\btokens\b.*\bwords?\b",
    re.IGNORECASE,
)
# What recognises torch's own operation, and what prepares the sandbox for it.
OF_TORCH = {
    "tensors/operations.py": (
        "FUSED_ATTENTION",
        "OWN_ATTENTION",
        "flash_attention",
        "it is part of its attention where no kernel fuses that",
        "_softmax",
        "masked_fill masked_select",
        '"masked_select nonzero',
    ),
    "tensors/replay.py": ("FUSED_ATTENTION",),
    "tensors/structure.py": (
        "FUSED_ATTENTION",
        "OWN_ATTENTION",
        "calls_attention",
        "calls_fused_attention",
        "PyTorch's own attention",
        "_attends",
        "a softmax's included",
    ),
    "proof/mutations.py": ('("softmax", ',),
    "tensors/inside/gpu.py": ("scaled_dot_product_attention",),
    "tensors/inside/kernels.py": ("masked_store", "mask"),  # what Triton calls it
    "tensors/inside/warm.py": (
        "scaled_dot_product_attention",
        "nn.MultiheadAttention(",
        "torch.softmax(",
        "masked_fill(",
    ),
    "tensors/library.py": ("torch.softmax(",),
    "checks/kit/magics.py": ("TransformerManager",),  # IPython's
    "checks/kit/imports.py": ("torchtext torchvision torchviz",),  # packages that many people know
    "checks/kit/cell_names.py": ("ast.NodeTransformer",),
    "checks/kit/drawn.py": ("masked",),
    "harness/gitlab.py": ("masked and protected",),  # GitLab's, of variables that no log shows
    "harness/templates/gitlab/grade.yml.j2": ("masked and protected",),
}


def lines_of_the_engine():
    for path in sorted(ENGINE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            text = path.read_text(encoding="utf-8").replace(DISTRIBUTION, "")
            for line in text.splitlines():
                yield path.relative_to(ENGINE).as_posix(), line


def test_no_line_has_a_word_of_attention():
    found = [
        f"{path}: {line.strip()}"
        for path, line in lines_of_the_engine()
        if WORDS.search(line) and not any(one in line for one in OF_TORCH.get(path, ()))
    ]
    assert found == []


def test_what_is_allowed_is_still_there():
    text = {path: (ENGINE / path).read_text(encoding="utf-8") for path in OF_TORCH}
    assert [(path, one) for path in text for one in OF_TORCH[path] if one not in text[path]] == []


def test_no_line_names_anything_of_the_course():
    course = load_course(ROOT)
    names = {name for one in course.assignments.values() for name in (one.name, one.module)}
    names |= {
        exercise.name
        for one in course.assignments.values()
        for exercise in one.exercises
        if exercise.kind == "code"
    }
    names -= {"softmax", "scaled_dot_product_attention"}  # torch's own functions
    named = re.compile(rf"\b({'|'.join(map(re.escape, sorted(names)))})\b")
    found = [f"{path}: {line}" for path, line in lines_of_the_engine() if named.search(line)]
    assert found == []


@pytest.mark.slow
def test_a_wheel_holds_the_engine_alone(tmp_path: Path):
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("autograder", "solutions", "graders"):
        shutil.copytree(ROOT / name, tmp_path / "project" / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE", "LICENSE-PROSE", "course_config.py"):
        shutil.copy(ROOT / name, tmp_path / "project")
    subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])",
            str(tmp_path),
        ],
        cwd=tmp_path / "project",
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    files = [Path(name) for name in ZipFile(wheel).namelist()]
    assert {path.parts[0].partition("-")[0] for path in files} == {
        "autograder",
        DISTRIBUTION.replace("-", "_"),
    }
    inside = {
        path.relative_to("autograder").as_posix() for path in files if path.parts[0] == "autograder"
    }
    here = {
        path.relative_to(ENGINE).as_posix()
        for path in ENGINE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert inside == here
