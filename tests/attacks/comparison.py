"""Whether honest students got what they would have got without anybody hostile in the class."""

from typing import Any

from graded_class import GradedClass


def honest_marks(graded: GradedClass) -> dict[tuple[str, str, str], Any]:
    """All that was found out about honest students, by student, assignment and exercise."""
    found: dict[tuple[str, str, str], Any] = {}
    for one in graded.honest:
        submission = graded.marks.get((one.student, one.assignment), {"exercises": {}})
        for name, exercise in submission["exercises"].items():
            score = graded.gradebook.get((one.student, one.assignment, f"test_{name}"))
            found[one.student, one.assignment, name] = (exercise, score)
    return found


def changed_marks(alone: GradedClass, attacked: GradedClass) -> list[str]:
    """What differs for honest students between a class without attackers and one with them."""
    before, after = honest_marks(alone), honest_marks(attacked)
    return [
        f"{'/'.join(place)}: {after.get(place)} in place of {before.get(place)}"
        for place in sorted(before.keys() | after.keys())
        if before.get(place) != after.get(place)
    ]
