# RUN: %pytest %s
"""What `tcgen05 compile --dump DIR --timing` leaves behind and says."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import pytest

EXAMPLE = pathlib.Path(os.environ["TCGEN05_SOURCE_ROOT"]) / "examples" / "copy_128x128b.mlir"


def compile_example(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mlir_tcgen05", "compile", EXAMPLE, *arguments]
    return subprocess.run(map(str, command), capture_output=True, text=True, timeout=120)


def test_dump_holds_every_stage(tmp_path: pathlib.Path) -> None:
    dump, cubin = tmp_path / "a b" / "dump", tmp_path / "kernel.cubin"
    run = compile_example("--to", "cubin", "-o", cubin, "--dump", dump)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    # Each file holds the instruction in the words of its stage.
    for name, word in {
        "kernel.ll": "asm sideeffect",
        "kernel.ptx": "tcgen05.cp.cta_group::1.128x128b",
        "kernel.sass": "UTCCP",
    }.items():
        assert (dump / name).read_text().count(word) >= 1, name
    assert (dump / "kernel.cubin").read_bytes() == cubin.read_bytes()
    passes = {path.name.partition("_")[2]: path for path in (dump / "passes").rglob("*.mlir")}
    (lowered,) = [path for name, path in passes.items() if name.startswith("convert-tcgen05")]
    assert "nvvm.inline_ptx" in lowered.read_text()
    assert "tcgen05.smem_view" not in lowered.read_text()


def test_dump_ends_where_the_compilation_ends(tmp_path: pathlib.Path) -> None:
    assert compile_example("--to", "ptx", "--dump", tmp_path).returncode == 0
    kept = {path.name for path in tmp_path.iterdir()}
    assert kept == {"kernel.ll", "kernel.ptx", "passes"}


def test_timing_names_each_stage_once_and_adds_up() -> None:
    run = compile_example("--to", "sass", "--timing")
    assert run.returncode == 0
    rows = re.findall(r"^(\w+) +([0-9.]+) ms +([0-9.]+)%$", run.stderr, re.MULTILINE)
    assert [name for name, _, _ in rows] == ["parse", "passes", "ptxas", "nvdisasm", "total"]
    times = [float(time) for _, time, _ in rows]
    assert sum(times[:-1]) == pytest.approx(times[-1], abs=0.05)


def test_no_timing_unless_asked_for() -> None:
    assert compile_example("--to", "ptx").stderr == ""


def test_directory_that_cannot_be_made(tmp_path: pathlib.Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    run = compile_example("--dump", in_the_way)
    assert run.returncode == 1
    assert run.stderr == f"error: expected {in_the_way} to be writable, but got: File exists\n"


def test_ptx_version_is_overridable() -> None:
    run = compile_example("--features", "+ptx90")
    assert run.returncode == 0
    assert ".version 9.0\n" in run.stdout
    refused = compile_example("--features", "ptx90; rm")
    assert refused.returncode == 1
    assert refused.stderr == (
        "error: expected features to be a list such as +ptx90, but got 'ptx90; rm'\n"
    )


def test_warnings_are_shown_and_may_be_turned_off(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "no fence.mlir"
    lines = EXAMPLE.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if "nvvm.fence.proxy" not in line))
    command = [sys.executable, "-m", "mlir_tcgen05", "compile", str(path), "-o", os.devnull]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert shown.returncode == 0
    warning, note = shown.stderr.splitlines()
    assert re.fullmatch(rf"{re.escape(str(path))}:\d+:\d+: warning: .*\[proxy-fence\]", warning)
    assert re.fullmatch(rf"{re.escape(str(path))}:\d+:\d+: note: stored here", note)
    quiet = subprocess.run(
        [*command, "--no-check", "--dump", str(tmp_path)], capture_output=True, text=True
    )
    assert (quiet.returncode, quiet.stderr) == (0, "")
