"""One mistake costs once: a later answer that fails is judged where the earlier ones are right."""

from dataclasses import dataclass, replace

import pytest
from course_packages import PACKAGES
from grading import ROOT

from autograder.bank import mistakes
from autograder.course import load_course
from autograder.course.assignments import module_of
from autograder.course.layout import grader_files
from autograder.course.limits import Limits
from autograder.judging.answers import reference_source, solution_file, source_of
from autograder.judging.explaining import NOT_STARTED
from autograder.judging.library import library
from autograder.judging.plugin import Graders
from autograder.sandbox import Sandbox
from autograder.student.session import Cell, Session
from autograder.verdicts.judge import Rules, judge

pytestmark = pytest.mark.slow

SCALED = """
def scaled_scores(q, k):
    return dot_product_scores(q, k) / math.sqrt(k.shape[-1])
"""
SIMPLE = """
def simple_attention(x):
    weights = attention_weights(dot_product_scores(x, x))
    return weighted_values(weights, x), weights
"""
MODULE = """
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v, bias=False):
        super().__init__()
        self.w_q = nn.Linear(d_model, d_k, bias=bias)
        self.w_k = nn.Linear(d_model, d_k, bias=bias)
        self.w_v = nn.Linear(d_model, d_v, bias=bias)

    def forward(self, x, mask=None):
        return scaled_dot_product_attention(self.w_q(x), self.w_k(x), self.w_v(x), mask)
"""

MULTI, CAUSAL, COMPARE, CLASSIFY, CARRIED, STEP, TRAIN = map(
    reference_source,
    (
        *("MultiHeadAttention", "causal_attention", "compare_attention", "classify_pattern"),
        *("fused_from_projections", "decode_step", "train_recall"),
    ),
)

# exercise, its answer, the earlier exercise, how that one is wrong
BUILT = [
    ("scaled_scores", SCALED, "dot_product_scores", "keys-by-queries"),
    ("scaled_scores", SCALED, "dot_product_scores", "mean-for-sum"),
    ("scaled_scores", SCALED, "dot_product_scores", "cosine-similarity"),
    ("simple_attention", SIMPLE, "dot_product_scores", "scaled-already"),
    ("simple_attention", SIMPLE, "attention_weights", "softmax-over-queries"),
    ("simple_attention", SIMPLE, "attention_weights", "applied-twice"),
    ("simple_attention", SIMPLE, "weighted_values", "divided-by-number-of-keys"),
    ("SelfAttention", MODULE, "scaled_dot_product_attention", "no-scale"),
    ("SelfAttention", MODULE, "scaled_dot_product_attention", "softmax-over-queries"),
    ("SelfAttention", MODULE, "scaled_dot_product_attention", "mask-inverted"),
    ("SelfAttention", MODULE, "scaled_dot_product_attention", "weights-cut-off"),
    ("SelfAttention", MODULE, "scaled_dot_product_attention", "mask-changed"),
    ("SelfAttention", MODULE, "scaled_dot_product_attention", "through-the-cpu"),
    ("SelfAttention", MODULE, "scaled_dot_product_attention", "average-of-keys"),
    ("scaled_scores", SCALED, "dot_product_scores", "keys-cut-off"),
    ("simple_attention", SIMPLE, "weighted_values", "gradient-cut"),
    ("simple_attention", SIMPLE, "weighted_values", "through-the-cpu"),
    ("simple_attention", SIMPLE, "attention_weights", "uniform"),
    ("MultiHeadAttention", MULTI, "split_heads", "interleaved-features"),
    ("MultiHeadAttention", MULTI, "split_heads", "view-straight-to-heads"),
    ("MultiHeadAttention", MULTI, "split_heads", "through-the-cpu"),
    ("MultiHeadAttention", MULTI, "merge_heads", "heads-in-reverse"),
    ("MultiHeadAttention", MULTI, "merge_heads", "gradient-cut"),
    ("MultiHeadAttention", MULTI, "merge_heads", "batch-dropped"),
    ("MultiHeadAttention", MULTI, "split_heads", "list-of-heads"),
    ("MultiHeadAttention", MULTI, "split_heads", "heads-folded-into-batch"),
    ("MultiHeadAttention", MULTI, "merge_heads", "heads-averaged"),
    ("compare_attention", COMPARE, "plot_attention", "map-transposed"),
    ("classify_pattern", CLASSIFY, "attention_entropy", "bits-for-nats"),
    ("fused_from_projections", CARRIED, "fuse_qkv", "queries-and-keys-swapped"),
    ("fused_from_projections", CARRIED, "FusedMultiHeadAttention", "three-projections"),
    ("fused_from_projections", CARRIED, "FusedMultiHeadAttention", "no-scale"),
    ("decode_step", STEP, "FusedMultiHeadAttention", "three-projections"),
    ("train_recall", TRAIN, "recall_batch", "keys-repeat"),
]
# The same wrong part, and a mistake of the exercise's own upon it.
OWN = [
    ("scaled_scores", SCALED.replace("math.sqrt(k.shape[-1])", "8"), *BUILT[0][2:]),
    ("simple_attention", SIMPLE.replace("weights, x), w", "weights.mT, x), w"), *BUILT[4][2:]),
    ("SelfAttention", MODULE.replace("self.w_v(x), mask", "self.w_v(x)"), *BUILT[7][2:]),
    *(
        ("MultiHeadAttention", MULTI.replace(*change), "merge_heads", slug)
        for change, slug in (
            (("math.sqrt(q.shape[-1])", "8"), "heads-in-reverse"),
            (("merge_heads(weights @ v)", "merge_heads((weights @ v).detach())"), "no-transpose"),
            (("self.w_v))", "self.w_k))"), "batch-dropped"),
        )
    ),
]

