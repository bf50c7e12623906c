"""What other platforms need to grade there: a folder of files for each, made from the course.

`parcel.py` packs what grading needs, `engine.py` the engine among it; `grading.py` runs on the
platform and grades what one student handed in. A module a platform says what its files are, and how
marks become its results.
"""
