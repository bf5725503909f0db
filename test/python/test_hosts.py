# RUN: %pytest %s -s
"""Every module of the suite, in every host, gives the same IR.

The hosts are `tcgen05-opt`, the stock `mlir-opt` with the plugin, and the stock pass manager of
Python. In each of them the conversion gives the same text, all modules survive the generic form
and bytecode, and upstream's own conversions lower the dialect as our pass does.
"""

from __future__ import annotations

import io
import itertools
import os
import re
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import mlir_tcgen05 as t5
import pytest
from mlir import ir
from mlir.passmanager import PassManager
from mlir_tcgen05._tools import tool_environment, tool_path

ROOT = Path(os.environ.get("TCGEN05_SOURCE_ROOT", Path(__file__).parents[2]))
CONVERT = "convert-tcgen05-to-nvvm"
CLEAN = "canonicalize,cse"


def modules() -> Iterator[tuple[str, str]]:
    """Yields name and text of every module that is legal and says something."""
    for directory in (
        "test/Conversion",
        "test/Dialect",
        "test/Target",
        "test/Analysis",
        "examples",
        "examples/lit",
    ):
        for path in sorted((ROOT / directory).glob("*.mlir")):
            if path.stem.endswith("-invalid"):
                continue
            parts = path.read_text().split("// -----\n")
            for i, text in enumerate(parts):
                # Some files only hold commands for a module of another file.
                if "tcgen05." in re.sub(r"//.*", "", text):
                    yield f"{directory}/{path.name}{f':{i}' if len(parts) > 1 else ''}", text


MODULES = dict(modules())
every_module = pytest.mark.parametrize("name", MODULES)


class Tool:
    """A compiled tool in the manner of mlir-opt."""

    def __init__(self, path: Path, *options: str) -> None:
        self.command = [str(path), *options, "--allow-unregistered-dialect"]

    def run(self, source: str | bytes, *options: str) -> bytes:
        """Returns what the tool prints for a module.

        Raises:
            RuntimeError: the tool refuses the module.
        """
        done = subprocess.run(
            [*self.command, *options],
            input=source.encode() if isinstance(source, str) else source,
            capture_output=True,
            check=False,
            env=tool_environment(),
        )
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode())
        return done.stdout

    def convert(self, text: str, pipeline: str) -> str:
        return self.run(text, f"--pass-pipeline=builtin.module({pipeline})").decode().strip()

    def round_trip(self, text: str) -> tuple[str, str, str]:
        """Returns the module as printed, printed after the generic form, and after bytecode."""
        plain = self.run(text, "--verify-roundtrip").decode().strip()
        generic = self.run(text, "--mlir-print-op-generic")
        assert b'"builtin.module"' in generic
        bytecode = self.run(text, "--emit-bytecode")
        assert bytecode[:4] == b"ML\xefR"
        return plain, self.run(generic).decode().strip(), self.run(bytecode).decode().strip()


class Python:
    """A context of the stock package, and its pass manager."""

    def __init__(self) -> None:
        self.context = ir.Context()
        self.context.allow_unregistered_dialects = True
        t5.register(self.context)

    def convert(self, text: str, pipeline: str) -> str:
        with self.context, ir.Location.unknown():
            module = ir.Module.parse(text)
            try:
                PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
            except ir.MLIRError as error:
                raise RuntimeError(str(error)) from error
            return str(module).strip()

    def round_trip(self, text: str) -> tuple[str, str, str]:
        with self.context, ir.Location.unknown():
            module = ir.Module.parse(text)
            assert module.operation.verify()
            generic = module.operation.get_asm(print_generic_op_form=True)
            assert '"builtin.module"' in generic
            bytecode = io.BytesIO()
            module.operation.write_bytecode(bytecode)
            again = [ir.Module.parse(generic), ir.Module.parse(bytecode.getvalue())]
            assert all(m.operation.verify() for m in again)
            return str(module).strip(), *(str(m).strip() for m in again)


@pytest.fixture(scope="module")
def hosts() -> dict[str, Tool | Python]:
    plugin = tool_path("tcgen05-opt").parent.parent / "lib" / "Tcgen05Plugin.so"
    spec = find_spec("mlir")
    assert spec is not None
    assert spec.submodule_search_locations
    stock = next(
        path
        for place in spec.submodule_search_locations
        if (path := Path(place) / "bin" / "mlir-opt").is_file()
    )
    return {
        "tcgen05-opt": Tool(tool_path("tcgen05-opt")),
        "mlir-opt": Tool(stock, f"--load-dialect-plugin={plugin}", f"--load-pass-plugin={plugin}"),
        "python": Python(),
    }


