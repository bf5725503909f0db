# RUN: %pytest %s
"""From a fault to a small file that shows it: reproducers, `tcgen05-reduce`, crash reports."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from mlir_tcgen05._tools import tool_environment, tool_path

# Three functions; one copy among them has a predicate, which emit=nvvm-op refuses.
COPY = """
  func.func @{name}(%a: i32, %p: !llvm.ptr<3>, %c: i1) {{
    %t = tcgen05.tmem_view %a : !tmem
    %s = tcgen05.smem_view %p : !llvm.ptr<3> -> !smem
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    {copy}
    tcgen05.cp "cta_group::1.128x128b" %t, %s : !tmem, !smem
    return
  }}"""
PREDICATED = 'tcgen05.cp "cta_group::1.128x128b" %t, %s, pred %c : !tmem, !smem'
MODULE = "\n".join(
    [
        "!tmem = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>",
        "!smem = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>",
        "module {" + COPY.format(name="before", copy=""),
        COPY.format(name="fault", copy=PREDICATED),
        COPY.format(name="after", copy="") + "\n}\n",
    ]
)
PASS = "-convert-tcgen05-to-nvvm=emit=nvvm-op"


# The console scripts of an installation.
SCRIPTS = {"tcgen05-opt": "opt", "tcgen05-reduce": "reduce"}


def run(tool: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    script = f"from mlir_tcgen05._tools import {SCRIPTS[tool]}; {SCRIPTS[tool]}()"
    return subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_reproducer_shows_the_fault_again(tmp_path: Path) -> None:
    source, reproducer = tmp_path / "kernel.mlir", tmp_path / "reproducer.mlir"
    source.write_text(MODULE)
    option = f"-mlir-pass-pipeline-crash-reproducer={reproducer}"
    first = run("tcgen05-opt", source, PASS, option)
    assert first.returncode == 1
    assert "pred" in first.stderr
    assert "emit=nvvm-op" in reproducer.read_text()
    again = run("tcgen05-opt", reproducer, "-run-reproducer")
    assert again.returncode == 1
    assert message(again) == message(first)


def message(process: subprocess.CompletedProcess[str]) -> str:
    """The first error without its place."""
    line = next(line for line in process.stderr.splitlines() if "error: " in line)
    return line.partition("error: ")[2]


def test_module_is_reduced_to_the_copy_that_shows_the_fault(tmp_path: Path) -> None:
    source, script = tmp_path / "kernel.mlir", tmp_path / "shows_fault"
    small = tmp_path / "small.mlir"
    source.write_text(MODULE)
    # A tester ends with status 1 for a file that still shows the fault.
    script.write_text(
        f"#!{sys.executable}\n"
        "import subprocess, sys\n"
        f"command = [{str(tool_path('tcgen05-opt'))!r}, sys.argv[-1], {PASS!r}]\n"
        "process = subprocess.run(command, capture_output=True, text=True)\n"
        "sys.exit('expected no pred' in process.stderr)\n"
    )
    script.chmod(0o755)
    process = run(
        "tcgen05-reduce", source, f"-reduction-tree=traversal-mode=0 test={script}", "-o", small
    )
    assert process.returncode == 0, process.stderr
    text = small.read_text()
    assert text.count("tcgen05.cp ") == 1, text
    assert text.count("func.func") == 1, text
    assert "@fault" in text
    assert "pred %" in text


@pytest.mark.parametrize("tool", ["tcgen05-opt", "tcgen05-reduce"])
def test_crash_says_how_to_report_it(tool: str, tmp_path: Path) -> None:
    source = tmp_path / "kernel.mlir"
    os.mkfifo(source)
    # AddressSanitizer, where it is there, would handle the signal once more and end with a status.
    sanitizer = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":handle_segv=0"}
    with subprocess.Popen(
        [tool_path(tool), source],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**tool_environment(), **sanitizer, "LLVM_DISABLE_SYMBOLIZATION": "1"},
    ) as process:
        # Once the tool waits for its input, its handlers are there.
        writer = wait_for_reader(source)
        process.send_signal(signal.SIGSEGV)
        assert process.stderr is not None
        text = process.stderr.read().decode()
        os.close(writer)
    assert process.returncode == -signal.SIGSEGV
    assert "This is a fault of the compiler, not of its input" in text
    assert "-mlir-pass-pipeline-crash-reproducer=" in text
    assert "tcgen05-reduce" in text
    assert "github.com/llvm" not in text


def wait_for_reader(pipe: Path) -> int:
    """Opens a named pipe for writing as soon as somebody reads it."""
    deadline = time.monotonic() + 120
    while True:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # no reader yet
            assert time.monotonic() < deadline
            time.sleep(0.05)
