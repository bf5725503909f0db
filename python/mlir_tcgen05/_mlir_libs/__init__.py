"""Compiled parts of the package: `_layout` (no MLIR needed) and `_tcgen05`."""
