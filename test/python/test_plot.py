# RUN: %pytest %s
"""Pictures: what is drawn where, read back from the SVG, and the views made of it."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import mlir_tcgen05 as t5
import pytest
from mlir import ir
from mlir_tcgen05._cells import cells, segments
from mlir_tcgen05._copy import Copy
from mlir_tcgen05._draw_atoms import runs
from mlir_tcgen05._explain import Explanation
from mlir_tcgen05._plot import Picture, plot, plot_atoms
from mlir_tcgen05._plot_text import text_lines
from mlir_tcgen05.layout import Layout, atoms
from snippets import ROOT, blocks
from terminal import on_terminal, tcgen05

IMAGES = ROOT / "docs" / "images"
SVG = "{http://www.w3.org/2000/svg}"
RED = "#d4001a"


def copy(opcode: str, dst: str, src: str, **more: object) -> Copy:
    return Copy(f"cta_group::1.{opcode}", Layout.parse(dst), Layout.parse(src), **more)


PLAIN = copy("128x128b", "[128, 4] : [1@lane, 1@col]", "[128, 4] : [4, 1]")
SCATTER = copy(
    "4x256b", "[4, 8] : [32@lane, 1@col]", "[4, 8] : [8, 1], swizzle 32B", align=256, storage=256
)
PAIRED = copy(
    "64x128b.warpx2::01_23",
    "[(2, 32), 4] : [(64@lane, 1@lane), 1@col], replica [2 : 32@lane]",
    "[64, 4] : [4, 1]",
)
SCALES = copy(
    "32x128b.warpx4",
    "[4, 32, 4] : [4@col, 1@lane, 1@col], replica [4 : 32@lane]",
    "[4, 32, 4] : [128, 4, 1]",
)
TILE = copy(
    "128x256b",
    "[16, 128, 8] : [8@col, 1@lane, 1@col]",
    "[(4, 4), 128, 8] : [(4096, 8), 32, 1], swizzle 128B",
    align=1024,
)
WRONG_ROWS = copy("128x128b", "[128, 4] : [1@lane, 1@col]", "[128, 4] : [8, 1]")
WRONG_LANES = copy(
    "64x128b.warpx2::01_23", "[64, 4] : [1@lane, 1@col], replica [2 : 32@lane]", "[64, 4] : [4, 1]"
)
TWICE = copy("128x128b", "[2, 128, 4] : [0@col, 1@lane, 1@col]", "[2, 128, 4] : [512, 4, 1]")
ALL = [PLAIN, SCATTER, PAIRED, SCALES, TILE, WRONG_ROWS, WRONG_LANES, TWICE]


def root(picture: Picture) -> ElementTree.Element:
    element = ElementTree.fromstring(picture.svg)
    assert element.tag == f"{SVG}svg"
    return element


def part(picture: Picture, name: str) -> ElementTree.Element:
    """The group of one memory, `shared` or `tensor`."""
    (group,) = [g for g in root(picture).iter(f"{SVG}g") if g.get("class") == name]
    return group


def texts(element: ElementTree.Element) -> list[tuple[float, float, str, str | None]]:
    """Position, text and anchor of every label."""
    return [
        (float(t.get("x", 0)), float(t.get("y", 0)), "".join(t.itertext()), t.get("text-anchor"))
        for t in element.iter(f"{SVG}text")
    ]


def rows_beside_numbers(group: ElementTree.Element) -> dict[int, list[str]]:
    """For each number at the side, the labels of the cells beside it, from left to right."""
    numbers = [(x, y, int(text)) for x, y, text, anchor in texts(group) if anchor == "end"]
    labels = [(x, y, text) for x, y, text, anchor in texts(group) if anchor == "middle"]
    out = {}
    for x, y, number in numbers:
        right = min((n for n, m, _ in numbers if n > x and abs(m - y) < 1), default=1e9)
        beside = sorted((a, text) for a, b, text in labels if abs(b - y) < 3 and x < a < right)
        out[number] = [text for _, text in beside]
    return out


def marks(picture: Picture) -> set[str]:
    return {
        r.get("class", "")
        for r in root(picture).iter(f"{SVG}rect")
        if r.get("class", "").startswith("mark") and r.get("stroke") == RED
    }


# ---- What is drawn where ----


def test_rows_of_shared_memory() -> None:
    beside = rows_beside_numbers(part(plot(PLAIN), "shared"))
    # Eight rows of 16 bytes to a line of 128.
    assert beside == {128 * line: [str(8 * line + row) for row in range(8)] for line in range(16)}


def test_swizzled_rows_of_shared_memory() -> None:
    beside = rows_beside_numbers(part(plot(TILE, repeats=4), "shared"))
    # The XOR of bits 4-6 with bits 7-9, written out.
    assert beside[0] == ["0:0", "0:0", "1:0", "1:0", "2:0", "2:0", "3:0", "3:0"]
    # Line 4 holds row 4, and there the XOR swaps the halves of the line.
    assert beside[512] == ["2:4", "2:4", "3:4", "3:4", "0:4", "0:4", "1:4", "1:4"]
    # Line 127 holds row 127, and there the XOR turns the line around.
    assert beside[127 * 128] == [f"{r}:127" for r in (3, 3, 2, 2, 1, 1, 0, 0)]


@pytest.mark.parametrize(
    ("what", "row_of"),
    [
        (PLAIN, lambda lane: lane),
        (PAIRED, lambda lane: lane // 64 * 32 + lane % 32),
    ],
)
def test_rows_of_tensor_memory(what: Copy, row_of) -> None:
    """The fourth column of the specification's table, read backwards."""
    beside = rows_beside_numbers(part(plot(what), "tensor"))
    assert beside == {lane: [str(row_of(lane))] for lane in range(128)}


