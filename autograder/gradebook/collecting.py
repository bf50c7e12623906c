"""`nbgrader zip_collect` for what Canvas and Moodle pack: whose file is which, by the roster.

Canvas names a file NAME_USER_FILE_own-name.ipynb: the sortable name in small letters without what
is no letter, `LATE` where it was, and two numbers of Canvas. Moodle has a folder or a prefix
`Full Name_PARTICIPANT_assignsubmission_file_`, whose number is another one in every assignment: so
there the name is looked up in the roster. A zip within the zip is a folder of that name.
"""

import re
import unicodedata
from collections import defaultdict
from difflib import get_close_matches
from pathlib import Path

from nbgrader.plugins import FileNameCollectorPlugin

from autograder.course import Course, load_course
from autograder.notebooks.names import odd_name

FORMS = (
    re.compile(r"(?P<name>.+?)_\d+_assignsubmission_file_(?P<rest>.*)"),
    re.compile(r"(?P<name>\w*?)_?(?:LATE_)?(?P<id>\d+)_\d+_(?P<rest>.+)"),
)
AGAIN = re.compile(r"[-\s]*(?:\((?P<a>\d+)\)|-(?P<b>\d+))$")  # what is appended to a second one
LINKS = re.compile(r"[-_\s]+")
NOTEBOOK = ".ipynb"


class LmsCollector(FileNameCollectorPlugin):
    """Gives each notebook its student, and the one that is handed in the assignment's name.

    Where the course sets `c.FileNameCollectorPlugin.named_regexp`, files go by that alone.
    """

    _planned: dict[str, dict[str, str]] | None = None

    def collect(self, submitted_file: str) -> dict[str, str] | None:
        """nbgrader's question about one file that was unpacked; None leaves it where it is."""
        if self.named_regexp:
            found: dict[str, str] | None = super().collect(submitted_file)
            return found
        if self._planned is None:
            self._planned = self._plan()
        return self._planned.get(submitted_file)

    def _plan(self) -> dict[str, dict[str, str]]:
        """The student and the name of every notebook; no two of a student's have the same."""
        app = self.parent
        unpacked = Path(app._format_collect_path(app.extracted_directory))
        course, assignment = load_course(Path(app.coursedir.root)), app.coursedir.assignment_id
        students: defaultdict[str, list[tuple[str, Path]]] = defaultdict(list)
        for path in sorted(unpacked.rglob(f"*{NOTEBOOK}")):
            parts = path.relative_to(unpacked).parts
            if any(part.startswith((".", "__MACOSX")) for part in parts):
                continue
            student, name = owner(course, parts)
            told = path.relative_to(unpacked)
            if student is None:
                self.log.warning("%s is not collected: %s", told, name)
            elif odd := odd_name(student):
                self.log.warning("%s is not collected: %s", told, odd)
            else:
                students[student].append((name, path))
        planned = {}
        for student, files in students.items():
            chosen = handed_in([name for name, _ in files], assignment, course)
            taken = set()
            for number, (name, path) in enumerate(files):
                file_id = assignment if number == chosen else name
                if file_id in taken or (number != chosen and name == assignment):
                    self.log.warning("%s is not collected: there is another %s", path.name, name)
                    continue
                if number == chosen and name != assignment:
                    self.log.warning("%s of %s is taken for %s", name, student, assignment)
                taken.add(file_id)
                planned[str(path)] = {"student_id": student, "file_id": file_id + NOTEBOOK}
        return planned


def owner(course: Course, parts: tuple[str, ...]) -> tuple[str | None, str]:
    """Who handed in a file that was unpacked, and its own name without its ending.

    Args:
        course: its roster knows names.
        parts: the file's path, from where things are unpacked.
    Returns:
        None as the student, and why, where that cannot be told.
    """
    stem = Path(parts[-1]).stem
    for part in (*parts[:-1], stem):
        for form in FORMS:
            if (match := form.fullmatch(part)) is None:
                continue
            found = match.groupdict()
            name = match["rest"] if part == stem else stem
            student = _student(course, found.get("id"), found["name"])
            return (student, name or stem) if student else (None, _unknown(course, found["name"]))
        (there,) = course.ids([part])
        if there in course.roster.expected():
            return there, stem
    return None, "its name is none that Canvas or Moodle give; name a form by named_regexp"


def handed_in(names: list[str], assignment: str, course: Course) -> int | None:
    """Which of a student's notebooks is the assignment's; None where none can be.

    One of the same name, however its words are joined: the last of several. Else the only one, as
    long as it is not named like another assignment.
    """
    others = [name for name in course.sources if name != assignment]
    alike = [
        (_again(name), name == assignment, number)
        for number, name in enumerate(names)
        if name not in others and _plain(name) == _plain(assignment)
    ]
    if alike:
        return max(alike)[2]
    if len(names) == 1 and not get_close_matches(_plain(names[0]), others, n=1, cutoff=0.8):
        return 0
    return None


def _student(course: Course, lms_id: str | None, name: str) -> str | None:
    """The id that hands in: the LMS's where the roster has it, or that of the one of this name."""
    roster = course.roster
    if lms_id is not None and (lms_id in roster.people or not roster.people):
        return roster.hands_in_as(lms_id)
    found = {one.id for one in roster.people.values() if _letters(name) in _spellings(one.name)}
    if len(found) == 1:
        return roster.hands_in_as(found.pop())
    return lms_id if lms_id is not None and not found else None


def _unknown(course: Course, name: str) -> str:
    if not course.roster.people:
        return "Moodle names people, and there is no roster.csv to know them by"
    return f"roster.csv has nobody, or more than one, who is called {name!r}"


def _spellings(name: str) -> set[str]:
    """A name as letters, first name first and last."""
    last, comma, first = name.partition(",")
    if not comma:
        first, _, last = name.rpartition(" ")
    plain = {_letters(first + last), _letters(last + first)}
    spelled = plain | set(map(_unaccented, plain))  # of `é`, systems leave `é`, `e` or nothing
    return spelled | {"".join(filter(str.isascii, one)) for one in plain}


def _letters(name: str) -> str:
    plain = unicodedata.normalize("NFC", name).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


def _unaccented(letters: str) -> str:
    split = unicodedata.normalize("NFD", letters)
    return "".join(letter for letter in split if not unicodedata.combining(letter))


def _plain(name: str) -> str:
    return LINKS.sub("-", AGAIN.sub("", name)).casefold()


def _again(name: str) -> int:
    match = AGAIN.search(name)
    return int(match["a"] or match["b"]) if match else 0
