"""Which attacks are done in which run: a sandbox mode and a user."""

from collections.abc import Sequence

import pytest
from attack import Attack
from catalogue import ATTACKS

MODES = ("required", "fallback")
USERS = ("myself", "another user")
RUNS = [*((mode, user) for mode in MODES for user in USERS), ("container", USERS[0])]

# What happens to these does not depend on the sandbox: they are notebooks, names and pages.
OF_THE_GRADER = {12, 22, 23, 24, 26, 30, 34}
# What happens to these may depend on who grades: files, sockets, processes, limits, neighbours.
OF_THE_MACHINE = {1, 2, 3, 9, 15, 16, 17, 18, 19, 20, 37}


def chosen(mode: str, user: str, everything: bool) -> Sequence[Attack]:
    """The attacks of a run: all of them in the first, and in the others what could differ there."""
    if everything or (mode, user) == (MODES[0], USERS[0]):
        return ATTACKS
    if (mode, user) == (MODES[1], USERS[0]):
        return [attack for attack in ATTACKS if attack.row not in OF_THE_GRADER]
    return [attack for attack in ATTACKS if attack.row in OF_THE_MACHINE]


def each_run() -> list:
    """The runs as parameters, in groups that keep each run's tests in one process of xdist."""
    return [
        pytest.param(
            (mode, user), id=f"{mode}, {user}", marks=pytest.mark.xdist_group(f"{mode} {user}")
        )
        for mode, user in RUNS
    ]
