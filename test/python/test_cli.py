# RUN: %pytest %s
"""The command line `tcgen05`, as a process: outputs, refusals, exit status."""

from __future__ import annotations

import io
import os
import pty
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("TCGEN05_SOURCE_ROOT", Path(__file__).parents[2]))
EXAMPLE = ROOT / "examples" / "copy_128x128b.mlir"
TOOLS = ("tcgen05-opt", "tcgen05-lsp-server", "tcgen05-reduce")


def tcgen05(
    *arguments: str | Path, stdin: bytes = b"", env: dict[str, str] | None = None, **options
) -> subprocess.CompletedProcess[bytes]:
    """Runs the command line; standard output and error are captured as bytes."""
    return subprocess.run(
        [sys.executable, "-m", "mlir_tcgen05", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        timeout=120,
        check=False,
        env={**os.environ, **(env or {})},
        **options,
    )


def refused(process: subprocess.CompletedProcess[bytes]) -> str:
    """The one error of a process that refused its input."""
    text = process.stderr.decode()
    assert process.returncode == 1, text
    assert process.stdout == b""
    assert text.count("error: ") == 1, text
    assert text.startswith("error: ")
    assert "Traceback" not in text
    assert "Assertion" not in text
    return text.removeprefix("error: ").rstrip("\n")


def test_compile_to_standard_output() -> None:
    process = tcgen05("compile", EXAMPLE)
    assert process.returncode == 0, process.stderr
    assert process.stdout.count(b"tcgen05.cp.cta_group::1.128x128b") == 1
    assert process.stderr == b""


def test_compile_from_standard_input() -> None:
    process = tcgen05("compile", "-", "--to", "ptx", stdin=EXAMPLE.read_bytes())
    assert process.returncode == 0, process.stderr
    assert process.stdout == tcgen05("compile", EXAMPLE).stdout


def test_compile_bytecode(tmp_path: Path) -> None:
    import mlir_tcgen05 as t5
    from mlir import ir

    with t5.Context():
        buffer = io.BytesIO()
        ir.Module.parse(EXAMPLE.read_text()).operation.write_bytecode(buffer)
    file = tmp_path / "kernel.mlirbc"
    file.write_bytes(buffer.getvalue())
    process = tcgen05("compile", file)
    assert process.returncode == 0, process.stderr
    assert process.stdout == tcgen05("compile", EXAMPLE).stdout
    file.write_bytes(buffer.getvalue()[:100])
    refused(tcgen05("compile", file))


def test_output_file_is_complete_and_alone(tmp_path: Path) -> None:
    output = tmp_path / "copy.ptx"
    output.write_text("old")
    output.chmod(0o640)
    process = tcgen05("compile", EXAMPLE, "-o", output)
    assert (process.returncode, process.stdout, process.stderr) == (0, b"", b"")
    assert output.read_bytes() == tcgen05("compile", EXAMPLE).stdout
    assert [p.name for p in tmp_path.iterdir()] == ["copy.ptx"]
    assert stat.S_IMODE(output.stat().st_mode) == 0o640


def test_output_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    target = tmp_path / "target"
    link = tmp_path / "link"
    link.symlink_to(target)
    assert tcgen05("compile", EXAMPLE, "-o", link).returncode == 0
    assert link.is_symlink()
    assert target.read_bytes().count(b"tcgen05.cp.") == 1


def test_output_that_cannot_be_written(tmp_path: Path) -> None:
    output = tmp_path / "absent" / "copy.ptx"
    message = refused(tcgen05("compile", EXAMPLE, "-o", output))
    assert message == f"expected {output} to be writable, but got: no such file or directory"
    message = refused(tcgen05("compile", EXAMPLE, "-o", tmp_path))
    assert message == f"expected {tmp_path} to be writable, but got: is a directory"
    assert list(tmp_path.iterdir()) == []


def test_full_device() -> None:
    message = refused(tcgen05("compile", EXAMPLE, "-o", "/dev/full"))
    assert message == "expected /dev/full to be writable, but got: no space left on device"
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_refused_input_leaves_the_output_alone(tmp_path: Path) -> None:
    output = tmp_path / "copy.ptx"
    output.write_text("old")
    refused(tcgen05("compile", "-", "-o", output, stdin=b"hello"))
    assert output.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["copy.ptx"]


def test_input_that_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "absent.mlir"
    message = refused(tcgen05("compile", file))
    assert message == f"expected {file} to be readable, but got: no such file or directory"
    message = refused(tcgen05("compile", tmp_path))
    assert message == f"expected {tmp_path} to be readable, but got: is a directory"


def test_input_that_is_not_text(tmp_path: Path) -> None:
    file = tmp_path / "kernel.mlir"
    file.write_bytes(b"// \xff\n")
    assert refused(tcgen05("compile", file)) == (
        f"expected {file} to be UTF-8 text or MLIR bytecode, but got byte 0xff at position 3"
    )


def test_input_that_is_not_mlir(tmp_path: Path) -> None:
    file = tmp_path / "kernel.mlir"
    file.write_text("int main() { return 0; }\n")
    assert refused(tcgen05("compile", file)).startswith(f"{file}:1:1: ")
    assert refused(tcgen05("compile", "-", stdin=b"{")).startswith("<stdin>:1:")


def test_input_without_a_gpu_module() -> None:
    assert refused(tcgen05("compile", "-")) == (
        "expected the module to hold exactly one gpu.module, but got none"
    )


KERNEL = """#t = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
#s = #tcgen05.layout<{layout}>
gpu.module @k {{
  func.func @f(%a: i32, %p: !llvm.ptr<3>) {{
    %t = tcgen05.tmem_view %a : !tcgen05.tmem<128x4xi32, #t>
    %s = tcgen05.smem_view %p : !llvm.ptr<3> -> !tcgen05.smem<128x4xi32, #s>
    tcgen05.cp "{opcode}" %t, %s : !tcgen05.tmem<128x4xi32, #t>, !tcgen05.smem<128x4xi32, #s>
    return
  }}
}}
"""
LAYOUT = "[128, 4] : [4, 1]"
OPCODE = "cta_group::1.128x128b"


def nested(depth: int) -> str:
    return f"[{'(' * depth}128{')' * depth}, 4] : [{'(' * depth}4{')' * depth}, 1]"


def test_kernel_of_the_negative_tests_is_legal() -> None:
    for layout in (LAYOUT, nested(16)):
        process = tcgen05(
            "compile", "-", stdin=KERNEL.format(layout=layout, opcode=OPCODE).encode()
        )
        assert process.returncode == 0, process.stderr


@pytest.mark.parametrize(
    "layout",
    [
        "",
        "[128, 4]",
        "[128, 4] :",
        "[128, 4] : [4]",
        "[128, 4] : [4, 1], offset",
        "[128, 4] : [4, 1], swizzle 48B",
        "[128, 4] : [4, 1], replica [2]",
        "[128, 4] : [4, 1@row]",
        "[0, 4] : [4, 1]",
        "[-128, 4] : [4, 1]",
        "[128, 99999999999999999999] : [4, 1]",
        "[128, 4] : [9223372036854775807, 1]",
        nested(17),
        nested(200_000),
        ", ".join(["[1"] + ["1"] * 16) + "] : [" + ", ".join(["1"] * 17) + "]",
    ],
    ids=lambda layout: layout[:40] or "empty",
)
def test_malformed_layout(layout: str) -> None:
    source = KERNEL.format(layout=layout, opcode=OPCODE).encode()
    assert refused(tcgen05("compile", "-", stdin=source)).startswith("<stdin>:")


@pytest.mark.parametrize(
    ("opcode", "accepted"),
    [
        ("", "cta_group::1 or cta_group::2"),
        ("cta_group::1", "128x256b"),
        ("cta_group::1.128x127b", "128x256b"),
        ("cta_group::1.cta_group::1.128x128b", "128x256b"),
        ("cta_group::1.128x128b.", "b8x16.b4x16_p64"),
        ("cta_group::1.128x128b.warpx4", "no multicast"),
        ("cta_group::1.64x128b", "warpx2::02_13 or warpx2::01_23"),
    ],
)
def test_bad_qualifiers(opcode: str, accepted: str) -> None:
    source = KERNEL.format(layout=LAYOUT, opcode=opcode).encode()
    message = refused(tcgen05("compile", "-", stdin=source))
    assert message.startswith("<stdin>:7:")
    assert accepted in message


def test_illegal_copy_is_told_with_notes() -> None:
    source = KERNEL.format(layout="[128, 4] : [5, 1]", opcode=OPCODE).encode()
    message = refused(tcgen05("compile", "-", stdin=source))
    assert message.splitlines()[0] == (
        "<stdin>:7:5: 'tcgen05.cp' op expected src row 1, word 0 at byte 16, but got 20"
    )
    assert "see current operation" not in message


@pytest.mark.parametrize("chip", ["sm_90a", "sm_999", "sm_100", "nonsense"])
def test_chip_that_cannot(chip: str) -> None:
    message = refused(tcgen05("compile", EXAMPLE, "--chip", chip))
    assert re.search(rf"but got '?{chip}\b", message)
    assert "sm_100a" in message
    assert refused(tcgen05("compile", EXAMPLE, "--chip", "a b")).endswith("but got 'a b'")


def test_missing_ptxas_names_the_extra(tmp_path: Path) -> None:
    # A package of this name in front hides the wheels' tools.
    (tmp_path / "nvidia").mkdir()
    (tmp_path / "nvidia" / "__init__.py").touch()
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    hidden = {"PYTHONPATH": os.pathsep.join(paths), "PATH": str(tmp_path)}
    output = tmp_path / "copy.cubin"
    message = refused(tcgen05("compile", EXAMPLE, "--to", "cubin", "-o", output, env=hidden))
    assert message == (
        "expected ptxas to be in the wheel 'nvidia-cuda-nvcc' or on PATH, but got none; "
        "install it with: pip install 'mlir-tcgen05[cuda]'"
    )
    assert not output.exists()
    assert tcgen05("compile", EXAMPLE, "--to", "ptx", env=hidden).returncode == 0
    assert b"not installed: pip install 'mlir-tcgen05[cuda]'" in tcgen05("env", env=hidden).stdout


def test_missing_mlir_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "mlir").mkdir()
    (tmp_path / "mlir" / "__init__.py").touch()
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    message = refused(tcgen05("compile", EXAMPLE, env={"PYTHONPATH": os.pathsep.join(paths)}))
    assert message.startswith("expected all of mlir-tcgen05 to be installed, but got: ")


