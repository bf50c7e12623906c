"""Whether the reference's fused attention is worth comparing with: its time beside its parts'.

`python -m benchmarks.on_cuda [--device cuda] [--length 4096] [--repeat 50] [--write FILE]` times
the reference, `F.scaled_dot_product_attention` between two matrix products, and
`nn.MultiheadAttention` on the same weights and inputs, forward and backward, causal and not. They
take turns, each run is synchronised, inputs change between runs, and outputs are compared first.
Printed are medians with their spread, ratios run by run, and the share of what a large matrix
product reaches on the chip. With `--device cpu` and small sizes it tries itself.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import torch
import torch.nn.functional as F  # noqa: N812 - torch's own documentation calls it F
from torch import Tensor, nn

from benchmarks.machine import described
from solutions.fused_attention.reference import FusedMultiHeadAttention

REFERENCE, PARTS, TORCHS = "the reference", "two products and F.sdpa", "nn.MultiheadAttention"
CLOSE = {torch.bfloat16: 3e-2, torch.float16: 5e-3, torch.float32: 1e-4}
WARM_UP = 5
SQUARE = 8192  # rows and columns of the product that stands for the chip's peak
INPUTS = 4  # that take turns, so that no result can be one that was kept

Attend = Callable[[Tensor, bool], Tensor]


@dataclass
class Timed:
    """The seconds of each run, by contestant."""

    seconds: dict[str, list[float]] = field(default_factory=dict)

    def median(self, name: str) -> float:
        """The middle run, in milliseconds."""
        return 1e3 * statistics.median(self.seconds[name])

    def spread(self, name: str) -> str:
        """The run at a tenth and the one at nine tenths, in milliseconds."""
        tenths = statistics.quantiles(self.seconds[name], n=10, method="inclusive")
        return f"{1e3 * tenths[0]:.3f} to {1e3 * tenths[-1]:.3f}"

    def ratio(self, name: str) -> float:
        """The reference's time to another's, run by run: the middle one."""
        pairs = zip(self.seconds[REFERENCE], self.seconds[name], strict=True)
        return statistics.median(ours / theirs for ours, theirs in pairs)


def main() -> None:
    """Measure, and print or write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--device", default="cuda")
    options.add_argument("--dtype", default="bfloat16")
    options.add_argument("--batch", type=int, default=8)
    options.add_argument("--heads", type=int, default=16)
    options.add_argument("--length", type=int, default=4096)
    options.add_argument("--d-head", type=int, default=64)
    options.add_argument("--square", type=int, default=SQUARE)
    options.add_argument("--repeat", type=int, default=50)
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    if chosen.device == "cuda" and not torch.cuda.is_available():
        raise SystemExit("PyTorch sees no GPU here. --device cpu tries this benchmark itself.")
    torch.manual_seed(0)
    text = report(chosen)
    print(text)
    if chosen.write:
        chosen.write.write_text(text, encoding="utf-8")


