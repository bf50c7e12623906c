"""Whose a submission on Gradescope is."""

import pytest

from autograder.harness.gradescope.owner import owner_of

ADA = {"id": 7, "email": "ada@uni.example", "name": "Ada", "sid": "s-12"}
BEN = {"id": 8, "email": "ben@uni.example", "name": "Ben"}


@pytest.mark.parametrize(
    ("wanted", "student"),
    [("email", "ada@uni.example"), ("account", "ada"), ("sid", "s-12"), ("id", "7")],
)
def test_the_course_says_what_its_ids_are(wanted: str, student: str) -> None:
    owner = owner_of({"users": [ADA]}, wanted)
    assert (owner.student, owner.note) == (student, None)


def test_a_group_is_graded_under_the_same_id_whoever_hands_in() -> None:
    owners = [owner_of({"users": users}, "account") for users in ([ADA, BEN], [BEN, ADA])]
    assert {one.student for one in owners} == {"ada"}
    assert all("group" in (one.note or "") for one in owners)


@pytest.mark.parametrize("user", [BEN, BEN | {"sid": None}, BEN | {"sid": "../../ben"}])
def test_without_the_wanted_id_it_is_gradescopes_own_and_that_is_said(user: dict) -> None:
    owner = owner_of({"users": [user]}, "sid")
    assert owner.student == "gradescope-8"
    assert "gradescope-8" in (owner.note or "")


@pytest.mark.parametrize("metadata", [{}, {"users": None}, {"users": []}, {"users": ["ada"]}])
def test_metadata_that_names_nobody_still_has_an_owner(metadata: dict) -> None:
    assert owner_of(metadata, "email").student == "gradescope-unknown"