def test_scattered_rows_of_tensor_memory() -> None:
    beside = rows_beside_numbers(part(plot(SCATTER), "tensor"))
    assert beside == {32 * row: [str(row), str(row)] for row in range(4)}


def test_replicas_and_repeats_of_tensor_memory() -> None:
    group = part(plot(SCALES), "tensor")
    beside = rows_beside_numbers(group)
    assert beside == {lane: [f"{r}:{lane % 32}" for r in range(4)] for lane in range(128)}
    above = [text for _, _, text, _ in texts(group) if text.startswith("#")]
    assert set(above) == {"#0", "#1", "#2", "#3"}
    drawn = [p for p in group.iter(f"{SVG}path") if p.get("class") == "cell"]
    by_replica = [sum(p.get("data-replica") == str(r) for p in drawn) for r in range(4)]
    assert by_replica == [4 * 32] * 4
    hatched = [p for p in group.iter(f"{SVG}path") if "url(#replica)" in p.get("fill", "")]
    assert len(hatched) == 3 * 4 * 32


def test_large_copy_has_all_its_cells() -> None:
    picture = plot(TILE)
    for name in ("shared", "tensor"):
        drawn = [p for p in part(picture, name).iter(f"{SVG}path") if p.get("class") == "cell"]
        rows = {(int(p.get("data-repeat", -1)), int(p.get("data-row", -1))) for p in drawn}
        assert rows == {(repeat, row) for repeat in range(16) for row in range(128)}
    above = [text for _, _, text, _ in texts(part(picture, "tensor")) if text.startswith("#")]
    assert above == [f"#{repeat}" for repeat in range(16)]


def test_fewer_repeats() -> None:
    shown = texts(root(plot(TILE, repeats=2)))
    assert any("16 instructions, 2 drawn" in text for _, _, text, _ in shown)
    assert not any(text.startswith("2:") for _, _, text, _ in shown)


@pytest.mark.parametrize("what", ALL, ids=lambda what: what.opcode)
def test_nothing_is_outside_the_picture(what: Copy) -> None:
    picture = plot(what)
    for rect in root(picture).iter(f"{SVG}rect"):
        assert 0 < float(rect.get("width", 0)) <= picture.width
        assert 0 < float(rect.get("height", 0)) <= picture.height
    # The smallest print is legible, and as wide as its cell at the most.
    for text in root(picture).iter(f"{SVG}text"):
        assert float(text.get("font-size", 0)) >= 4.5


# ---- What is wrong ----


def test_legal_copies_have_no_red() -> None:
    for what in (PLAIN, SCATTER, PAIRED, SCALES):
        assert RED not in plot(what).svg


@pytest.mark.parametrize(
    ("what", "rule", "kinds"),
    [
        (WRONG_ROWS, "C10", {"mark got", "mark expected"}),
        (WRONG_LANES, "C6", {"mark got", "mark expected"}),
        (TWICE, "C9", {"mark got"}),
    ],
)
def test_illegal_copies_show_the_point(what: Copy, rule: str, kinds: set[str]) -> None:
    picture = plot(what)
    assert marks(picture) == kinds
    sentence = " ".join(
        "".join(t.itertext())
        for t in root(picture).iter(f"{SVG}text")
        if t.get("class") == "failure"
    )
    assert what.failure is not None
    assert sentence == f"{rule} {what.failure.message}"


