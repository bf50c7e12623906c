"""What runs in Classroom 50's runner, in the student's repository.

`entry.py` is copied there as `autograder.py` and starts one of `visible.py`, which holds nothing
secret and needs nothing but the course's packages, and `graded.py`, which grades in full.
"""
