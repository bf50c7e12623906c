"""How many verdict keys change when one thing of each kind does."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.course import load_course
from autograder.verdicts import Submission
from autograder.verdicts import key as keys_module
from autograder.verdicts.key import Keys

NAME = "03-causal-masking"
MASKS = "graders/causal_masking/masks"
CODE = {
    *("causal_mask", "padding_mask", "combine_masks", "additive_mask", "masked_softmax"),
    *("causal_attention", "causal_mask_for_cache", "sliding_window_mask"),
}
ALL = "every exercise"

Change = Callable[[str], str]


def add(text: str) -> Change:
    return lambda old: f"{old}\n{text}\n"


def replace(old: str, new: str) -> Change:
    def replaced(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return replaced


# What is changed, and whose keys change with it.
CHANGES = {
    "a comment in a grader": (f"{MASKS}/hidden.py", add("# why"), set()),
    "the layout of a grader": (f"{MASKS}/hidden.py", replace("\n\n\n", "\n\n\n\n"), set()),
    "what a grader file says of itself": (
        f"{MASKS}/hidden.py",
        lambda text: '"""Other words."""' + text[text.index('"""', 3) + 3 :],
        set(),
    ),
    "the claim of a hidden test": (
        f"{MASKS}/hidden.py",
        replace("Row i allows key i, and not every key.", "Row i allows key i."),
        {"causal_mask"},
    ),
    "a hidden test's weight": (
        f"{MASKS}/hidden.py",
        replace(
            '@exercise("padding_mask")\n@pytest.mark.points(',
            '@exercise("padding_mask")\n@pytest.mark.points(9 + ',
        ),
        {"padding_mask"},
    ),
    "a hidden test whose exercise a variable names, so that it may be any": (
        f"{MASKS}/hidden_named.py",
        add('NAME = "causal_mask"\n\n\n@exercise(NAME)\ndef test_more(student): ...'),
        ALL,
    ),
    "what hidden tests of a file share": (
        f"{MASKS}/hidden_shifted.py",
        add("SHARED = 1"),
        {"causal_mask_for_cache", "sliding_window_mask"},
    ),
    "what all graders of an assignment import": (
        "graders/causal_masking/mask_parts.py",
        add("SHARED = 1"),
        CODE,
    ),
    "a known mistake": (f"{MASKS}/mistakes_padding_mask.py", add("MORE = 1"), {"padding_mask"}),
    "a reference": ("solutions/causal_masking/reference.py", add("MORE = 1"), CODE),
    "words in a reference": ("solutions/causal_masking/reference.py", add("# why"), set()),
    "a hint": (f"assignments/{NAME}/hints.toml", add("# why"), set()),
    "the prose": (f"assignments/{NAME}/{NAME}.py", add("# %% [markdown]\n# More."), set()),
    "a public example": (
        f"assignments/{NAME}/checks/causal_masking.py",
        replace('picture=AllowedGrid("causal_mask(6)"', 'picture=AllowedGrid("causal_mask (6)"'),
        {"causal_mask"},
    ),
    "a mutant that is none": ("graders/causal_masking/equivalents.toml", add("# why"), set()),
    "a rubric": ("solutions/causal_masking/written.toml", add("# why"), set()),
    "how a question is laid out": (
        "solutions/causal_masking/quiz.toml",
        replace("[[question]]", "\n\n[[question]]  # why"),
        set(),
    ),
    "a question": (
        "solutions/causal_masking/quiz.toml",
        replace('name = "q1"\ntext = "', 'name = "q1"\ntext = "So: '),
        {"q1"},
    ),
    "a file beside the notebook": (f"assignments/{NAME}/more.txt", add("data"), ALL),
    "another assignment's graders": (
        "graders/self_attention/layers/hidden.py",
        add("SHARED = 1"),
        set(),
    ),
    "another assignment's data": ("assignments/06-seeing-attention/bert.py", add("X = 1"), set()),
    "a limit": ("course_config.py", add("c.SubmissionLimits.call_seconds = 7"), ALL),
}


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRADER_SECRET", "a secret for tests")


