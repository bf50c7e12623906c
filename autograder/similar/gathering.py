"""The evidence of an assignment, from what was handed in and what grading found."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from autograder.course import Course
from autograder.course.layout import quiz_file
from autograder.course.questions import Question
from autograder.course.quiz import read_quiz
from autograder.judging.marking import mark
from autograder.marks.answers import Answer, Answers
from autograder.marks.findings import Finding
from autograder.marks.known_answers import KnownText
from autograder.marks.standing import Standing
from autograder.similar.evidence import Choices, Code, Evidence, Numbers, Words, Written
from autograder.verdicts.verdict import ANOTHER_ID

CENT = 0.005
SAID_ID = re.compile(r'the notebook says student_id = "(.*?)"')

HandedIn = Mapping[str, Mapping[str, Answer]]


def evidence_of(
    course: Course,
    assignment: str,
    answers: Answers,
    handed_in: HandedIn,
    standings: Sequence[Standing],
    known: Sequence[KnownText],
) -> list[Evidence]:
    """All that submissions of one assignment can share.

    Args:
        course: the course.
        assignment: the assignment's name.
        answers: the assignment's.
        handed_in: what `answers.handed_in` gave.
        standings: how the assignment stands.
        known: the course's known answers.
    """
    graded = {one.student: one.findings or {} for one in standings}
    findings = {student: graded.get(student, {}) for student in handed_in}
    ours = [one for one in known if one.exercise in answers.exercises]
    texts = answers.of((one.exercise, one.source) for one in ours)
    evidence: list[Evidence] = []
    for exercise in answers.exercises:
        forms = {
            (one.kind, text.loose)
            for one, text in zip(ours, texts, strict=True)
            if one.exercise == exercise
        }
        right = frozenset(form for kind, form in forms if kind == "right")
        written = dict(_written(exercise, handed_in, findings))
        known_forms = frozenset(form for _, form in forms)
        evidence.append(Code(assignment, exercise, written, known_forms, right))
    texts += answers.of((name, answers.released.get(name, "")) for name in answers.exercises)
    for kind in ("comments", "names"):
        said = {word for text in texts for word in getattr(text, kind)}
        used = {
            student: frozenset(
                word
                for answer in theirs.values()
                if _is_own(answer)
                for word in getattr(answer, kind)
            )
            - said
            for student, theirs in handed_in.items()
        }
        evidence.append(Words("comment" if kind == "comments" else "name", assignment, used))
    return evidence + list(_of_quiz(course, assignment, findings))


def _is_own(answer: Answer) -> bool:
    return answer.form in ("code", "no Python")


def _written(
    exercise: str, handed_in: HandedIn, findings: Mapping[str, Mapping[str, Finding]]
) -> Iterator[tuple[str, Written]]:
    for student, theirs in handed_in.items():
        answer = theirs[exercise]
        if _is_own(answer):
            found = findings.get(student, {}).get(exercise)
            yield student, Written(answer.loose, _outcome(found), _mistake(found))


def _outcome(found: Finding | None) -> str:
    if found is None:
        return ""
    return repr((found.reason, found.misconceptions, sorted(found.failed)))


def _mistake(found: Finding | None) -> str:
    """What is wrong with an answer, in a few words; empty where nothing is, or it is not known."""
    if found is None or found.score + found.pending_points > found.max_points - CENT:
        return ""
    if found.misconceptions:
        return ", ".join(found.misconceptions)
    failed = ", ".join(sorted(found.failed)).replace("_", " ")
    return found.reason or f"not passed: {failed}"


def _of_quiz(
    course: Course, assignment: str, findings: Mapping[str, Mapping[str, Finding]]
) -> Iterator[Evidence]:
    exercises = [one for one in course.assignment(assignment).exercises if one.kind == "quiz"]
    questions = read_quiz(quiz_file(course.root, assignment)) if exercises else {}
    for exercise in exercises:
        name = exercise.name
        answered = {
            student: found[name].answered or ""
            for student, found in findings.items()
            if name in found and found[name].answered
        }
        right = frozenset(student for student in answered if findings[student][name].score > CENT)
        if not questions[name].is_personal:
            yield Choices(assignment, name, answered, right)
            continue
        wrong = {student: said for student, said in answered.items() if student not in right}
        fits = {
            student: (said, _fitting(questions[name], said, findings) - {student})
            for student, said in wrong.items()
        }
        yield Numbers(assignment, name, fits, len(findings))
        said_ids = {
            student: ("", frozenset({other}))
            for student, found in findings.items()
            if (other := _other_id(found.get(name))) in findings
        }
        yield Numbers(assignment, name, said_ids, len(findings), "id")


def _fitting(question: Question, said: str, students: Mapping[str, Any]) -> frozenset[str]:
    """The students for whose numbers an answer is right."""
    unit = getattr(question.answer, "unit", None)
    try:
        value = ast.literal_eval(said.removesuffix(f" {unit}") if unit else said)
    except (ValueError, SyntaxError):
        return frozenset()
    known: dict[tuple[int, ...], bool] = {}
    found = set()
    for student in students:
        sizes = question.sizes_of(student)
        key = tuple(sizes.values())
        if key not in known:
            known[key] = mark(question, value, sizes).right
        if known[key]:
            found.add(student)
    return frozenset(found)


def _other_id(found: Finding | None) -> str:
    """The id of another student that a notebook says; empty where it says none."""
    if found is None or found.reason != ANOTHER_ID:
        return ""
    said = SAID_ID.search(found.detail or "")
    return said[1] if said else ""
