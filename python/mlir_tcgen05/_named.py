"""Names the rules behind the errors of a source.

MLIR's diagnostics are sentences; the rule that one belongs to is asked of the ground floor again,
once something has been refused, so that what compiles pays nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ._errors import CompileError, Diagnostic
from ._parse import parse_copies
from ._register import Context

_LONGEST = 1 << 20
"""Characters or bytes; a longer source is not read twice for the sake of a hint."""

_OPERATION = re.compile(r"(?:custom op )?'tcgen05\.cp' (?:op )?")


def named(error: CompileError, source: str | bytes) -> CompileError:
    """The same error, with the rules C1 to C15 of the copies of `source` that it refuses."""
    refused = {d.line for d in error.diagnostics if _OPERATION.match(d.message)}
    if not refused or len(source) > _LONGEST:
        return error
    try:
        with Context() as context:
            _, found = parse_copies(context, source)
    except CompileError:
        return error  # more is wrong than a copy
    failures = [one.copy.failure for one in found if one.copy and one.line in refused]
    rules = {failure.message: failure.rule for failure in failures if failure}

    def with_rule(diagnostic: Diagnostic) -> Diagnostic:
        sentence = _OPERATION.sub("", diagnostic.message, count=1)
        return replace(diagnostic, rule=diagnostic.rule or rules.get(sentence))

    return CompileError(*map(with_rule, error.diagnostics))
