"""Dialect modules, found by the stock `mlir` package: `mlir_tcgen05.dialects.tcgen05`."""
