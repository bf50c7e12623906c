"""What grading one exercise of one submission found, as plain data."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from autograder.checks.kit.chart import Chart
from autograder.checks.kit.errors import Stop
from autograder.course import Exercise
from autograder.course.points import added

Outcome = Literal["passed", "failed", "error", "pending"]
Status = Literal["graded", "ungraded"]
Ruling = Literal["void", "accepted"]

JUDGED = ("passed", "failed")

# The reason where judging itself failed, so that nothing can be said about the answer.
GRADER_ERROR = "grader_error"
# What a busy machine may have caused is tried again next time.
NEVER_FINAL = {"timeout", "out_of_memory", GRADER_ERROR}
# The reason where a question with numbers of one's own was answered under another student's id.
ANOTHER_ID = "another_id"


@dataclass(frozen=True)
class TestResult:
    """One hidden test of one exercise.

    Attributes:
        name: the test's name, without `test_` and without its device.
        claim: what was checked, in words that a student may read.
        outcome: `pending` means that the test needs a device or a package that is not here, or a
            person.
        points: what the test is worth, in points of the exercise.
        device: where it ran or would run; `person` where a person reads the answer.
        symptom: what was seen to be wrong, in words that reveal no hidden input; of a pending test
            which package is missing; else None.
        aspect: which of the course's aspects it asks for; empty where an exercise is one question.
        remark: whether what it finds is told and costs nothing.
    """

    name: str
    claim: str
    outcome: Outcome
    points: float
    device: str
    symptom: str | None = None
    aspect: str = ""
    remark: bool = False

    __test__ = False  # the name is the domain's; pytest should not collect it


@dataclass(frozen=True)
class Remark:
    """What is told of an answer and costs nothing.

    Attributes:
        misconception: the slug of the known mistake.
        text: what the student reads.
    """

    misconception: str
    text: str


@dataclass(frozen=True)
class ExerciseVerdict:
    """The verdict on one exercise.

    Attributes:
        exercise: the exercise's name.
        max_points: what the exercise is worth in all, pending tests included.
        tests: every hidden test, in the order of the grader's file.
        reason: a code when the student's process died on this exercise (`timeout`, ...), else None.
        detail: more about the reason, such as "signal 11".
        misconceptions: slugs of the known mistakes that the answer behaves like.
        message: what the student will read; None at full marks.
        hint: a pointer that does not give the answer away, or None.
        picture: the student's result on the public example, where there is one.
        right_picture: a right answer's, where the student's is another.
        printed: what the exercise's cell printed, bounded.
        error: what the exercise's own cell raised when it ran, or None.
        answered: the answer to a quiz question, in words and bounded; None where there is none.
        sandbox: what held the student's code, such as `bwrap+landlock+seccomp`.
        bonus: whether its points count on top of the submission's maximum.
        judged_with: earlier exercises that were left out of account: with right answers in their
            place, this one earns more.
        judged_cell: how the cell begins that has the judged definition, where the exercise's own
            cell holds no answer; else empty.
        at_its_check: whether it was judged as the notebook stood at its check: cells below change
            what it reads, and without them it earns more.
        remarks: what is told beside all that, and costs nothing.
        out_of_time: whether the submission's time was used up while this was judged: with more of
            it, it could have come out otherwise.
        ruling: what the course has ruled that decides this mark: `void` gives it to
            everybody, `accepted` to an answer that is not the key; None where the key decides.
        stops: what stopped the notebook above, where that is why the answer fails.
    """

    exercise: str
    max_points: float
    tests: tuple[TestResult, ...]
    reason: str | None = None
    detail: str | None = None
    misconceptions: tuple[str, ...] = ()
    message: str | None = None
    hint: str | None = None
    picture: Chart | None = None
    right_picture: Chart | None = None
    printed: str = ""
    error: str | None = None
    answered: str | None = None
    sandbox: str = ""
    bonus: bool = False
    judged_with: tuple[str, ...] = ()
    judged_cell: str = ""
    at_its_check: bool = False
    remarks: tuple[Remark, ...] = ()
    ruling: Ruling | None = None
    stops: tuple[Stop, ...] = ()
    out_of_time: bool = False

    @property
    def is_final(self) -> bool:
        """Whether it would come out so another time, too, and can be kept."""
        return self.reason not in NEVER_FINAL and not self.out_of_time

    @property
    def score(self) -> float:
        """Points earned by the tests that passed; none where judging itself failed."""
        if self.reason == GRADER_ERROR:
            return 0.0
        return added(test.points for test in self.tests if test.outcome == "passed")

    @property
    def pending_points(self) -> float:
        """Points of the tests that wait for a device or a person; all where judging failed."""
        if self.reason == GRADER_ERROR:
            return self.max_points
        return added(test.points for test in self.tests if test.outcome == "pending")

    @property
    def decided_points(self) -> float:
        """What could be earned so far: all points but the pending ones."""
        return added((self.max_points, -self.pending_points))

    @property
    def auto_score(self) -> float | None:
        """What grading gives by itself; None where that is left to a person."""
        return None if self.waits_for("person") else self.score

    @property
    def judged_elsewhere(self) -> str | None:
        """Which definition is judged, in a sentence, where it is not that of its own cell."""
        if not self.judged_cell:
            return None
        return (
            f"the own cell of {self.exercise} holds no answer, so its last definition is judged, "
            f'from the cell that begins "{self.judged_cell}"'
        )

    @property
    def told(self) -> str | None:
        """What the student reads: the message, and the remarks behind it."""
        said = [self.message] if self.message else []
        said += [f"A remark, which costs nothing: {remark.text}" for remark in self.remarks]
        return " ".join(said) or None

    def waits_for(self, device: str) -> bool:
        """Whether a test has not run for want of this device, or of a `person`."""
        if device == "person" and self.reason == GRADER_ERROR:
            return True
        return any(test.outcome == "pending" and test.device == device for test in self.tests)

    def completed_by(self, other: "ExerciseVerdict") -> "ExerciseVerdict":
        """This verdict with the tests that waited, as another device has found them.

        What this one says stays as it is: its marks and, where there is one, its explanation. A
        test that failed by itself still waits.
        """
        theirs = {(test.name, test.device): test for test in other.tests if test.outcome in JUDGED}
        tests = tuple(
            theirs.get((test.name, test.device), test) if test.outcome == "pending" else test
            for test in self.tests
        )
        lost = any(
            test.points and now.outcome == "pending" and test.outcome == "failed"
            for now, test in zip(self.tests, tests, strict=True)
        )
        if not lost or self.reason is not None or self.message is not None:
            return replace(self, tests=tests)
        return replace(
            self,
            tests=tests,
            reason=other.reason,
            detail=other.detail,
            misconceptions=other.misconceptions,
            message=other.message,
            hint=other.hint,
        )

    def to_json(self) -> dict[str, Any]:
        """The verdict as JSON values; `from_json` reads it back."""
        return vars(self) | {
            "tests": [vars(test) for test in self.tests],
            "picture": self.picture and vars(self.picture),
            "right_picture": self.right_picture and vars(self.right_picture),
            "remarks": [vars(remark) for remark in self.remarks],
            "stops": [vars(stop) for stop in self.stops],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "ExerciseVerdict":
        """Read what `to_json` wrote."""
        fields = dict(data)
        fields["tests"] = tuple(TestResult(**test) for test in data["tests"])
        fields["remarks"] = tuple(Remark(**remark) for remark in data["remarks"])
        fields["stops"] = tuple(Stop(**stop) for stop in data.get("stops", ()))
        for name in ("misconceptions", "judged_with"):
            fields[name] = tuple(data[name])
        for name in ("picture", "right_picture"):
            if data.get(name) is not None:
                fields[name] = Chart(**{part: _tuples(it) for part, it in data[name].items()})
        return cls(**fields)


def judged_void(exercise: Exercise) -> ExerciseVerdict:
    """The verdict on a void exercise or question: all points, whatever was handed in."""
    what = "Question" if exercise.kind == "quiz" else "Exercise"
    claim = f"{what} {exercise.name} is void: everyone who was asked gets its points."
    return ExerciseVerdict(
        exercise=exercise.name,
        max_points=exercise.points,
        tests=(TestResult("answer", claim, "passed", exercise.points, "cpu"),),
        bonus=exercise.bonus,
        ruling="void",
    )


def not_judged(exercise: Exercise, detail: str) -> ExerciseVerdict:
    """The verdict where judging an answer failed by itself: all points wait for a person.

    Args:
        exercise: the exercise that was being judged.
        detail: what failed, for the instructor.
    """
    claim = f"The answer to {exercise.name}, read by a person because a check of ours failed."
    return ExerciseVerdict(
        exercise=exercise.name,
        max_points=exercise.points,
        tests=(TestResult("answer", claim, "pending", exercise.points, "person"),),
        reason=GRADER_ERROR,
        detail=detail,
        bonus=exercise.bonus,
    )


def _tuples(value: Any) -> Any:
    """JSON's lists, and those within, as tuples."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


