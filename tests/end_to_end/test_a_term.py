"""What docs/grading.md prints runs in this order; what a person does in between is done here."""

import csv
import json
import re
import shutil
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from small_curriculum import keep_assignments

pytestmark = [pytest.mark.slow, pytest.mark.begun_first]

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAME = "03-causal-masking"
ROSTER = """id,name,email,section
ada,Ada Lovelace,ada@example.edu,A
chloe,"Bee, Chloé",chloe@example.edu,A
dmitri,Dmitri Ng,dmitri@example.edu,B
fatima,Fatima O'Neill,fatima@example.edu,B
hana,Hana Kim,hana@example.edu,B
"""
CANVAS = {"lovelaceada_11_901": "ada", "beechloe_12_902": "chloe"}
UNREADABLE = 1  # fatima's notebook is none, which `autograder grade` says by its exit status


def commands() -> list[str]:
    blocks = "".join(BLOCK.findall((ROOT / "docs/grading.md").read_text(encoding="utf-8")))
    lines = [re.sub(r"(^|\s)#.*", "", line).strip() for line in blocks.splitlines()]
    return [line for line in lines if line]


@pytest.fixture
def course(make_course: Callable[[Path], Path], tmp_path: Path) -> Path:
    """A course with a roster, a class whose work comes in two ways, and Canvas's file beside it."""
    folder = make_course(tmp_path / "course")
    keep_assignments(folder, ("02-self-attention", NAME))
    (folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    came = ROOT / "examples" / "submitted"
    for student in ("dmitri", "fatima"):
        shutil.copytree(came / student / NAME, folder / "submitted" / student / NAME)
    archive = folder / "downloaded" / NAME / "archive"
    archive.mkdir(parents=True)
    with zipfile.ZipFile(archive / "submissions.zip", "w") as packed:
        for prefix, student in CANVAS.items():
            packed.write(came / student / NAME / f"{NAME}.ipynb", f"{prefix}_{NAME}.ipynb")
    return folder


def canvas_file(course: Path, worth: float) -> None:
    rows = [["Student", "ID", "SIS Login ID", "Section", f"{NAME} (77)"]]
    rows += [["Points Possible", "", "", "", f"{worth:g}"]]
    for number, student in enumerate(csv.DictReader(ROSTER.splitlines())):
        rows.append([student["name"], str(number), student["id"], student["section"], ""])
    with (course.parent / "canvas.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def some_family(course: Path) -> str:
    report = json.loads((course.parent / "report.json").read_text(encoding="utf-8"))
    found: str = report["assignments"][0]["families"][0]["families"][0]["id"]
    return found


def void(course: Path, question: str) -> None:
    quiz = course / "solutions" / "causal_masking" / "quiz.toml"
    text = quiz.read_text(encoding="utf-8")
    assert text.count(f'name = "{question}"\n') == 1
    quiz.write_text(text.replace(f'name = "{question}"\n', f'name = "{question}"\nvoid = true\n'))


def marks(course: Path) -> dict[str, float]:
    query = """
        SELECT s.student_id, SUM(COALESCE(g.manual_score, g.auto_score, 0))
        FROM grade g JOIN submitted_notebook n ON g.notebook_id = n.id
        JOIN submitted_assignment s ON n.assignment_id = s.id GROUP BY s.student_id
    """
    with sqlite3.connect(course / "gradebook.db") as book:
        return dict(book.execute(query))


def test_a_term(course: Path, environment: dict[str, str]) -> None:
    said: dict[str, str] = {}
    before: dict[str, float] = {}
    for command in commands():
        if command.startswith("autograder comment"):
            command = command.replace("FAMILY", some_family(course))
        if command == "autograder grade --dry-run":
            before = marks(course)
            void(course, "q1")
        if "--template" in command:
            contract = json.loads((course.parent / "marks.json").read_text(encoding="utf-8"))
            canvas_file(course, contract["submissions"][0]["max_score"])
        done = subprocess.run(
            command, shell=True, cwd=course, env=environment, capture_output=True, text=True
        )
        said[command] = done.stdout + done.stderr
        expected = UNREADABLE if command.startswith("autograder grade") else 0
        assert done.returncode == expected, f"{command}:\n{said[command]}"
        assert "Traceback" not in said[command], said[command]

    first = said["autograder grade --json ../marks.json"]
    assert "Hana Kim" in first  # missing
    assert "fatima" in first
    assert "q1" in said["autograder grade --dry-run"]
    after = marks(course)
    assert after.keys() == before.keys()
    assert after["chloe"] >= before["chloe"]
    assert sum(after.values()) > sum(before.values())
    assert "q1" in said["autograder log"]
    page = next((course / "feedback" / "chloe").rglob("*.html")).read_text(encoding="utf-8")
    assert "void" in page
    with (course.parent / "for-canvas.csv").open(encoding="utf-8", newline="") as file:
        filled = {row[2]: row[4] for row in csv.reader(file)}
    assert float(filled["chloe"]) == pytest.approx(after["chloe"], abs=0.005)
    assert filled["hana"] == ""
