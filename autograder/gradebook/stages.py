"""nbgrader's autograde, stage by stage: its lists, with ours in the place of what is unsafe.

`course_config.py` gives these lists to nbgrader. Names, not classes, so that reading the course's
settings imports nothing.
"""

from collections.abc import Mapping
from typing import Any

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
    "autograder.gradebook.bonus.SaveBonus",
    "autograder.gradebook.pending.MarkPending",
    "autograder.gradebook.granted.GrantExtension",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
FEEDBACK = [
    "autograder.gradebook.totals.SettlePenalties",
    "nbgrader.preprocessors.GetGrades",
    "autograder.gradebook.pending.DropAutomaticComments",
    "autograder.gradebook.family_comments.ShowFamilyComments",
    "autograder.gradebook.written.MarkWaiting",
    "autograder.gradebook.right_answers.ShowRightAnswers",
    "autograder.gradebook.class_names.ShowNames",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
# The filters of nbconvert's pages, formgrader's among them, through which goes what students wrote.
FILTERS = {
    "markdown2html": "autograder.feedback.safe_markdown.markdown2html",
    "clean_html": "autograder.feedback.safe_html.sanitised",
}
FORMGRADER = [
    "autograder.gradebook.written.ShowRubrics",
    "autograder.gradebook.pending.ShowDetails",
    "autograder.gradebook.family_comments.ShowFamilyCommentsToGraders",
    "autograder.gradebook.bonus.ShowBonus",
    "autograder.gradebook.hidden_owner.HideOwner",
]

# All that the course's own settings say of how nbgrader autogrades.
OURS = {
    "Autograde": {
        "sanitize_preprocessors": SANITISE,
        "autograde_preprocessors": AUTOGRADE,
        "exporter_class": "autograder.gradebook.exporter.SafeNotebookExporter",
        "pre_convert_hook": "autograder.build.register.before_autograding",
        "force": True,
    },
    "OverwriteCells": {"add_missing_cells": True},
}
# Settings that change what autograding writes, which ours leave as they are.
CHANGING = {
    "BaseConverter",
    "NbConvertBase",
    "NbGraderPreprocessor",
    "Preprocessor",
    "FilesWriter",
    *(name.rpartition(".")[2] for name in (*SANITISE, *AUTOGRADE)),
} - {"OverwriteCells", "AssignLatePenalties"}


def assigns_penalties(settings: Mapping[str, Any]) -> bool:
    """Whether being late costs anything here; a course may have taken nbgrader's stage out.

    Args:
        settings: every setting of the course, by section.
    """
    stages = settings.get("Autograde", {}).get("autograde_preprocessors", AUTOGRADE)
    names = (one if isinstance(one, str) else one.__name__ for one in stages)
    is_enabled = settings.get("AssignLatePenalties", {}).get("enabled", True)
    return is_enabled and any(one.rpartition(".")[2] == "AssignLatePenalties" for one in names)


def are_ours(settings: Mapping[str, Any]) -> bool:
    """Whether nbgrader would autograde with these stages and nothing else: they are known here.

    Args:
        settings: every setting of the course, by section.
    """
    directory = settings.get("CourseDirectory", {})
    penalties = set(settings.get("AssignLatePenalties", {}))
    return (
        all(dict(settings.get(section, {})) == known for section, known in OURS.items())
        and not any(settings.get(section) for section in CHANGING)
        and penalties <= {"plugin_class"}
        and not directory.get("groupshared")
        and not directory.get("student_id_exclude")
    )
