# RUN: %pytest %s
"""The package as type checkers see it: strictly clean, complete, and stubs that say what is so."""

from __future__ import annotations

import ast
import inspect
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import mlir_tcgen05
import pytest
from mlir_tcgen05._mlir_libs import _layout, _tcgen05
from mlir_tcgen05.dialects import _tcgen05_ops_gen

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(os.environ["TCGEN05_SOURCE_ROOT"])
PACKAGE = Path(mlir_tcgen05.__file__).parent


def pyright(where: Path, *arguments: str) -> dict:
    """What pyright reports, run in a directory with the Node.js of its own wheel."""
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson"]
    environment = {
        **os.environ,
        "PYTHONPATH": str(where),
        "PYRIGHT_PYTHON_GLOBAL_NODE": "0",
        "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1",
    }
    process = subprocess.run(
        [*command, *arguments],
        capture_output=True,
        text=True,
        cwd=where,
        env=environment,
        timeout=550,
        check=False,
    )
    assert process.stdout, process.stderr
    return json.loads(process.stdout)


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """A directory with nothing but the package: outside site-packages, which pyright leaves out."""
    (tmp_path / "mlir_tcgen05").symlink_to(PACKAGE)
    return tmp_path


def strictly(where: Path, package: str) -> list[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pyright"]
    (where / "pyrightconfig.json").write_text(json.dumps({**settings, "include": [package]}))
    found = pyright(where)["generalDiagnostics"]
    return [f"{d['file']}:{d['range']['start']['line'] + 1}: {d['message']}" for d in found]


def test_strict(beside: Path) -> None:
    # What is checked would be found: one function that is wrong, and one without types.
    wrong = beside / "wrong.py"
    wrong.write_text(
        "from mlir_tcgen05.layout import Layout\n"
        "def rank(layout: Layout) -> str:\n    return layout.rank\n"
        "def size(layout):\n    return layout\n"
    )
    found = strictly(beside, "*")
    assert [line for line in found if "wrong.py" not in line] == []
    assert any('"int" is not assignable to "str"' in line for line in found)
    assert any("Type annotation is missing" in line for line in found)


def test_public_surface_is_complete(beside: Path) -> None:
    report = pyright(beside, "--verifytypes", "mlir_tcgen05", "--ignoreexternal")
    completeness = report["typeCompleteness"]
    unknown = [
        f"{symbol['name']}: {diagnostic['message']}"
        for symbol in completeness["symbols"]
        if not symbol["isTypeKnown"] or symbol["isTypeAmbiguous"]
        for diagnostic in symbol["diagnostics"]
    ]
    assert unknown == []
    assert completeness["completenessScore"] == 1
    exported = {s["name"] for s in completeness["symbols"] if s["isExported"]}
    public = set(mlir_tcgen05.__all__) - {"__version__"}
    assert {f"mlir_tcgen05.{name}" for name in public} <= exported
    assert {"mlir_tcgen05.layout.LayoutError", "mlir_tcgen05.dialects.tcgen05.cp"} <= exported


def test_typed_package_is_marked() -> None:
    assert (PACKAGE / "py.typed").is_file()


def stub(module: ModuleType) -> dict[str, ast.stmt]:
    """The top level of the stub that lies beside a module, by names."""
    file = Path(str(module.__file__))
    path = file.with_name(file.name.split(".")[0] + ".pyi")
    return {
        name: node
        for node in ast.parse(path.read_text()).body
        for name in [getattr(node, "name", None) or getattr(getattr(node, "target", 0), "id", None)]
        if name
    }


@pytest.mark.parametrize("module", [_layout, _tcgen05], ids=lambda module: module.__name__)
def test_stubs_of_compiled_modules(module: ModuleType) -> None:
    public = {name for name in vars(module) if not name.startswith("_")}
    described = stub(module)
    assert public == set(described)
    for name in public:
        value, node = getattr(module, name), described[name]
        if not isinstance(value, type):
            continue
        assert isinstance(node, ast.ClassDef)
        members = {n for n in vars(value) if not n.startswith("_")}
        written = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
        written |= {ast.unparse(n.target) for n in node.body if isinstance(n, ast.AnnAssign)}
        assert members <= written, name


def test_stubs_of_generated_ops() -> None:
    """Classes, parameters and properties are those of the module that ODS generates."""
    classes = {
        name: value
        for name, value in vars(_tcgen05_ops_gen).items()
        if inspect.isclass(value) and name.endswith("Op")
    }
    described = stub(_tcgen05_ops_gen)
    assert set(described) == set(classes)
    for name, value in classes.items():
        node = described[name]
        assert isinstance(node, ast.ClassDef)
        functions = [n for n in node.body if isinstance(n, ast.FunctionDef)]
        (init,) = [n for n in functions if n.name == "__init__"]
        parameters = inspect.signature(value.__init__).parameters.values()
        by_position = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        by_name = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
        assert [a.arg for a in init.args.args] == by_position
        assert [a.arg for a in init.args.kwonlyargs] == list(by_name)
        assert [ast.literal_eval(d) for d in init.args.kw_defaults if d] == list(by_name.values())
        written = {n.name: {d.attr if isinstance(d, ast.Attribute) else "get"
                            for m in functions if m.name == n.name for d in m.decorator_list}
                   for n in functions if n.name != "__init__"}  # fmt: skip
        properties = {
            key: {kind for kind, has in
                  (("get", p.fget), ("setter", p.fset), ("deleter", p.fdel)) if has}
            for key, p in vars(value).items() if isinstance(p, property)
        }  # fmt: skip
        assert written == properties, name
