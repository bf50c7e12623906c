"""Notebooks' marks in a real gradebook, without grading anything."""

NAME = "01-sample"


def declare(gradebook, cells):
    """The assignment with these cells."""
    gradebook.add_assignment(NAME)
    gradebook.add_notebook(NAME, NAME)
    for cell in cells:
        mark = cell.metadata.get("nbgrader", {})
        if mark.get("grade"):
            gradebook.add_grade_cell(
                mark["grade_id"], NAME, NAME, max_score=mark["points"], cell_type=cell.cell_type
            )
        if mark.get("solution"):
            gradebook.add_solution_cell(mark["grade_id"], NAME, NAME)


def enter(gradebook, student, cells, comment=None, manual=None):
    """What a student got for the cells; the comment and the manual score on every one of them."""
    gradebook.add_student(student)
    gradebook.add_submission(NAME, student)
    for cell in cells:
        mark = cell.metadata.get("nbgrader", {})
        if mark.get("grade"):
            grade = gradebook.find_grade(mark["grade_id"], NAME, NAME, student)
            grade.auto_score, grade.manual_score = mark["score"], manual
            grade.needs_manual_grade = mark["score"] is None
        if mark.get("solution") and comment:
            found = gradebook.find_comment(mark["grade_id"], NAME, NAME, student)
            found.manual_comment = comment
    gradebook.db.commit()