@pytest.fixture(scope="module")
def course(make_course: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_course(tmp_path_factory.mktemp("keys") / "course")


def keys(root: Path) -> dict[str, str]:
    course = load_course(root)
    submission = Submission("ada", NAME, (("causal_mask", "x = 1"),), {})
    return Keys(course, course.assignment(NAME), "required").keys(submission)


@pytest.mark.parametrize("what", CHANGES)
def test_only_what_rests_on_it_has_another_key(course: Path, what: str) -> None:
    place, change, wanted = CHANGES[what]
    before, path = keys(course), course / place
    old = path.read_text(encoding="utf-8") if path.is_file() else None
    try:
        path.write_text(change(old or ""), encoding="utf-8")
        after = keys(course)
    finally:
        path.unlink() if old is None else path.write_text(old, encoding="utf-8")
    changed = {name for name in before if before[name] != after[name]}
    assert changed == (before.keys() if wanted == ALL else wanted)


def test_what_is_imported_from_beside_counts(course: Path) -> None:
    beside, path = course / MASKS / "beside.py", course / MASKS / "mistakes_padding_mask.py"
    old = path.read_text(encoding="utf-8")
    beside.write_text("MORE = 1\n")
    path.write_text(f"from .beside import MORE\n{old}")
    before = keys(course)
    beside.write_text("MORE = 2\n")
    after = keys(course)
    beside.unlink()
    path.write_text(old)
    assert {name for name in before if before[name] != after[name]} == {"padding_mask"}


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("# why", False),
        ('def said() -> None:\n    """Words."""', True),
        ("VALUE = 1", True),
    ],
)
def test_the_engines_program_counts_and_its_words_do_not(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, counts: bool
) -> None:
    plain = keys(course)
    engine = tmp_path / "autograder"
    shutil.copytree(keys_module.PACKAGE, engine, ignore=shutil.ignore_patterns("__pycache__"))
    with (engine / "judging" / "tolerance.py").open("a", encoding="utf-8") as module:
        module.write(f"\n{text}\n")
    monkeypatch.setattr(keys_module, "PACKAGE", engine)
    keys_module.digest_of_rooms.cache_clear()
    changed = keys(course) != plain
    keys_module.digest_of_rooms.cache_clear()
    assert changed == counts


@pytest.mark.parametrize("file", ["tensors/replay.py", "checks/kit/tensors/gradients.py"])
@pytest.mark.parametrize(("of", "counts"), [("the attention course", True), ("another", False)])
def test_what_knows_tensors_counts_where_the_course_has_torch(
    course: Path,
    course_root: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    of: str,
    counts: bool,
) -> None:
    root = course if counts else tmp_path / "line-fitting"
    if not counts:
        shutil.copytree(course_root / "examples" / "line-fitting", root)
    loaded = load_course(root)
    name = NAME if counts else "01-line-fitting"
    plain = Keys(loaded, loaded.assignment(name), "required").context
    engine = tmp_path / "autograder"
    shutil.copytree(keys_module.PACKAGE, engine, ignore=shutil.ignore_patterns("__pycache__"))
    with (engine / file).open("a", encoding="utf-8") as module:
        module.write("\nVALUE = 1\n")
    monkeypatch.setattr(keys_module, "PACKAGE", engine)
    keys_module.digest_of_rooms.cache_clear()
    changed = Keys(loaded, loaded.assignment(name), "required").context != plain
    keys_module.digest_of_rooms.cache_clear()
    assert changed == counts


def test_what_is_remembered_of_the_program_is_what_would_be_found_anew(course: Path) -> None:
    remembered = course / keys_module.MEMORY
    keys_module.digest_of_rooms.cache_clear()
    first = keys(course)
    assert remembered.is_file()
    for text in ("no JSON", None):
        keys_module.digest_of_rooms.cache_clear()
        remembered.unlink() if text is None else remembered.write_text(text)
        assert keys(course) == first