def test_point_is_in_the_cell_of_its_byte() -> None:
    group = part(plot(WRONG_ROWS), "shared")
    places = {
        r.get("class"): float(r.get("x", 0))
        for r in group.iter(f"{SVG}rect")
        if r.get("class", "").startswith("mark")
    }
    # Bytes 32 and 16 are banks 8 and 4, and a bank is as wide as the numbers above say.
    banks = {int(text): x for x, y, text, _ in texts(group) if y == -4}
    assert places["mark got"] - places["mark expected"] == banks[8] - banks[4]


def test_cells_that_lie_on_each_other() -> None:
    beside = rows_beside_numbers(part(plot(TWICE), "tensor"))
    assert beside == {lane: [f"0:{lane}+"] for lane in range(128)}


# ---- Atoms ----


def test_card_of_the_atoms() -> None:
    picture = plot_atoms()
    groups = [g for g in root(picture).iter(f"{SVG}g") if g.get("class") == "atom"]
    assert len(groups) == 6
    for group, atom in zip(groups, atoms(), strict=True):
        shown = [text for _, _, text, _ in texts(group)]
        assert shown[0] == str(atom)
        assert any(text.startswith(f"{atom.rows} rows x {atom.words} words") for text in shown)
        cells_of = [r for r in group.iter(f"{SVG}rect") if r.get("class") == "cell"]
        # The source once, and each replica.
        assert len(cells_of) == atom.rows * (1 + atom.replicas)


def test_runs_of_the_atoms() -> None:
    by_name = {str(atom): runs(atom) for atom in atoms()}
    assert by_name["64x128b.warpx2::01_23"] == [
        (0, (0, 31), (0, 31)),
        (0, (32, 63), (64, 95)),
        (1, (0, 31), (32, 63)),
        (1, (32, 63), (96, 127)),
    ]
    assert by_name["64x128b.warpx2::02_13"] == [(0, (0, 63), (0, 63)), (1, (0, 63), (64, 127))]
    assert [lanes for _, _, lanes in by_name["4x256b"]] == [(0, 0), (32, 32), (64, 64), (96, 96)]


# ---- Cells ----


def test_segments() -> None:
    assert segments([]) == []
    assert segments([0, 1, 3, 9, 10]) == [(0, 3), (9, 10)]
    assert segments([0, 2], gap=1) == [(0, 0), (2, 2)]


def test_copy_that_is_too_large_or_too_few_repeats() -> None:
    large = copy("128x128b", "[128, 4] : [1@lane, 1@col]", "[65536, 4] : [4, 1]")
    with pytest.raises(ValueError, match="expected at most 32768 words in a row of repeats"):
        cells(large, 1)
    with pytest.raises(ValueError, match="expected repeats to be positive, but got 0"):
        plot(PLAIN, repeats=0)


# ---- Formats ----


@pytest.mark.parametrize("what", [PLAIN, WRONG_LANES], ids=["legal", "illegal"])
def test_png(what: Copy) -> None:
    picture = plot(what)
    for zoom in (1.0, 2.0):
        data = picture.png(zoom)
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", data[16:24])
        assert abs(width - zoom * picture.width) <= 1
        assert abs(height - zoom * picture.height) <= 1


def test_save(tmp_path: Path) -> None:
    picture = plot(PLAIN)
    picture.save(tmp_path / "a.svg")
    picture.save(str(tmp_path / "a.PNG"))
    assert (tmp_path / "a.svg").read_text() == picture.svg == picture._repr_svg_()
    assert (tmp_path / "a.PNG").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match=r"to end in \.svg or \.png, but got '\.pdf'"):
        picture.save(tmp_path / "a.pdf")


def test_module() -> None:
    text = f"""
      func.func @copies(%d: {PLAIN.dst_type}, %s: {PLAIN.src_type}) {{
        tcgen05.cp "{PLAIN.opcode}" %d, %s : {PLAIN.dst_type}, {PLAIN.src_type}
        tcgen05.cp "{PLAIN.opcode}" %d, %s : {PLAIN.dst_type}, {PLAIN.src_type}
        return
      }}"""
    with t5.Context():
        picture = t5.plot(ir.Module.parse(text))
        groups = [g for g in root(picture).iter(f"{SVG}g") if g.get("class") == "copy"]
        assert len(groups) == 2
        with pytest.raises(ValueError, match=r"expected a tcgen05\.cp to draw, but got none"):
            t5.plot(ir.Module.parse(""))


