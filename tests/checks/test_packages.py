"""An exercise whose package is missing is not checked, and nobody is told that it is wrong."""

import sys
from types import ModuleType

import pytest
from student_cells import solved

from autograder.checks import check
from autograder.checks.kit import packages
from autograder.checks.kit.checking import look
from autograder.checks.kit.terminal.outcome import NOT_CHECKED
from autograder.checks.kit.terminal.runner import outcome_of


@pytest.fixture
def without(monkeypatch):
    """Softmax needs a package that nobody has."""
    monkeypatch.setitem(packages._needed, "softmax", ("no_such_package", "1.0"))


@pytest.mark.usefixtures("without")
def test_a_stub_or_an_answer_is_told_how_to_install_and_fails_no_check(monkeypatch, capsys):
    main = ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", main)
    for namespace in ({}, solved("softmax")):
        vars(main).update(namespace)
        check("softmax")
        told = " ".join(capsys.readouterr().out.split())
        assert "softmax was not checked" in told
        assert "pip install --upgrade no_such_package" in told
        assert "you lose nothing" in told


@pytest.mark.usefixtures("without")
def test_a_terminal_does_not_say_that_it_is_not_begun():
    assert outcome_of(look("softmax", solved("softmax"))).state == NOT_CHECKED


@pytest.mark.parametrize("platform", ["darwin", "win32"])
@pytest.mark.usefixtures("without")
def test_other_systems_are_told_that_there_is_none_for_them(monkeypatch, platform):
    monkeypatch.setattr(sys, "platform", platform)
    assert "there is none for this machine" in (packages.absent("softmax") or "")


def test_what_is_installed_is_checked():
    assert packages.absent("softmax") is None
    packages.needs("an exercise", "pytest", "8.0")
    assert packages.absent("an exercise") is None
    packages.needs("an exercise", "pytest", "999.0")
    assert "Pytest 999.0 or newer is not installed" in (packages.absent("an exercise") or "")
    del packages._needed["an exercise"]
