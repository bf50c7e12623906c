"""Every attack of the catalogue, done to the real command, in each sandbox mode, by each user."""

import pytest
from canaries import OF_THE_PROJECT
from classroom import BETWEEN
from comparison import changed_marks, honest_marks
from graded_class import FULL
from oracles import KEPT, gains, unmet
from runs import chosen, each_run

from autograder.notebooks.names import odd_name

pytestmark = pytest.mark.slow


def test_the_attack_fails(attack, run_of, graded):
    found = graded(run_of)
    assert not gains(attack, found), f"row {attack.row}: {attack.does} {attack.must}"
    assert not unmet(attack, found), attack.must


def test_every_honest_mark_is_what_it_is_without_attackers(run_of, graded):
    alone, attacked = graded(None), graded(run_of)
    assert honest_marks(alone)
    assert not changed_marks(alone, attacked)


def test_honest_students_come_before_between_and_after(run_of, graded, request):
    hostile = [one.slug for one in chosen(*run_of, request.config.getoption("--all-attacks"))]
    honest = [one.student for one in graded(run_of).honest]
    order = sorted([*hostile, *honest])
    assert order[0] in honest
    assert order[-1] in honest
    gaps = "".join("h" if name in honest else "." for name in order)
    assert "." * (2 * BETWEEN) not in gaps


def test_the_code_was_held_as_the_mode_says(run_of, graded):
    expected = {"fallback": "landlock+seccomp", "container": "container+landlock+seccomp"}
    assert graded(run_of).isolation == expected.get(run_of[0], FULL)


def test_nothing_on_the_machine_has_changed_and_nobody_was_reached(run_of, graded):
    found = graded(run_of)
    assert found.contacts == []
    assert found.changed == {}
    assert found.processes == []


def test_the_terminal_and_the_stored_verdicts_tell_nothing_hidden(run_of, graded):
    found = graded(run_of)
    stored = [path.read_text() for path in (found.course / ".autograder").rglob("*.json")]
    assert stored
    canaries = found.canaries
    hidden = {
        canaries.gradebook,
        canaries.secret,
        canaries.variable,
        canaries.environment,
        canaries.solutions,
        canaries.outside,
        canaries.configuration,
        canaries.home,
        *OF_THE_PROJECT.values(),
    }
    for text in (found.said, *stored):
        assert len(text) < KEPT
        assert not [word for word in hidden if word in text]
        assert "\x1b]" not in text
        assert "CARRIED-" not in found.said


def test_the_command_says_that_some_are_ungraded_and_goes_on(run_of, graded):
    found = graded(run_of)
    listed = [one for one in found.marks.values() if one["status"] == "ungraded"]
    assert found.status == (1 if listed else 0)
    assert f"{len(found.marks) - len(listed)} graded, {len(listed)} ungraded" in found.said
    assert "Traceback" not in found.said


def test_times_are_told_coarsely(run_of, graded):
    for one in graded(run_of).marks.values():
        assert one["seconds"] == round(one["seconds"], 2)


@pytest.mark.parametrize("first", each_run()[:1])
def test_every_submission_has_a_feedback_page(first, graded):
    found = graded(first)
    for student, assignment in found.marks:
        page = found.course / "feedback" / student / assignment / f"{assignment}.html"
        assert page.is_file() == (odd_name(student) is None), student  # which is nobody's id


def test_the_counts(run_of, graded, request, record_property, myself):
    attacks = chosen(*run_of, request.config.getoption("--all-attacks"))
    found, alone = graded(run_of), graded(None)
    succeeded = [attack.slug for attack in attacks if gains(attack, found)]
    compared, changed = honest_marks(alone), changed_marks(alone, found)
    who = myself.name if run_of[1] == "myself" else "an unprivileged user"
    record_property(
        "counted",
        f"attacks, {found.isolation}, as {who}: {len(attacks)} tried, {len(succeeded)} succeeded; "
        f"{len(compared)} honest marks compared, {len(changed)} changed",
    )
    assert (succeeded, changed) == ([], [])
