# RUN: %pytest %s
"""Broken and hostile surroundings: full disks, bad tools, signals, inputs without end.

What one refused input, output or tool looks like is in test_cli.py and test_compile.py. Here it
is what is left behind, and how much time and memory goes.

TCGEN05_MODULE_COPIES=1000000 and TCGEN05_INPUT_MIB=1024 ask for the large runs.
"""

from __future__ import annotations

import ast
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import mlir_tcgen05
import pytest
from mlir_tcgen05._tools import tool_environment, tool_path

ROOT = Path(os.environ.get("TCGEN05_SOURCE_ROOT", Path(__file__).parents[2]))
EXAMPLE = ROOT / "examples" / "copy_128x128b.mlir"
COMMAND = [sys.executable, "-m", "mlir_tcgen05"]
COPIES = int(os.environ.get("TCGEN05_MODULE_COPIES", "100000"))
INPUT_MIB = int(os.environ.get("TCGEN05_INPUT_MIB", "300"))


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """The directory for temporary files of the commands."""
    path = tmp_path / "scratch"
    path.mkdir()
    return path


def fake_ptxas(directory: Path, body: str) -> dict[str, str]:
    """An environment in which ptxas is this Python code; `log` is a file that it may write."""
    tools = directory / "tools"
    (tools / "nvidia").mkdir(parents=True)
    (tools / "nvidia" / "__init__.py").touch()  # hides the wheels' tools
    head = f"#!{sys.executable}\nimport os, pathlib, signal, subprocess, sys, time\n"
    head += f"log = pathlib.Path({str(directory / 'log')!r})\n"
    (tools / "ptxas").write_text(head + textwrap.dedent(body))
    (tools / "ptxas").chmod(0o755)
    paths = [str(tools), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {"PYTHONPATH": os.pathsep.join(paths), "PATH": str(tools)}


def run(
    *arguments: str | Path, stdin: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[str]:
    process = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        timeout=300,
        check=False,
        env={**os.environ, **environment},
    )
    output, errors = (text.decode(errors="replace") for text in (process.stdout, process.stderr))
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def refused(process: subprocess.CompletedProcess[str]) -> str:
    """The error of a process that refused, without `error: `."""
    assert process.returncode == 1, process.stderr
    assert process.stdout == ""
    assert process.stderr.startswith("error: ")
    assert "Traceback" not in process.stderr
    return process.stderr.removeprefix("error: ").rstrip("\n")


# Outputs.


def test_directory_that_takes_no_files(tmp_path: Path) -> None:
    directory = Path("/sys/kernel")  # where root may not write either
    if os.geteuid() != 0:
        directory = tmp_path
        directory.chmod(0o555)
    message = refused(run("compile", EXAMPLE, "-o", directory / "copy.ptx"))
    assert re.fullmatch(
        rf"expected {directory}/copy.ptx to be writable, but got: "
        r"(permission denied|operation not permitted|read-only file system)",
        message,
    )


def limited(size: int, *arguments: str | Path, tmp: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command that cannot write more than `size` bytes into one file, as on a full disk."""
    code = "import resource, runpy, sys; sys.argv[0] = 'tcgen05'; "
    code += f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size})); "
    code += "runpy.run_module('mlir_tcgen05', run_name='__main__', alter_sys=True)"
    process = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "TMPDIR": str(tmp), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return process


def test_full_disk_leaves_the_output_as_it_was(tmp_path: Path, scratch: Path) -> None:
    output = tmp_path / "copy.ptx"
    for old in (None, "old"):
        if old:
            output.write_text(old)
        message = refused(limited(1000, "compile", EXAMPLE, "-o", output, tmp=scratch))
        assert message == f"expected {output} to be writable, but got: file too large"
        assert {p.name for p in tmp_path.iterdir()} == {"scratch", *(["copy.ptx"] * bool(old))}
    assert output.read_text() == "old"
    assert limited(10_000, "compile", EXAMPLE, "-o", output, tmp=scratch).returncode == 0


def test_full_directory_for_temporary_files(tmp_path: Path, scratch: Path) -> None:
    arguments = ("compile", EXAMPLE, "--to", "llvm", "-o", tmp_path / "copy.ll")
    message = refused(limited(100, *arguments, tmp=scratch))
    assert message.startswith("expected room for temporary files, but got: ")
    assert list(scratch.iterdir()) == []
    assert not (tmp_path / "copy.ll").exists()


def test_names_with_blanks_and_quotes(tmp_path: Path, scratch: Path) -> None:
    directory = tmp_path / "a b'c\"d;$(touch x)"
    directory.mkdir()
    source, output = directory / "co py.mlir", directory / "-o ut.ll"
    source.write_bytes(EXAMPLE.read_bytes())
    blank = scratch / "t m p"
    blank.mkdir()
    process = run("compile", source, "--to", "llvm", "-o", output, TMPDIR=str(blank))
    assert (process.returncode, process.stderr) == (0, "")
    assert "tcgen05.cp" in output.read_text()
    assert sorted(p.name for p in directory.iterdir()) == ["-o ut.ll", "co py.mlir"]


# Tools.


def test_ptxas_that_hangs_is_ended_with_its_children(tmp_path: Path, scratch: Path) -> None:
    environment = fake_ptxas(
        tmp_path,
        """
        child = subprocess.Popen(["/bin/sleep", "600"])
        log.write_text(f"{os.getpid()} {child.pid}")
        time.sleep(600)
        """,
    )
    output = tmp_path / "copy.cubin"
    arguments = ("compile", EXAMPLE, "--to", "cubin", "-o", output, "--timeout", "20")
    message = refused(run(*arguments, TMPDIR=str(scratch), **environment))
    assert message == "expected ptxas to finish within 20 seconds, but got no result"
    assert list(scratch.iterdir()) == []
    assert not output.exists()
    for pid in map(int, (tmp_path / "log").read_text().split()):
        wait_for(lambda pid=pid: not alive(pid))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("sys.exit('no\\x1b[31m such \\xff chip')", r"but got exit status 1: no.* such .* chip"),
        (
            # AddressSanitizer, where it is loaded, would handle the signal.
            "signal.signal(11, signal.SIG_DFL); os.kill(os.getpid(), 11)",
            r"expected ptxas to succeed, but got signal 11",
        ),
        ("pass", r"expected ptxas to write a cubin, but got nothing"),
        (
            "pathlib.Path(sys.argv[-1]).write_bytes(b'garbage')",
            r"expected ptxas to write a cubin, but got 7 bytes of something else",
        ),
        (
            "sys.stderr.write('x' * 10**7); sys.exit(2)",
            r"but got exit status 2: x{10000} \.\.\. \(10000000 characters\)",
        ),
    ],
    ids=["fails", "crashes", "writes-nothing", "writes-garbage", "talks-without-end"],
)
def test_ptxas_that_does_not_work(tmp_path: Path, scratch: Path, body: str, expected: str) -> None:
    output = tmp_path / "copy.cubin"
    output.write_text("old")
    environment = fake_ptxas(tmp_path, body)
    arguments = ("compile", EXAMPLE, "--to", "cubin", "-o", output)
    message = refused(run(*arguments, TMPDIR=str(scratch), **environment))
    assert re.search(expected, message, re.DOTALL)
    assert output.read_text() == "old"
    assert list(scratch.iterdir()) == []


def test_temporary_files_are_private(tmp_path: Path, scratch: Path) -> None:
    body = """
    directory = pathlib.Path(sys.argv[-1]).parent
    log.write_text(f"{directory} {directory.stat().st_mode & 0o777:o}")
    """
    environment = fake_ptxas(tmp_path, body)
    run("compile", EXAMPLE, "--to", "cubin", "-o", "x", TMPDIR=str(scratch), **environment)
    directory, mode = (tmp_path / "log").read_text().split()
    assert Path(directory).parent == scratch
    assert mode == "700"


def test_no_shell_is_given_anything() -> None:
    package = Path(next(iter(mlir_tcgen05.__path__)))
    files = sorted(package.rglob("*.py"))
    assert len(files) > 20
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.keyword):
                assert node.arg != "shell", file
            if isinstance(node, ast.Attribute):
                assert node.attr not in ("system", "popen", "getoutput", "getstatusoutput"), file
    for file in [*ROOT.glob("lib/**/*.cpp"), *ROOT.glob("tools/**/*.cpp")]:
        assert not re.search(r"\b(system|popen|exec[lv]p?e?)\s*\(", file.read_text()), file


# Signals.


def alive(pid: int) -> bool:
    """True if a process runs; one that nobody has waited for does not."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def as_from_a_terminal() -> None:
    """What a shell does for a command in the foreground: in the background INT is ignored."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def wait_for(condition) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_while_a_tool_runs(tmp_path: Path, scratch: Path, number: int) -> None:
    body = "log.write_text(str(os.getpid()))\ntime.sleep(600)\n"
    environment = {**os.environ, **fake_ptxas(tmp_path, body), "TMPDIR": str(scratch)}
    log, output = tmp_path / "log", tmp_path / "copy.cubin"
    output.write_text("old")
    process = subprocess.Popen(
        [*COMMAND, "compile", EXAMPLE, "--to", "cubin", "-o", output],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=as_from_a_terminal,
    )
    wait_for(lambda: log.exists() and log.read_text())
    assert [len(list(path.iterdir())) for path in scratch.iterdir()] == [1]
    process.send_signal(number)
    result = process.communicate(timeout=120)
    # What a shell shows as 128 + number, 130 for an interrupt.
    assert (process.returncode, *result) == (-number, b"", b"")
    assert list(scratch.iterdir()) == []
    assert output.read_text() == "old"
    wait_for(lambda: not alive(int(log.read_text())))


def test_interrupted_while_mlir_works(tmp_path: Path, scratch: Path) -> None:
    source = tmp_path / "copies.mlir"
    source.write_text(kernels(50_000))
    output = tmp_path / "copies.ptx"
    process = subprocess.Popen(
        [*COMMAND, "compile", source, "--quiet", "-o", output],
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=as_from_a_terminal,
    )
    wait_for(lambda: cpu_seconds(process.pid) > 1.0)  # of about seven
    before = cpu_seconds(process.pid)
    process.send_signal(signal.SIGINT)
    result = process.communicate(timeout=120)
    assert (process.returncode, *result) == (-signal.SIGINT, b"", b"")
    assert before < 3.0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["copies.mlir", "scratch"]
    assert list(scratch.iterdir()) == []


def cpu_seconds(pid: int) -> float:
    """Time of the processor that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_signal_that_was_ignored_stays_ignored(tmp_path: Path) -> None:
    body = "log.write_text('x')\ntime.sleep(2)\nsys.exit('end')\n"
    process = subprocess.Popen(
        ["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh", *COMMAND, "compile", EXAMPLE,
         "--to", "cubin", "-o", tmp_path / "copy.cubin"],
        env={**os.environ, **fake_ptxas(tmp_path, body)},
        stderr=subprocess.PIPE,
    )  # fmt: skip
    wait_for(lambda: (tmp_path / "log").exists())
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert errors.decode().endswith("but got exit status 1: end\n")


# Inputs.


def measured(
    command: list[str | Path], environment: dict[str, str] | None = None
) -> tuple[int, bytes, float, int]:
    """Exit status, errors, seconds of the processor and MiB of memory of a command."""
    code = (
        "import resource, subprocess, sys\n"
        "p = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)\n"
        "u = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(p.returncode, u.ru_utime + u.ru_stime, u.ru_maxrss >> 10)\n"
        "sys.stderr.buffer.write(p.stderr)\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, *map(str, command)],
        capture_output=True,
        check=True,
        env=environment or dict(os.environ),
    )
    status, seconds, memory = process.stdout.split()
    return int(status), process.stderr, float(seconds), int(memory)


@pytest.mark.parametrize("place", ["file", "pipe", "device"])
def test_input_that_is_too_large(tmp_path: Path, place: str) -> None:
    file = tmp_path / "large.mlir"
    with file.open("wb") as sparse:
        sparse.truncate(INPUT_MIB << 20)
    name, command = str(file), [*COMMAND, "compile", file]
    if place == "pipe":
        piped = ["/bin/sh", "-c", 'cat "$0" | "$@"', file]
        name, command = "<stdin>", [*piped, *COMMAND, "compile", "-"]
    elif place == "device":
        name, command = "/dev/zero", [*COMMAND, "compile", "/dev/zero"]
    status, errors, seconds, memory = measured(command)
    assert status == 1
    assert errors.decode() == f"error: expected {name} to hold at most 256 MiB, but got more\n"
    assert memory < (100 if place == "file" else 700)
    print(f"{INPUT_MIB} MiB, {place}: {seconds:.2f} s, {memory} MiB")


@pytest.mark.parametrize(
    "text",
    [
        "module {" * 100_000,
        "module attributes {a.b = " + "[" * 100_000 + "]" * 100_000 + "} {}",
        "func.func private @f(" + "tuple<" * 100_000 + "i32" + ">" * 100_000 + ")",
        "// " + "x" * 1000 + "\n" + "(" * 501,
    ],
    ids=["operations", "attributes", "types", "least"],
)
def test_input_that_is_too_deep(text: str) -> None:
    message = refused(run("compile", "-", stdin=text.encode()))
    assert re.fullmatch(
        r"<stdin>:\d+:\d+: expected at most 500 brackets to be open, but got 501", message
    )


@pytest.mark.parametrize("levels", [5_000, 10_000])
def test_tool_reads_what_is_deep(tmp_path: Path, levels: int) -> None:
    """`mlir-opt` ends by a signal at 5,000 nested modules; ours read and print them."""
    source = tmp_path / "deep.mlir"
    source.write_text("module {" * levels + "}" * levels)
    command = [tool_path("tcgen05-opt"), source, "-mlir-print-op-generic"]
    process = subprocess.run(command, capture_output=True, env=tool_environment(), check=False)
    assert process.returncode == 0, process.stderr[-1000:]
    assert process.stdout.count(b"builtin.module") == levels


def test_what_is_deep_only_in_looks() -> None:
    text = "module {" * 400 + "}" * 400 + '\n"x.y"() {s = "' + "(" * 1000 + '"} : () -> ()\n'
    text += "// " + "[" * 1000 + "\nfunc.func private @f(" + "(i32) -> (i32), " * 600 + "i32)"
    process = run("compile", "-", stdin=text.replace('"x.y"', '"builtin.module"').encode())
    assert "brackets" not in process.stderr


def kernels(copies: int, each: int = 100) -> str:
    """A gpu.module with this many copies, `each` in a function."""
    body = '    tcgen05.cp "cta_group::1.128x128b" %t, %s : !t, !s\n' * each
    functions = [
        f"  func.func @f{number}(%a: i32, %p: !llvm.ptr<3>) {{\n"
        "    %t = tcgen05.tmem_view %a : !t\n"
        f"    %s = tcgen05.smem_view %p : !llvm.ptr<3> -> !s\n{body}    return\n  }}\n"
        for number in range(copies // each)
    ]
    return (
        "!t = !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>\n"
        "!s = !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>\n"
        f"gpu.module @k {{\n{''.join(functions)}}}\n"
    )


LOWER = """
import sys, time
from pathlib import Path
import mlir_tcgen05
from mlir import ir
from mlir.passmanager import PassManager

def seconds(work):
    before = time.process_time()
    kept = work()
    return time.process_time() - before, kept

with mlir_tcgen05.Context():
    passes = PassManager.parse("builtin.module(convert-tcgen05-to-nvvm)")
    for path in sys.argv[1:]:
        text = Path(path).read_text()
        parsing, module = seconds(lambda: ir.Module.parse(text))
        lowering, _ = seconds(lambda: passes.run(module.operation))
        copying, copy = seconds(lambda: module.operation.clone(ip=False))
        checking, _ = seconds(copy.verify)
        print(parsing + lowering, copying + checking)
"""
"""Prints for each module the seconds of the processor to read, verify and lower it, and those that
upstream takes to copy and verify the result."""


@pytest.mark.parametrize("each", [100, COPIES], ids=["many-functions", "one-function"])
def test_time_of_many_copies_is_linear(tmp_path: Path, each: int) -> None:
    """Reading, verifying and lowering tenfold copies: as much longer as walking over the result.

    The number of instructions grows tenfold to a thousandth (by callgrind, see `bench/NOTES.md`).
    The time grows by 10 to 12 times, beside other processes by up to 20: the small module fits in a
    cache, the large one does not. That holds for all work on so many operations, so what upstream
    takes to copy and verify the lowered module is the measure, in turn and in the same process.
    """
    paths = [tmp_path / f"{copies}.mlir" for copies in (COPIES // 10, COPIES)]
    for path in paths:
        copies = int(path.stem)
        path.write_text(kernels(copies, min(each, copies)))
    command = [sys.executable, "-c", LOWER, *map(str, paths * 5)]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [[float(word) for word in line.split()] for line in process.stdout.splitlines()]
    (few, few_walked), (many, many_walked) = (
        [min(column) for column in zip(*lines[i::2], strict=True)] for i in (0, 1)
    )
    print(f"{each} a function, {COPIES // 10} to {COPIES} copies: {few:.3f} to {many:.3f} s, ")
    print(f"copied and verified: {few_walked:.3f} to {many_walked:.3f} s")
    assert many / few < 1.3 * (many_walked / few_walked)
    # Per copy: 9 microseconds on the machine where this was written.
    assert many < COPIES * 90e-6


@pytest.mark.parametrize("each", [100, COPIES], ids=["many-functions", "one-function"])
def test_memory_of_many_copies_is_linear(tmp_path: Path, each: int) -> None:
    """The whole tool, tenfold copies: at most elevenfold memory.

    Its time is that of the test above and of upstream's printer, whose table of names of values is
    what grows by more than tenfold here.
    """
    costs = []
    for copies in (COPIES // 10, COPIES):
        source = tmp_path / f"{copies}.mlir"
        source.write_text(kernels(copies, min(each, copies)))
        command = [tool_path("tcgen05-opt"), source, "-convert-tcgen05-to-nvvm"]
        status, errors, seconds, memory = measured(command, tool_environment())
        assert status == 0, errors
        print(f"{copies} copies, {each} a function: {seconds:.2f} s, {memory} MiB")
        costs.append((seconds, memory))
    (_, few_memory), (seconds, memory) = costs
    assert memory < 11 * few_memory
    # Per copy: 30 microseconds and 1.5 KiB on the machine where this was written.
    assert seconds < COPIES * 300e-6 + 2
    assert memory < COPIES * 4 / 1024 + 400


def test_compilation_of_many_copies_is_linear(tmp_path: Path) -> None:
    """The same down to PTX, through all of LLVM; its machine code is longer than the source."""
    costs = []
    for copies in (COPIES // 100, COPIES // 10):
        source = tmp_path / f"{copies}.mlir"
        source.write_text(kernels(copies))
        arguments = ["compile", source, "--quiet", "-o", tmp_path / "out.ptx"]
        status, errors, seconds, memory = measured([*COMMAND, *arguments])
        assert status == 0, errors
        assert (tmp_path / "out.ptx").read_text().count("tcgen05.cp.") == copies
        print(f"{copies} copies to PTX: {seconds:.2f} s, {memory} MiB")
        costs.append((seconds, memory))
    assert costs[1][0] < 11 * costs[0][0]
    assert costs[1][1] < 11 * costs[0][1]
