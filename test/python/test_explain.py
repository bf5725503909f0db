# RUN: %pytest %s
"""`explain`: what is said of legal and of illegal copies, as text and as documents."""

from __future__ import annotations

import json
import typing
from pathlib import Path

import mlir_tcgen05 as t5
import pytest
from documents import check
from mlir import ir
from mlir_tcgen05._copy import Copy
from mlir_tcgen05._explain import Explanation, Mark, explain, ranges
from mlir_tcgen05._json import ExplainJson, RuleJson
from mlir_tcgen05._rules import rule, rules
from mlir_tcgen05.layout import Layout
from snippets import ROOT
from terminal import on_terminal, tcgen05

PAIR = """
!dst = !tcgen05.tmem<{dst}>
!src = !tcgen05.smem<{src}>
func.func @copy(%dst: !dst, %src: !src) {{
  tcgen05.cp "{opcode}" %dst, %src : !dst, !src
  return
}}
"""
PLAIN = {
    "opcode": "cta_group::1.128x128b",
    "dst": "128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>",
    "src": "128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>",
}
LEGAL = PAIR.format(**PLAIN)
ILLEGAL = PAIR.format(**{**PLAIN, "src": "128x4xi32, #tcgen05.layout<[128, 4] : [8, 1]>"})
MISSPELT = PAIR.format(**{**PLAIN, "opcode": "cta_group::1.128x129b"})
# Four copies along a row of 128 bytes, in stages known at run time.
TILE = PAIR.format(
    opcode="cta_group::1.128x256b",
    dst="4x128x8xi32, #tcgen05.layout<[4, 128, 8] : [8@col, 1@lane, 1@col], offset [32@col]>",
    src="4x128x8xi32, #tcgen05.layout<[4, 128, 8] : [8, 32, 1], offset [?4*4096], swizzle 128B>,"
    " align 1024",
)


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "copy.mlir"
    file.write_text(text)
    return file


def document(tmp_path: Path, text: str) -> dict[str, typing.Any]:
    process = tcgen05("explain", written(tmp_path, text), "--json")
    assert process.stderr == b""
    value = json.loads(process.stdout)
    check(value, ExplainJson)
    assert (value["schema"], value["command"]) == ("tcgen05/1", "explain")
    assert process.returncode == int(not all(copy["legal"] for copy in value["copies"]))
    return value


def of(opcode: str, dst: str, src: str, **more: typing.Any) -> Explanation:
    return Explanation.of(Copy(opcode, Layout.parse(dst), Layout.parse(src), **more))


# ---- Legal copies ----


def test_document_of_a_legal_copy(tmp_path: Path) -> None:
    (copy,) = document(tmp_path, LEGAL)["copies"]
    assert copy["legal"]
    assert (copy["failure"], copy["changes"], copy["fewer"]) == (None, [], None)
    assert copy["location"]["line"] == 5
    assert copy["location"]["column"] == 3
    plan = copy["plan"]
    # The golden descriptor of the specification, at shared address zero.
    assert plan["descriptor"] == "0x0000400800010000"
    assert plan["walk"] == {"ldo": 16, "sdo": 128, "swizzle": "none"}
    values = {field["name"]: field["value"] for field in plan["fields"]}
    assert values["sdo"] == 128 // 16
    assert values["constant"] == 1
    assert sum(field["width"] for field in plan["fields"]) == 64
    assert plan["issues"] == [
        {
            "repeat": [],
            "origin": {"lane": 0, "column": 0, "byte": 0},
            "lanes": [[0, 127]],
            "columns": [0, 3],
            "bytes": [0, 2047],
        }
    ]


def test_document_of_repeats_and_stages(tmp_path: Path) -> None:
    (copy,) = document(tmp_path, TILE)["copies"]
    plan = copy["plan"]
    assert plan["descriptor"] == "0x4000404000010000"
    assert plan["terms"] == [{"operand": "src", "count": 4, "multiplier": 16384, "unit": "bytes"}]
    assert [issue["repeat"] for issue in plan["issues"]] == [[0], [1], [2], [3]]
    assert [issue["columns"] for issue in plan["issues"]] == [
        [32, 39],
        [40, 47],
        [48, 55],
        [56, 63],
    ]
    assert [issue["origin"]["byte"] for issue in plan["issues"]] == [0, 32, 64, 96]


