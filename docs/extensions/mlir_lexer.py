"""Colours MLIR in the site."""

from __future__ import annotations

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text
from sphinx.application import Sphinx


class MlirLexer(RegexLexer):
    """Textual MLIR, as far as colours need it."""

    name = "MLIR"
    aliases = ("mlir",)
    tokens = {  # noqa: RUF012
        "root": [
            (r"//.*$", Comment.Single),
            (r'"(\\.|[^"\\\n])*"', String),
            (r"%[\w$.#-]+", Name.Variable),
            (r"@[\w$.-]+", Name.Function),
            (r"\^[\w$.-]+", Name.Label),
            (r"[#!][A-Za-z_][\w$.-]*", Name.Class),
            (r"\b(si|ui|i|f|bf)\d+\b|\b(index|memref|vector|tensor)\b", Keyword.Type),
            (r"\b[a-z_][\w]*(\.[\w]+)+", Name.Builtin),
            (r"-?\b(0x[0-9a-fA-F]+|\d+(\.\d+)?)", Number),
            (r"\b[A-Za-z_]\w*", Name),
            (r"->|[-+*/=:?]", Operator),
            (r"\s+", Text),
            (r".", Text),
        ]
    }


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_lexer("mlir", MlirLexer)
    return {"parallel_read_safe": True}
