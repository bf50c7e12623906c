"""Row 3: writing or replacing results, the gradebook, and others' work."""

from attack import Attack

WRITING = (
    Attack(
        "writes-the-gradebook",
        3,
        "The code gives itself 99 points in the gradebook, and leaves triggers that do it again "
        "whatever is written.",
        "The gradebook is out of reach.",
        cell="""
import sqlite3
def rewrite():
    with sqlite3.connect(COURSE + "/gradebook.db", timeout=1) as gradebook:
        gradebook.execute("update grade set auto_score = 99")
        for event in ("insert", "update"):
            gradebook.execute(
                f"create trigger mine_{event} after {event} on grade when new.auto_score < 90 "
                "begin update grade set auto_score = 99 where id = new.id; end"
            )
attempt(rewrite)
""",
    ),
    Attack(
        "breaks-the-gradebook",
        3,
        "The code locks, empties and deletes the gradebook.",
        "The gradebook is out of reach.",
        cell="""
import fcntl
path = COURSE + "/gradebook.db"
attempt(
    lambda: fcntl.flock(open(path), fcntl.LOCK_EX),
    lambda: os.open(path, os.O_RDONLY | os.O_TRUNC),
    lambda: os.truncate(path, 0),
    lambda: os.rename(path, path + ".old"),
    lambda: os.unlink(path),
)
""",
    ),
    Attack(
        "writes-the-results",
        3,
        "The code writes result files, wherever an autograder might look for them.",
        "Results are not read from files of the code's.",
        cell="""
import json
full = json.dumps({"score": 99, "max_score": 4, "status": "graded", "left-by": OWN})
for folder in (".", "..", COURSE, COURSE + "/autograded", "/tmp", "/autograder/results"):
    for name in ("results.json", "marks.json", "score.txt", ".pytest_cache"):
        attempt(lambda: open(folder + "/" + name, "w").write(full))
""",
    ),
    Attack(
        "writes-a-verdict",
        3,
        "The code puts a verdict with full marks in place of every stored one.",
        "The verdict store is out of reach.",
        cell="""
import glob, json
for path in glob.glob(COURSE + "/.autograder/verdicts/*/*.json"):
    attempt(lambda: open(path, "w").write(open(path).read().replace("failed", "passed")))
attempt(lambda: os.makedirs(COURSE + "/.autograder/verdicts/left-by-" + OWN))
""",
    ),
    Attack(
        "edits-a-siblings-work",
        3,
        "The code spoils another student's notebook and takes it as its own.",
        "Other submissions are out of reach.",
        cell="""
import shutil
theirs = f"{COURSE}/submitted/{HONEST}/{ASSIGNMENT}/{ASSIGNMENT}.ipynb"
mine = f"{COURSE}/submitted/{OWN}/{ASSIGNMENT}/{ASSIGNMENT}.ipynb"
attempt(
    lambda: shutil.copy(theirs, mine),
    lambda: open(theirs, "a").write(OWN),
    lambda: shutil.rmtree(os.path.dirname(theirs)),
)
""",
    ),
    Attack(
        "edits-the-graders",
        3,
        "The code writes into the solutions, the hidden graders and the course's configuration.",
        "They are out of reach.",
        cell="""
for path in (
    COURSE + "/solutions/multi_head_attention.py",
    COURSE + "/course_config.py",
    COURSE + "/nbgrader_config.py",
    COURSE + "/conftest.py",
    PROJECT + "/autograder/left-by-" + OWN + ".py",
):
    attempt(lambda: open(path, "a").write("# left-by-" + OWN))
""",
    ),
    Attack(
        "edits-the-libraries",
        3,
        "The code plants modules and bytecode among Python's libraries and the installed packages.",
        "They are read-only.",
        cell="""
import torch
standard, installed = os.path.dirname(os.__file__), os.path.dirname(torch.__file__)
for folder in (standard, standard + "/__pycache__", installed, os.path.dirname(installed)):
    for name in ("sitecustomize.py", "left-by-" + OWN + ".pth"):
        attempt(lambda: open(f"{folder}/{name}", "x").write("import os"))
attempt(lambda: os.chmod(torch.__file__, 0o666), lambda: os.utime(torch.__file__, (0, 0)))
""",
    ),
    Attack(
        "writes-outside-the-course",
        3,
        "The code writes to, empties, renames and deletes files that every user of the "
        "machine may change.",
        "They are read-only.",
        cell="""
path = OUTSIDE + "/everyone.txt"
attempt(
    lambda: open(path, "a").write(OWN),
    lambda: os.open(path, os.O_RDONLY | os.O_TRUNC),
    lambda: os.open(path, os.O_WRONLY),
    lambda: os.chmod(path, 0),
    lambda: os.utime(path, (0, 0)),
    lambda: os.setxattr(path, "user.mark", OWN.encode()),
    lambda: os.rename(path, path + "-" + OWN),
    lambda: os.unlink(path),
    lambda: os.mkdir(OUTSIDE + "/left-by-" + OWN),
    lambda: os.symlink("x", OUTSIDE + "/left-by-" + OWN + "-link"),
    lambda: os.mkfifo(OUTSIDE + "/left-by-" + OWN + "-pipe"),
    lambda: os.link(path, OUTSIDE + "/left-by-" + OWN + "-hard"),
)
""",
    ),
    Attack(
        "climbs-out-of-its-folder",
        3,
        "The code writes to paths above its working directory and through links in it.",
        "Nothing above is writable.",
        cell="""
for up in range(1, 9):
    attempt(lambda: open("../" * up + "left-by-" + OWN, "w").write(OWN))
attempt(
    lambda: (os.symlink(OUTSIDE, "way"), open("way/left-by-" + OWN, "w").write(OWN)),
    lambda: (os.symlink("/tmp/left-by-" + OWN, "file"), open("file", "w").write(OWN)),
)
""",
    ),
)
