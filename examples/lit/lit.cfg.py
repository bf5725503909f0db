"""Everything that lit needs to know: run the files `*.mlir` of this directory as shell tests.

    pip install 'mlir-tcgen05[test]'
    lit -v .

`tcgen05-opt` and `filecheck` are found on PATH, where the installation puts them.
"""

import lit.formats

config.name = "my-kernels"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir"]
