"""The stock `mlir.dialects._ods_common`, under the name that generated op bindings import."""

from mlir.dialects import _ods_common as _stock
from mlir.dialects._ods_common import *  # noqa: F403  # pyright: ignore[reportWildcardImportFromLibrary]


def __getattr__(name: str) -> object:
    """Any other name, private ones such as `_cext` included, comes from the stock module."""
    return getattr(_stock, name)
