load_subconfig("course_config.py")  # noqa: D100, F821
