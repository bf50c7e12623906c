"""Known answers are looked at before workers are forked: not for long, and none stops another."""

from collections.abc import Iterator

import pytest

from autograder.course import Assignment, Exercise
from autograder.judging import diagnosis
from autograder.verdicts import server
from autograder.verdicts.judge import Rules


def exercise(name: str, kind: str = "code") -> Exercise:
    return Exercise(name=name, kind=kind, points=1.0)


RULES = Rules(
    Assignment("some", (exercise("first"), exercise("q1", "quiz"), exercise("second"))), {}, True
)


@pytest.mark.parametrize("error", [ValueError("it fits no more"), SystemExit(3)])
def test_an_answer_that_cannot_be_looked_at_stops_no_other(
    monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    begun: list[str] = []

    def rehearse(name: str) -> Iterator[None]:
        begun.append(name)
        yield
        raise error

    monkeypatch.setattr(diagnosis, "rehearse", rehearse)
    server._rehearse([RULES])
    assert begun == ["first", "second"]


def test_it_ends_within_an_exercise_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "REHEARSAL", -1.0)
    looked_at: list[str] = []

    def rehearse(name: str) -> Iterator[None]:
        for _ in range(3):
            looked_at.append(name)
            yield

    monkeypatch.setattr(diagnosis, "rehearse", rehearse)
    server._rehearse([RULES])
    assert looked_at == ["first"]
