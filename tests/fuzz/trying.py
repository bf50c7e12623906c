"""How hard the fuzz tests try.

By default every run tries the same few thousand cases. `FUZZ=50`, as `make fuzz` sets it, tries 50
times as many, from a seed that is printed; `FUZZ_SEED` sets it, so that a finding can be met again.
"""

import functools
import os
import random
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, seed, settings

FACTOR = int(os.environ.get("FUZZ") or "1")
# Back into the environment, so that the processes of `pytest -n` have the same one.
SEED = int(os.environ.get("FUZZ_SEED") or random.SystemRandom().randrange(1 << 32))
os.environ["FUZZ_SEED"] = str(SEED)

ran = 0


def cases(count: int) -> Callable[[Any], Any]:
    """Try a test on this many drawn cases, or FUZZ times as many, and count them."""
    asked = settings(
        max_examples=count * FACTOR,
        derandomize=FACTOR == 1,
        database=None,
        deadline=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        phases=[phase for phase in Phase if phase is not Phase.explain],
    )

    def decorate(test: Any) -> Any:
        test.hypothesis.inner_test = _counting(test.hypothesis.inner_test)
        test = asked(test)
        return test if FACTOR == 1 else seed(SEED)(test)

    return decorate


def count(tried: int) -> None:
    """Count cases that no strategy drew."""
    global ran
    ran += tried


def _counting(test: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(test)
    def counted(*args: Any, **kwargs: Any) -> Any:
        count(1)
        return test(*args, **kwargs)

    return counted
