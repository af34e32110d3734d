#!/usr/bin/python3
"""The JSON Schema of `mubody list --format schema` against model files: those that run are valid, those that are wrong in a
way that a schema can see are rejected, at the line where the program rejects them.

  check_schema.py PROGRAM SOURCE_FOLDER
"""
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from jsonschema import Draft7Validator

LEAST = 60  # broken files that it must reject


def load(file):
    """The model as JSON would have it; none if it is no TOML."""
    try:
        return plain(tomllib.loads(file.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError):
        return None


def plain(value):
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value if isinstance(value, (bool, int, float, str)) else str(value)


def culprits(error):
    """The keys at which an error may be shown."""
    names = [k for k in error.absolute_path if isinstance(k, str)]
    if error.validator == "additionalProperties":
        return [k for k in error.instance if k not in error.schema.get("properties", {})]
    if "propertyNames" in error.absolute_schema_path:
        return [error.instance]
    return names[-1:]


def expected_line(file):
    """The number and the text of the line that the program names."""
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    found = re.match(r"# expect: [^:]+:(\d+):", lines[0])
    return lines[int(found.group(1)) - 1] if found and int(found.group(1)) <= len(lines) else None


def check_valid(validator, files):
    failures = []
    for file in files:
        model = load(file)
        if model is None:
            failures.append(f"{file}: no TOML")
            continue
        failures += [f"{file}: {'.'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in validator.iter_errors(model)]
    return failures


def check_broken(validator, files):
    rejected, elsewhere = 0, []
    for file in files:
        model, line = load(file), expected_line(file)
        if model is None or line is None:
            continue
        errors = list(validator.iter_errors(model))
        if not errors:
            continue
        keys = [k for e in errors for k in culprits(e)]
        if any(re.search(rf"(?<![\w-]){re.escape(k)}(?![\w-])", line) for k in keys):
            rejected += 1
        else:
            elsewhere.append(f"{file.name}: rejected at {keys}, but the program says it of the line: {line}")
    return rejected, elsewhere


def main():
    program, source = sys.argv[1], Path(sys.argv[2])
    text = subprocess.run([program, "list", "--format", "schema"], check=True, capture_output=True, text=True).stdout
    schema = json.loads(text)
    Draft7Validator.check_schema(schema)
    validator = Draft7Validator(schema)
    good = [f for folder in ("examples", "docs/cookbook/models", "cli/templates", "benchmarks", "tests/schema")
            for f in sorted((source / folder).rglob("*.toml")) if f.name != "expected.toml"]
    failures = check_valid(validator, good)
    rejected, elsewhere = check_broken(validator, sorted((source / "tests/broken").glob("*.toml")))
    for line in failures + elsewhere:
        print(line)
    print(f"schema of {len(text)} bytes: {len(good)} models, {len(failures)} remarks; "
          f"{rejected} broken files rejected at the right key, {len(elsewhere)} at another one")
    return bool(failures or elsewhere or rejected < LEAST)


if __name__ == "__main__":
    sys.exit(main())
