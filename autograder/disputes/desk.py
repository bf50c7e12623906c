"""From a student's id and an assignment to why the marks are as they are."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry

from autograder.course import Assignment, Course, CourseError, Exercise
from autograder.course.errors import did_you_mean
from autograder.course.moments import in_words
from autograder.disputes.account import Account, Dispute, Shown
from autograder.disputes.questions import asked_of
from autograder.feedback.words import number, sentence
from autograder.gradebook.lateness import lasting
from autograder.gradebook.scores import open_gradebook
from autograder.gradebook.submission import numbered, read_submission
from autograder.marks import Finding, Standing
from autograder.marks.standing import standing_of_one
from autograder.notebooks.plain_file import BadNotebook
from autograder.notebooks.reading import read_notebook
from autograder.notebooks.sanitise import sanitise
from autograder.notebooks.submitted import Submitted, find_submitted
from autograder.verdicts import Submission
from autograder.verdicts.grading_process import GradingProcess, GradingUnavailable, ProcessEnded
from autograder.verdicts.key import Keys
from autograder.verdicts.messages import Ended, describe_setup
from autograder.verdicts.totals import ExerciseTotal
from autograder.verdicts.verdict import ExerciseVerdict, SubmissionVerdict
from autograder.verdicts.verdict_store import VerdictStore, key_in

RESTS_ON = (
    "its hidden tests, reference or question, the files beside the notebook, the course's secret, "
    "limits or sandbox policy, the autograder's own version, or that of Python or a package"
)


def explained(
    course: Course,
    student: str,
    assignment: str,
    exercise: str | None = None,
    policy: str | None = None,
    for_student: bool = False,
) -> Dispute:
    """Why a student's marks in an assignment, or in one exercise of it, are as they are.

    Args:
        course: the course.
        student: the id that handed in; or of a member of the group that did.
        assignment: the assignment's name.
        exercise: the exercise's name; None for all that have lost points or wait.
        policy: the sandbox policy; None takes the course's.
        for_student: whether a student is to read it: no input that was graded with is shown then,
            and no key.

    Raises:
        CourseError: there is no such student, assignment or exercise; the text names the nearest.
        GradingUnavailable: student code cannot run on this machine.
    """
    declared = course.assignment(assignment)
    if exercise is not None and exercise not in {one.name for one in declared.exercises}:
        names = [one.name for one in declared.exercises]
        raise CourseError(
            f"There is no exercise {exercise!r} in {assignment}.{did_you_mean(exercise, names)} "
            f"Exercises: {', '.join(names)}."
        )
    handing_in = _handing_in(course, student, assignment)
    return _Desk(course, declared, handing_in, policy, for_student).answer(exercise)


def _handing_in(course: Course, student: str, assignment: str) -> str:
    """The id under which a student's work is handed in: the student's own, or a group's."""
    person = course.roster.people.get(student)
    if person is not None and person.group:
        return person.group
    if person is not None or student in course.roster.expected():
        return student
    if find_submitted(course.folder("submitted"), [assignment], [student]):
        return student
    others = {one.student for one in find_submitted(course.folder("submitted"), course.sources)}
    if student not in others:
        known = sorted({*others, *course.roster.people, *course.roster.expected()})
        raise CourseError(
            f"There is no student {student!r}: {course.folder('submitted')} has no such folder"
            f"{' and the roster no such id' if course.roster.people else ''}."
            f"{did_you_mean(student, known)}"
        )
    return student


