"""What tests of judging share: one thread, as a grading process has."""

import pytest
import torch


@pytest.fixture(scope="package", autouse=True)
def _one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # as on a grading machine; tiny tensors are faster so
    yield
    torch.set_num_threads(threads)
