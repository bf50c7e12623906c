"""Turns a submitted notebook into a grade; docs/architecture.md lists the rooms."""

__version__ = "0.1.0"