class _Desk:
    """Explains one submission."""

    def __init__(
        self,
        course: Course,
        assignment: Assignment,
        student: str,
        policy: str | None,
        for_student: bool,
    ) -> None:
        self._for_student = for_student
        self._course, self._assignment, self._student = course, assignment, student
        self._policy = policy or course.sandbox.mode
        self._standing = standing_of_one(course, assignment.name, student)
        self._store = VerdictStore(course.root / ".autograder" / "verdicts")

    def answer(self, exercise: str | None) -> Dispute:
        """Why the marks are as they are, of one exercise or of all."""
        standing = self._standing
        people = tuple(one.name for one in standing.people)
        name = self._assignment.name
        start = Dispute(self._student, people, name, for_student=self._for_student)
        if standing.status in ("missing", "excused"):
            return _with_state(start, _nothing_there(standing))
        try:
            submission, notebook, notes = self._read()
        except (BadNotebook, OSError) as error:
            told = standing.detail or str(error)
            return _with_state(start, f"It cannot be graded: {told}.")
        state = [*_state_of(standing), *(f"Of the notebook: {note}." for note in notes)]
        if self._is_another(submission):
            state.append(
                "What is handed in now is not what was graded: the marks are those of an earlier "
                "version. Grade again before you decide."
            )
        declared, is_another = self._assignment.exercises, self._is_another(submission)
        wanted = [
            one
            for one in declared
            if (one.name == exercise if exercise else self._is_to_explain(one))
        ]
        not_begun = [one for one in wanted if not (is_another or self._is_begun(one))]
        if exercise is None:
            start = replace(
                start,
                marks=self._marks,
                right=tuple(one for one in declared if one not in wanted),
                not_begun=tuple(not_begun),
            )
            wanted = [one for one in wanted if one not in not_begun]
        if not (wanted or not_begun):
            state.append("There is nothing to explain: every exercise has full marks.")
        again = [one.name for one in wanted if one not in not_begun and self._is_judged_again(one)]
        verdicts, shown, seconds = self._again(submission, again)
        found = SubmissionVerdict(self._student, name, tuple(verdicts.values()))
        stops = numbered(found, submission, notebook).stops.items()
        first = [f"{sentence(stop.in_short)} For that fail: {', '.join(of)}." for stop, of in stops]
        comments = self._comments(wanted)
        sources = dict(reversed([(own, text) for own, text in submission.cells if own]))
        accounts = [
            self._account(one, verdicts.get(one.name), shown, comments, sources, submission)
            for one in wanted
        ]
        accounts.sort(key=lambda one: -one.lost)
        return replace(start, state=(*first, *state), accounts=tuple(accounts), seconds=seconds)

    @property
    def _marks(self) -> str:
        total = self._standing.total
        return "" if total is None else f"{number(total.score)} of {self._assignment.worth} points"

    def _read(self) -> tuple[Submission, NotebookNode, list[str]]:
        folder = self._course.folder("submitted")
        found = find_submitted(folder, [self._assignment.name], [self._student])
        if not found:
            raise BadNotebook(f"it is in the gradebook, and no more in {folder}")
        return read_submission(self._course, found[0])

    def _is_another(self, submission: Submission) -> bool:
        """Whether the cells that were graded are others than those handed in now."""
        folder = self._course.folder("autograded") / self._student / self._assignment.name
        one = Submitted(self._student, self._assignment.name, folder)
        try:
            graded = read_notebook(one.notebook, self._course.limits.notebook_mb * 2**20)
        except (BadNotebook, OSError):
            return False  # nothing was graded
        sanitise(graded, self._assignment)
        before = Submission.of(graded, self._assignment, self._student, {})
        return before.cells != submission.cells

    def _total(self, exercise: Exercise) -> ExerciseTotal | None:
        total = self._standing.total
        return None if total is None else total.exercises.get(exercise.name)

    def _is_to_explain(self, exercise: Exercise) -> bool:
        """Whether points are missing, wait, or were given by a person."""
        total = self._total(exercise)
        if total is None:
            return True
        by_hand = total.manual_score is not None or bool(total.extra_credit)
        return by_hand or total.score < exercise.points or bool(total.pending_points)

    def _is_begun(self, exercise: Exercise) -> bool:
        """Whether anything was handed in for it, or a person has looked at it."""
        total = self._total(exercise)
        if total is not None and (total.manual_score is not None or total.extra_credit):
            return True
        if exercise.kind == "written" and total is not None:
            return bool(total.pending_points)
        finding = (self._standing.findings or {}).get(exercise.name)
        return finding is None or finding.attempted

    def _is_judged_again(self, exercise: Exercise) -> bool:
        """Whether grading took points, or left some waiting, that a run can tell about."""
        if exercise.kind == "written":
            return False
        recorded = self._recorded(exercise)
        return recorded is None or recorded.score < exercise.points

    def _recorded(self, exercise: Exercise) -> ExerciseVerdict | None:
        identity = (self._standing.verdicts or {}).get(exercise.name)
        return None if identity is None else self._store.find(key_in(identity))

    def _again(
        self, submission: Submission, exercises: list[str]
    ) -> tuple[dict[str, ExerciseVerdict], dict[str, tuple[Shown, ...]], float]:
        """Judge exercises again, and have it shown what fails; in the sandbox, as ever."""
        if not exercises:
            return {}, {}, 0.0
        task = {
            "submission": submission.to_json(),
            "exercises": exercises,
            "set_aside": {},
            "secret": self._course.secret.hex(),
            "for_student": self._for_student,
        }
        answer = self._asked(task)
        verdicts = [ExerciseVerdict.from_json(one) for one in answer["verdicts"]]
        shown = {
            name: tuple(map(Shown.from_json, several)) for name, several in answer["shown"].items()
        }
        return {one.exercise: one for one in verdicts}, shown, answer["seconds"]

    def _asked(self, task: dict[str, Any]) -> dict[str, Any]:
        setup = describe_setup(self._course, [self._assignment], "cpu", self._policy)
        process = GradingProcess(setup, 1, "autograder.disputes.server")
        try:
            place = process.free.get()
            assert place is not None
            while isinstance(answer := place.ask(task), Ended):
                if not answer.exercise or answer.exercise in task["set_aside"]:
                    raise GradingUnavailable(f"{answer.what} {answer.why}.")
                task["set_aside"][answer.exercise] = f"{answer.what} {answer.why}"
        except ProcessEnded as ended:
            raise GradingUnavailable("The grading process ended over it.") from ended
        finally:
            process.close()
        if "failed" in answer:
            raise GradingUnavailable(answer["failed"].strip().splitlines()[-1])
        return answer

    def _account(
        self,
        exercise: Exercise,
        verdict: ExerciseVerdict | None,
        shown: Mapping[str, tuple[Shown, ...]],
        comments: Mapping[str, str],
        sources: Mapping[str, str],
        submission: Submission,
    ) -> Account:
        recorded = self._recorded(exercise)
        asked = None
        if exercise.kind == "quiz":
            asked = asked_of(
                self._course, self._assignment, exercise, self._student, verdict or recorded
            )
        return Account(
            exercise=exercise,
            total=self._total(exercise),
            verdict=verdict or recorded,
            doubts=self._doubts(exercise, recorded, verdict, submission),
            shown=shown.get(exercise.name, ()),
            asked=asked,
            source=sources.get(exercise.name, ""),
            comment=comments.get(exercise.name, ""),
        )

    def _doubts(
        self,
        exercise: Exercise,
        recorded: ExerciseVerdict | None,
        again: ExerciseVerdict | None,
        submission: Submission,
    ) -> tuple[str, ...]:
        """How the verdict made now differs from the recorded one, and what may have changed."""
        if again is None:
            return ()
        identity = (self._standing.verdicts or {}).get(exercise.name)
        if identity is None:
            return ("No verdict is recorded that this could be compared with.",)
        key = Keys(self._course, self._assignment, self._policy).keys(submission)[exercise.name]
        same_ground = key == key_in(identity)
        finding = (self._standing.findings or {}).get(exercise.name)
        if recorded is not None:
            differences = _differences(recorded, again)
        elif finding is not None:  # verdicts that may end otherwise another time are not kept
            differences = _in_brief(finding, again)
        else:
            return ("The recorded verdict is not kept any more, so it was not compared.",)
        if not differences:
            return ()
        if same_ground:
            why = (
                "Nothing that the verdict rests on has changed: does the code draw random numbers?"
            )
        elif self._is_another(submission):
            why = "The submission has changed since."
        else:
            why = f"Something that the verdict rests on has changed since: {RESTS_ON}."
        return (f"Judged again, {'; '.join(differences)}. {why}",)

    def _comments(self, wanted: list[Exercise]) -> dict[str, str]:
        """What people wrote beside exercises in formgrader."""
        found = {}
        with open_gradebook(self._course) as gradebook:
            for one in wanted:
                if comment := _comment(gradebook, self._assignment.name, self._student, one.name):
                    found[one.name] = comment
        return found


