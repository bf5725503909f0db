# RUN: %pytest %s
"""What only a terminal gets, colours and progress, and what `--quiet` keeps away."""

from __future__ import annotations

from pathlib import Path

import pytest
from terminal import on_terminal, tcgen05

TYPES = """\
!tmem = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>
!smem = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
"""
COPIES = (
    TYPES
    + """\
func.func @copies(%a: i32, %p: !llvm.ptr<3>) {
  %t = tcgen05.tmem_view %a : !tmem
  %s = tcgen05.smem_view %p : !llvm.ptr<3> -> !smem
"""
    + '  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem\n' * 12
    + "  return\n}\n"
)
ESCAPE = b"\x1b["
LABELS = {"explain": b"explaining", "plot": b"drawing", "prove": b"proving"}


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    file = tmp_path / "copies.mlir"
    file.write_text(COPIES)
    return file


@pytest.mark.parametrize("command", sorted(LABELS))
def test_progress_is_for_terminals(command: str, copies: Path) -> None:
    piped = tcgen05(command, copies)
    assert (piped.returncode, piped.stderr) == (0, b"")
    status, shown, output = on_terminal(command, copies, stream="stderr")
    assert (status, output) == (0, piped.stdout)
    assert LABELS[command] in shown
    assert b"100%" in shown
    for quiet in ("-q", "--quiet"):
        status, shown, output = on_terminal(command, copies, quiet, stream="stderr")
        assert (status, shown, output) == (0, b"", piped.stdout)


@pytest.mark.parametrize("command", ["explain", "plot"])
def test_colours_are_for_terminals(command: str, copies: Path) -> None:
    piped = tcgen05(command, copies)
    assert ESCAPE not in piped.stdout
    _, shown, _ = on_terminal(command, copies, stream="stdout")
    assert ESCAPE in shown
    # https://no-color.org: any value but none; a terminal that cannot gets none either.
    for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        _, shown, _ = on_terminal(command, copies, stream="stdout", env=plain)
        assert shown.replace(b"\r\n", b"\n") == piped.stdout
    _, shown, _ = on_terminal(command, copies, stream="stdout", env={"NO_COLOR": ""})
    assert ESCAPE in shown


@pytest.mark.parametrize("command", ["explain", "plot"])
def test_documents_and_files_have_no_colours(command: str, copies: Path, tmp_path: Path) -> None:
    _, shown, _ = on_terminal(command, copies, "--json", stream="stdout")
    assert ESCAPE not in shown
    assert shown.replace(b"\r\n", b"\n") == tcgen05(command, copies, "--json").stdout
    if command == "plot":
        file = tmp_path / "picture.txt"
        on_terminal(command, copies, "-o", file, stream="stdout")
        assert file.read_bytes() == tcgen05(command, copies).stdout


def test_refusals_have_no_colours(tmp_path: Path) -> None:
    status, shown, output = on_terminal("compile", tmp_path / "missing.mlir", stream="stderr")
    assert (status, output) == (1, b"")
    assert shown.startswith(b"error: expected ")
    assert ESCAPE not in shown


def test_one_copy_shows_no_progress(tmp_path: Path) -> None:
    file = tmp_path / "one.mlir"
    line = '  tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem\n'
    file.write_text(COPIES.replace(line * 12, line))
    _, shown, _ = on_terminal("explain", file, stream="stderr")
    assert shown == b""
