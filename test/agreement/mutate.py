"""The ground floor with every small fault in it at once, each behind a number.

`mutate_tree` copies the sources and rewrites each expression that can be wrong in a small way:
`a < b` becomes `(MUTANT(7) ? (a <= b) : a < b)`. One build then holds all mutants, and the variable
TCGEN05_MUTANT picks one when the program starts. Constant expressions keep their meaning, so tables
and array sizes are not mutated.

Not made are mutants that no run can tell from the original, or from another mutant:
- in calls of `reserve`, which change no value;
- in functions that the compiler alone calls, for a `static_assert`;
- `x < 0 ? -x : x` with `<=`, since zero is its own negative;
- a literal in a comparison of integers one off, where it means another operator: `x < 5` as `x < 6`
  is `x <= 5`.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter
import tree_sitter_cpp

PRELUDE = """#ifndef TCGEN05_MUTANT_H
#define TCGEN05_MUTANT_H
extern int tcgen05Mutant;
#define MUTANT(n) (!__builtin_is_constant_evaluated() && tcgen05Mutant == (n))
#endif
"""
SWITCH = """#include <cstdlib>
static int chosen() {
  const char *text = std::getenv("TCGEN05_MUTANT");
  return text ? std::atoi(text) : 0;
}
int tcgen05Mutant = chosen();
"""

OPERATORS = {
    "<": ["<=", ">="],
    "<=": ["<", ">"],
    ">": [">=", "<="],
    ">=": [">", "<"],
    "&&": ["||"],
    "||": ["&&"],
    "+": ["-"],
    "-": ["+"],
    "*": ["+"],
    "/": ["*"],
    "%": ["*"],
    "<<": [">>"],
    ">>": ["<<"],
    "&": ["|"],
    "|": ["&"],
    "^": ["|"],
}
ASSIGNMENTS = {"+=": "-=", "-=": "+=", "*=": "+=", "/=": "*=", "|=": "&=", "&=": "|=", "<<=": ">>="}
CALLS = {"std::min": "std::max", "std::max": "std::min", "std::all_of": "std::any_of"}
# A literal one off in a comparison that is the comparison with another operator.
SAME_AS_OPERATOR = {"<": 1, ">=": 1, "<=": -1, ">": -1}
# Nodes below which everything is a constant expression, a type or a name.
CONSTANT = {
    "template_argument_list",
    "static_assert_declaration",
    "enumerator",
    "array_declarator",
    "preproc_include",
    "ERROR",
}


@dataclass(frozen=True)
class Mutant:
    """One fault: where, and what the text becomes."""

    number: int
    path: str
    line: int
    before: str
    after: str

    @property
    def key(self) -> str:
        """What names the mutant as long as its line stays as it is."""
        return f"{self.path}: {self.before} -> {self.after}"


def is_constant(node: tree_sitter.Node) -> bool:
    """True for declarations whose value the compiler must know."""
    if node.type in CONSTANT:
        return True
    if node.type == "field_declaration" and node.children[0].text == b"virtual":
        return True
    return node.type in ("declaration", "field_declaration") and any(
        child.text in (b"constexpr", b"static_assert") for child in node.children
    )


def operator_of(node: tree_sitter.Node) -> str:
    """`<` of `a < b`; empty if the node is not a binary expression."""
    if node.type != "binary_expression":
        return ""
    return (node.children[1].text or b"").decode()


def is_magnitude(node: tree_sitter.Node) -> bool:
    """True for the condition of `x < 0 ? -x : x`, with or without a cast of x."""
    above = node.parent
    if above is None or above.type != "conditional_expression" or operator_of(node) != "<":
        return False
    consequence = above.child_by_field_name("consequence")
    alternative = above.child_by_field_name("alternative")
    if consequence is None or alternative is None:
        return False
    tested, limit = node.children[0].text or b"", node.children[-1].text
    positive = alternative.text or b""
    unsigned = (tested, b"uint64_t(" + tested + b")")
    return limit == b"0" and positive in unsigned and consequence.text == b"-" + positive


def is_reserve(node: tree_sitter.Node) -> bool:
    """True for `x.reserve(n);`."""
    text = node.text or b""
    return node.type == "expression_statement" and re.match(rb"[\w.]+\.reserve\(", text) is not None


class Rewriter:
    """Rewrites one file; `mutants` grows, and numbers in `dropped` are left out."""

    def __init__(self, path: str, source: bytes, mutants: list[Mutant], dropped: set[str]) -> None:
        self.path = path
        self.source = source
        self.mutants = mutants
        self.dropped = dropped
        parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))
        self.root = parser.parse(source).root_node

    def run(self) -> str:
        return self.render(self.root)

    def raw(self, start: int, end: int) -> str:
        return self.source[start:end].decode()

    def text(self, node: tree_sitter.Node) -> str:
        return self.raw(node.start_byte, node.end_byte)

    def add(self, node: tree_sitter.Node, after: str, before: str | None = None) -> int | None:
        """Records a mutant; None if it does not compile."""
        squeeze = re.compile(r"\s+")
        mutant = Mutant(
            len(self.mutants) + 1,
            self.path,
            node.start_point[0] + 1,
            squeeze.sub(" ", before or self.text(node)),
            squeeze.sub(" ", after),
        )
        if mutant.key in self.dropped:
            return None
        self.mutants.append(mutant)
        return mutant.number

    def is_asserted(self, node: tree_sitter.Node) -> bool:
        """True for a constexpr function of this file that only a static_assert names."""
        if node.type != "function_definition" or node.children[0].text != b"static":
            return False
        if all(child.text != b"constexpr" for child in node.children):
            return False
        declarator = node.child_by_field_name("declarator")
        name = (declarator.children[0].text or b"") if declarator else b""
        named = len(re.findall(rb"\b" + name + rb"\b", self.source))
        asserted = re.findall(rb"\bstatic_assert\(" + name + rb"\(\)", self.source)
        return named == 1 + len(asserted)

    def render(self, node: tree_sitter.Node) -> str:
        if is_reserve(node) or self.is_asserted(node):
            return self.text(node)
        if is_constant(node) or not node.children:
            changed = self.text(node)
        else:
            changed, at = "", node.start_byte
            for child in node.children:
                changed += self.raw(at, child.start_byte) + self.render(child)
                at = child.end_byte
            changed += self.raw(at, node.end_byte)
        if is_constant(node):
            return changed
        if node.type in ("break_statement", "continue_statement", "expression_statement"):
            number = self.add(node, "nothing")
            return changed if number is None else f"{{ if (!MUTANT({number})) {changed} }}"
        if node.type == "return_statement" and self.is_early(node):
            number = self.add(node, "nothing")
            return changed if number is None else f"{{ if (!MUTANT({number})) {changed} }}"
        if node.type == "condition_clause":
            return self.condition(node, changed)
        for after in self.alternatives(node):
            number = self.add(node, after)
            if number is not None:
                flat = re.sub(r"\s*\n\s*", " ", after)
                changed = f"(MUTANT({number}) ? ({flat}) : ({changed}))"
        return changed

    @staticmethod
    def is_early(node: tree_sitter.Node) -> bool:
        """True if control can go on behind a return: it is guarded, and not the last statement."""
        parent = node.parent
        if parent is None or parent.type not in ("if_statement", "compound_statement"):
            return False
        if parent.type == "compound_statement":
            above = parent.parent
            return above is not None and above.type == "if_statement"
        return True

    def condition(self, node: tree_sitter.Node, changed: str) -> str:
        value = node.child_by_field_name("value")
        if value is None or value.type not in ("init_statement", "declaration"):
            return changed
        # `auto error = f()`: the name is tested.
        name = re.search(r"(\w+)\s*=", self.text(value))
        number = self.add(node, "the opposite") if name else None
        if number is None or name is None:
            return changed
        return f"{changed[:-1]}; static_cast<bool>({name[1]}) != MUTANT({number}))"

    def alternatives(self, node: tree_sitter.Node) -> Iterator[str]:
        """The texts that may stand in the place of an expression."""
        if b"//" in self.source[node.start_byte : node.end_byte]:
            return
        if node.type == "binary_expression":
            left, operator, right = node.children[0], node.children[1], node.children[-1]
            if '"' in self.text(node) and operator.type == "+":
                return  # a sentence, which the units compare as a whole
            if operator.type in ("==", "!="):
                yield f"!({self.text(node)})"  # not every type has both
            for other in OPERATORS.get(operator.type, []):
                if other == "<=" and is_magnitude(node):
                    continue
                yield f"{self.text(left)} {other} {self.text(right)}"
        elif node.type == "assignment_expression":
            left, operator, right = node.children[0], node.children[1], node.children[-1]
            if operator.type in ASSIGNMENTS and '"' not in self.text(right):
                yield f"{self.text(left)} {ASSIGNMENTS[operator.type]} {self.text(right)}"
        elif node.type == "unary_expression" and node.children[0].type == "!":
            yield f"!{self.text(node)}"
        elif node.type == "unary_expression" and node.children[0].type == "-":
            yield self.text(node.children[-1])
        elif node.type in ("true", "false"):
            yield "false" if node.type == "true" else "true"
        elif node.type == "number_literal" and re.fullmatch(r"\d+", self.text(node)):
            value = int(self.text(node))
            above = node.parent
            right = above is not None and node == above.children[-1]
            same = SAME_AS_OPERATOR.get(operator_of(above)) if above and right else None
            if same != 1:
                yield str(value + 1)
            if value > 0 and same != -1:
                yield str(value - 1)
        elif node.type == "call_expression":
            callee = self.text(node.children[0])
            name = callee.split("<")[0]
            if name in CALLS:
                yield CALLS[name] + callee[len(name) :] + self.text(node.children[1])
        elif node.type == "conditional_expression":
            condition = node.child_by_field_name("condition")
            if condition is not None and condition.type != "binary_expression":
                rest = self.raw(condition.end_byte, node.end_byte)
                yield f"!({self.text(condition)}){rest}"


def write(target: pathlib.Path, text: str) -> None:
    """What has not changed keeps its date, and is not compiled again."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists() or target.read_text() != text:
        target.write_text(text)


def mutate_tree(
    root: pathlib.Path, scratch: pathlib.Path, dropped: dict[str, set[str]]
) -> list[Mutant]:
    """Write the mutated floor below `scratch`; the list of its mutants, numbered from one."""
    mutants: list[Mutant] = []
    for folder in ("include/tcgen05/Layout", "lib/Layout"):
        for source in sorted((root / folder).rglob("*")):
            if source.suffix not in (".h", ".cpp"):
                continue
            path = str(source.relative_to(root))
            rewriter = Rewriter(path, source.read_bytes(), mutants, dropped.get(path, set()))
            write(scratch / path, rewriter.run())
    write(scratch / "mutant.h", PRELUDE)
    write(scratch / "mutant.cpp", SWITCH)
    return mutants