@pytest.mark.parametrize(
    ("opcode", "dst", "src", "lanes"),
    [
        ("4x256b", "[4, 8] : [32@lane, 1@col]", "[4, 8] : [8, 1], swizzle 32B",
         ((0, 0), (32, 32), (64, 64), (96, 96))),
        ("64x128b.warpx2::01_23",
         "[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]",
         "[64, 4] : [4, 1]", ((0, 127),)),
        ("32x128b.warpx4", "[32, 4] : [1@lane, 1@col], replica [4 : 32@lane]",
         "[32, 4] : [4, 1]", ((0, 127),)),
    ],
)  # fmt: skip
def test_lanes(opcode: str, dst: str, src: str, lanes: tuple[tuple[int, int], ...]) -> None:
    explanation = of(f"cta_group::1.{opcode}", dst, src, align=256, storage=1024)
    assert [issue.lanes for issue in explanation.issues] == [lanes]


def test_text_of_a_legal_copy(tmp_path: Path) -> None:
    file = written(tmp_path, LEGAL)
    process = tcgen05("explain", file)
    assert (process.returncode, process.stderr) == (0, b"")
    text = process.stdout.decode()
    assert text.startswith(f"{file}:5:3: tcgen05.cp cta_group::1.128x128b\n")
    assert "ldo = 16, sdo = 128, swizzle = none" in text
    assert "row r, word w at start + (r / 8) * 128 + (r % 8) * 16 + w * 4\n" in text
    assert "0x0000400800010000 | start / 16" in text


def test_text_lists_no_more_repeats_than_can_be_read() -> None:
    explanation = of(
        "cta_group::1.128x128b",
        "[64, 128, 4] : [4@col, 1@lane, 1@col]",
        "[64, 128, 4] : [520, 4, 1]",
    )
    assert len(explanation.issues) == 64
    assert "  ... 32 more" in str(explanation)
    assert len(explanation.as_json()["plan"]["issues"]) == 64  # type: ignore[index]


# ---- Illegal copies ----


def test_document_of_an_illegal_copy(tmp_path: Path) -> None:
    (copy,) = document(tmp_path, ILLEGAL)["copies"]
    assert not copy["legal"]
    assert copy["plan"] is None
    # Of the op, which is where the notes are too.
    failure = copy["failure"]
    assert failure.pop("location") == copy["location"]
    assert [note.pop("location") for note in failure["notes"]] == [copy["location"]] * 2
    assert failure == {
        "severity": "error",
        "rule": "C10",
        "operand": "src",
        "expected": "src row 1, word 0 at byte 16",
        "got": "32",
        "message": "expected src row 1, word 0 at byte 16, but got 32",
        "notes": [
            {"message": "the walk that was read off: ldo = 16, sdo = 256, swizzle = none"},
            {"message": "these strides are a walk with swizzle 32B"},
        ],
    }
    assert copy["changes"][0]["edits"] == [
        {"what": "src swizzle", "old": "none", "new": "32B"},
        {"what": "src align", "old": "16", "new": "256"},
    ]


def test_change_is_text_that_can_be_pasted(tmp_path: Path) -> None:
    (copy,) = document(tmp_path, ILLEGAL)["copies"]
    change = copy["changes"][0]
    fixed = LEGAL.replace(f"!tcgen05.smem<{PLAIN['src']}>", change["src"])
    assert fixed != LEGAL
    with t5.Context():
        ir.Module.parse(fixed)


def test_opcode_that_the_parser_refuses(tmp_path: Path) -> None:
    (copy,) = document(tmp_path, MISSPELT)["copies"]
    assert copy["opcode"] == "cta_group::1.128x129b"
    assert copy["failure"]["rule"] == "C1"
    assert copy["changes"][0]["opcode"] == "cta_group::1.128x128b"
    assert copy["location"]["line"] == 5


