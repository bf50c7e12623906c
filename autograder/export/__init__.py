"""Marks for other systems: tidy CSV, JSON, and the files that Canvas and Moodle take back."""
