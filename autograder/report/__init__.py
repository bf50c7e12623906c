"""How a class is doing, for its instructor: figures, as data and as a page."""

from autograder.report.class_report import ClassReport, report_on
from autograder.report.contract import as_json
from autograder.report.page import as_page

__all__ = ["ClassReport", "as_json", "as_page", "report_on"]
