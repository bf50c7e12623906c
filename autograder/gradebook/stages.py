"""nbgrader's autograde, stage by stage: its lists, with ours in the place of what is unsafe.

`course_config.py` gives these lists to nbgrader. Names, not classes, so that reading the course's
settings imports nothing.
"""

SANITISE = [
    "autograder.gradebook.preprocessors.RestoreCells",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.DeduplicateIds",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.OverwriteCells",
    "nbgrader.preprocessors.CheckCellMetadata",
]
AUTOGRADE = [
    "autograder.gradebook.preprocessors.GradeInSandbox",  # in the place of Execute
    "nbgrader.preprocessors.IgnorePattern",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "autograder.gradebook.pending.MarkPending",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
FEEDBACK = [
    "nbgrader.preprocessors.GetGrades",
    "autograder.gradebook.pending.DropAutomaticComments",
    "autograder.gradebook.written.MarkWaiting",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
FORMGRADER = [
    "autograder.gradebook.written.ShowRubrics",
    "autograder.gradebook.pending.ShowDetails",
]
