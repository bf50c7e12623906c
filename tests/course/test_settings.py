"""The course's settings: read, checked, and wrong ones told so that they can be mended."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from autograder.course import CourseError, load_course


def course_with(folder: Path, lines: str) -> Path:
    folder.joinpath("course_config.py").write_text(f"c = get_config()\n{lines}\n", encoding="utf-8")
    return folder


def test_a_folder_without_a_config_is_no_course(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"holds no course_config\.py.*--course"):
        load_course(tmp_path)


def test_a_folder_that_nbgrader_would_keep_no_gradebook_in_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "which one?"
    folder.mkdir()
    with pytest.raises(CourseError, match=r"which one\? has a question mark in its name"):
        load_course(course_with(folder, ""))
    load_course(course_with(folder, "c.CourseDirectory.db_url = 'sqlite:////marks/gradebook.db'"))


def test_limits_become_plain_data_in_bytes(tmp_path: Path) -> None:
    course = load_course(course_with(tmp_path, "c.SubmissionLimits.memory_mb = 512"))
    assert course.limits.limits().memory_bytes == 512 * 2**20


def test_a_misspelt_setting_is_told_with_the_nearest_one(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"no setting 'call_second'.*mean 'call_seconds'"):
        load_course(course_with(tmp_path, "c.SubmissionLimits.call_second = 3"))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("c.SubmissionLimits.call_seconds = -1", "call_seconds"),
        ("c.SubmissionLimits.call_seconds = float('nan')", "call_seconds"),
        ("c.SubmissionLimits.submission_seconds = float('inf')", "submission_seconds"),
        ("c.SubmissionLimits.threads = 10**9", "threads"),
        ("c.SubmissionLimits.memory_mb = 10**12", "memory_mb"),
        ("c.SandboxPolicy.mode = 'contianer'", "it can be required, .*mean 'container'"),
        ("c.SubmissionLimits.memory_mb = 'lots'", "memory_mb"),
        ("c.SandboxPolicy.mode = 'off'", "mode"),
        ("c.Devices.device = 'tpu'", "device"),
        ("c.FeedbackPolicy.details_from = 'tomorrow'", "not a date such as"),
        ("c.FeedbackPolicy.solutions_from = 'tomorrow'", "no moment with its time zone"),
        ("c.FeedbackPolicy.solutions_from = '2030-05-01T12:00'", "no moment with its time zone"),
        ("c.FeedbackPolicy.solutions_from = {'01-a': '2030-05-01'}", "with its time zone"),
    ],
)
def test_a_wrong_value_is_told_at_once(tmp_path: Path, line: str, told: str) -> None:
    with pytest.raises(CourseError, match=told):
        load_course(course_with(tmp_path, line))


def test_a_config_that_cannot_run_is_told_with_its_error(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"cannot be read.*ZeroDivisionError"):
        load_course(course_with(tmp_path, "1 / 0"))


def test_details_wait_for_their_moment(tmp_path: Path) -> None:
    moment = datetime(2030, 5, 1, 12, tzinfo=UTC)
    line = f"c.FeedbackPolicy.details_from = {moment.isoformat()!r}"
    policy = load_course(course_with(tmp_path, line)).feedback
    before, after = moment - timedelta(minutes=1), moment + timedelta(minutes=1)
    assert not policy.reveal(before).tests
    assert not policy.reveal(before).hints
    assert policy.reveal(after).tests


def test_right_answers_wait_for_a_moment_that_each_assignment_may_have(tmp_path: Path) -> None:
    line = "c.FeedbackPolicy.solutions_from = {'01-a': '2030-05-01T12:00+02:00', '02-b': ''}"
    policy = load_course(course_with(tmp_path, line)).feedback
    assert policy.solutions_moment("01-a") == datetime(2030, 5, 1, 10, tzinfo=UTC)
    assert policy.solutions_moment("02-b") is policy.solutions_moment("03-c") is None
    line = "c.FeedbackPolicy.solutions_from = '2030-05-01T12:00Z'"
    policy = load_course(course_with(tmp_path, line)).feedback
    assert policy.solutions_moment("03-c") == datetime(2030, 5, 1, 12, tzinfo=UTC)
    assert load_course(course_with(tmp_path, "")).feedback.solutions_moment("03-c") is None


def test_the_secret_is_made_once_and_kept(tmp_path: Path) -> None:
    first = load_course(course_with(tmp_path, "")).secret
    assert len(first) >= 16
    assert load_course(tmp_path).secret == first
    assert (tmp_path / ".autograder" / "secret").stat().st_mode & 0o077 == 0


def test_the_environment_gives_the_secret_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTOGRADER_SECRET", "from the environment")
    assert load_course(course_with(tmp_path, "")).secret == b"from the environment"


def test_a_short_secret_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOGRADER_SECRET", "short")
    with pytest.raises(CourseError, match="shorter than 16"):
        _ = load_course(course_with(tmp_path, "")).secret
