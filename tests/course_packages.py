"""What students' code may import in the real course, on this machine."""

from pathlib import Path

from autograder.course import load_course
from autograder.sandbox.inside.versions import importable

NAMES = load_course(Path(__file__).parents[1]).packages.names()
PACKAGES = importable(**NAMES)