def test_several_opcodes_that_the_parser_refuses(tmp_path: Path) -> None:
    line = LEGAL.splitlines()[4]
    wrong = [line.replace("128x128b", shape) for shape in ("é", "128x128b.warpx4", "128x128b")]
    text = LEGAL.replace(line, "\n".join(wrong))
    copies = document(tmp_path, text)["copies"]
    assert [copy["opcode"] for copy in copies] == [
        "cta_group::1.é",
        "cta_group::1.128x128b.warpx4",
        "cta_group::1.128x128b",
    ]
    assert [copy["legal"] for copy in copies] == [False, False, True]


def test_target_without_the_instruction(tmp_path: Path) -> None:
    head, _, body = LEGAL.partition("func.func")
    kernel = f'gpu.module @k [#nvvm.target<chip = "sm_90a">] {{ func.func{body} }}'
    (copy,) = document(tmp_path, head + kernel)["copies"]
    assert copy["failure"]["rule"] == "C15"
    assert copy["failure"]["got"] == "sm_90a"
    assert copy["chip"] == "sm_90a"
    assert copy["changes"][0]["chip"] is not None


def test_text_of_an_illegal_copy(tmp_path: Path) -> None:
    process = tcgen05("explain", written(tmp_path, ILLEGAL))
    assert process.returncode == 1
    assert process.stderr == b""
    text = process.stdout.decode()
    assert "rule C10: expected src row 1, word 0 at byte 16, but got 32\n" in text
    assert "src swizzle: none -> 32B\n" in text
    assert "see         tcgen05 explain C10\n" in text


@pytest.mark.parametrize(
    ("explanation", "marks"),
    [
        (
            of("cta_group::1.64x128b.warpx2::01_23",
               "[64, 4] : [1@lane, 1@col], replica [2 : 32@lane]", "[64, 4] : [4, 1]"),
            (Mark("got", "dst", 32, 0), Mark("expected", "dst", 64, 0)),
        ),
        (
            of("cta_group::1.128x128b", "[128, 4] : [1@lane, 1@col]", "[128, 4] : [8, 1]"),
            (Mark("got", "src", byte=32), Mark("expected", "src", byte=16)),
        ),
        (
            of("cta_group::1.128x128b", "[128, 4] : [1@lane, 1@col]",
               "[128, 4] : [4, 1], offset [-64]"),
            (Mark("got", "src", byte=-256),),
        ),
        (
            of("cta_group::1.128x128b", "[128, 4] : [1@lane, 1@col], offset [6@col]",
               "[128, 4] : [4, 1]"),
            (Mark("got", "dst", 0, 6),),
        ),
        (
            of("cta_group::1.128x256b", "[128, 8] : [1@lane, 1@col], offset [508@col]",
               "[128, 8] : [8, 1], swizzle 32B", align=256),
            (Mark("got", "dst", 0, 515),),
        ),
        (
            of("cta_group::1.128x128b", "[128, 4] : [1@lane, 1@col]",
               "[(16, 8), 4] : [(50, 4), 1]"),
            (Mark("got", "src", byte=200),),
        ),
        (
            of("cta_group::1.128x128b", "[128, 4] : [1@lane, 1@col]",
               "[128, 4] : [4, 1], offset [2]"),
            (Mark("got", "src", byte=8),),
        ),
    ],
)  # fmt: skip
def test_marks(explanation: Explanation, marks: tuple[Mark, ...]) -> None:
    assert explanation.marks == marks


# ---- Rules ----


def test_every_rule_has_its_page() -> None:
    assert list(rules()) == [f"C{number}" for number in range(1, 16)]
    for name, one in rules().items():
        page = (ROOT / "docs" / "rules" / f"{name}.md").read_text()
        assert page == f"# {name}\n\n{one.text}"
        # One statement, in the documentation and in the definition of the operation.
        assert one.statement.endswith("."), name
        assert "```mlir refused" in one.text
    assert rule("c7") == rules()["C7"]


def test_rule_on_the_command_line(tmp_path: Path) -> None:
    process = tcgen05("explain", "C10")
    assert process.returncode == 0
    assert process.stdout.decode() == f"C10\n\n{rule('C10').text}"
    value = json.loads(tcgen05("explain", "C10", "--json").stdout)
    check(value, RuleJson)
    assert value["statement"] == "Every word of `src` is where one descriptor walk reads it."


