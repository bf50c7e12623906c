"""A GPU, as a submission's process finds it: awake, and no larger than its share."""

import torch
from torch.nn.functional import scaled_dot_product_attention


def wake_gpu(share: float) -> None:
    """Make this process's context on the GPU, so that no graded call waits for it.

    Args:
        share: how much of the GPU's memory PyTorch may take here, from 0 to 1.

    Raises:
        OSError: the driver does not answer.
    """
    try:
        torch.cuda.init()
        torch.cuda.set_per_process_memory_fraction(share)
        for dtype in (torch.float32, torch.float16):
            x = torch.ones(1, 2, 16, 16, device="cuda", dtype=dtype)
            scaled_dot_product_attention(x, x, x) @ x
        torch.cuda.synchronize()
    except Exception as error:
        raise OSError(f"the GPU does not answer inside the sandbox: {error}") from error