def test_binary_to_a_terminal() -> None:
    leader, follower = pty.openpty()
    try:
        process = subprocess.run(
            [sys.executable, "-m", "mlir_tcgen05", "compile", str(EXAMPLE), "--to", "cubin"],
            stdin=subprocess.DEVNULL,
            stdout=follower,
            stderr=subprocess.PIPE,
            timeout=120,
            check=False,
        )
    finally:
        os.close(follower)
        os.close(leader)
    assert process.returncode == 1
    assert process.stderr.decode() == (
        "error: expected binary output to go to a file or a pipe, but got a terminal; use -o\n"
    )


def test_reader_that_goes_away() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "mlir_tcgen05", "compile", str(EXAMPLE)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    assert process.wait(timeout=120) == 1
    assert process.stderr.read() == b""
    process.stderr.close()


@pytest.mark.parametrize(
    "arguments",
    [
        ["compile"],
        ["compile", "-", "--to", "exe"],
        ["compile", "-", "--no-such-option"],
        ["no-such-command"],
        ["decode", "zero"],
        ["encode", "--swizzle", "16B"],
    ],
)
def test_wrong_usage(arguments: list[str]) -> None:
    process = tcgen05(*arguments)
    assert process.returncode == 2
    assert process.stderr.startswith(b"Usage: ")


