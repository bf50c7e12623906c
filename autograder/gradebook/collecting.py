"""`nbgrader zip_collect` for what Canvas and Moodle pack: whose file is which, by the roster.

Canvas names a file NAME_USER_FILE_own-name.ipynb: the sortable name in small letters without what
is no letter, `LATE` where it was, and two numbers of Canvas. Moodle has a folder or a prefix
`Full Name_PARTICIPANT_assignsubmission_file_`, whose number is another one in every assignment: so
there the name is looked up in the roster. A zip within the zip is a folder of that name.

Names that people see are for participants to choose, and so is all that is in their own archives.
So nothing that lies inside one says whose it is, and where two owners lead to one student, neither
is collected.
"""

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from nbgrader.apps import ZipCollectApp
from nbgrader.plugins import FileNameCollectorPlugin

from autograder.course import Course, load_course
from autograder.gradebook import nbgrader_patches
from autograder.notebooks.names import odd_name

MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_file_(?P<rest>.*)", re.DOTALL)
CANVAS = re.compile(r"(?P<name>\w*?)_?(?:LATE_)?(?P<id>[1-9]\d*)_[1-9]\d*_(?P<rest>.+)", re.DOTALL)
# Where a name or a file's own name looks like a number of the system's, there are two readings.
TWO_WAYS = {
    MOODLE: re.compile(r".*_\d+_assignsubmission_file_.*", re.DOTALL),
    CANVAS: re.compile(r"[1-9]\d*_.+", re.DOTALL),
}
AGAIN = re.compile(r"[-\s]*(?:\((?P<a>\d+)\)|-(?P<b>\d+))$")  # what is appended to a second one
LINKS = re.compile(r"[-_\s]+")
NOTEBOOK = ".ipynb"
HIDDEN = (".", "__MACOSX")


class LmsCollector(FileNameCollectorPlugin):
    """Gives each notebook its student, and the one that is handed in the assignment's name.

    Where the course sets `c.FileNameCollectorPlugin.named_regexp`, files go by that alone.
    """

    wrong: list[str]
    _planned: dict[str, dict[str, str]] | None = None

    def __init__(self, **settings: object) -> None:
        super().__init__(**settings)
        self.wrong = []

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
        students: defaultdict[str, list[tuple[Found, Path]]] = defaultdict(list)
        files_there = sorted(path for path in unpacked.rglob("*") if path.is_file())
        endings = app.extractor_plugin_inst.zip_ext
        packed = {folder_of(path) for path in files_there if path.suffix.lower() in endings}
        for path in files_there:
            told = path.relative_to(unpacked)
            if path.suffix != NOTEBOOK or any(part.startswith(HIDDEN) for part in told.parts):
                continue
            above = reversed([path, *path.parents])
            theirs = next((one for one in above if one in packed), path)
            found = owner(course, told.parts, len(theirs.relative_to(unpacked).parts))
            why = found.why or odd_name(found.student)
            if why is not None:
                self.log.warning("%s is not collected: %s", told, why)
            else:
                students[found.student].append((found, path))
        planned = {}
        for student, files in students.items():
            owners = sorted({one.owner for one, _ in files})
            if len(owners) > 1:
                self._refuse(student, owners)
                continue
            names = [one.name for one, _ in files]
            chosen = handed_in(names, assignment, course)
            taken = set()
            for number, (name, (_, path)) in enumerate(zip(names, files, strict=True)):
                file_id = assignment if number == chosen else name
                if file_id in taken or (number != chosen and name == assignment):
                    self.log.warning("%s is not collected: there is another %s", path.name, name)
                    continue
                if number == chosen and name != assignment:
                    self.log.warning("%s of %s is taken for %s", name, student, assignment)
                taken.add(file_id)
                planned[str(path)] = {"student_id": student, "file_id": file_id + NOTEBOOK}
        return planned

    def _refuse(self, student: str, owners: list[str]) -> None:
        told = (
            f"{student} is not collected: {' and '.join(owners)} lead to it. See whose it is, take "
            "the others out of archive/, and collect again."
        )
        self.log.error("%s", told)
        self.wrong.append(told)