def only(answers: dict[str, str]) -> str:
    """Returns the one answer that all hosts give."""
    first = next(iter(answers.values()))
    for host, answer in answers.items():
        assert answer == first, f"{host} differs"
    return first


def without_constants(text: str) -> str:
    """Returns the IR with constants written where they are used.

    Upstream's conversion of gpu.modules runs folders, which move constants to the top in an order
    of their own. All else is compared as it stands.
    """
    names: dict[str, str] = {}
    count = itertools.count()
    lines = []
    for line in text.splitlines():
        if "func @" in line:
            names = {}
        if match := re.match(r"\s*(%\w+) = (llvm\.mlir\.(?:constant|addressof|poison)\b.*)", line):
            names[match[1]] = f"({match[2]})"
        else:
            # The other values are numbered anew, in the order in which they appear.
            for value in re.findall(r"%\w+", line):
                names.setdefault(value, f"%v{next(count)}")
            lines.append(re.sub(r"%\w+", lambda match, names=names: names[match[0]], line))
    return "\n".join(lines)


def compare_lowerings(
    hosts: dict[str, Tool | Python], texts: dict[str, str], ours: str, alone: str
) -> None:
    """Compares a pipeline with and without our pass, on all modules in all hosts."""
    for name, text in texts.items():
        for key, host in hosts.items():
            expected = without_constants(host.convert(text, ours))
            assert without_constants(host.convert(text, alone)) == expected, f"{name} in {key}"


@every_module
def test_conversion_is_the_same(name: str, hosts: dict[str, Tool | Python]) -> None:
    text = MODULES[name]
    lowered = only({key: host.convert(text, CONVERT) for key, host in hosts.items()})
    assert not re.search(
        r"[!#]tcgen05\.|\"?tcgen05\.(cp|cast|slice|address|\w+_view)\b [\"%]", lowered
    )


@every_module
def test_forms_are_the_same(name: str, hosts: dict[str, Tool | Python]) -> None:
    forms = {
        f"{key}, {form}": text
        for key, host in hosts.items()
        for form, text in zip(
            ("custom", "generic", "bytecode"), host.round_trip(MODULES[name]), strict=True
        )
    }
    only(forms)


def test_convert_to_llvm_alone_is_the_same(hosts: dict[str, Tool | Python]) -> None:
    # Upstream's pass maps no #gpu.address_space, does not reach into a gpu.module, and ends with an
    # assertion at an nvvm.inline_ptx that writes an operand and has no result.
    texts = {
        name: text
        for name, text in MODULES.items()
        if all(word not in text for word in ("#gpu.address_space", "gpu.module", " rw("))
    }
    rest = "convert-to-llvm,reconcile-unrealized-casts," + CLEAN
    ours = f"{CONVERT},convert-scf-to-cf,{rest}"
    assert {"test/Conversion/slice.mlir", "test/Target/descriptors.mlir"} <= set(texts)
    compare_lowerings(hosts, texts, ours, f"convert-scf-to-cf,{rest}")
    print(f"{len(texts)} modules lowered by convert-to-llvm alone")


def test_convert_gpu_to_nvvm_is_the_same(hosts: dict[str, Tool | Python]) -> None:
    texts = {name: text for name, text in MODULES.items() if "gpu.module" in text}
    rest = (
        "convert-scf-to-cf,expand-strided-metadata,lower-affine,"
        "convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=1},reconcile-unrealized-casts," + CLEAN
    )
    assert {"examples/copy_128x128b.mlir", "test/Target/regions.mlir"} <= set(texts)
    compare_lowerings(hosts, texts, f"gpu.module({CONVERT},{rest})", f"gpu.module({rest})")
    print(f"{len(texts)} modules lowered by convert-gpu-to-nvvm alone")


def test_the_suite_is_not_empty() -> None:
    print(f"{len(MODULES)} modules in 3 hosts")
    assert len(MODULES) >= 30
    assert any(name.startswith("examples/") for name in MODULES)
