"""The JSON that `autograder report --json` writes: a contract with the programs that read it."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from autograder.report.class_report import ClassReport

SCHEMA = 1


def as_json(report: ClassReport) -> dict[str, Any]:
    """The report as JSON values: its fields by their names, times in ISO 8601."""
    return {"schema": SCHEMA, **_plain(asdict(report))}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value.isoformat() if isinstance(value, datetime) else value