_start = ZipCollectApp.start


def start_and_tell(self: ZipCollectApp) -> None:
    """nbgrader's collection, which ends with 1 where somebody's work is not collected."""
    _start(self)
    plugins = (self.extractor_plugin_inst, self.collector_plugin_inst)
    if wrong := [one for plugin in plugins for one in getattr(plugin, "wrong", ())]:
        self.log.error("Not collected:\n%s", "\n".join(wrong))
        self.exit(1)


@dataclass(frozen=True)
class Reading:
    """What a system's name of a file or folder says.

    Attributes:
        system: the form that it has.
        name: of the participant, as the system writes it.
        number: Canvas's of the user, or Moodle's of the participant.
        own: what the participant called the file; empty for a folder.
    """

    system: re.Pattern[str]
    name: str
    number: str
    own: str

    @property
    def owner(self) -> str:
        """The one who handed in, as the system tells them apart."""
        return f"{self.name!r} ({self.number})"


def reading(part: str) -> Reading | None:
    """Read a name that Canvas or Moodle gave, without its ending; None where it is none."""
    for form in (MOODLE, CANVAS):
        if match := form.fullmatch(part):
            return Reading(form, match["name"], match["id"], match["rest"])
    return None


@dataclass(frozen=True)
class Found:
    """Whose a notebook is.

    Attributes:
        student: the id that hands in.
        name: the notebook's own, without its ending.
        owner: who handed it in there, where it comes from.
        why: why it cannot be told whose it is; None where it can, and else nothing else is said.
    """

    student: str = ""
    name: str = ""
    owner: str = ""
    why: str | None = None


def folder_of(archive: Path) -> Path:
    """Where an archive is unpacked: `work` for work.zip and for work.tar.gz."""
    name = archive.stem
    return archive.with_name(name[: -len(".tar")] if name.lower().endswith(".tar") else name)


def owner(course: Course, parts: tuple[str, ...], told: int | None = None) -> Found:
    """Who handed in a notebook that was unpacked, and its own name.

    Args:
        course: its roster knows names.
        parts: the notebook's path, from where things are unpacked.
        told: how many of them are not the student's own to choose; None for all.
    """
    stem = Path(parts[-1]).stem
    for part in (*parts[:-1], stem)[:told]:
        found = reading(part)
        if found is not None:
            if TWO_WAYS[found.system].fullmatch(found.own):
                return Found(why="it can be read in two ways, by its numbers; rename it")
            student, why = _student(course, found)
            return Found(student, (found.own if part == stem else "") or stem, found.owner, why)
        (there,) = course.ids([part])
        if there in course.roster.expected():
            return Found(there, stem, f"the folder {part!r}")
    return Found(why="its name is none that Canvas or Moodle give; name a form by named_regexp")


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


def _student(course: Course, found: Reading) -> tuple[str, str | None]:
    """The id that hands in, by Canvas's number or by the name; and why not, where it is neither."""
    people = course.roster.people
    lms_id = found.number if found.system is CANVAS else None
    named = {one.id for one in people.values() if _letters(found.name) in _spellings(one.name)}
    if lms_id is not None and (lms_id in people or not named):
        if len(named) == 1 and lms_id not in named:
            return "", f"its number is {lms_id}'s and its name is {named.pop()}'s; rename it"
        return course.roster.hands_in_as(lms_id), None
    if len(named) == 1:
        return course.roster.hands_in_as(named.pop()), None
    if not people:
        return "", "Moodle names people, and there is no roster.csv to know them by"
    return "", f"roster.csv has nobody, or more than one, who is called {found.name!r}"


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


nbgrader_patches.tell_what_is_not_collected()
