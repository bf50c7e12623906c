"""One mistake costs once: what is built on a wrong earlier answer keeps its own marks."""

import pytest
from grading import ROOT, Answer, grade

from autograder.course import load_course
from autograder.course.limits import Limits
from autograder.hidden import grader_files
from autograder.judging.answers import reference_source, source_of
from autograder.judging.explaining import NOT_STARTED
from autograder.judging.plugin import Graders
from autograder.misconceptions import mistakes
from autograder.sandbox import Sandbox
from autograder.student.session import Cell, Session
from autograder.verdicts.judge import Rules, judge

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

MULTI, CAUSAL = reference_source("MultiHeadAttention"), reference_source("causal_attention")

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

# The same, where the part raises: exercise, its answer, the earlier exercise, how that one stops.
RAISING = [
    ("scaled_scores", SCALED, "dot_product_scores", "(q, k): return q @ k.T"),
    ("simple_attention", SIMPLE, "dot_product_scores", "(q, k): return q @ k.T"),
    ("simple_attention", SIMPLE, "attention_weights", "(s): return s.softmax(dims=-1)"),
    ("simple_attention", SIMPLE, "weighted_values", "(weights, v): return weights @ v.T"),
    (*("SelfAttention", MODULE, "scaled_dot_product_attention"),
     "(q, k, v, mask=None): return (q @ k.T).softmax(-1) @ v, None"),
    ("causal_attention", CAUSAL, "causal_mask", "(size, device=None): return torch.tri(size)"),
    ("causal_attention", CAUSAL, "masked_softmax", "(scores, mask): return scores[~mask.T + 9]"),
    (*("MultiHeadAttention", MULTI, "merge_heads"),
     "(x): return x.transpose(1, 2).view(x.shape[0], x.shape[2], -1)"),
    (*("MultiHeadAttention", MULTI, "split_heads"),
     "(x, heads): return x.unflatten(1, (heads, -1, 9))"),
]  # fmt: skip
# The part gives what the answer cannot go on with.
ODD = [
    ("MultiHeadAttention", MULTI, "split_heads", "list-of-heads"),
    ("MultiHeadAttention", MULTI, "split_heads", "heads-folded-into-batch"),
    ("MultiHeadAttention", MULTI, "merge_heads", "heads-averaged"),
]
STUB = 'raise NotImplementedError("{0} is not written yet: replace this line")'
UNWRITTEN = [(*row[:3], f"(*args, **kwargs): {STUB.format(row[2])}") for row in RAISING]
# The part stops, but the answer stops before it or does not call it.
MERGE = RAISING[-2][2:]
UNSTARTED = f"def MultiHeadAttention(*args, **options): {STUB.format('MultiHeadAttention')}"
ALONE = [
    ("MultiHeadAttention", MULTI.replace("merge_heads(weights @ v)", "weights @ v"), *MERGE),
    ("MultiHeadAttention", MULTI.replace("scores = q @ k.mT", "scores = q @ k"), *MERGE),
    ("MultiHeadAttention", UNSTARTED, *MERGE),
]


def answers(rows, note="on"):
    for exercise, code, earlier, slug in rows:
        wrong = next(entry for entry in mistakes(earlier) if entry.slug == slug)
        yield Answer(exercise, f"{note} {earlier}, {slug}", f"{source_of(wrong)}\n{code}")


def stopping(rows, note="on"):
    for place, (exercise, code, earlier, body) in enumerate(rows):
        yield Answer(exercise, f"{note} {earlier} {place}", f"def {earlier}{body}\n{code}")


ON_STOPPING = [*stopping(RAISING, "on raising"), *stopping(UNWRITTEN, "on unwritten")]


@pytest.fixture(scope="module")
def graded():
    built = [*answers(BUILT), *answers(OWN, "wrong on")]
    odd = answers(ODD, "at what comes from")
    return grade([*built, *odd, *ON_STOPPING, *stopping(ALONE, "alone on")], b"secret")


@pytest.mark.parametrize("answer", list(answers(BUILT)), ids=str)
def test_a_wrong_part_costs_nothing_again(graded, answer):
    found = graded[answer].found
    assert [f"{one.name}: {one.symptom}" for one in found if one.outcome == "failed"] == []


