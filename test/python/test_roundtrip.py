# RUN: %pytest %s -s
"""What is written reads back: generated modules, lowered modules, reproducers.

`test_hosts.py` sends the modules of the suite through print and parse, generic form, bytecode and
`-verify-roundtrip` in three hosts. Here it is checked that no module of the repository is left out
of that, and the same is done with random modules and with what the lowering makes of both.
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from random import Random

import mlir_tcgen05 as t5
import pytest
from mlir import ir
from mlir.passmanager import PassManager
from mlir_tcgen05._tools import tool_path
from test_hosts import CONVERT, MODULES, ROOT, Tool

sys.path.insert(0, str(ROOT / "test/generate"))

import modules

DRAWN = 300
FORMS = [form for form in modules.FORMS if form is not modules.slices]
"""Those that are legal by construction."""


def forms(module: ir.Module) -> dict[str, str]:
    """The module as printed, and as printed after each form that it can be written in."""
    op = module.operation
    texts: dict[str, str | bytes] = {
        "custom": str(module),
        "generic": op.get_asm(print_generic_op_form=True),
        "local": op.get_asm(use_local_scope=True),
        # The custom form of upstream's nvvm.barrier takes the location for an attribute.
        "locations": op.get_asm(enable_debug_info=True, print_generic_op_form=True),
    }
    written = io.BytesIO()
    op.write_bytecode(written)
    texts["bytecode"] = written.getvalue()
    out = {"itself": str(module)}
    for form, text in texts.items():
        again = ir.Module.parse(text)
        assert again.operation.verify()
        out[form] = str(again)
    return out


def check_forms(text: str) -> None:
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        t5.register(context)
        module = ir.Module.parse(text)
        lowered = ir.Module.parse(text)
        PassManager.parse(f"builtin.module({CONVERT})").run(lowered.operation)
        for what in (module, lowered):
            written = forms(what)
            assert set(written.values()) == {written["itself"]}, written


def test_no_module_is_left_out() -> None:
    """Every .mlir file is a module of `test_hosts.py`, or there for its errors."""
    known = {name.split(":")[0] for name in MODULES}
    for path in (path for d in ("test", "examples") for path in (ROOT / d).rglob("*.mlir")):
        name = str(path.relative_to(ROOT))
        text = re.sub(r"//.*", "", path.read_text())
        if name not in known and "tcgen05." in text:
            # A refused module has no form.
            assert path.stem.endswith("-invalid") or path.parent.name == "Inputs", name


@pytest.mark.parametrize("name", MODULES)
def test_modules_of_the_suite(name: str) -> None:
    check_forms(MODULES[name])


def test_generated_modules() -> None:
    rng = Random("round trip")
    for _ in range(DRAWN):
        text = rng.choice(FORMS)(rng, False)
        try:
            check_forms(text)
        except AssertionError as error:
            raise AssertionError(text) from error
    print(f"{DRAWN} generated modules")


def test_generated_modules_in_the_tool() -> None:
    """-verify-roundtrip compares text and bytecode with the module that it read, in C++."""
    rng = Random("tool")
    tool = Tool(tool_path("tcgen05-opt"))
    text = "\n// -----\n".join(rng.choice(FORMS)(rng, False) for _ in range(100))
    tool.run(text, "--split-input-file", "--verify-roundtrip")


def test_reproducer_of_a_failure(tmp_path: Path) -> None:
    """A pipeline that fails leaves a file that fails in the same way when it is run."""
    text = next(text for name, text in MODULES.items() if "pred %" in text and "scope" not in name)
    path = tmp_path / "crash.mlir"
    tool = Tool(tool_path("tcgen05-opt"))
    with pytest.raises(RuntimeError) as first:
        tool.run(
            text,
            f"--pass-pipeline=builtin.module({CONVERT}{{emit=nvvm-op}})",
            f"--mlir-pass-pipeline-crash-reproducer={path}",
        )
    with pytest.raises(RuntimeError) as second:
        tool.run(path.read_text(), "--run-reproducer")

    def sentences(error: pytest.ExceptionInfo[RuntimeError]) -> list[str]:
        found = re.findall(r"error: ('tcgen05.*)", str(error.value))
        assert found
        return found

    assert sentences(first) == sentences(second)


def test_reproducer_of_a_success(tmp_path: Path) -> None:
    """-mlir-generate-reproducer writes the module and the pipeline; they give the same output."""
    tool = Tool(tool_path("tcgen05-opt"))
    path = tmp_path / "run.mlir"
    for name in ("examples/copy_128x128b.mlir", "test/Conversion/slice.mlir"):
        pipeline = f"--pass-pipeline=builtin.module({CONVERT},canonicalize)"
        expected = tool.run(MODULES[name], pipeline, f"--mlir-generate-reproducer={path}")
        assert CONVERT in path.read_text()
        assert tool.run(path.read_text(), "--run-reproducer") == expected