def test_text_view() -> None:
    lines = [line for _, line in text_lines(Explanation.of(WRONG_LANES), 16)]
    assert "  got: lane 32, column 0" in lines
    assert "  expected: lane 64, column 0" in lines
    lines = [line for _, line in text_lines(Explanation.of(SCALES), 16)]
    tensor = lines[lines.index("  tensor memory, from the view") + 2 :]
    assert [line.split() for line in tensor] == [
        [str(r), str(c), "0-31", f"{32 * c}-{32 * c + 31}", f"{4 * r}-{4 * r + 3}"]
        for r in range(4)
        for c in range(4)
    ]
    scattered = [line for _, line in text_lines(Explanation.of(SCATTER), 16)]
    assert scattered[-1].split() == ["0", "0", "0-3", "0-96", "step", "32", "0-7"]


# ---- Command line ----


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "copy.mlir"
    what = WRONG_ROWS
    path.write_text(
        f"func.func @f(%dst: {what.dst_type}, %src: {what.src_type}) {{ {what.text} return }}"
    )
    return path


def test_plot_command(file: Path, tmp_path: Path) -> None:
    for name in ("out.svg", "out.png"):
        process = tcgen05("plot", file, "-o", tmp_path / name)
        assert (process.returncode, process.stdout, process.stderr) == (0, b"", b"")
    assert ElementTree.parse(tmp_path / "out.svg").getroot().tag == f"{SVG}svg"
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    assert tcgen05("plot", file, "--format", "svg").stdout == (tmp_path / "out.svg").read_bytes()
    assert tcgen05("plot", "--atoms", "--format", "svg").stdout.startswith(b"<?xml")


def test_plot_command_prints_text(file: Path) -> None:
    text = tcgen05("plot", file).stdout.decode()
    assert "rule C10: expected src row 1, word 0 at byte 16, but got 32\n" in text
    assert "\x1b" not in text
    status, shown, _ = on_terminal("plot", file, stream="stdout")
    assert status == 0
    assert b"\x1b[31m" in shown
    assert len(tcgen05("plot", "--atoms").stdout.splitlines()) == 6


def test_plot_command_refuses(file: Path, tmp_path: Path) -> None:
    for arguments in ([], [file, "--atoms"], [file, "--repeats", "0"], [file, "--format", "pdf"]):
        assert tcgen05("plot", *arguments).returncode == 2
    output = tmp_path / "out.pdf"
    process = tcgen05("plot", file, "-o", output)
    assert process.returncode == 1
    assert process.stderr.decode() == (
        f"error: expected {output} to end in .svg or .png, but got '.pdf'\n"
    )
    assert not output.exists()
    status, shown, error = on_terminal("plot", file, "--format", "png", stream="stdout")
    assert (status, shown) == (1, b"")
    assert error.startswith(b"error: expected binary output to go to a file or a pipe")


def test_missing_extra_is_named(file: Path, tmp_path: Path) -> None:
    (tmp_path / "drawsvg.py").write_text("raise ImportError(name='drawsvg')\n")
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    process = subprocess.run(
        [sys.executable, "-m", "mlir_tcgen05", "plot", str(file), "--format", "svg"],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        timeout=120,
        check=False,
    )
    assert process.returncode == 1
    assert process.stderr.decode() == (
        "error: expected drawsvg to be installed, but got none; "
        "install it with: pip install 'mlir-tcgen05[plot]'\n"
    )


# ---- The pictures of the documentation ----


def picture_of(name: str, directory: Path) -> str:
    """What the documentation shows under a name: the atoms, or the first module of a page."""
    arguments = ["--atoms"]
    if name != "atoms":
        page = ROOT / {"smallest": "README.md", "illegal": "docs/rules/C6.md"}[name]
        (directory / "copy.mlir").write_text(
            next(block.text for block in blocks(page) if block.language == "mlir")
        )
        arguments = ["copy.mlir"]
    command = [sys.executable, "-m", "mlir_tcgen05", "plot", *arguments, "-o", "picture.svg"]
    subprocess.run(command, cwd=directory, check=name != "illegal", capture_output=True)
    return (directory / "picture.svg").read_text()


@pytest.mark.parametrize("name", ["atoms", "smallest", "illegal"])
def test_pictures_of_the_documentation(name: str, tmp_path: Path) -> None:
    """They are what is drawn now; TCGEN05_UPDATE=1 draws them anew."""
    path, text = IMAGES / f"{name}.svg", picture_of(name, tmp_path)
    if os.environ.get("TCGEN05_UPDATE"):
        IMAGES.mkdir(exist_ok=True)
        path.write_text(text)
    assert path.read_text() == text
    assert f"images/{name}.svg" in (ROOT / "README.md").read_text()