def test_rule_that_does_not_exist() -> None:
    process = tcgen05("explain", "C16")
    assert process.returncode == 1
    assert process.stderr.decode().startswith("error: expected rule to be one of C1, C2, ")
    assert process.stderr.decode().endswith("but got 'C16'\n")


# ---- Refusals ----


@pytest.mark.parametrize("text", ["int main() {}", "func.func @f() {", "module {} }"])
def test_input_that_is_not_mlir(tmp_path: Path, text: str) -> None:
    file = written(tmp_path, text)
    process = tcgen05("explain", file)
    assert (process.returncode, process.stdout) == (1, b"")
    assert process.stderr.decode().startswith(f"error: {file}:1:")


def test_file_without_copies(tmp_path: Path) -> None:
    file = written(tmp_path, "module {}")
    process = tcgen05("explain", file)
    assert process.returncode == 1
    assert process.stderr.decode() == (
        f"error: expected {file} to hold a tcgen05.cp, but got none\n"
    )


def test_legal_copies_in_an_illegal_module(tmp_path: Path) -> None:
    text = LEGAL.replace("  return", '  "tcgen05.address"(%dst) : (!dst) -> i64\n  return')
    process = tcgen05("explain", written(tmp_path, text))
    assert (process.returncode, process.stdout) == (1, b"")
    assert process.stderr.startswith(b"error: ")


def test_operation_that_is_not_whole(tmp_path: Path) -> None:
    text = LEGAL.replace(
        LEGAL.splitlines()[4],
        '  "tcgen05.cp"(%dst, %dst) <{cta_group = 1 : i32, shape = "128x128b"}>'
        " : (!dst, !dst) -> ()",
    )
    (copy,) = document(tmp_path, text)["copies"]
    assert copy["opcode"] is None
    assert copy["failure"]["rule"] is None
    assert copy["failure"]["message"].startswith("operand #1 must be ")


def test_standard_input_and_bytecode() -> None:
    import io

    with t5.Context():
        buffer = io.BytesIO()
        ir.Module.parse(LEGAL).operation.write_bytecode(buffer)
    for data in (LEGAL.encode(), buffer.getvalue()):
        process = tcgen05("explain", "-", stdin=data)
        assert process.returncode == 0, process.stderr
        assert b"tcgen05.cp cta_group::1.128x128b\n" in process.stdout


# ---- Python ----


def test_explain_in_python() -> None:
    with t5.Context():
        module = ir.Module.parse(TILE)
        (explanation,) = t5.explain(module)
        assert explanation.legal
        assert explanation.change is None
        copy = module.body.operations[0].regions[0].blocks[0].operations[0]
        (alone,) = explain(copy)
    assert alone.as_json() == explanation.as_json()
    with pytest.raises(TypeError, match=r"expected module to be an mlir\.ir\.Module, but got str"):
        explain("module {}")  # type: ignore[arg-type]


def test_ranges() -> None:
    assert ranges([]) == ()
    assert ranges([3]) == ((3, 3),)
    assert ranges([0, 1, 2, 5, 7, 8]) == ((0, 2), (5, 5), (7, 8))


# ---- Terminals ----


def test_colours_only_on_a_terminal(tmp_path: Path) -> None:
    file = written(tmp_path, ILLEGAL)
    plain = tcgen05("explain", file).stdout
    assert b"\x1b" not in plain
    status, shown, _ = on_terminal("explain", file, stream="stdout")
    assert status == 1
    assert b"\x1b[31m" in shown
    _, shown, _ = on_terminal("explain", file, stream="stdout", env={"NO_COLOR": "1"})
    assert shown.replace(b"\r\n", b"\n") == plain


def test_progress_only_on_a_terminal(tmp_path: Path) -> None:
    line = ILLEGAL.splitlines()[4]
    file = written(tmp_path, ILLEGAL.replace(line, "\n".join([line] * 20)))
    plain = tcgen05("explain", file)
    assert plain.stderr == b""
    status, shown, output = on_terminal("explain", file, stream="stderr")
    assert status == 1
    assert b"explaining" in shown
    assert output == plain.stdout
    for quiet in ("-q", "--quiet"):
        _, shown, output = on_terminal("explain", file, quiet, stream="stderr")
        assert (shown, output) == (b"", plain.stdout)
