"""Who is in the class that tests export, and how its course differs from the one it copies."""

from line_fitting import NAME

ROSTER = [
    "id,name,email,section,group",
    'ada,"Łódź, Ada ""A""",ada@u.edu,Mon,',
    "ben,=HYPERLINK(1),ben@u.edu,Mon,",
    "chloe,陈 Chloé,chloe@u.edu,Tue,",
    "dan,@Dan,,Tue,",
    "eve,Eve,eve@u.edu,Tue,g1",
    "fay,Fay,fay@u.edu,Tue,g1",
    "gus,Gus,gus@u.edu,,",
    "mia,Mia \x1b[2J\u202eaiM,mia@u.edu,,",
    "noa,Noa,noa@u.edu,,",
]
EXTENSIONS = f"student,assignment,until\nnoa,{NAME},excused\n"
LATE = """
from nbgrader.plugins import LateSubmissionPlugin

class Half(LateSubmissionPlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return 0.5

c.AssignLatePenalties.plugin_class = Half
"""
BONUS = "normal_equation"
