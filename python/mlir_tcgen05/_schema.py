"""The JSON Schema of what `--json` prints, made from the types in `_json`.

`python -m mlir_tcgen05._schema` prints it; the package holds it as `schema.json`, for readers in
other languages.
"""

from __future__ import annotations

import inspect
import json
import types
import typing
from pathlib import Path
from typing import Any

from . import _json

_PLAIN = {str: "string", int: "integer", bool: "boolean", float: "number", type(None): "null"}


def path() -> Path:
    """Where the package holds the schema."""
    return Path(__file__).absolute().parent / "schema.json"


def schema() -> dict[str, Any]:
    """The schema: a document is one of those of its command, or a refusal."""
    definitions: dict[str, Any] = {}
    refused = _form(_json.RefusedJson, definitions)
    forms: list[dict[str, Any]] = []
    for command, kinds in sorted(_json.DOCUMENTS.items()):
        forms += [
            {"allOf": [_form(kind, definitions), {"properties": {"command": {"const": command}}}]}
            for kind in kinds
        ]
    commands = {"command": {"enum": sorted(_json.DOCUMENTS)}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": _json.SCHEMA,
        "description": "What `tcgen05 COMMAND --json` prints.",
        "properties": {"schema": {"const": _json.SCHEMA}},
        "oneOf": [*forms, {"allOf": [refused, {"properties": commands}]}],
        "$defs": dict(sorted(definitions.items())),
    }


def text() -> str:
    """The schema as the package holds it."""
    return json.dumps(schema(), indent=2) + "\n"


def _form(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema of a type; those with names of their own go into the definitions."""
    if kind is Any:
        return {}
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is list:
        return {"type": "array", "items": _form(arguments[0], definitions)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _form(arguments[1], definitions)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_form(one, definitions) for one in arguments]}
    name = kind.__name__.removesuffix("Json")
    if name not in definitions:
        definitions[name] = {}  # before its keys, which may hold it
        hints = typing.get_type_hints(kind)
        definitions[name] = {
            "description": inspect.cleandoc(kind.__doc__ or ""),
            "type": "object",
            "properties": {key: _form(hint, definitions) for key, hint in hints.items()},
            "required": list(hints),
        }
    return {"$ref": f"#/$defs/{name}"}


if __name__ == "__main__":
    print(text(), end="")