# The part raises: exercise, its answer, the earlier exercise, how that one stops.
RAISING = [
    ("scaled_scores", SCALED, "dot_product_scores", "(q, k): return q @ k.T"),
    ("simple_attention", SIMPLE, "attention_weights", "(s): return s.softmax(dims=-1)"),
    (*("SelfAttention", MODULE, "scaled_dot_product_attention"),
     "(q, k, v, mask=None): return (q @ k.T).softmax(-1) @ v"),
    ("causal_attention", CAUSAL, "causal_mask", "(size, device=None): return torch.tri(size)"),
    ("causal_attention", CAUSAL, "masked_softmax", "(scores, mask): return scores[~mask.T + 9]"),
    (*("MultiHeadAttention", MULTI, "split_heads"),
     "(x, heads): return x.unflatten(1, (heads, -1, 9))"),
    ("decode_step", STEP, "FusedMultiHeadAttention", "(d_model, heads, bias=True): return None"),
]  # fmt: skip
INVERTED = "(s, m): return s.masked_fill(m, -1e9).softmax(-1)"
STUB = 'raise NotImplementedError("{0} is not written yet: replace this line")'
NEVER = "while True: pass"
STOPPING = [
    *RAISING,
    *((*row[:3], f"(*args, **kwargs): {STUB.format(row[2])}") for row in RAISING),
    ("scaled_scores", SCALED, "dot_product_scores", "(q, k): return (q @ k.mT).numpy()"),
    ("scaled_scores", SCALED, "dot_product_scores", "(q, k)\n    return q @ k.mT"),  # no colon
    ("scaled_scores", SCALED, "dot_product_scores", f"(q, k):\n    {NEVER}"),
    (
        "causal_attention",
        CAUSAL,
        "masked_softmax",
        INVERTED,
    ),
]
ENDLESS = f"{NEVER}\n"
USUAL = Limits(memory_bytes=1 << 30)
MERGE = "(x): return x.transpose(1, 2).view(x.shape[0], x.shape[2], -1)"
UNSTARTED = f"def MultiHeadAttention(*args, **options): {STUB.format('MultiHeadAttention')}"
IMPORTS = (
    "import math\nimport torch\nimport matplotlib.pyplot as plt\nimport torch.nn.functional as F\n"
    "from torch import Tensor, nn\nfrom jaxtyping import Bool, Float, Int\n"
    "from matplotlib.axes import Axes\nfrom matplotlib.figure import Figure\n"
    "from collections.abc import Sequence"
)


@dataclass(frozen=True)
class Case:
    """Cells up to an exercise's own, of which one earlier cell is another than the reference's."""

    name: str
    exercise: str
    code: str
    earlier: str
    other: str

    def __str__(self):
        return self.name

    @property
    def assignment(self):
        module = solution_file(self.exercise).parent.name
        return next(name for name in COURSE.assignments if module_of(name) == module)

    @property
    def limits(self):
        """Little time for what never ends; training asks its stand-in hundreds of times."""
        return replace(USUAL, call_seconds=2, cell_seconds=2) if NEVER in self.other else USUAL

    @property
    def cells(self):
        code = [
            one.name for one in COURSE.assignments[self.assignment].exercises if one.kind == "code"
        ]
        before = {name: reference_source(name) for name in code[: code.index(self.exercise)]}
        sources = before | {self.earlier: self.other, self.exercise: self.code}
        return [Cell("imports", IMPORTS), *(Cell(name, s, name) for name, s in sources.items())]


COURSE = load_course(ROOT)


