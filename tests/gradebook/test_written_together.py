"""Which graded submissions go into one transaction: none waits for long, and none is left."""

from concurrent.futures import Future
from queue import SimpleQueue

import pytest

from autograder.gradebook.grade_class import TOGETHER, _together


@pytest.mark.parametrize("most", [1, 2, TOGETHER])
def test_what_is_done_is_written_in_its_order_and_what_is_not_is_not_waited_for(most: int) -> None:
    done: SimpleQueue[Future] = SimpleQueue()
    graded = [Future() for _ in range(3)]
    for one in graded:
        done.put(one)
    assert _together(done, most) == graded[:most]
    assert done.qsize() == max(0, 3 - most)
