"""nbgrader's side: its preprocessors, its gradebook, and no marks by default.

The course's settings import this room, so it reaches stock nbgrader's commands, too. Those have
loaded SQLAlchemy by then; ours loads it with `scores`, when grading's process has started.
"""

import sys

if "sqlalchemy" in sys.modules:
    from autograder.gradebook import nbgrader_patches

    nbgrader_patches.patch_sqlalchemy()

if "nbgrader.converters" in sys.modules:
    from autograder.gradebook import nbgrader_patches

    nbgrader_patches.take_folders_as_they_are_named()