@pytest.mark.parametrize("answer", list(answers(OWN, "wrong on")), ids=str)
def test_a_mistake_of_its_own_still_costs(graded, answer):
    assert 0 < graded[answer].share < 1


@pytest.mark.parametrize("answer", ON_STOPPING, ids=str)
def test_an_answer_that_stops_inside_an_earlier_one_is_told_so(graded, answer):
    found, part = graded[answer], answer.name.split()[-2]
    where = "needs" if "unwritten" in answer.name else "stops inside"
    assert found.stopped.startswith(f"Your code {where} your own {part}")
    assert found.named == ()


@pytest.mark.parametrize("answer", list(answers(ODD, "at what comes from")), ids=str)
def test_an_answer_that_stops_at_what_an_earlier_one_gives_is_told_so(graded, answer):
    found, part = graded[answer], answer.name.split(",")[0].split()[-1]
    assert found.stopped.startswith(f"Your code stops at what your own {part} gives: mend that")
    assert found.named == ()


@pytest.mark.parametrize("answer", list(stopping(ALONE, "alone on")), ids=str)
def test_an_answer_that_stops_of_itself_blames_no_other(graded, answer):
    assert graded[answer].share < 1
    assert graded[answer].stopped is None


def test_no_grader_fails_of_itself(graded):
    faults = [one.fault for found in graded.values() for one in found.found if one.fault]
    assert faults == []


@pytest.fixture(scope="module")
def verdicts_of():
    """Judges cells as grading does, in the sandbox: an assignment and its cells to verdicts."""
    course = load_course(ROOT)
    with Sandbox(limits=Limits(memory_bytes=1 << 30)) as sandbox:
        connection = sandbox.connect()

        def verdicts(name, cells, wanted):
            assignment = course.assignments[name]
            rules, given = Rules(assignment, {}, cuda_points=False), []
            session = Session(connection, cells, {}, Limits(memory_bytes=1 << 30))

            def serve(graders):
                given.extend(judge(rules, graders, session, wanted, set(), "ada"))

            rules.load()
            Graders(b"secret", "cpu", serve).start(grader_files(assignment.module))
            session.close()
            return {verdict.exercise: verdict for verdict in given}

        yield verdicts


IMPORTS = (
    "import math\nimport torch\nfrom torch import Tensor, nn\nfrom jaxtyping import Bool, Float"
)


def cells_of(**sources):
    """One cell for the imports and one for each exercise, as a notebook has them."""
    exercises = [Cell(name, source, name) for name, source in sources.items()]
    return [Cell("imports", IMPORTS), *exercises]


FILLED = "def masked_softmax(s, mask): return s.masked_fill(~mask, -1e9).softmax(-1)"


def test_a_part_that_half_precision_stops_costs_nothing_again(verdicts_of):
    mask = reference_source("causal_mask")
    cells = cells_of(causal_mask=mask, masked_softmax=FILLED, causal_attention=CAUSAL)
    verdicts = verdicts_of("03-causal-masking", cells, ["masked_softmax", "causal_attention"])
    assert verdicts["masked_softmax"].misconceptions
    tests = verdicts["causal_attention"].tests
    assert [one.claim for one in tests if one.outcome == "failed"] == []
    assert verdicts["causal_attention"].misconceptions == ()


@pytest.mark.parametrize(
    ("merge", "module", "message"),
    [
        (f"def merge_heads{MERGE[1]}", MULTI, "Your code stops inside your own merge_heads: mend "),
        (f"def merge_heads(x): {STUB.format('merge_heads')}", MULTI, "Your code needs your own "),
        (f"def merge_heads(x): {STUB.format('merge_heads')}", UNSTARTED, NOT_STARTED),
        ("", MULTI, "Your code needs your own merge_heads, which is not defined: write that"),
    ],
    ids=("raises", "unwritten", "both unwritten", "missing"),
)
def test_the_verdict_says_where_an_answer_stops(verdicts_of, merge, module, message):
    split = reference_source("split_heads")
    cells = cells_of(split_heads=split, merge_heads=merge, MultiHeadAttention=module)
    found = verdicts_of("04-multi-head-attention", cells, ["MultiHeadAttention"])
    verdict = found["MultiHeadAttention"]
    assert verdict.message.startswith(message)
    assert verdict.misconceptions == ()
