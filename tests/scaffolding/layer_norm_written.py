"""What an instructor would write for two new exercises, in the places that their TODOs name."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

NAME, MODULE = "02-layer-norm", "layer_norm"
Edits = Sequence[tuple[str, str]]


def places(snake: str) -> dict[str, str]:
    """The files of an exercise that have a TODO, by what they are."""
    group = f"graders/{MODULE}/{snake}"
    return {
        "cell": f"assignments/{NAME}/{NAME}.py",
        "solution": f"solutions/{MODULE}/reference.py",
        "hidden": f"{group}/hidden.py",
        "checks": f"assignments/{NAME}/checks/{snake}.py",
        "hints": f"assignments/{NAME}/hints.toml",
        "mistakes": f"{group}/mistakes.py",
        "variants": f"{group}/variants.py",
        "reference test": f"graders/{MODULE}/tests/test_{snake}_reference.py",
    }


def write(course: Path, snake: str, written: Mapping[str, Edits]) -> None:
    """Do as the TODOs of an exercise's files say; any text will do for what is prose."""
    for what, path in places(snake).items():
        file = course / path
        text = file.read_text(encoding="utf-8")
        for old, new in written.get(what, []):
            text, count = re.subn(old, new, text)
            assert count == 1, (what, old)
        file.write_text(text.replace("TODO", "Here"), encoding="utf-8")


def _mistake(exercise: str, slug: str, code: str) -> str:
    return f'''\
    Mistake(
        exercise="{exercise}",
        slug="{slug}",
        diagnosis="Your code makes the mistake {slug}.",
        hint="Where does your code make it?",
        code="""
{code}
""",
    ),
'''


def _layer_norm(slug: str, *, head: str = "", var: str = "", result: str = "") -> str:
    var = var or "x.var(-1, keepdim=True, unbiased=False)"
    result = result or "gamma * (x - mean) / (var + eps).sqrt() + beta"
    lines = [head, "mean = x.mean(-1, keepdim=True)", f"var = {var}", f"return {result}"]
    body = "\n".join(f"    {line}" for line in lines if line)
    code = f"def layer_norm(x, gamma, beta, eps):\n{body}"
    return _mistake("layer_norm", slug, code)


LAYER_NORM: dict[str, Edits] = {
    "solution": [
        (
            r"raise NotImplementedError\(.*\)",
            "centred = x - x.mean(dim=-1, keepdim=True)\n"
            "    variance = centred.pow(2).mean(dim=-1, keepdim=True)\n"
            "    return gamma * centred / torch.sqrt(variance + eps) + beta",
        )
    ],
    "hidden": [
        (r"eps = 1e-5", "eps = 0.1"),
        (r"holds = .*", "holds = (result - arguments[2]).div(arguments[1]).mean(-1).abs() < 1e-6"),
        (r"bool\(holds\)", "bool(holds.all())"),
        (r"Wrong\(.*\)", 'Wrong("Without gain and shift, some row has another mean than 0.")'),
    ],
    "checks": [
        (r"\[\[1\.0, 0\.0, 2\.0\], \[0\.5, 3\.0, -1\.0\]\]", "[[1.0, 3.0, 5.0], [2.0, 0.0, 4.0]]"),
        (r"\[1\.0, 2\.0, -1\.0\]\),  # gamma", "[3.0, 3.0, 3.0]),  # gamma"),
        (r"1e-5,  # eps", "19 / 3,  # eps"),
        (r"\[\[0\.0.*\]\]", "[[-1.0, 2.0, 1.0], [1.0, 0.0, 1.0]]"),
    ],
    "mistakes": [
        (
            r"    Mistake\((.|\n)*\n    \),\n",
            _layer_norm(
                "eps-beside-the-root", result="gamma * (x - mean) / (var.sqrt() + eps)+beta"
            )
            + _layer_norm("unbiased-variance", var="x.var(-1, keepdim=True)")
            + _layer_norm("not-centred", result="gamma * x / (var + eps).sqrt() + beta")
            + _layer_norm("cut-off", head="x = x.detach()")
            + _layer_norm("double-always", head="x = x.double()")
            + _layer_norm("input-changed", head="x.mul_(1.5)"),
        )
    ],
    "variants": [
        (
            r"return x .*",
            "return torch.nn.functional.layer_norm(x, x.shape[-1:], gamma, beta, eps)",
        )
    ],
    "reference test": [
        (
            r"independent = x .*",
            "independent = torch.nn.functional.layer_norm(x, x.shape[-1:], gamma, beta, eps)",
        ),
    ],
}


def _affine(slug: str, forward: str) -> str:
    code = f"""class AffineMap(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))
        self.shift = nn.Parameter(torch.zeros(width))

    def forward(self, x):
        {forward}"""
    return _mistake("AffineMap", slug, code)


AFFINE_MAP: dict[str, Edits] = {
    "solution": [
        (
            r"raise NotImplementedError\(.*the layers.*\)",
            "self.gain = nn.Parameter(torch.ones(width))\n"
            "        self.shift = nn.Parameter(torch.zeros(width))",
        ),
        (r"raise NotImplementedError\(.*\)", "return self.gain * x + self.shift"),
    ],
    "checks": [
        (
            r"= \{\} .*",
            '= {"gain": torch.tensor([1.0, 2.0, 3.0]), "shift": torch.tensor([1.0, 0.5, 0.0])}',
        ),
        (r"\[\[0\.0.*\]\]", "[[2.0, 0.5, 6.0], [1.5, 6.5, -3.0]]"),
    ],
    "mistakes": [
        (
            r"    Mistake\((.|\n)*\n    \),\n",
            _affine("no-shift", "return self.gain * x + 0 * self.shift")
            + _affine("gain-on-both", "return self.gain * (x + self.shift)")
            + _affine("cut-off", "return self.gain.detach() * x + self.shift")
            + _affine("input-changed", "x += 1; return self.gain * x + self.shift"),
        )
    ],
    "variants": [
        (
            r"super\(\).__init__\(\)",
            "super().__init__()\n        self.gain = nn.Parameter("
            "torch.ones(width))\n        self.shift = nn.Parameter(torch.zeros(width))",
        ),
        (r"return x .*", "return torch.addcmul(self.shift, self.gain, x)"),
    ],
    "reference test": [
        (r"independent = x .*", "independent = torch.addcmul(module.shift, module.gain, x)"),
    ],
}