def _comment(gradebook: Gradebook, assignment: str, student: str, cell: str) -> str:
    with suppress(MissingEntry):
        comment = gradebook.find_comment(cell, assignment, assignment, student)
        return comment.manual_comment or ""
    return ""


def _differences(recorded: ExerciseVerdict, again: ExerciseVerdict) -> list[str]:
    told = []
    if recorded.score != again.score:
        told.append(f"it earns {again.score:g} points and not {recorded.score:g}")
    before = {(one.name, one.device): one.outcome for one in recorded.tests}
    for test in again.tests:
        was = before.get((test.name, test.device))
        if was != test.outcome and "pending" not in (was, test.outcome):
            told.append(f'"{test.claim}" is {test.outcome}, and was {was or "not asked"}')
    if recorded.reason != again.reason:
        told.append(
            f"it ends with {again.reason or 'no code'}, and not {recorded.reason or 'none'}"
        )
    if recorded.answered != again.answered:
        told.append(f"the answer is {again.answered}, and was {recorded.answered}")
    return told


def _in_brief(finding: Finding, again: ExerciseVerdict) -> list[str]:
    """How a verdict differs from what is kept of the recorded one."""
    told = []
    if finding.score != again.score:
        told.append(f"it earns {again.score:g} points and not {finding.score:g}")
    if finding.reason != again.reason:
        told.append(f"it ends with {again.reason or 'an answer'}, not {finding.reason or 'one'}")
    return told


def _with_state(dispute: Dispute, *state: str) -> Dispute:
    return replace(dispute, state=state)


def _nothing_there(standing: Standing) -> str:
    if standing.status == "excused":
        return "Nothing was handed in, and the student is excused: there is nothing to explain."
    due = f" It was due {in_words(standing.due, standing.due.tzinfo)}." if standing.due else ""
    return f"Nothing was handed in, so there is nothing to explain.{due}"


def _when(standing: Standing) -> str:
    if standing.due is None or standing.handed_in is None:
        return ""
    at, due = (in_words(one, one.tzinfo) for one in (standing.handed_in, standing.due))
    return f", by {lasting(standing.handed_in - standing.due)}: {at}, and it was due {due}"


def _state_of(standing: Standing) -> list[str]:
    told = []
    if standing.status == "ungraded":
        told.append(f"It has no marks yet ({standing.reason}): {standing.detail}.")
    penalty = standing.total.late_penalty if standing.total else 0.0
    if penalty:
        told.append(
            f"{penalty:g} points are taken off because it was handed in late{_when(standing)}."
        )
    return told
