"""What is pinned for another machine can be installed by every release of this Python."""

import importlib.metadata
import sys

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from autograder.harness.engine import pins

EVERY = ("numpy", "matplotlib", "jaxtyping", "ipython", "torch")


def test_each_package_has_one_line_for_each_release_and_none_that_refuses_it() -> None:
    lines = [Requirement(line) for line in pins(EVERY)]
    major, minor, micro = sys.version_info[:3]
    for release in range(micro + 3):
        here = {"python_full_version": f"{major}.{minor}.{release}"}
        asked = [one for one in lines if one.marker is None or one.marker.evaluate(here)]
        assert sorted(one.name for one in asked) == sorted({one.name for one in lines})
        for one in asked:
            needs = importlib.metadata.metadata(one.name)["Requires-Python"] or ""
            if one.specifier:
                assert SpecifierSet(needs).contains(here["python_full_version"]), one.name
    assert all(one.specifier for one in asked)  # nothing is free where it was pinned
