"""The reference solution of 05 against PyTorch's own module, and the structure its text demands."""

import pytest
import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from solutions.fused_attention.reference import FusedMultiHeadAttention

WIDTH, HEADS = 12, 3


def twins(dtype=torch.float32, bias=True):
    """The reference and PyTorch's module with the same weights."""
    torch.manual_seed(3)
    ours = FusedMultiHeadAttention(WIDTH, HEADS, bias=bias).to(dtype)
    theirs = nn.MultiheadAttention(WIDTH, HEADS, bias=bias, batch_first=True).to(dtype)
    names = {"qkv.": "in_proj_", "out.": "out_proj."}
    theirs.load_state_dict(
        {
            name.replace(old, new): value
            for name, value in ours.state_dict().items()
            for old, new in names.items()
            if name.startswith(old)
        }
    )
    return ours, theirs


def tokens(dtype=torch.float32, batch=2, seq=5):
    return torch.randn(batch, seq, WIDTH, generator=torch.Generator().manual_seed(1)).to(dtype)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize(
    ("dtype", "tolerance"),
    [
        (torch.float64, 1e-12),
        (torch.float32, 1e-5),
        (torch.bfloat16, 0.03),
        (torch.float16, 0.004),
    ],
)
def test_it_equals_pytorchs_module_forward_and_backward(dtype, tolerance, bias):
    ours, theirs = twins(dtype, bias)
    x, other = (tokens(dtype).requires_grad_() for _ in range(2))
    found = ours(x)
    wanted, _ = theirs(other, other, other)
    assert found.dtype == dtype
    torch.testing.assert_close(found, wanted, atol=tolerance, rtol=tolerance)
    found.sum().backward()
    wanted.sum().backward()
    torch.testing.assert_close(x.grad, other.grad, atol=4 * tolerance, rtol=4 * tolerance)
    torch.testing.assert_close(
        ours.qkv.weight.grad, theirs.in_proj_weight.grad, atol=8 * tolerance, rtol=8 * tolerance
    )


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("shape", [(5, 5), (2, 1, 1, 5), (2, 1, 5, 5), (2, 3, 5, 5)])
def test_mask_and_causality_both_apply(shape, is_causal):
    ours, theirs = twins()
    x = tokens()
    mask = torch.rand(shape, generator=torch.Generator().manual_seed(2)) < 0.6
    mask = mask | (torch.arange(5) == 0)  # key 0 is open to all, so that no row is empty
    allowed = mask.expand(2, HEADS, 5, 5)
    if is_causal:
        allowed = allowed & torch.ones(5, 5).tril().bool()
    wanted, _ = theirs(x, x, x, attn_mask=~allowed.flatten(0, 1))
    torch.testing.assert_close(ours(x, mask, is_causal=is_causal), wanted)


def test_the_future_leaves_the_past_bit_identical():
    ours, _ = twins()
    x = tokens()
    changed = x.clone()
    changed[:, 3:] = 1e30
    assert torch.equal(ours(x, is_causal=True)[:, :3], ours(changed, is_causal=True)[:, :3])


def test_dropout_acts_in_training_only():
    attention = FusedMultiHeadAttention(WIDTH, HEADS, dropout=0.5)
    x = tokens()
    assert not torch.equal(attention(x), attention(x))
    attention.eval()
    assert torch.equal(attention(x), attention(x))


@pytest.mark.parametrize("num_heads", [5, 0])
def test_heads_that_do_not_fit_are_refused_with_both_numbers(num_heads):
    with pytest.raises(ValueError, match=f"12.*{num_heads}"):
        FusedMultiHeadAttention(12, num_heads)


def test_nothing_is_tied_to_a_device():
    attention = FusedMultiHeadAttention(WIDTH, HEADS).to("meta")
    x = torch.empty(2, 5, WIDTH, device="meta")
    mask = torch.ones(5, 5, dtype=torch.bool, device="meta")
    assert attention(x, mask, is_causal=True).device.type == "meta"


def test_autocast_gives_half_precision_near_the_full_result():
    ours, _ = twins()
    with torch.autocast("cpu", torch.bfloat16):
        found = ours(tokens())
    assert found.dtype == torch.bfloat16
    torch.testing.assert_close(found.float(), ours(tokens()), atol=0.03, rtol=0.03)


def test_it_compiles_into_one_graph():
    ours, _ = twins()
    mask = torch.ones(5, 5, dtype=torch.bool)
    compiled = torch.compile(ours, fullgraph=True, backend="eager")
    torch.testing.assert_close(compiled(tokens(), mask, True), ours(tokens(), mask, True))


@pytest.mark.parametrize("is_causal", [False, True])
def test_no_table_of_seq_by_seq_is_kept_without_a_mask(is_causal):
    ours, _ = twins()
    seq = 301
    kept = []

    def note(tensor):
        kept.append(tensor.numel())
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        ours(tokens(seq=seq).requires_grad_(), is_causal=is_causal)
    assert kept
    assert max(kept) < seq * seq


def test_all_projections_are_two_matrix_products():
    class Products(TorchDispatchMode):
        count = 0

        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            self.count += function._schema.name in ("aten::addmm", "aten::mm", "aten::bmm")
            return function(*args, **(kwargs or {}))

    ours, _ = twins()
    with Products() as products:
        ours(tokens())
    assert products.count == 2
