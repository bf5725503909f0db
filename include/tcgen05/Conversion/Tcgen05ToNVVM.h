//===- Tcgen05ToNVVM.h - Patterns that lower the dialect --------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For conversions of your own:
//
//   tcgen05::populateTcgen05TypeConversions(converter);
//   tcgen05::populateTcgen05ToNVVMPatterns(converter, patterns);
//   target.addIllegalDialect<tcgen05::Tcgen05Dialect>();
//
// A region becomes an i32: the address that its view was made from plus what
// the run-time terms of its offset add. The constant part of the offset is in
// the type, where each user finds it. With the interface registered, upstream's
// -convert-to-llvm and -convert-gpu-to-nvvm do all this by themselves.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_CONVERSION_TCGEN05TONVVM_H
#define TCGEN05_CONVERSION_TCGEN05TONVVM_H

#include "mlir/Transforms/DialectConversion.h"

#include <optional>

namespace tcgen05 {

/// What a copy becomes.
enum class CpEmit {
  /// One nvvm.inline_ptx per instruction, deltas in its template.
  InlinePtx,
  /// nvvm.tcgen05.cp: no predicate, and no clobber of shared memory.
  NvvmOp
};

/// `inline-ptx` or `nvvm-op`.
std::optional<CpEmit> parseCpEmit(llvm::StringRef text);

/// !tcgen05.tmem and !tcgen05.smem become i32.
void populateTcgen05TypeConversions(mlir::TypeConverter &converter);

/// How a copy is lowered.
struct CpLowering {
  CpEmit emit = CpEmit::InlinePtx;
  /// More repeats than this become an `scf.for` around equal blocks of them;
  /// zero never loops. Patterns of your own must then have a use for scf: the
  /// interface, whose hosts need not, unrolls whatever the number.
  int64_t unrollLimit = 0;
};

/// Lowers all operations of the dialect. `converter` must know the region types
/// and may know more.
void populateTcgen05ToNVVMPatterns(const mlir::TypeConverter &converter,
                                   mlir::RewritePatternSet &patterns,
                                   const CpLowering &lowering = {});

/// The part of it that is a room's.
void populateViewPatterns(const mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
void populateCpPatterns(const mlir::TypeConverter &converter,
                        mlir::RewritePatternSet &patterns,
                        const CpLowering &lowering);

/// Lets -convert-to-llvm and -convert-gpu-to-nvvm lower the dialect.
void registerConvertTcgen05ToLLVMInterface(mlir::DialectRegistry &registry);

} // namespace tcgen05

#endif // TCGEN05_CONVERSION_TCGEN05TONVVM_H
