"""Holds JSON documents against the types that state their form, keys and values."""

from __future__ import annotations

import types
import typing
from typing import Any


def check(value: Any, kind: Any, where: str = "document") -> None:
    """Asserts that a value of JSON is of a type: a TypedDict has exactly its keys."""
    origin = typing.get_origin(kind)
    if kind is Any:
        return
    if origin in (typing.Union, types.UnionType):
        arms = typing.get_args(kind)
        if value is None:
            assert type(None) in arms, f"{where} is null"
            return
        (arm,) = [arm for arm in arms if arm is not type(None)]
        check(value, arm, where)
    elif origin is list:
        assert isinstance(value, list), f"{where} is no list"
        (item,) = typing.get_args(kind)
        for index, entry in enumerate(value):
            check(entry, item, f"{where}[{index}]")
    elif origin is dict:
        assert isinstance(value, dict), f"{where} is no object"
        for key, entry in value.items():
            check(entry, typing.get_args(kind)[1], f"{where}.{key}")
    elif typing.is_typeddict(kind):
        hints = typing.get_type_hints(kind)
        assert isinstance(value, dict), f"{where} is no object"
        assert set(value) == set(hints), where
        for key, hint in hints.items():
            check(value[key], hint, f"{where}.{key}")
    else:
        assert type(value) is kind, f"{where} is {value!r}, no {kind.__name__}"
