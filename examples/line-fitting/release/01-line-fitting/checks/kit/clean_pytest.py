"""Pytest as it comes: what it is told by the environment, and plugins beside it, have no say."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

_HIDDEN = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")
_WRITTEN = ("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "PYTEST_CURRENT_TEST", "PYTEST_VERSION")


@contextmanager
def clean_pytest() -> Iterator[None]:
    """Hide pytest's variables, and keep plugins that happen to be installed from loading.

    The variables are put back afterwards.
    """
    kept = {name: os.environ.get(name) for name in (*_HIDDEN, *_WRITTEN)}
    for name in _HIDDEN:
        os.environ.pop(name, None)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        yield
    finally:
        for name, value in kept.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
