"""Row 32: questions that ask for what is not to be told, and questions in forms of their own."""

from attack import Attack

from catalogue.lying_parts import BY_HAND, ONE_HEAD
from catalogue.questions import LATE, RAW, asking, writing

GIVEN = "[[{}, [torch.ones(3, 2), torch.ones(4, 2)], {}], []]"

SECRETS = (
    asking(
        "asks-for-its-own-answer",
        "The questions name the exercise itself, later ones, and what no exercise is.",
        *(
            f'ask("{name}", "call", {GIVEN}, module=None)'
            for name in ("scaled_scores", "__class__")
        ),
        f'ask("simple_attention", "call", {GIVEN}, module=None)',
        f'ask("dot_product_scores", "__init__", {GIVEN}, module=None)',
        f'ask("dot_product_scores", ["call"], {GIVEN}, module=None)',
        must="Only earlier exercises are answered for, in the ways that there are.",
    ),
    Attack(
        "asks-for-its-twin",
        32,
        "RepairedAttention is SelfAttention, which is not written: it asks for that in every way.",
        "An exercise with the same contract is not answered for.",
        parts={"SelfAttention": "class SelfAttention(nn.Module):\n    pass"},
        answer="""
ask = getattr(scaled_dot_product_attention, "__globals__", {}).get("ask")
kinds = getattr(scaled_dot_product_attention, "__globals__", {})
class RepairedAttention(SelfAttention):
    def __init__(self, *args, **kwargs):
        super().__init__()
        made = attempt(
            lambda: ask("SelfAttention", "make", [list(args), kwargs]),
            lambda: kinds["_module"]("SelfAttention")(*args, **kwargs),
        )
        self.__class__ = made[-1].__class__
        self.__dict__.update(made[-1].__dict__)
""",
        assignment=ONE_HEAD,
        exercise="RepairedAttention",
        spoils_all=True,
    ),
    asking(
        "asks-with-odd-arguments",
        "The arguments are a place to write to, a generator, a dtype, a device, functions, and are "
        "nested deeply.",
        "dot_product_scores(q, k, out=torch.ones(2, 2))",
        "dot_product_scores(q, k, generator=1)",
        'dot_product_scores("cuda:0", torch.float64)',
        "dot_product_scores(q, eval)",
        'dot_product_scores(q, "__import__")',
        'ask("dot_product_scores", "call", [[{}, [eval("[" * 15 + "]" * 15)] * 2, {}], []],'
        " module=None)",
        must="They are refused as any wrong arguments are; nothing of them is run.",
    ),
)

TOLD = """globals_ = dot_product_scores.__globals__["ask"].__globals__
    def told(records=(), **question):
        frame = {"part": "dot_product_scores", "way": "call", "module": None} | question
        globals_["send"]({"ask": frame, "tensors": list(records)}, [])
        return globals_["receive"]()[0]["answer"]
    number = {"tensor": 0}
    both = [{"dict": []}, [number, number], {"dict": []}]
"""
FORGED = (
    writing(
        "asks-what-cannot-be-passed-on",
        "The question holds a number beyond all, which reads as infinity, and 2 MB of text.",
        "It is refused; the reason is `protocol`.",
        """raw(b'{"ask": {"part": 1e999}, "tensors": []}')
    time.sleep(9)""",
        "protocol: a question that cannot be passed on",
    ),
    writing(
        "asks-at-length",
        "The question is as long as one may be, in letters that take twice the room when they are "
        "passed on.",
        "It is refused; the reason is `protocol`.",
        """raw(('{"ask": "' + "\\u20ac" * 600_000 + '", "tensors": []}').encode())
    time.sleep(9)""",
        "protocol: a question that cannot be passed on",
    ),
    Attack(
        "asks-where-nobody-answers",
        32,
        "The code asks in the first run, where no question is expected.",
        "It is refused; the reason is `protocol`.",
        answer=RAW.replace('    dot_product_scores.__globals__["ask"]\n', "").replace(
            "QUESTIONS", """raw(b'{"ask": {"part": "dot_product_scores"}, "tensors": []}')"""
        ),
        assignment=BY_HAND,
        exercise="scaled_scores",
        reason="protocol",
        spoils_all=True,
    ),
    writing(
        "asks-and-never-reads",
        "The code writes 500 questions, reads no answer, and goes on.",
        "It takes the answers for requests, and ends over them.",
        """for _ in range(500):
        raw(b'{"ask": {"part": "dot_product_scores"}, "tensors": []}')""",
        f"protocol|crashed|{LATE}",
    ),
    writing(
        "asks-after-its-answer",
        "A thread asks once the answer has been given.",
        "It is refused; the reason is `protocol`.",
        """import threading
    question = b'{"ask": {"part": "dot_product_scores"}, "tensors": []}'
    threading.Timer(0.02, raw, [question]).start()
    threading.Timer(0.2, raw, [question]).start()""",
        "^$|protocol|crashed",
    ),
    writing(
        "asks-with-forged-tensors",
        "The question describes tensors that are larger than what it sends, with strides and "
        "devices of its own.",
        "It is refused.",
        TOLD
        + """    for record in (
        ["float32", [1 << 40], "cpu", None, False],
        ["float32", [-1, 1], "cpu", None, False],
        ["float32", [2, 1], "cpu", [1, 1], False],
        ["float32", [0, 1], "cuda:99", None, True],
        ["object", [0, 1], "cpu", None, False],
        ["float32", "many", ["cuda"], {}, 7],
    ):
        if attempt(lambda: told([record], given=[both, []])):
            return q @ k.mT / math.sqrt(q.shape[-1])""",
        None,
    ),
    writing(
        "asks-in-odd-forms",
        "The question lacks what belongs to it, or has it in other forms: how a module was made, "
        "which gradients are wanted, what is nested 900 deep.",
        "It is refused.",
        TOLD
        + """    one = ["float32", [0, 1], "cpu", None, False]
    for odd in (
        {"given": 1}, {"given": None}, {"part": ["dot_product_scores"]}, {"way": None},
        {"given": [both, [["cpu", "float32"]]]}, {"given": [both, [["cuda", {"dtype": "int8"}]]]},
        {"given": [both, []], "module": {"with": [[], {}], "training": {}}},
        {"given": [both, []], "module": "scaled_scores"}, {"given": eval("[" * 90 + "]" * 90)},
        {"given": [both, []], "way": "pull", "upstream": [number] * 9, "wanted": [True] * 2},
        {"given": [both, []], "way": "pull", "upstream": [number], "wanted": [True] * 40},
        {"given": [both, []], "way": "make"}, {"given": [both, []], "way": "draw"},
    ):
        if attempt(lambda: told([one], **odd)):
            return q @ k.mT / math.sqrt(q.shape[-1])""",
        None,
    ),
)

FORGED_QUESTIONS = (*SECRETS, *FORGED)
