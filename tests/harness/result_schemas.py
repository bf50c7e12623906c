"""Results held against the schemas that stand here, written from the platforms' documentation."""

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

HERE = Path(__file__).parent


def assert_valid(results: Any, name: str) -> None:
    """Hold results against `name.schema.json`."""
    schema = json.loads((HERE / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    problems = [str(one.message) for one in Draft202012Validator(schema).iter_errors(results)]
    assert problems == []


def assert_classroom50(result: dict[str, Any]) -> None:
    """A result that Classroom 50 takes: what its schema cannot say is looked at here."""
    assert_valid(result, "classroom50_result")
    for one in (result, *result["tests"]):
        assert one["score"] <= one["max-score"]
    for field in ("score", "max-score"):
        assert result[field] == sum(one[field] for one in result["tests"])
    assert len(json.dumps(result)) < 10 * 1024 * 1024
