"""The course's settings, nbgrader's and ours. nbgrader reads them through nbgrader_config.py."""

from pathlib import Path

from autograder.build.preprocessors import PREPROCESSORS
from autograder.gradebook.stages import AUTOGRADE, FEEDBACK, FILTERS, FORMGRADER, SANITISE

c = get_config()  # noqa: F821 - traitlets puts it there

c.CourseDirectory.course_id = "line-fitting"
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.CourseDirectory.source_directory = "assignments"
c.CourseDirectory.ignore = [
    ".ipynb_checkpoints",
    "__pycache__",
    "*.pyc",
    "[0-9][0-9]-*.py",  # the percent notebook is the source of the prose: it stays here
    "hints.toml",  # they go into checks/hints
]

# What the start page and the word to assistants say.
c.CourseWords.about = """\
You will fit a line to points yourself: from one prediction to gradient descent, and to the exact
answer without it."""
c.CourseWords.expected = """\
Nothing is expected but Python
and a first look at NumPy arrays: how to make them, their shapes, how to index them."""
c.CourseWords.subject = "how a line is fitted"
c.CourseWords.smallest_case = "two points"
c.CourseWords.sizes = "how many points there are"
c.CourseWords.questions = "Which number belongs to which point? What should this be for two points?"
c.CourseWords.experiment = "try two points, compare one prediction with a sum by hand"

# How a release is made, how a submission is graded, and how feedback looks. Without these lines
# nbgrader would run student code here, unprotected.
c.GenerateAssignment.preprocessors = PREPROCESSORS
c.Autograde.sanitize_preprocessors = SANITISE
c.Autograde.autograde_preprocessors = AUTOGRADE
c.Autograde.exporter_class = "autograder.gradebook.exporter.SafeNotebookExporter"
c.Autograde.pre_convert_hook = "autograder.build.register.before_autograding"
c.Autograde.force = True
c.OverwriteCells.add_missing_cells = True
c.GenerateFeedback.exporter_class = "autograder.feedback.page.FeedbackExporter"
c.GenerateFeedback.preprocessors = FEEDBACK
c.HTMLExporter.preprocessors = FORMGRADER
c.HTMLExporter.filters = FILTERS

# Until when is handed in, and what being late costs: nbgrader's own plugin takes nothing, or all.
# Due dates that are not here are those that formgrader sets. extensions.csv has exceptions.
# c.HandIns.time_zone = "Europe/Berlin"
# c.HandIns.due = {"01-line-fitting": "2026-12-01T18:00+01:00"}
# c.LateSubmissionPlugin.penalty_method = "zero"

# `nbgrader zip_collect` knows the files that Canvas and Moodle pack, and students by roster.csv.
# For other systems say how files are named, from the folder on, and it goes by that alone:
# c.FileNameCollectorPlugin.named_regexp = r".*/(?P<student_id>[^_/]+)_(?P<file_id>[^/]+)\.ipynb"
c.ZipCollectApp.collector_plugin = "autograder.gradebook.collecting.LmsCollector"
c.ZipCollectApp.extractor_plugin = "autograder.gradebook.unpacking.Unpacker"

c.Packages.python = "3.11"  # which grades: releases say so, whichever Python builds them

# What one submission may use: a few arrays of a few numbers.
c.SubmissionLimits.call_seconds = 3
c.SubmissionLimits.cell_seconds = 10
c.SubmissionLimits.submission_seconds = 60  # and as many for all that is judged a second time
c.SubmissionLimits.memory_mb = 1024

# The strongest isolation that works on this machine, or refuse to grade.
c.SandboxPolicy.mode = "required"
c.Devices.device = "cpu"