def test_version_and_env() -> None:
    import mlir_tcgen05

    version = tcgen05("--version").stdout.decode().split()
    assert version == ["tcgen05", mlir_tcgen05.__version__]
    lines = tcgen05("env").stdout.decode().splitlines()
    rows = dict(line.split(maxsplit=1) for line in lines)
    assert rows["mlir-tcgen05"] == mlir_tcgen05.__version__
    assert rows["mlir"].startswith("22.1.8")
    assert rows["llvm"].startswith("22.1.8")
    for tool in ("ptxas", "nvdisasm", "cuobjdump"):
        assert Path(rows[tool]).is_file() or rows[tool].startswith("not installed")
    for tool in (*TOOLS, "plugin"):
        assert Path(rows[tool]).is_file()


@pytest.mark.parametrize("tool", TOOLS)
def test_each_tool_has_a_console_script(tool: str) -> None:
    """pyproject.toml names a function that starts it."""
    text = (ROOT / "pyproject.toml").read_text()
    module, name = re.findall(rf'^{tool} = "([\w.]+):(\w+)"$', text, re.MULTILINE)[0]
    script = f"from {module} import {name}; {name}()"
    process = subprocess.run(
        [sys.executable, "-c", script, "--help"], capture_output=True, timeout=120, check=False
    )
    assert process.returncode == 0, process.stderr
    assert f"USAGE: {tool} ".encode() in process.stdout


