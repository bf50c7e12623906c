"""Rows 10 and 29: forging what the student's process says to the grader."""

from attack import Attack

# What a forger needs: the number of the question, and the form of a frame.
FORGE = """
import json, struct
def question():
    frame = sys._getframe()
    while "id" not in (frame.f_locals.get("request") or {}):
        frame = frame.f_back
    return frame.f_locals["request"]["id"]
def raw(text, blob=b"", magic=b"agw1", size=None):
    data = struct.pack("<4sIQ", magic, len(text), len(blob) if size is None else size) + text + blob
    while data:
        data = data[os.write(3, data):]
def reply(**fields):
    raw(json.dumps({"id": question(), "tensors": [], "changed": [], "drawn": []} | fields).encode())
def merge_heads(x):
    FORGERY
    time.sleep(9)
"""
REFUSED = "It is refused; the reason is `protocol`."


def forging(slug: str, does: str, forgery: str, reason: str, must: str = REFUSED) -> Attack:
    """An attack that writes to the line itself while it is asked for an answer."""
    return Attack(slug, 10, does, must, answer=FORGE.replace("FORGERY", forgery), reason=reason)


PROTOCOL = (
    forging(
        "speaks-another-protocol",
        "The code writes a web server's answer to the grader's line.",
        'os.write(3, b"HTTP/1.0 200 OK\\r\\n\\r\\n{\\"score\\": 99}")',
        "protocol: not a frame",
    ),
    forging(
        "answers-another-question",
        "The code answers with the number of another question.",
        'reply(id="0123456789abcdef", result=True)',
        "protocol: an answer to another question",
    ),
    forging(
        "answers-without-a-number",
        "The code leaves the question's number out.",
        """raw(b'{"result": true, "changed": [], "drawn": []}')""",
        "protocol: an answer to another question",
    ),
    forging(
        "sends-a-huge-frame",
        "The code announces an exabyte.",
        'raw(b"{}", size=1 << 60)',
        "protocol: a frame larger than is allowed",
    ),
    forging(
        "sends-deep-json",
        "The code sends JSON nested 100,000 deep, to overflow the reader's stack.",
        'raw(b"[" * 100_000 + b"]" * 100_000)',
        "protocol: not JSON",
    ),
    forging(
        "sends-a-pickle",
        "The code sends a pickle that would run a command, in place of JSON.",
        """import pickle
    class Payload:
        __reduce__ = lambda self: (os.system, ("touch " + OUTSIDE + "/left-by-" + OWN,))
    raw(pickle.dumps(Payload()))""",
        "protocol: not JSON",
    ),
    forging(
        "points-past-the-end",
        "The code describes a tensor that is larger than what it sends, with strides and "
        "offsets of its own.",
        'reply(result={"tensor": 0}, tensors=[["float64", [1 << 40], "cpu", [1, 0], False]])',
        "protocol",
    ),
    forging(
        "sends-a-verdict",
        "The code sends what looks like a verdict, where an answer was expected.",
        'reply(score=99, max_score=4, status="graded", tests=[{"outcome": "passed"}])',
        "protocol: an odd answer",
    ),
    forging(
        "raises-what-does-not-exist",
        "The code forges an error of a type that nobody knows.",
        'reply(error={"type": "Odd", "builtin": "print", "message": "", "reason": None})',
        "protocol: an odd answer",
    ),
    forging(
        "closes-the-line",
        "The code closes the line and lives on.",
        "os.close(3)",
        "timeout: more than 2 seconds",
        "It ends at the limit of time; the reason is `timeout`.",
    ),
    forging(
        "drips-a-frame",
        "The code sends a frame byte by byte, to stretch the limit of time.",
        """os.write(3, struct.pack("<4sIQ", b"agw1", 1000, 0))
    while True:
        os.write(3, b" ")
        time.sleep(0.01)""",
        "timeout: more than 2 seconds",
        "The limit counts from the question; the reason is `timeout`.",
    ),
    Attack(
        "answers-before-it-is-asked",
        10,
        "A thread writes answers to the line between the questions.",
        REFUSED,
        answer=FORGE.replace("FORGERY", "return x.flatten(2).double().cpu()")
        + """
import threading
def early():
    while True:
        time.sleep(0.002)
        raw(b'{"id": "0", "result": true, "changed": [], "drawn": [], "tensors": []}')
threading.Thread(target=early, daemon=True).start()
""",
        reason="protocol",
        spoils_all=True,
    ),
    Attack(
        "reads-the-line-itself",
        10,
        "Threads read the grader's questions before the loop does, to answer them in their "
        "own way.",
        "A question that was swallowed is unanswered.",
        answer="""
import threading
def swallow():
    while True:
        os.read(3, 1 << 16)
for _ in range(16):  # who reads first is chance
    threading.Thread(target=swallow, daemon=True).start()
def merge_heads(x):
    return x.flatten(2).double().cpu()
""",
        reason="timeout|protocol|crashed",
        spoils_all=True,
    ),
    Attack(
        "prints-verdicts",
        10,
        "The code prints what looks like pytest's report, nbgrader's score and the grader's "
        "own JSON.",
        "Printed text is only text.",
        cell="""
print("4.0")
print("============ 99 passed in 0.01s ============")
print('{"score": 99, "status": "graded", "tests": [{"outcome": "passed"}]}')
sys.stdout.write("\\x1b]0;99 points\\x07\\x1b[2J")
sys.__stdout__.write("99\\n")
os.write(1, b"99\\n")
os.write(2, b"99\\n")
display(99.0)
99.0
""",
    ),
    Attack(
        "records-what-crashes-torch",
        29,
        "The code replaces the recording of what ran by one whose operations crash whoever runs "
        "them: numbers for a dtype, strides that lead out of a tensor's memory.",
        "Arguments that torch takes on trust are checked before anything runs again.",
        assignment="05-fused-attention",
        exercise="tiled_attention",
        answer="""
import sys
import torch.nn.functional as F
crashing = [
    ["aten.ones.default", [[4, 1 << 18]], {"dtype": -1}],
    ["aten._reshape_alias.default", [("input", 0), [1 << 20], [1 << 20]], {}],
    ["aten.clone.default", [("input", 0)], {"memory_format": 4}],
]
calls = []
def forged(self, value):
    calls.append(1)
    operation = crashing[len(calls) % 3]
    return {"operations": [operation], "constants": [], "result": ("made", 0, 0), "complete": True}
for name, module in list(sys.modules.items()):
    if name.endswith("inside.recording"):
        module.Recording.as_data = forged
def tiled_attention(q, k, v, block_size, is_causal=False):
    return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
""",
        earns=2.3,  # neither what is said of memory nor that PyTorch's is not called
        spoils_all=True,  # recordings of its own module are forged as well
    ),
)
