//===- Cp.td - The copy from shared to tensor memory -------*- tablegen -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_IR_INSTRUCTIONS_CP_TD
#define TCGEN05_IR_INSTRUCTIONS_CP_TD

include "tcgen05/IR/Types.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tcgen05_TensorMemory : Resource<"::tcgen05::TensorMemory">;

// The read is declared on the default resource and on no operand: with a
// resource of our own, or on the operand, upstream's barrier elimination sees
// no conflict with the stores before the copy and deletes the gpu.barrier
// between them.
def Tcgen05_CpOp : Tcgen05_Op<"cp", [
    MemoryEffects<[MemRead<DefaultResource>, MemWrite<Tcgen05_TensorMemory>]>]> {
  let summary = "copy from shared memory to tensor memory";
  let description = [{
    Copies `src` to `dst`, asynchronously. Operands have the shape
    `(group axes..., repeat axes..., rows, words)`; rows and words are those of
    the instruction's shape. One instruction is issued for each point of the
    repeat axes, in row-major order; leading repeat extents of one are ignored.

    The string is the opcode of PTX after `tcgen05.cp.`; its qualifiers are
    stored as `cta_group`, `shape`, `multicast` and `decompress`.

    | shape      | multicast       | rows x words | lane of row r     | replicas             |
    |------------|-----------------|--------------|-------------------|----------------------|
    | `128x256b` |                 | 128 x 8      | r                 |                      |
    | `128x128b` |                 | 128 x 4      | r                 |                      |
    | `4x256b`   |                 | 4 x 8        | 32 r              |                      |
    | `64x128b`  | `warpx2::02_13` | 64 x 4       | r                 | 2, 64 lanes apart    |
    | `64x128b`  | `warpx2::01_23` | 64 x 4       | 64 (r/32) + r%32  | 2, 32 lanes apart    |
    | `32x128b`  | `warpx4`        | 32 x 4       | r                 | 4, 32 lanes apart    |

    `decompress` expands packed values on the way, 16 to a block of 16 bytes:
    `b8x16.b4x16_p64` and `b8x16.b6x16_p32`.

    Every thread that reaches the operation issues the copy, unless `pred` is
    false; nobody is elected. `scope` says who does, and with it which group axes
    lead the shapes: each issuing thread copies the slice that its own
    coordinates name.

    | scope       | group axes                     |
    |-------------|--------------------------------|
    | `thread`    |                                |
    | `warp`      | lane                           |
    | `warpgroup` | warp in group, lane            |
    | `cta`       | warp, lane                     |
    | `cluster`   | CTA rank, warp, lane           |

    A lane axis is 1 or 32 long, a warp-in-group axis 1 or 4. Each CTA rank has
    its own tensor memory and shared memory.

    The copy waits for nothing and signals nothing: proxy fences, commit, wait
    and the order of copies among each other are the caller's.

    The copy is legal if all rules hold, for every repeat, every group member and
    every value of the run-time terms:

    - C1: shape and multicast are one of the six rows above.
    - C2: both element types have 32 bits.
    - C3: both shapes end in (rows, words).
    - C4: group and repeat extents agree.
    - C5: the replicas of `dst` are those of the multicast, as sets.
    - C6: every row of `dst` lies in its lane, every word in consecutive columns.
    - C7: the column origin of every repeat is a multiple of 4.
    - C8: the image with its replicas stays inside 128 lanes and `columns`.
    - C9: no two repeats, or group members of one CTA, write the same cell.
    - C10: every word of `src` is where one descriptor walk reads it.
    - C11: LDO and SDO are nonnegative multiples of 16 below 2^18 bytes.
    - C12: each origin of `src` is 16-byte aligned.
    - C13: `align` is at least the period of the swizzle: 256, 512, 1024 bytes.
    - C14: every byte that the walk reads lies in `storage`, and `storage` holds
      one eight-row block.
    - C15: inside a `gpu.module` with an `#nvvm.target`, the chip has tcgen05.cp.

    C9 is this dialect's (the hardware does not order copies), the others are the
    specification's.

    Example:

    ```mlir
    tcgen05.cp "cta_group::1.128x128b" %t, %s, pred %p : !tcgen05.tmem<128x4xi32, #tcgen05.layout<[128, 4] : [1@lane, 1@col]>>, !tcgen05.smem<128x4xi32, #tcgen05.layout<[128, 4] : [4, 1]>>
    ```
  }];

  let arguments = (ins
    Tcgen05_TmemType:$dst,
    Tcgen05_SmemType:$src,
    Optional<I1>:$pred,
    I32Attr:$cta_group,
    StrAttr:$shape,
    OptionalAttr<StrAttr>:$multicast,
    OptionalAttr<StrAttr>:$decompress,
    DefaultValuedStrAttr<StrAttr, "thread">:$scope);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "const ::tcgen05::layout::CpOpcode &":$opcode,
                   "::mlir::Value":$dst, "::mlir::Value":$src,
                   CArg<"::mlir::Value", "{}">:$pred,
                   CArg<"::tcgen05::layout::CpScope",
                        "::tcgen05::layout::CpScope::Thread">:$scope)>
  ];

  let extraClassDeclaration = [{
    /// The plan, or the first of the rules C1 to C14 that does not hold. Kept
    /// by the dialect, so asking again costs a look-up.
    const ::tcgen05::layout::Result<::tcgen05::layout::CpPlan> &getPlan();
  }];
}

#endif // TCGEN05_IR_INSTRUCTIONS_CP_TD
