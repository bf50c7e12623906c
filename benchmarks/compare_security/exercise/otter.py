# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [raw]
# # ASSIGNMENT CONFIG
# init_cell: true
# export_cell: true
# generate: true
# tests:
#     ok_format: false

# %% [markdown]
# The exercise in Otter Assign's format: a visible test, and two hidden ones of a point each.

# %%
import torch

# %% [raw]
# # BEGIN QUESTION
# name: causal_mask

# %% [raw]
# # BEGIN SOLUTION

# %%
def causal_mask(seq_len, device=None):
    """Let every position attend to itself and to what came before: True where j <= i."""
    # BEGIN SOLUTION
    return torch.ones(seq_len, seq_len, dtype=torch.bool, device=device).tril()
    # END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0
""" # END TEST CONFIG
def test_two_positions(causal_mask):
    assert causal_mask(2).tolist() == [[True, False], [True, True]]

# %%
""" # BEGIN TEST CONFIG
hidden: true
points: 1
""" # END TEST CONFIG
def test_elements(causal_mask):
    import torch

    for seq_len in (1, 5, 16):
        expected = torch.ones(seq_len, seq_len, dtype=torch.bool).tril()
        mask = causal_mask(seq_len)
        assert isinstance(mask, torch.Tensor)
        assert mask.dtype == torch.bool
        assert mask.shape == (seq_len, seq_len)
        assert (mask == expected).all()

# %%
""" # BEGIN TEST CONFIG
hidden: true
points: 1
""" # END TEST CONFIG
def test_whole(causal_mask):
    import torch

    for seq_len in (3, 9):
        expected = torch.ones(seq_len, seq_len, dtype=torch.bool).tril()
        torch.testing.assert_close(causal_mask(seq_len), expected)
        assert torch.equal(causal_mask(seq_len), expected)

# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION
