"""From a module of TIRx (`apache-tvm-tirx`) to CUDA source: what its `compile` does before nvcc.

It has no public function that ends there, hence a private one of its is called.
"""

from __future__ import annotations

from typing import Any

import tvm_ffi
import tvm_tirx
from tvm_tirx.tirx._compile import _split_host_device_modules


def blackwell() -> Any:
    """The target of all that is compared."""
    return tvm_tirx.target.Target({"kind": "cuda", "arch": "sm_100a"})


def cuda_source(module: Any) -> str:
    """The source of the one kernel of a module, for Blackwell."""
    target = blackwell()
    pipeline, _, finalize = tvm_tirx.tirx.get_default_tir_pipeline(
        target, module, target_to_bind=target.with_host(tvm_tirx.target.Target("c"))
    )
    _, devices = _split_host_device_modules(pipeline(module))
    ((device_target, _), device) = next(iter(devices.items()))
    build = tvm_ffi.get_global_func("target.build.cuda")
    return build(finalize()(device), device_target).inspect_source()