@dataclass(frozen=True)
class SubmissionVerdict:
    """The verdict on one submission.

    Attributes:
        student: the student's id.
        assignment: the assignment's name.
        exercises: one verdict an exercise, in the notebook's order; empty when none was made.
        reason: a code when the submission could not be graded, else None.
        detail: more about the reason, for a person.
        seconds: what grading took.
        notes: what was odd about the notebook, in words, for the instructor.
    """

    student: str
    assignment: str
    exercises: tuple[ExerciseVerdict, ...] = ()
    reason: str | None = None
    detail: str | None = None
    seconds: float = 0.0
    notes: tuple[str, ...] = ()

    @property
    def max_points(self) -> float:
        """What all exercises are worth that are no bonus, pending points included."""
        return added(one.max_points for one in self.exercises if not one.bonus)

    @property
    def faults(self) -> tuple[ExerciseVerdict, ...]:
        """The exercises whose judging failed by itself."""
        return tuple(one for one in self.exercises if one.reason == GRADER_ERROR)

    @property
    def stops(self) -> dict[Stop, list[str]]:
        """What stopped the notebook, and the exercises that failed for it."""
        found: dict[Stop, list[str]] = {}
        for one in self.exercises:
            for stop in one.stops:
                found.setdefault(stop, []).append(one.exercise)
        return found

    @property
    def status(self) -> Status:
        """`graded`, or `ungraded` when there is a reason why not."""
        return "ungraded" if self.reason else "graded"
