# RUN: %pytest %s
"""What `--json` prints: documents of one schema, which the package holds, errors included."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mlir_tcgen05 import _json, _schema, cli
from terminal import tcgen05

EXAMPLE = Path(os.environ["TCGEN05_SOURCE_ROOT"]) / "examples" / "copy_128x128b.mlir"
ILLEGAL = """\
!tmem = !tcgen05.tmem<64x4xi32, #tcgen05.layout<[64, 4] : [1@lane, 1@col], replica [2 : 32@lane]>>
!smem = !tcgen05.smem<64x4xi32, #tcgen05.layout<[64, 4] : [4, 1]>>
func.func @copy(%t: !tmem, %s: !smem) {
  tcgen05.cp "cta_group::1.64x128b.warpx2::01_23" %t, %s : !tmem, !smem
  return
}
"""
REFUSED = {
    "severity": "error",
    "rule": "C6",
    "operand": "dst",
    "expected": "dst row 32 in lane 64 for 64x128b.warpx2::01_23",
    "got": "lane 32",
    "message": "'tcgen05.cp' op expected dst row 32 in lane 64 for 64x128b.warpx2::01_23, "
    "but got lane 32",
    "location": {"file": "FILE", "line": 4, "column": 3},
    "notes": [
        {
            "message": "this mapping is 64x128b.warpx2::02_13",
            "location": {"file": "FILE", "line": 4, "column": 3},
        }
    ],
}
VALIDATOR = jsonschema.Draft202012Validator(json.loads(_schema.path().read_text()))


def document(*arguments: str | Path, status: int = 0) -> Any:
    """The document of a command, which is of the schema."""
    process = tcgen05(*arguments, "--json")
    assert process.returncode == status, process.stderr
    value = json.loads(process.stdout)
    VALIDATOR.validate(value)
    assert (value["schema"], value["command"]) == ("tcgen05/1", arguments[0])
    return value


@pytest.fixture
def illegal(tmp_path: Path) -> Path:
    file = tmp_path / "illegal.mlir"
    file.write_text(ILLEGAL)
    return file


def test_schema_of_the_package() -> None:
    """It is what `python -m mlir_tcgen05._schema` prints."""
    VALIDATOR.check_schema(VALIDATOR.schema)
    assert _schema.path().read_text() == _schema.text()


def test_every_command_has_documents() -> None:
    for name, command in cli.main.commands.items():
        options = {option for parameter in command.params for option in parameter.opts}
        assert "--json" in options, name
    assert set(_json.DOCUMENTS) == set(cli.main.commands)


@pytest.mark.parametrize(
    "arguments",
    [
        ["atoms"],
        ["check", EXAMPLE],
        ["compile", EXAMPLE],
        ["decode", "0x4000404000010040"],
        ["decode", "--tmem", "0x00200008"],
        ["encode", "--sdo", "512"],
        ["env"],
        ["explain", EXAMPLE],
        ["explain", "C10"],
        ["plot", EXAMPLE],
        ["plot", "--atoms"],
        ["prove", EXAMPLE],
        ["trace", EXAMPLE, "--entry", "copy", "--arg", "0", "--arg", "0"],
    ],
    ids=lambda arguments: " ".join(map(str, arguments)),
)
def test_documents(arguments: list[str | Path]) -> None:
    assert "errors" not in document(*arguments)


@pytest.mark.parametrize("command", ["check", "compile", "prove", "trace"])
def test_illegal_copy(command: str, illegal: Path) -> None:
    """Named by rule and place, on standard output; the text is on standard error as ever."""
    more = ["--entry", "copy"] if command == "trace" else []
    value = document(command, illegal, *more, status=1)
    text = json.dumps(REFUSED).replace("FILE", str(illegal))
    assert value == {"schema": "tcgen05/1", "command": command, "errors": [json.loads(text)]}
    plain, with_json = (tcgen05(command, illegal, *more, *option) for option in ([], ["--json"]))
    assert plain.stdout == b""
    assert plain.stderr == with_json.stderr != b""


def test_illegal_copy_explained(illegal: Path) -> None:
    (copy,) = document("explain", illegal, status=1)["copies"]
    wanted = json.loads(json.dumps(REFUSED).replace("FILE", str(illegal)))
    assert copy["failure"] == {**wanted, "message": wanted["message"][len("'tcgen05.cp' op ") :]}


def test_findings_leave_standard_error_as_it_is(illegal: Path, tmp_path: Path) -> None:
    """Each command whose own document comes with status 1: the text is where it is without."""
    warned = tmp_path / "warned.mlir"
    warned.write_text(EXAMPLE.read_text().replace("    gpu.barrier\n", "", 1))
    word = hex(5 << 61 | 3 << 46)  # of no swizzle mode, and another constant than 0b001
    commands: list[tuple[list[str | Path], str]] = [
        (["check", warned, "--werror"], ""),
        (["decode", word], "error: "),
        (["explain", illegal], ""),
        (["prove", EXAMPLE, "--unbounded"], ""),
    ]
    for arguments, begins in commands:
        assert "errors" not in document(*arguments, status=1)
        plain, with_json = (tcgen05(*arguments, *option) for option in ([], ["--json"]))
        assert plain.returncode == 1
        assert plain.stderr == with_json.stderr
        assert with_json.stderr.decode().startswith(begins)
        assert bool(begins) == bool(with_json.stderr)
    problems = document("decode", word, status=1)["problems"]
    assert len(problems) == 2
    assert tcgen05("decode", word, "--json").stderr.decode() == (
        f"error: {problems[0]['message']}\n  note: {problems[1]['message']}\n"
    )


@pytest.mark.parametrize(
    ("arguments", "expected", "got"),
    [
        (["check", "no such file"], "no such file to be readable", "no such file or directory"),
        (["explain", "C16"], None, "'C16'"),
        (["encode", "--start", "8"], None, "8"),
        (["atoms", "--chip", "sm_90a"], None, "sm_90a"),
        (["plot", EXAMPLE, "-o", "/no such place/a.svg"], None, "no such file or directory"),
    ],
)
def test_other_refusals(arguments: list[str | Path], expected: str | None, got: str) -> None:
    (error,) = document(*arguments, status=1)["errors"]
    assert (error["rule"], error["got"]) == (None, got)
    if expected:
        assert error["expected"] == expected
    assert error["location"] == {"file": None, "line": 0, "column": 0}


def test_compiled_text_and_bytes(tmp_path: Path) -> None:
    value = document("compile", EXAMPLE, "--chip", "sm_103a")
    result = value["result"]
    assert (value["chip"], result["format"]) == ("sm_103a", "ptx")
    assert result["text"].encode() == tcgen05("compile", EXAMPLE, "--chip", "sm_103a").stdout
    assert result["bytes"] == len(result["text"])
    assert (result["path"], result["base64"]) == (None, None)
    assert [stage["name"] for stage in value["stages"]] == ["parse", "passes"]
    cubin = document("compile", EXAMPLE, "--to", "cubin")["result"]
    assert base64.b64decode(cubin["base64"])[:4] == b"\x7fELF"
    file = tmp_path / "kernel.cubin"
    kept = document("compile", EXAMPLE, "--to", "cubin", "-o", file)["result"]
    assert (kept["path"], kept["text"], kept["base64"]) == (str(file), None, None)
    assert kept["bytes"] == file.stat().st_size == cubin["bytes"]


def test_warnings_of_a_compilation(tmp_path: Path) -> None:
    """The findings of `check`, with its sentences; `--quiet` keeps them off standard error."""
    file = tmp_path / "kernel.mlir"
    file.write_text(EXAMPLE.read_text().replace("    gpu.barrier\n", "", 1))
    (found,) = document("check", file)["findings"]
    assert (found["severity"], found["rule"]) == ("warning", "barrier")
    assert found["got"] == "none"
    assert found["location"]["file"] == found["notes"][0]["location"]["file"] == str(file)
    assert document("compile", file)["findings"] == [found]
    shown, hidden = tcgen05("compile", file), tcgen05("compile", file, "--quiet")
    assert found["message"].encode() in shown.stderr
    assert (hidden.stdout, hidden.stderr) == (shown.stdout, b"")
    assert document("check", file, "--werror", status=1)["findings"] == [found]
    assert tcgen05("check", file, "--werror", "-q").stdout == b""


def test_picture_in_a_document(illegal: Path) -> None:
    value = document("plot", illegal, "--format", "svg")
    assert value["result"]["text"].startswith("<?xml")
    assert [(copy["legal"], copy["location"]["line"]) for copy in value["copies"]] == [(False, 4)]


def test_wrong_usage_is_no_document() -> None:
    process = tcgen05("explain", "--json")
    assert (process.returncode, process.stdout) == (2, b"")
