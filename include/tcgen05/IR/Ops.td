//===- Ops.td - All operations, a file for each room -------*- tablegen -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_IR_OPS_TD
#define TCGEN05_IR_OPS_TD

include "tcgen05/IR/Dialect.td"
include "tcgen05/IR/Attributes.td"
include "tcgen05/IR/Types.td"
include "tcgen05/IR/Instructions/Views.td"
include "tcgen05/IR/Instructions/Slice.td"
include "tcgen05/IR/Instructions/Cp.td"

#endif // TCGEN05_IR_OPS_TD