def known(rows, note="on"):
    for exercise, code, earlier, slug in rows:
        wrong = next(entry for entry in mistakes(earlier) if entry.slug == slug)
        yield Case(
            f"{exercise} {note} {earlier}, {slug}", exercise, code, earlier, source_of(wrong)
        )


def stopping(rows):
    for place, (exercise, code, earlier, body) in enumerate(rows):
        yield Case(f"{exercise} {place}", exercise, code, earlier, f"def {earlier}{body}")


RIGHT = [
    *known(BUILT),
    *stopping(STOPPING),
    Case("missing", "MultiHeadAttention", MULTI, "merge_heads", ""),
    Case("endless cell", "scaled_scores", SCALED, "dot_product_scores", ENDLESS),
]
WRONG = [
    *known(OWN, "wrong on"),
    Case(
        "inverted mask, and no scale",
        "causal_attention",
        CAUSAL.replace(" / math.sqrt(k.shape[-1])", ""),
        "masked_softmax",
        f"def masked_softmax{INVERTED}",
    ),
    Case(
        "another scale, where the part stops",
        "MultiHeadAttention",
        MULTI.replace("math.sqrt(q.shape[-1])", "8"),
        "merge_heads",
        f"def merge_heads{MERGE}",
    ),
]
# What stands in a part's place is the same however the part is wrong. So of parts that give other
# numbers, and of stubs, an exercise has two or three, and `--in-full` tries these as well.
REPEATED = {
    "scaled_scores on dot_product_scores, mean-for-sum",
    "scaled_scores on dot_product_scores, cosine-similarity",
    "simple_attention on attention_weights, applied-twice",
    "simple_attention on weighted_values, divided-by-number-of-keys",
    "SelfAttention on scaled_dot_product_attention, softmax-over-queries",
    "SelfAttention on scaled_dot_product_attention, average-of-keys",
    "MultiHeadAttention on split_heads, view-straight-to-heads",
    "MultiHeadAttention on merge_heads, heads-in-reverse",
    "fused_from_projections on FusedMultiHeadAttention, no-scale",
    *(f"{exercise} {place}" for place, (exercise, *_) in enumerate(STOPPING) if 8 <= place <= 12),
}
UNWRITTEN = Case(
    "both unwritten", "MultiHeadAttention", UNSTARTED, "merge_heads", f"def merge_heads{MERGE}"
)


def each(cases):
    """The cases as parameters, those that repeat another marked."""
    marks = {True: [pytest.mark.in_full], False: []}
    return [pytest.param(one, id=one.name, marks=marks[one.name in REPEATED]) for one in cases]


@pytest.fixture(scope="module")
def verdicts(request):
    """What grading says of every case that is asked for, in the sandbox."""
    given, in_full = {}, request.config.getoption("--in-full")
    cases = [one for one in (*RIGHT, *WRONG, UNWRITTEN) if in_full or one.name not in REPEATED]
    with Sandbox(limits=USUAL, packages=PACKAGES) as sandbox:
        connection = sandbox.connect()
        for name, assignment in COURSE.assignments.items():
            rules = Rules(assignment, {}, cuda_points=False, files=COURSE.data_files(name))

            def serve(graders, name=name, rules=rules):
                for case in cases:
                    if case.assignment == name:
                        session = Session(connection, case.cells, rules.files, case.limits)
                        (given[case],) = judge(
                            rules, graders, session, [case.exercise], set(), "ada"
                        )
                        session.close()

            rules.load()
            library().prepare()  # as in a grading process: threads do not survive a fork
            Graders(b"secret", "cpu", serve).start(grader_files(ROOT, assignment.name))
    return given


def test_every_case_that_repeats_another_is_one():
    assert {case.name for case in RIGHT} > REPEATED


@pytest.mark.parametrize("case", each(RIGHT))
def test_an_answer_on_a_part_that_is_wrong_in_any_way_keeps_its_marks(verdicts, case):
    tests = verdicts[case].tests
    lost = [(one.name, one.outcome, one.symptom) for one in tests if one.outcome != "passed"]
    assert [one for one in lost if one[1] != "pending"] == []
    assert verdicts[case].message is None


@pytest.mark.parametrize("case", each(one for one in RIGHT if one.exercise != "train_recall"))
def test_the_verdict_says_which_earlier_answers_were_left_out_of_account(verdicts, case):
    assert case.earlier in verdicts[case].judged_with


@pytest.mark.parametrize("case", each(WRONG))
def test_a_mistake_of_its_own_still_costs_and_is_told(verdicts, case):
    assert 0 < verdicts[case].score < verdicts[case].decided_points
    assert verdicts[case].message


def test_an_answer_that_is_not_written_is_told_so(verdicts):
    assert verdicts[UNWRITTEN].message == NOT_STARTED
    assert verdicts[UNWRITTEN].judged_with == ()
