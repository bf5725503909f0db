//===- Passes.td - Passes of the tcgen05 dialect -----------*- tablegen -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_CONVERSION_PASSES_TD
#define TCGEN05_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTcgen05ToNVVM : Pass<"convert-tcgen05-to-nvvm"> {
  let summary = "lower tcgen05 to NVVM inline PTX";
  let description = [{
    Region types become `i32`, in functions, blocks and `scf` operations too: the
    address of the view, plus the run-time terms of its offset. The constant part
    of an offset stays in the type, and `tcgen05.cast` adds or subtracts the
    difference. Run the pass on the module, so that functions and their callers
    change together.

    Each `tcgen05.cp` becomes one base descriptor, in plain arithmetic that CSE
    and loop-invariant code motion understand, and one `nvvm.inline_ptx` for each
    repeat. The differences between repeats are literals of its template:

    ```mlir
    nvvm.inline_ptx "{ .reg .b32 t; .reg .b64 d; mov.b32 t, $0; add.s64 d, $1, 128; tcgen05.cp.cta_group::1.128x128b [t+8], d; }" ro(%taddr, %base : i32, i64)
    ```

    This way no later pass folds them into the base (each would then cost two
    moves), and operands that become constants after inlining still assemble.

    With `emit=nvvm-op` the copies become `nvvm.tcgen05.cp` instead. That
    operation has no predicate, so a copy with `pred` is refused; and its
    intrinsic says that it touches argument memory only, while shared memory is
    reached through an integer: LLVM may delete a shared store that feeds the
    copy unless another call that clobbers memory stands between them. The
    default has neither limit.

    More than `unroll-limit` repeats become an `scf.for` around the largest equal
    blocks of up to 64, which moves the address and the descriptor on from block
    to block; so do fewer that would spill, since they use more than 32 sources
    again. Zero, or repeats that do not advance evenly, unroll. Measured with ptxas
    13.0 and 13.5, unrolled copies cost two machine instructions each, without
    spills, up to the 2048 that tensor memory has room for; a loop adds some for
    each block, and blocks of more than 64 spill. The limit therefore bounds the
    size of the code only. Its default, 4 kB, is as many repeats as 512 columns
    hold of any shape but `4x256b`. LLVM may unroll a short loop again. Other hosts
    of the patterns always unroll.
  }];
  let constructor = "::tcgen05::createConvertTcgen05ToNVVM()";
  let options = [
    Option<"emitText", "emit", "std::string", [{"inline-ptx"}],
           "What a copy becomes: inline-ptx or nvvm-op">,
    Option<"unrollLimit", "unroll-limit", "int64_t", "128",
           "Most repeats of one copy that are unrolled; 0 for all">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def Tcgen05AttachTarget : Pass<"tcgen05-attach-target"> {
  let summary = "compile the gpu.modules for a chip that has tcgen05.cp";
  let description = [{
    Gives every `gpu.module` below the root the one target `chip`, instead of
    those that it has. Unlike `nvvm-attach-target` it knows which chips have the
    instruction, refuses the others, and does not stop upstream's `nvvm.tcgen05`
    operations on family-specific chips.
  }];
  let constructor = "::tcgen05::createTcgen05AttachTarget()";
  let options = [
    Option<"chip", "chip", "std::string", [{"sm_100a"}], "The chip">,
    Option<"features", "features", "std::string", [{""}],
           "LLVM features, such as +ptx88; the least PTX version if empty">,
    Option<"optLevel", "O", "int", "3", "Optimization level of LLVM">
  ];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def Tcgen05PrepareModule : Pass<"tcgen05-prepare-module",
                                "::mlir::gpu::GPUModuleOp"> {
  let summary = "make a gpu.module ready for convert-gpu-to-nvvm";
  let description = [{
    Checks that signatures hold static memrefs only, which the bare pointer
    convention needs, and breaks vector operations down to those that have a
    conversion to LLVM. Upstream does the latter in `convert-vector-to-llvm`
    only, which knows no `#gpu.address_space`.
  }];
  let constructor = "::tcgen05::createTcgen05PrepareModule()";
  let dependentDialects = [
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def Tcgen05RequireBlockSize : Pass<"tcgen05-require-block-size",
                                   "::mlir::gpu::GPUModuleOp"> {
  let summary = "say that a known block size is the only one";
  let description = [{
    A kernel's `known_block_size` becomes `nvvm.maxntid` upstream. This turns it
    into `nvvm.reqntid`, which tells ptxas that the whole block is there: a copy
    under `thread id == 0` then needs no loop around it. A kernel that is
    launched with another size fails to launch. (Both attributes together do not
    assemble.) A bound without a known size, `nvvm.maxntid` alone, stays one.
  }];
  let constructor = "::tcgen05::createTcgen05RequireBlockSize()";
}

#endif // TCGEN05_CONVERSION_PASSES_TD
