"""The JSON that `autograder report --json` writes: a contract with the programs that read it."""

from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any

from autograder.report.class_report import ClassReport

SCHEMA = 1


def as_json(report: ClassReport) -> dict[str, Any]:
    """The report as JSON values: its fields by their names, times in ISO 8601."""
    return {"schema": SCHEMA, **_plain(report)}


def _plain(value: Any) -> Any:
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return value.isoformat() if isinstance(value, datetime) else value