def test_env_plugin_prints_one_path() -> None:
    process = tcgen05("env", "plugin")
    assert process.returncode == 0, process.stderr
    path = Path(process.stdout.decode().removesuffix("\n"))
    assert path.name == "Tcgen05Plugin.so"
    assert path.is_file()


def test_decode_and_encode() -> None:
    # 128B swizzle, SDO 1024, shared address 0x400: a golden value of the specification.
    process = tcgen05("encode", "--start", "0x400", "--sdo", "1024", "--swizzle", "128B")
    assert process.stdout == b"0x4000404000010040\n"
    lines = tcgen05("decode", "0x4000404000010040").stdout.decode().splitlines()
    assert dict(line.split(maxsplit=1) for line in lines) == {
        "start": "0x400",
        "ldo": "16 bytes",
        "sdo": "1024 bytes",
        "swizzle": "128B",
    }
    plain = tcgen05("encode", "--start", "0x400", "--ldo", "128", "--sdo", "256")
    assert plain.stdout == b"0x0000401000080040\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["decode", "0"],
        ["decode", "0x6000404000010040"],
        ["decode", str(2**64)],
        ["decode", str(2**70)],
        ["encode", "--start", "8"],
        ["encode", "--start", str(2**18)],
        ["encode", "--sdo", "200"],
        ["encode", "--ldo", "-16"],
    ],
)
def test_descriptor_that_cannot_be(arguments: list[str]) -> None:
    assert refused(tcgen05(*arguments)).startswith("expected ")


def test_atoms_lists_all_six() -> None:
    lines = tcgen05("atoms").stdout.decode().splitlines()
    assert [line.split()[:4] for line in lines[1:]] == [
        ["128x256b", "none", "128", "8"],
        ["128x128b", "none", "128", "4"],
        ["4x256b", "none", "4", "8"],
        ["64x128b", "warpx2::02_13", "64", "4"],
        ["64x128b", "warpx2::01_23", "64", "4"],
        ["32x128b", "warpx4", "32", "4"],
    ]
    assert lines[-1].endswith("4, 32 lanes apart")


def test_help_imports_neither_mlir_nor_the_layouts() -> None:
    code = (
        "import sys\n"
        "from mlir_tcgen05.cli import main\n"
        "main(['--help'], standalone_mode=False)\n"
        "heavy = [m for m in sys.modules if m.split('.')[0] in ('mlir', 'numpy')]\n"
        "assert not heavy, heavy\n"
        "assert 'mlir_tcgen05.layout' not in sys.modules\n"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert process.returncode == 0, process.stderr
    assert b"compile" in process.stdout


def test_layout_works_without_mlir() -> None:
    code = (
        "import sys\n"
        "import mlir_tcgen05\n"
        "mlir_tcgen05.layout.SmemDescriptor\n"
        "assert not [m for m in sys.modules if m.split('.')[0] in ('mlir', 'numpy')]\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
