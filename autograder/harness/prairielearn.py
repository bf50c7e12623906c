"""PrairieLearn: the image of an external grader, and a question for each assignment."""

import json
import sys
import uuid
from pathlib import Path

from autograder.course import Course, CourseError
from autograder.course.quiz import read_quiz
from autograder.harness.engine import TORCH_OF_CPUS, torch_among
from autograder.harness.on_prairielearn.grade import STUDENT
from autograder.harness.parcel import REQUIREMENTS, pack
from autograder.harness.written_folder import begin, fill_in

HERE = Path(__file__).parent / "on_prairielearn"
IMAGE = "REGISTRY/COURSE-grader:1"
"""What the instructor replaces by the image's name in their registry."""
LONGEST_SECONDS = 600
"""What PrairieLearn gives an external grader at most; 30 where a question says nothing."""
BESIDE_SECONDS = 60
"""For starting Python, reading the course and writing the results, on a busy machine."""
GRADE = """\
#!/bin/sh
# PrairieLearn starts this with the name of the assignment; what it hands over lies in /grade.
here=$(cd "$(dirname "$0")" && pwd)
job=${GRADE:-/grade}
mkdir -p "$job/results"
python3 -P -m autograder.harness.on_prairielearn.grade "$1" "$here" "$job" && exit 0
echo '{"gradable": false, "format_errors": ["Grading failed by itself. That is our mistake: \
you lose no points and no attempt. Please tell your instructor."]}' > "$job/results/results.json"
"""
OWN = f' Write <code>student_id = "{STUDENT}"</code> in it.'
QUESTION = """\
<pl-question-panel>
  <p>Hand in your notebook, <code>{notebook}</code>, as you saved it last.{own}</p>
  <pl-file-upload file-names="{notebook}"></pl-file-upload>
</pl-question-panel>
<pl-submission-panel>
  <pl-external-grader-results></pl-external-grader-results>
  <pl-file-preview></pl-file-preview>
</pl-submission-panel>
"""


def write(course: Course, names: list[str], output: Path) -> list[str]:
    """Write the image's folder, and a question for each assignment.

    Args:
        course: the course; its secret travels along.
        names: the assignments that get a question; the image grades all of the course.
        output: a new folder, or one that an earlier run wrote.
    Returns:
        what the instructor does next.
    Raises:
        CourseError: the folder is another's, or a submission may take longer than PrairieLearn
            waits.
    """
    seconds = 2 * course.limits.submission_seconds + BESIDE_SECONDS
    if course.limits.submission_seconds + BESIDE_SECONDS > LONGEST_SECONDS:
        raise CourseError(
            f"c.SubmissionLimits.submission_seconds is {course.limits.submission_seconds:.0f}, and "
            f"PrairieLearn waits {LONGEST_SECONDS} s for a grader. Lower it in course_config.py."
        )
    begin(output)
    image = output / "image"
    image.mkdir()
    pack(course, image)
    pinned = (image / REQUIREMENTS).read_text(encoding="utf-8").splitlines()
    torch = torch_among(pinned)
    install = f"RUN python3 -m pip install ${{PIP_OPTIONS}} --index-url {TORCH_OF_CPUS} {torch}"
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    fill_in(
        HERE / "Containerfile",
        image / "Containerfile",
        python=python,
        torch=install if torch else "# The course needs no torch.",
    )
    (image / "grade").write_text(GRADE, encoding="utf-8")
    (image / "grade").chmod(0o755)
    for name in names:
        _write_question(course, name, output / "questions" / name, min(seconds, LONGEST_SECONDS))
    personal = [name for name in names if _is_personal(course, name)]
    fill_in(
        HERE / "page.md",
        output / "README.md",
        image=IMAGE,
        assignment=names[0],
        student=STUDENT,
        personal=f"Here that is {', '.join(personal)}." if personal else "None here has any.",
    )
    lines = [
        f"Wrote {output}: the image's folder, and a question for each of {len(names)} assignments.",
        f"{output / 'README.md'} says how to build the image. It is untested on the platform.",
    ]
    if personal:
        lines.append(
            f"Personal questions do not suit PrairieLearn: {', '.join(personal)} has some."
        )
    return lines


def _write_question(course: Course, name: str, folder: Path, seconds: float) -> None:
    folder.mkdir(parents=True)
    info = {
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_OID, f"attention-autograder {name}")),
        "title": name,
        "topic": "Notebooks",
        "type": "v3",
        "gradingMethod": "External",
        "singleVariant": True,
        "externalGradingOptions": {
            "enabled": True,
            "image": IMAGE,
            "entrypoint": ["/autograder/grade", name],
            "timeout": int(seconds),
            "enableNetworking": False,
        },
    }
    (folder / "info.json").write_text(json.dumps(info, indent=2) + "\n", encoding="utf-8")
    own = OWN if _is_personal(course, name) else ""
    question = QUESTION.format(notebook=f"{name}.ipynb", own=own)
    (folder / "question.html").write_text(question, encoding="utf-8")


def _is_personal(course: Course, name: str) -> bool:
    """Whether a question of an assignment has numbers of the student's own."""
    quiz = course.root / "solutions" / course.assignment(name).module / "quiz.toml"
    return quiz.is_file() and any(one.is_personal for one in read_quiz(quiz).values())
