"""What makes a student's version: nbgrader's own list, with our stubs and what stands beside.

`course_config.py` gives this list to nbgrader. Names, not classes, so that reading the course's
settings imports nothing.
"""

REGISTER_CELLS = "autograder.gradebook.registration.RegisterCells"  # in the place of SaveCells
KEEP_CELLS = (
    "autograder.gradebook.registration.KeepCells"  # in that one's, where nothing is entered
)

PREPROCESSORS = [
    "nbgrader.preprocessors.IncludeHeaderFooter",
    "nbgrader.preprocessors.InstantiateTests",
    "nbgrader.preprocessors.LockCells",
    "autograder.build.stubs.ExerciseStubs",  # in the place of ClearSolutions
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.CheckCellMetadata",
    "nbgrader.preprocessors.ComputeChecksums",
    REGISTER_CELLS,
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbgrader.preprocessors.ClearMarkScheme",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.CheckCellMetadata",
    "autograder.build.companions.Companions",  # adds checks/, requirements.txt and AGENTS.md
]
