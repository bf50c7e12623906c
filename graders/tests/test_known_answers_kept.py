"""Known answers that several processes share: looked at once, and their files apart."""

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from autograder.bank import mistakes
from autograder.judging import behaviour, diagnose
from autograder.judging.answers import reference_source, source_of, student_with
from autograder.judging.bank import bank_of
from autograder.judging.diagnosis import rehearse
from graders.attention_by_hand import probes as by_hand_probe  # noqa: F401 - registers the probe


def test_after_a_rehearsal_no_known_answer_is_started_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bank_of.cache_clear()
    started: list[Any] = []
    look = behaviour._looks

    def watched(exercise: str, student: Any) -> Any:
        started.append(student)
        return look(exercise, student)

    monkeypatch.setattr(behaviour, "_looks", watched)
    steps = len(list(rehearse("softmax")))
    assert steps == len(started) == 1 + len(mistakes("softmax"))
    started.clear()
    wrong = student_with("softmax", source_of(mistakes("softmax")[-1]))
    (named,) = diagnose("softmax", wrong)
    assert named.slug == mistakes("softmax")[-1].slug
    assert started == [wrong]


def test_what_has_no_probe_is_not_rehearsed() -> None:
    assert list(rehearse("no such exercise")) == []


def test_a_forked_process_places_files_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # the fork leaves its folder there
    student = student_with("softmax", reference_source("softmax"))
    path = Path(student.place("text", b"ours"))
    child = os.fork()
    if not child:
        try:
            other = Path(student.place("text", b"another"))
            os._exit(0 if other != path and other.read_bytes() == b"another" else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert path.read_bytes() == b"ours"
