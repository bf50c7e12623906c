"""The same class graded by stock nbgrader, by otter-grader and by this project: how long, and do
the marks agree?

`make bench`, or `python -m benchmarks.compare_speed` from the repository's folder.
"""
