"""Known answers that several processes share: looked at once, and their files apart."""

import os
from pathlib import Path
from typing import Any

import pytest

from autograder.hidden.attention_by_hand import by_hand_probe  # noqa: F401 - registers the probe
from autograder.judging import behaviour, diagnose
from autograder.judging.answers import reference_source, source_of, student_with
from autograder.judging.bank import bank_of
from autograder.judging.diagnosis import rehearse
from autograder.misconceptions import mistakes


def test_after_a_rehearsal_a_wrong_answer_is_all_that_is_run_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bank_of.cache_clear()
    looked_at: list[Any] = []
    look = behaviour._looks

    def watched(exercise: str, student: Any) -> Any:
        looked_at.append(student)
        return look(exercise, student)

    monkeypatch.setattr(behaviour, "_looks", watched)
    rehearse("softmax")
    assert len(looked_at) > len(mistakes("softmax"))
    looked_at.clear()
    wrong = student_with("softmax", source_of(mistakes("softmax")[-1]))
    (named,) = diagnose("softmax", wrong)
    assert named.slug == mistakes("softmax")[-1].slug
    assert looked_at == [wrong]


def test_a_forked_process_places_files_apart() -> None:
    student = student_with("softmax", reference_source("softmax"))
    path = Path(student.place("text", b"ours"))
    child = os.fork()
    if not child:
        student.place("text", b"another")
        os._exit(0)
    os.waitpid(child, 0)
    assert path.read_bytes() == b"ours"