def report(chosen: argparse.Namespace) -> str:
    """A table of every case, as Markdown."""
    dtype = getattr(torch, chosen.dtype)
    shape = (chosen.batch, chosen.length, chosen.heads * chosen.d_head)
    contestants = made(chosen.heads, shape[-1], chosen.device, dtype)
    inputs = [torch.randn(shape, device=chosen.device, dtype=dtype) for _ in range(INPUTS)]
    compare(contestants, inputs[0])
    peak = peak_of(chosen.square, chosen.device, dtype, chosen.repeat)
    card = torch.cuda.get_device_name() if chosen.device == "cuda" else "no GPU"
    lines = [
        f"{described()}; {card}, CUDA {torch.version.cuda}.",
        "",
        f"Batch {chosen.batch}, {chosen.heads} heads of {chosen.d_head}, length {chosen.length}, "
        f"{chosen.dtype}; {chosen.repeat} runs. A product of {chosen.square} by {chosen.square} "
        f"reaches {peak / 1e12:.3g} TFLOP/s.",
        "",
        "| | contestant | median ms | a tenth to nine tenths | reference's time to it | of peak |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for causal in (False, True):
        for backward in (False, True):
            case = f"{'causal' if causal else 'every key'}, forward{' and backward' * backward}"
            timed = timed_in_turn(contestants, inputs, causal, backward, chosen.repeat)
            work = operations(chosen, causal, backward)
            for name in contestants:
                share = work / (timed.median(name) / 1e3) / peak
                ratio = "" if name == REFERENCE else f"{timed.ratio(name):.3f}"
                lines.append(
                    f"| {case} | {name} | {timed.median(name):.3f} | {timed.spread(name)} | "
                    f"{ratio} | {share:.0%} |"
                )
    return "\n".join(lines) + "\n"


def made(heads: int, d_model: int, device: str, dtype: torch.dtype) -> dict[str, Attend]:
    """The contestants, on the same weights."""
    ours = FusedMultiHeadAttention(d_model, heads).to(device=device, dtype=dtype)
    theirs = nn.MultiheadAttention(d_model, heads, batch_first=True)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(ours.qkv.weight)
        theirs.in_proj_bias.copy_(ours.qkv.bias)
    theirs.out_proj.load_state_dict(ours.out.state_dict())
    theirs.to(device=device, dtype=dtype)

    def in_parts(x: Tensor, causal: bool) -> Tensor:
        q, k, v = F.linear(x, ours.qkv.weight, ours.qkv.bias).chunk(3, dim=-1)
        q, k, v = (t.unflatten(-1, (heads, -1)).transpose(1, 2) for t in (q, k, v))
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
        return F.linear(attended.transpose(1, 2).flatten(2), ours.out.weight, ours.out.bias)

    def torchs(x: Tensor, causal: bool) -> Tensor:
        mask = None
        if causal:
            mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1], x.device, x.dtype)
        return theirs(x, x, x, attn_mask=mask, is_causal=causal, need_weights=False)[0]

    return {REFERENCE: lambda x, causal: ours(x, is_causal=causal), PARTS: in_parts, TORCHS: torchs}


def compare(contestants: dict[str, Attend], x: Tensor) -> None:
    """See that all give the same, so that nobody is fast at something else.

    Raises:
        AssertionError: they do not.
    """
    for causal in (False, True):
        wanted = contestants[REFERENCE](x, causal).float()
        for name, attend in contestants.items():
            close = CLOSE[x.dtype]
            torch.testing.assert_close(
                attend(x, causal).float(), wanted, rtol=close, atol=close, msg=name
            )


def timed_in_turn(
    contestants: dict[str, Attend],
    inputs: list[Tensor],
    causal: bool,
    backward: bool,
    repeat: int,
) -> Timed:
    """Each contestant once a round, on the round's input, from a device at rest to one at rest."""
    timed = Timed({name: [] for name in contestants})
    for turn in range(-WARM_UP, repeat):
        for name, attend in contestants.items():
            x = inputs[turn % len(inputs)].detach().requires_grad_(backward)
            _rest(x)
            start = time.perf_counter()
            with torch.set_grad_enabled(backward):
                found = attend(x, causal)
                if backward:
                    found.backward(torch.ones_like(found))
            _rest(x)
            if turn >= 0:
                timed.seconds[name].append(time.perf_counter() - start)
    return timed


def operations(chosen: argparse.Namespace, causal: bool, backward: bool) -> float:
    """Floating-point operations of one run: products alone, and of a causal table its half.

    A backward pass takes twice the products' operations, and 2.5 times attention's, which makes the
    scores again (Dao 2023, "FlashAttention-2", section 4.1).
    """
    width, tokens = chosen.heads * chosen.d_head, chosen.batch * chosen.length
    products = 2 * tokens * width * 4 * width
    attention = 4 * tokens * chosen.length * width / (2 if causal else 1)
    return products * (3 if backward else 1) + attention * (3.5 if backward else 1)


def peak_of(square: int, device: str, dtype: torch.dtype, repeat: int) -> float:
    """Operations a second of a large square product."""
    one, other = (torch.randn(square, square, device=device, dtype=dtype) for _ in "ab")
    seconds = []
    for _ in range(max(repeat, WARM_UP)):
        _rest(one)
        start = time.perf_counter()
        one @ other
        _rest(one)
        seconds.append(time.perf_counter() - start)
    return 2 * square**3 / statistics.median(seconds)


def _rest(x: Tensor) -> None:
    """Wait until the device has done all that it was told."""
    if x.is_cuda:
        torch.cuda.synchronize()


if __name__ == "__main__":
    main()
