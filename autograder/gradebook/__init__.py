"""nbgrader's side: its preprocessors, its gradebook, and no marks by default.

The course's settings import this room, so it reaches stock nbgrader's commands, too. Those have
loaded SQLAlchemy by then; ours loads it with `scores`, when grading's process has started.
"""

import sys
import warnings

# nbgrader 0.9 makes objects before it adds them to a session; SQLAlchemy says so for each of them.
warnings.filterwarnings("ignore", r"Object of type <\w+> not in session")

if "sqlalchemy" in sys.modules:
    from autograder.gradebook import patience

    patience.install()
