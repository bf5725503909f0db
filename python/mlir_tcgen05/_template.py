"""The inline PTX of one copy, read from its text.

The lowering wraps each instruction in braces and puts into them what distinguishes it from its
neighbours:

    { .reg .b32 t; .reg .b64 d; mov.b32 t, $0; add.s64 d, $1, 128; tcgen05.cp.OPCODE [t+8], d; }

Whoever wants to know what the instruction is given must read that text, not remember how it was
written: here is a reader for the few statements that may stand there. It refuses all others.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_INTEGER = r"-?(?:0[xX][0-9a-fA-F]+|\d+)"
_DECLARE = re.compile(r"\.reg\s+\.(b32|b64|pred)\s+(\w+)")
_MOVE = re.compile(r"mov\.[bus](32|64)\s+(\w+)\s*,\s*(\$?\w+)")
_ADD = re.compile(rf"add\.[us](32|64)\s+(\w+)\s*,\s*(\$?\w+)\s*,\s*({_INTEGER})")
_TEST = re.compile(r"setp\.ne\.[bus]32\s+(\w+)\s*,\s*\$(\d+)\s*,\s*0")
_COPY = re.compile(
    rf"(?:@(\w+)\s+)?tcgen05\.cp\.([\w:.]+)\s+\[\s*(\$?\w+)\s*(?:\+\s*({_INTEGER}))?\s*\]\s*,"
    r"\s*(\$?\w+)"
)


class TemplateError(ValueError):
    """PTX text that is not one copy, or holds a statement that is not known here."""


class Sum(NamedTuple):
    """An operand of the template plus a literal, in as many bits as the register has."""

    operand: int
    plus: int
    bits: int


class Template(NamedTuple):
    """What one piece of inline PTX issues."""

    opcode: str
    """Without `tcgen05.cp.`"""
    taddr: Sum
    descriptor: Sum
    predicate: int | None
    """The operand that must not be zero, if there is one."""


def parse_template(text: str) -> Template:
    """Reads `{ ...; tcgen05.cp... ; }`.

    Raises:
        TemplateError: there is not exactly one copy, or something else that is not understood.
    """
    body = text.strip()
    if not (body.startswith("{") and body.endswith("}")):
        raise TemplateError(f"expected inline PTX to be one block in braces, but got {text!r}")
    sizes: dict[str, int] = {}
    values: dict[str, Sum] = {}
    tests: dict[str, int] = {}
    copies: list[Template] = []

    def value(name: str, bits: int) -> Sum:
        if name.startswith("$"):
            return Sum(int(name[1:]), 0, bits)
        if name not in values or sizes[name] != bits:
            raise TemplateError(
                f"expected register '{name}' to hold {bits} bits, but got none in {text!r}"
            )
        return values[name]

    def define(name: str, bits: int, result: Sum) -> None:
        if sizes.get(name) != bits:
            raise TemplateError(
                f"expected register '{name}' to be declared with {bits} bits in {text!r}"
            )
        values[name] = result

    statements = [s.strip() for s in body[1:-1].split(";")]
    for statement in filter(None, statements):
        if m := _DECLARE.fullmatch(statement):
            sizes[m[2]] = {"b32": 32, "b64": 64, "pred": 1}[m[1]]
        elif m := _MOVE.fullmatch(statement):
            define(m[2], int(m[1]), value(m[3], int(m[1])))
        elif m := _ADD.fullmatch(statement):
            before = value(m[3], int(m[1]))
            define(m[2], int(m[1]), before._replace(plus=before.plus + int(m[4], 0)))
        elif m := _TEST.fullmatch(statement):
            tests[m[1]] = int(m[2])
        elif m := _COPY.fullmatch(statement):
            if m[1] and m[1] not in tests:
                raise TemplateError(f"expected predicate '{m[1]}' to be set in {text!r}")
            taddr = value(m[3], 32)
            taddr = taddr._replace(plus=taddr.plus + int(m[4] or "0", 0))
            copies.append(Template(m[2], taddr, value(m[5], 64), tests[m[1]] if m[1] else None))
        else:
            raise TemplateError(f"expected a known PTX statement, but got {statement!r}")
    if len(copies) != 1:
        raise TemplateError(f"expected one tcgen05.cp, but got {len(copies)} in {text!r}")
    return copies[0]
