# pyright: reportUnknownVariableType=false, reportWildcardImportFromLibrary=false
"""The stock `mlir.ir`, under the name that generated enum bindings import."""

from mlir.ir import *  # noqa: F403
from mlir.ir import register_attribute_builder as register_attribute_builder
