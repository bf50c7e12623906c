"""Turns a submitted notebook into a grade. Rooms are listed, lowest first, in docs/architecture.md."""

__version__ = "0.1.0"
