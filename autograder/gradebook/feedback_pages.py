"""Feedback pages of a class: those that `nbgrader generate_feedback --force` writes, much sooner.

Several processes write them, each with one exporter and one connection to the gradebook. A course
that sets more of how its pages look than ours does gets them from nbgrader itself.
"""

import gc
import logging
import os
import shutil
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from glob import escape
from multiprocessing import forkserver, get_context, parent_process
from pathlib import Path
from typing import TYPE_CHECKING

from traitlets.config import Config

from autograder.course import Course, load_course
from autograder.gradebook.stages import FEEDBACK, FILTERS, FORMGRADER
from autograder.gradebook.totals import settled
from autograder.notebooks.submitted import Submitted

if TYPE_CHECKING:
    from autograder.gradebook.page_writer import PageWriter

Why = tuple[str, str | None]
WRITER = "autograder.gradebook.page_writer"
# What course_config.py sets of how pages look.
OURS = {
    "GenerateFeedback": {
        "exporter_class": "autograder.feedback.page.FeedbackExporter",
        "preprocessors": FEEDBACK,
    },
    "HTMLExporter": {"preprocessors": FORMGRADER, "filters": FILTERS},
}
# Whose settings can change a page, or which pages there are.
LOOKS = (
    *OURS,
    *("Feedback", "BaseConverter", "FeedbackExporter", "TemplateExporter", "Exporter"),
    *("NbConvertBase", "Preprocessor", "NbGraderPreprocessor", "GetGrades", "MarkWaiting"),
    *("ShowFamilyComments", "ShowRightAnswers", "ShowNames"),
    *("DropAutomaticComments", "CSSHTMLHeaderPreprocessor", "Highlight2HTML", "DataTypeFilter"),
    *("WidgetsDataTypeFilter", "FilesWriter", "WriterBase"),
)
PLACES = ("directory_structure", "notebook_id", "student_id", "student_id_exclude")


def write_feedback(
    course: Course, graded: list[Submitted], ungraded: Mapping[Submitted, Why], workers: int
) -> Iterator[tuple[Submitted, str | None]]:
    """Write the feedback of submissions in `autograded/`, and why others in `submitted/` have none.

    Args:
        course: the course.
        graded: what to write about.
        ungraded: what cannot be graded, and why; no page says so where the course changes pages.
        workers: the number of processes.
    Yields:
        each submission once, with None or with the reason why it has no page.
    """
    with settled(course, {one.assignment for one in graded}):
        pass  # once for all: the processes that write pages read what stands
    if not has_our_pages(course.config):
        yield from _by_nbgrader(course, graded)
        return
    whys = dict.fromkeys(graded) | dict(ungraded)
    if whys:
        yield from _side_by_side(course, whys, min(workers, len(whys)))


def remove_stale(course: Course, graded: Iterable[Submitted], shown: Iterable[Submitted]) -> None:
    """Remove feedback on submissions that are no longer graded.

    Args:
        course: the course.
        graded: what is in `autograded/`, and what gets a page that says why it is not.
        shown: what is in `feedback/`.
    """
    if has_our_pages(course.config):
        known = {(one.student, one.assignment) for one in graded}
        for one in shown:
            if (one.student, one.assignment) not in known:
                shutil.rmtree(one.folder)


def has_our_pages(config: Config) -> bool:
    """Whether a course leaves its pages as ours are: where they lie and how they look."""
    looks = {name: dict(config[name]) for name in LOOKS if config.get(name)}
    looks.get("GenerateFeedback", {}).pop("force", None)
    return looks == OURS and not any(name in config.CourseDirectory for name in PLACES)


def _side_by_side(
    course: Course, whys: Mapping[Submitted, Why | None], workers: int
) -> Iterator[tuple[Submitted, str | None]]:
    _start_server()
    pool = ProcessPoolExecutor(workers, get_context("forkserver"), _begin, (course.root,))
    waiting = {pool.submit(_write, one, why): one for one, why in whys.items()}
    try:
        for done in as_completed(waiting):
            try:
                yield waiting[done], done.result()
            except BrokenProcessPool:
                yield waiting[done], "the process that wrote it was ended"
    finally:
        pool.shutdown(cancel_futures=True)


def _start_server() -> None:
    """Start what forks the workers: we may have threads or an open gradebook, and should not fork.

    Ctrl-C reaches neither it nor them, so that a worker finishes the page at hand.
    """
    forkserver.set_forkserver_preload([WRITER])
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # which a new program inherits
    try:
        forkserver.ensure_running()
    finally:
        signal.signal(signal.SIGINT, before)


_writer: "PageWriter"  # a worker's own


def _begin(root: Path) -> None:
    from autograder.gradebook.page_writer import PageWriter

    global _writer
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.chdir(root)
    _writer = PageWriter(load_course(root))
    gc.freeze()  # what stays for good need not be looked through again and again


def _write(one: Submitted, why: Why | None) -> str | None:
    return _writer.write(one, why)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _by_nbgrader(
    course: Course, graded: Iterable[Submitted]
) -> Iterator[tuple[Submitted, str | None]]:
    """nbgrader's generate_feedback, one submission at a time, so that each is told of."""
    from nbgrader.converters import GenerateFeedback
    from nbgrader.converters.base import NbGraderException
    from nbgrader.coursedir import CourseDirectory

    log = logging.Logger(__name__, logging.ERROR)
    for one in graded:
        config = Config(course.config)
        config.CourseDirectory.assignment_id = one.assignment
        config.CourseDirectory.student_id = escape(one.student)
        config.GenerateFeedback.force = True
        directory = CourseDirectory(config=config, log=log)
        try:
            GenerateFeedback(coursedir=directory, config=config, log=log).start()
        except NbGraderException:
            yield one, "nbgrader could not write it, for the reason above"
        else:
            yield one, None
