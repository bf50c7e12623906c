"""nbgrader's side: its preprocessors, its gradebook, and no marks by default."""

import warnings

from sqlalchemy.exc import SAWarning

from autograder.gradebook import patience

# nbgrader 0.9 makes objects before it adds them to a session; SQLAlchemy says so for each of them.
warnings.filterwarnings("ignore", r"Object of type <\w+> not in session", SAWarning)

# Here, since the course's settings import this room: it reaches stock nbgrader's commands too.
patience.install()
