"""The course's settings, nbgrader's and ours. nbgrader reads them through nbgrader_config.py."""

from pathlib import Path

from autograder.build.preprocessors import PREPROCESSORS
from autograder.gradebook.stages import AUTOGRADE, FEEDBACK, FILTERS, FORMGRADER, SANITISE

c = get_config()  # noqa: F821 - traitlets puts it there

c.CourseDirectory.course_id = "attention"
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.CourseDirectory.source_directory = "assignments"
c.CourseDirectory.ignore = [
    ".ipynb_checkpoints",
    "__pycache__",
    "*.pyc",
    "[0-9][0-9]-*.py",  # the percent notebook is the source of the prose: it stays here
    "hints.toml",  # they go into checks/hints
]

# What the course says of itself, on the students' start page and to assistants.
c.CourseWords.about = """\
You will build attention yourself: from a softmax over three numbers to a fused multi-head attention
with a cache."""
c.CourseWords.expected = """\
Nothing is expected but Python, some matrix arithmetic
and a first look at PyTorch tensors: how to make them, their shapes, how to index them."""
c.CourseWords.subject = "how attention works"
c.CourseWords.smallest_case = "two tokens, width 2"
c.CourseWords.sizes = "batch, heads, queries, keys and widths"
c.CourseWords.questions = (
    "Which axis lists the queries, which the keys? What should this be for two tokens?"
)
c.CourseWords.times = {  # reading included, for whoever meets the subject for the first time
    "01-attention-by-hand": "1¼ h",
    "02-self-attention": "1¼ h",
    "03-causal-masking": "1¾ h",
    "04-multi-head-attention": "1¼ h",
    "05-fused-attention": "2½ h, and ¾ h for the bonus",
    "06-seeing-attention": "2 h",
    "07-attention-vs-recurrence": "1¾ h",
}
c.CourseWords.experiment = "try two tokens, compare a row's sum with 1"

# How a release is made.
c.GenerateAssignment.preprocessors = PREPROCESSORS

# How a submission is graded. Without these lines nbgrader would run student code here, unprotected.
c.Autograde.sanitize_preprocessors = SANITISE
c.Autograde.autograde_preprocessors = AUTOGRADE
c.Autograde.exporter_class = "autograder.gradebook.exporter.SafeNotebookExporter"
c.Autograde.pre_convert_hook = "autograder.build.register.before_autograding"
c.Autograde.force = True  # what is new is decided by content; unchanged verdicts cost nothing
c.OverwriteCells.add_missing_cells = True

# How feedback looks: a summary first, and nothing that a student wrote can run in the page.
c.GenerateFeedback.exporter_class = "autograder.feedback.page.FeedbackExporter"
c.GenerateFeedback.preprocessors = FEEDBACK

# What graders alone see in formgrader: rubrics, and what to decide an unsure answer by.
c.HTMLExporter.preprocessors = FORMGRADER

# In formgrader and in feedback nothing of a student's is fetched: no picture from elsewhere, and no
# address of the Jupyter server, such as /logout.
c.HTMLExporter.filters = FILTERS

# Which of several hand-ins counts: "submitted" keeps none but what lies there, "last" and "best"
# keep all in hand_ins/.
c.HandIns.counts = "submitted"

# Until when is handed in, and what being late costs: nbgrader's own plugin takes nothing, or all.
# Due dates that are not here are those that formgrader sets. extensions.csv has exceptions.
# c.HandIns.time_zone = "Europe/Berlin"
# c.HandIns.due = {"01-attention-by-hand": "2026-12-01T18:00+01:00"}
# c.LateSubmissionPlugin.penalty_method = "zero"

# `nbgrader zip_collect` knows the files that Canvas and Moodle pack, and students by roster.csv.
# For other systems say how files are named, from the folder on, and it goes by that alone:
# c.FileNameCollectorPlugin.named_regexp = r".*/(?P<student_id>[^_/]+)_(?P<file_id>[^/]+)\.ipynb"
c.ZipCollectApp.collector_plugin = "autograder.gradebook.collecting.LmsCollector"
c.ZipCollectApp.extractor_plugin = "autograder.gradebook.unpacking.Unpacker"

# What students install, and what their code may import when it is graded. Triton is made for Linux;
# where it is missing, the exercise that needs it waits.
c.Packages.required = [
    "torch>=2.4,<3",
    "numpy>=1.26,<3",
    "matplotlib>=3.8,<4",
    "jaxtyping>=0.2.30,<0.4",
    "safetensors>=0.5,<1",
    "pytest>=8,<10",
]
c.Packages.python = "3.11"  # which grades: releases say so, whichever Python builds them
c.Packages.optional = ["triton>=3.7,<4; sys_platform == 'linux'"]

# What one submission may use. The defaults suit two cores and a class of 500.
c.SubmissionLimits.call_seconds = 5
c.SubmissionLimits.cell_seconds = 10
c.SubmissionLimits.submission_seconds = 60  # and as many for all that is judged a second time
c.SubmissionLimits.memory_mb = 2048
c.SubmissionLimits.output_kb = 64  # printed text kept for each cell
c.SubmissionLimits.scratch_mb = 64  # files that the code may write
c.SubmissionLimits.open_files = 64
c.SubmissionLimits.threads = 32

# What judging may use beside it. Where a hidden test goes past this, its exercise waits for you.
c.GradingLimits.memory_mb = 2048
c.GradingLimits.test_seconds = 60

# required: the strongest isolation that works on this machine, or refuse to grade.
c.SandboxPolicy.mode = "required"

# auto: CUDA checks run where there is a GPU, and feedback tells what they found. In a course that
# has one, cuda_points = True: they carry points, which wait until a GPU has run the checks.
c.Devices.device = "auto"
c.Devices.cuda_points = False

# What students read. With details_from = "2026-12-01T18:00" feedback of what is graded before then
# shows marks alone; grade again afterwards (verdicts are kept, it is quick) to show the rest.
c.FeedbackPolicy.hints = True
c.FeedbackPolicy.details_from = ""

# Once nobody can hand in any more, pages may show a right answer to each exercise, in the style
# nearest to the student's, and why it is right: {"03-causal-masking": "2026-12-08T18:00+01:00"}.
c.FeedbackPolicy.solutions_from = {}

# What hidden tests ask for, and what students read of it beside their points.
c.FeedbackPolicy.aspects = {
    "values": "Values",
    "form": "Shape and type",
    "masking": "Masking",
    "gradient": "Gradient",
    "numerics": "Numerics",
    "generality": "Generality",
    "structure": "How it runs",
    "errors": "Error handling",
}

# What answering a prediction earns, right or not; its key goes out with the release, encoded.
c.Predictions.points = 0

# Names in the solutions of which a student may write one for another, and the course's own modules:
# `autograder validate` makes mutants by them.
c.Vocabulary.families = [
    ["q", "k", "v"],
    ["w_q", "w_k", "w_v", "w_o"],
    ["d_model", "d_k", "d_v"],
    ["queries", "keys"],
    ["num_queries", "num_keys"],
    ["num_keys", "num_values"],
    ["heads", "key_heads"],
    ["scores", "weights"],
    ["causal", "padding"],
    ["tokens", "query", "answer"],
    ["batch", "pairs"],
    ["left", "right"],
    ["qkv", "out"],
    ["total", "output"],
    ["highest", "higher"],
    ["weight", "bias"],
    ["seq_len", "window"],
]
c.Vocabulary.modules = ["bert"]
