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

# %% [markdown]
# The exercise in stock nbgrader: two graded cells with ordinary hidden tests, a point each.

# %%
import torch

# %% nbgrader={"cell_type": "code", "grade": false, "grade_id": "causal_mask", "locked": false, "schema_version": 3, "solution": true, "task": false}
def causal_mask(seq_len, device=None):
    """Let every position attend to itself and to what came before: True where j <= i."""
    ### BEGIN SOLUTION
    return torch.ones(seq_len, seq_len, dtype=torch.bool, device=device).tril()
    ### END SOLUTION

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "test_elements", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
assert causal_mask(2).tolist() == [[True, False], [True, True]]
### BEGIN HIDDEN TESTS
for seq_len in (1, 5, 16):
    expected = torch.ones(seq_len, seq_len, dtype=torch.bool).tril()
    mask = causal_mask(seq_len)
    assert isinstance(mask, torch.Tensor)
    assert mask.dtype == torch.bool
    assert mask.shape == (seq_len, seq_len)
    assert (mask == expected).all()
### END HIDDEN TESTS

# %% nbgrader={"cell_type": "code", "grade": true, "grade_id": "test_whole", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
assert causal_mask(3).dtype == torch.bool
### BEGIN HIDDEN TESTS
for seq_len in (3, 9):
    expected = torch.ones(seq_len, seq_len, dtype=torch.bool).tril()
    torch.testing.assert_close(causal_mask(seq_len), expected)
    assert torch.equal(causal_mask(seq_len), expected)
### END HIDDEN TESTS
