"""The same attacks on stock nbgrader, on otter-grader and on this project: who gave marks?

`make compare-security`, or `python -m benchmarks.compare_security` from the repository's folder.
"""
