"""From sources to release: what students receive, built so that equal input gives equal bytes.

Nothing is imported here: every nbgrader command reads `preprocessors` through course_config.py.
"""
